/** Queries and mutations of the team: administrators, their roles, and the permissions that roles hold. */

import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { useWhole } from "../../app/names.js"
import { isOneself } from "../../app/oneself.js"
import { admin } from "../../app/query-clients.js"
import { type AdminRow, admins, permissions, type RoleRow, roles } from "../../app/rows.js"
import { type Asked, pageSize } from "../../data/list-state.js"
import type { Question } from "../../design/dialog.js"
import { inline } from "../../design/format.js"
import { wholePermissions } from "./effective.js"

/** The administrators that a list shows. */
export const list = ({ query }: Asked) =>
  admin.infiniteQuery(admins.list, { query: { ...query } }, { limit: pageSize })

/** All administrators, by whose roles one knows who holds a role. */
const everybody = admin.infiniteQuery(admins.list, {}, { limit: 500 })
const allRoles = admin.infiniteQuery(roles.list, {}, { limit: 500 })
const allPermissions = admin.infiniteQuery(permissions.list, {}, { limit: 500 })

const byId = (id: string) => admin.query(admins.get, { id })

export const read = admin.mutation(admins.get)
export const create = admin.mutation(admins.create)
export const update = admin.mutation(admins.update)
// What is gone is not read once more.
export const remove = admin.mutation(Admin.admins.delete, { invalidates: [admins.list] })

export const readRole = admin.mutation(roles.get)
export const createRole = admin.mutation(roles.create)
export const updateRole = admin.mutation(roles.update)
export const removeRole = admin.mutation(Admin.roles.delete, { invalidates: [roles.list, admins.list] })
export const grant = admin.mutation(Admin.roles.addPermission)
export const revoke = admin.mutation(Admin.roles.removePermission)

export const nameOf = ({ email, fullName }: Pick<AdminRow, "email" | "fullName">): string =>
  inline(fullName?.trim() || email || "Administrator")

/** "2 people". */
export const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`)

/** How many people have a role, where that is known. */
export const heldBy = (holders: ReadonlyArray<AdminRow> | undefined): string | undefined =>
  holders && (holders.length === 0 ? "Nobody" : people(holders.length))

export const roleName = ({ name }: Pick<RoleRow, "name">): string =>
  inline(name?.trim() || "Role without a name")

/** The name of each role by its id. */
export const roleNames = (
  ids: ReadonlyArray<string> | null | undefined,
  of: ReadonlyArray<RoleRow>
): ReadonlyArray<string> =>
  (ids ?? []).map((id) => {
    const role = of.find(({ _id }) => _id === id)
    return role === undefined ? "Unknown role" : roleName(role)
  })

/** Whether somebody is who is signed in. */
export const useIsOwn = (): ((of: AdminRow) => boolean) => {
  const session = useSession(admin.session)
  return (of) => isOneself(session, of)
}

export const useEverybody = () => useWhole(everybody)
export const useRoles = () => useWhole(allRoles)

/** The permissions that roles can hold: those of which all is known, and how many more there are. */
export const usePermissions = () => {
  const answer = useWhole(allPermissions)
  const whole = wholePermissions(answer.items)
  return { ...answer, whole, unknown: answer.items.length - whole.length }
}

export const useAdministrator = (id: string) => useQuery(byId(id))

/** What is asked before somebody gives up the right to manage roles. */
export const ownAccess: Question = {
  title: "Give up managing roles?",
  description:
    "From your next sign-in on you cannot manage roles any more. Someone else would have to give that back to you.",
  action: "Give it up",
  danger: true
}

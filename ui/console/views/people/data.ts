/** Queries and mutations of the roles. */
import * as Admin from "../../../../clients/admin/index.js"
import { change } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { permissions as permissionCalls, roles as roleCalls } from "../../app/rows.js"

export const roles = admin.query(roleCalls.list, { limit: 100 })
export const permissions = admin.query(permissionCalls.list, { limit: 500 })

/** A role with other permissions, shown at once. */
const changed = (id: string, update: (permissionIds: ReadonlyArray<string>) => ReadonlyArray<string>) => [
  change(roles, (page) => ({
    ...page,
    items: page.items.map((role) =>
      role._id === id ? { ...role, permissions: update(role.permissions ?? []) } : role
    )
  }))
]

/** Adds a permission to a role. */
export const grant = admin.mutation(Admin.roles.addPermission, {
  optimistic: ({ id, permissionId }) => changed(id, (ids) => [...ids, permissionId])
})

/** Removes a permission from a role. */
export const revoke = admin.mutation(Admin.roles.removePermission, {
  optimistic: ({ id, permissionId }) => changed(id, (ids) => ids.filter((other) => other !== permissionId))
})

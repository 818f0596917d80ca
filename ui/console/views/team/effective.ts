/** What roles let people do: their permissions as grants, and which of these counts (specification, point 6). */
import { Grants, Levels as Level } from "@quartet/sdk/extend"
import type { PermissionRow, RoleRow } from "../../app/rows.js"
import { words } from "../../design/show.js"

/** A permission of which all is known that decides. */
export interface Permission {
  readonly _id: string
  readonly resource: string
  readonly action: string
  readonly level: number
}

/** Everything there is: every resource, or every action. */
export const everything = "*"

/** The permissions of which all is known that decides. */
export const wholePermissions = (rows: ReadonlyArray<PermissionRow>): ReadonlyArray<Permission> =>
  rows.flatMap(({ _id, action, level, resource }) =>
    resource && action && typeof level === "number" ? { _id, resource, action, level } : []
  )

/** The combined grants of permissions, as a sign-in writes them into the token: the highest level of each action. */
export const grantsOf = (permissions: ReadonlyArray<Permission>) => {
  const grants: Record<string, Record<string, number>> = {}
  for (const { action, level, resource } of permissions) {
    const actions = grants[resource] ?? {}
    actions[action] = Math.max(actions[action] ?? 0, level)
    grants[resource] = actions
  }
  return grants
}

export type Granted = ReturnType<typeof grantsOf>

/** The grants of what some roles hold together. */
export const grantsOfRoles = (
  all: ReadonlyArray<Permission>,
  roles: ReadonlyArray<Pick<RoleRow, "permissions">>
): Granted => {
  const ids = new Set(roles.flatMap(({ permissions }) => permissions ?? []))
  return grantsOf(all.filter(({ _id }) => ids.has(_id)))
}

/** The level that counts on a resource, and the grant that it comes from. */
export const effective = (grants: Granted, resource: string) =>
  Grants.check(grants, resource, everything, Level.Read, "intended")

/** What is granted on single actions of a resource, beside what holds for all of them. */
export const ofActions = (grants: Granted, resource: string): ReadonlyArray<readonly [string, number]> =>
  Object.entries(grants[resource] ?? {}).filter(([action]) => action !== everything)

const levelNames: Readonly<Record<number, string>> = {
  [Level.None]: "Nothing",
  [Level.Read]: "Read",
  [Level.Write]: "Change",
  [Level.Admin]: "Manage"
}

/** A level in one word. */
export const levelName = (level: number | undefined): string =>
  level === undefined ? "Nothing" : (levelNames[level] ?? `Level ${level}`)

const levelVerbs: Readonly<Record<number, string>> = {
  [Level.None]: "cannot view",
  [Level.Read]: "can view",
  [Level.Write]: "can view and change",
  [Level.Admin]: "can do everything with"
}

/** A level as what one may do, before the name of a resource. */
export const levelVerb = (level: number | undefined): string =>
  level === undefined ? "cannot view" : (levelVerbs[level] ?? `has level ${level} on`)

const byLevel = (all: ReadonlyArray<Permission>, resource: string): ReadonlyArray<Permission> =>
  all
    .filter((permission) => permission.resource === resource && permission.action === everything)
    .sort((left, right) => left.level - right.level)

/** The levels that a role can be given on all of a resource. */
export const levelsOf = (all: ReadonlyArray<Permission>, resource: string): ReadonlyArray<number> => [
  ...new Set(byLevel(all, resource).map(({ level }) => level))
]

/** The permissions to add to a role and to remove from it, so that its grant on a resource has a level; no grant without one. */
export const steps = (
  all: ReadonlyArray<Permission>,
  granted: ReadonlySet<string>,
  resource: string,
  level: number | undefined
): { readonly add: ReadonlyArray<Permission>; readonly remove: ReadonlyArray<Permission> } => {
  const ofResource = byLevel(all, resource)
  return {
    add: ofResource.filter((permission) => permission.level === level && !granted.has(permission._id)),
    remove: ofResource.filter((permission) => permission.level !== level && granted.has(permission._id))
  }
}

/** What one needs to give a role another level, or to take that back. */
export const mayManageRoles = (grants: Granted): boolean =>
  ["addPermission", "removePermission"].every(
    (call) => Grants.check(grants, "roles", call, Level.Admin, "intended").allowed
  )

/** The resources that the places of the console show, and the name of the place, in the order of the menu. */
const places: ReadonlyArray<readonly [resource: string, label: string]> = [
  ["requests", "Requests"],
  ["conversations", "Chat"],
  ["users", "Customers"],
  ["ordersV2", "Orders"],
  ["payments", "Payments"],
  ["items", "Catalogue"],
  ["content", "Content"],
  ["files", "Files"],
  ["admins", "Administrators"],
  ["roles", "Roles"],
  ["intranet", "Holidays"]
]

const otherLabels: Readonly<Record<string, string>> = {
  [everything]: "Everything",
  orders: "Orders (first version)",
  models: "Content models",
  contentModels: "Content by model"
}

/** What a resource is called: by the place that shows it, else by its own name in words. */
export const resourceLabel = (resource: string): string =>
  places.find(([name]) => name === resource)?.[1] ?? otherLabels[resource] ?? words(resource)

/** The resources that permissions are for: all, then those of places, then the others by name. */
export const resourcesOf = (
  all: ReadonlyArray<Permission>
): {
  readonly wildcard: ReadonlyArray<string>
  readonly places: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
} => {
  const present = new Set(all.map(({ resource }) => resource))
  const ofPlaces = places.map(([resource]) => resource).filter((resource) => present.has(resource))
  return {
    wildcard: present.has(everything) ? [everything] : [],
    places: ofPlaces,
    others: [...present]
      .filter((resource) => resource !== everything && !ofPlaces.includes(resource))
      .sort((left, right) => (resourceLabel(left) < resourceLabel(right) ? -1 : 1))
  }
}

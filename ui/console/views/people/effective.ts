/** What a role may do: its permissions as grants, and which of these counts (specification, point 6). */
import { Grants, Levels as Level } from "@quartet/sdk/extend"
import type { PermissionRow, RoleRow } from "../../app/rows.js"

/** The combined grants of permissions, as a sign-in writes them into the token: the highest level of each action. */
export const grantsOf = (permissions: ReadonlyArray<PermissionRow>) => {
  const grants: Record<string, Record<string, number>> = {}
  for (const { action, level, resource } of permissions) {
    const actions = grants[resource] ?? {}
    actions[action] = Math.max(actions[action] ?? 0, level)
    grants[resource] = actions
  }
  return grants
}

/** The grants of a role's permissions. */
export const grantsOfRole = (all: ReadonlyArray<PermissionRow>, { permissions }: RoleRow) =>
  grantsOf(all.filter(({ _id }) => permissions?.includes(_id) === true))

/** The level that counts on a resource, and the grant that it comes from. */
export const effective = (grants: ReturnType<typeof grantsOf>, resource: string) =>
  Grants.check(grants, resource, "*", Level.Read, "intended")

/** The levels of the specification, as choices. */
export const levels = Object.entries(Level)
  .sort(([, left], [, right]) => left - right)
  .map(([name, level]) => ({ value: name, label: name, level }))

/** A level in one word. */
export const levelName = (level: number | undefined): string =>
  levels.find((known) => known.level === level)?.label ?? (level === undefined ? "None" : `Level ${level}`)

/** The permissions to remove from and add to a role, so that it has a level on a resource. */
export const steps = (
  all: ReadonlyArray<PermissionRow>,
  granted: ReadonlySet<string>,
  resource: string,
  name: string
): { readonly add: ReadonlyArray<PermissionRow>; readonly remove: ReadonlyArray<PermissionRow> } => {
  const resourcePermissions = all.filter(
    (permission) => permission.resource === resource && permission.action === "*"
  )
  const { level } = levels.find(({ value }) => value === name) ?? {}
  return {
    add: resourcePermissions.filter(
      (permission) => permission.level === level && !granted.has(permission._id)
    ),
    remove: resourcePermissions.filter(
      (permission) => permission.level !== level && granted.has(permission._id)
    )
  }
}

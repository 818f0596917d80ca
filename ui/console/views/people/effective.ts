/** What a role may do: its permissions as grants, and how both readings of them judge (specification, point 6). */
import { check, type Verdict } from "../../../../core/permissions/grants.js"
import type { Level } from "../../../../core/permissions/level.js"

/** The parts of a permission that the matrix needs. */
export interface Held {
  readonly _id: string
  readonly resource: string
  readonly action: string
  readonly level: number
}

/** Resource to action to level: the highest of each. */
export type Grants = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The grants that permissions add up to, as a sign-in writes them into the token. */
export const grantsOf = (held: ReadonlyArray<Held>): Grants => {
  const grants: Record<string, Record<string, number>> = {}
  for (const { action, level, resource } of held) {
    const actions = grants[resource] ?? {}
    actions[action] = Math.max(actions[action] ?? 0, level)
    grants[resource] = actions
  }
  return grants
}

/** Both judgements of one question, and the grant that decides. */
export interface Judged {
  readonly intended: Verdict
  readonly asBuilt: Verdict
  /** The two readings disagree. */
  readonly differs: boolean
}

/** Whether grants allow everything on a resource at a level. */
export const judge = (grants: Grants, resource: string, required: Level): Judged => {
  const intended = check(grants, resource, "*", required, "intended")
  const asBuilt = check(grants, resource, "*", required, "asBuilt")
  return { intended, asBuilt, differs: intended.allowed !== asBuilt.allowed }
}

export const levels = [
  { level: 0, name: "None" },
  { level: 1, name: "Read" },
  { level: 3, name: "Write" },
  { level: 9, name: "Admin" }
] as const

/** A level in a word. */
export const levelName = (level: number | undefined): string =>
  levels.find((known) => known.level === level)?.name ?? (level === undefined ? "None" : `Level ${level}`)

/** Which permissions a role must lose and gain, so that it holds a resource at a level. */
export const steps = (
  all: ReadonlyArray<Held>,
  held: ReadonlySet<string>,
  resource: string,
  level: number
): { readonly add: ReadonlyArray<Held>; readonly remove: ReadonlyArray<Held> } => {
  const ours = all.filter((permission) => permission.resource === resource && permission.action === "*")
  return {
    add: ours.filter((permission) => permission.level === level && !held.has(permission._id)),
    remove: ours.filter((permission) => permission.level !== level && held.has(permission._id))
  }
}

/**
 * An admin's grants, as the token's claim `p` holds them: resource to action to level, with a wildcard. The most
 * specific grant decides; none means denied (specification, point 6).
 */

import type { Level } from "./level.js"
import { own } from "./own.js"

/**
 * How a grant is compared. `intended`: its level must reach the required one. `asBuilt`: any grant above None passes,
 * as in the old product. `off`: the platform alone decides.
 * @category models
 */
export type Reading = (typeof readings)[number]

/** All readings. @category constants */
export const readings = /*#__PURE__*/ Object.freeze(["intended", "asBuilt", "off"] as const)

/** Whether something is allowed, and by which grant. @category models */
export interface Verdict {
  /** Whether the grants suffice. */
  readonly allowed: boolean
  /** The most specific grant: `requests.markSeen`, `requests.*` or `*.*`. Undefined if there is none. */
  readonly grant: string | undefined
  /** The level of that grant; undefined if there is none. */
  readonly level: number | undefined
  /** What stands in place of a level, where that is a word: it counts as none. */
  readonly word?: string
}

const wildcard = "*"

/** Only a finite number that is not negative counts as a level; all else denies. */
const sound = (level: unknown): number =>
  typeof level === "number" && Number.isFinite(level) && level > 0 ? level : 0

/**
 * Looks up resource and action, then the resource's wildcard, then the global wildcard (`{"*": {"*": 9}}`). A bare
 * level instead of a map, `{"orders": 3}`, is short for its wildcard. A grant with an invalid level denies: it is never
 * skipped for a wider one.
 * @category combinators
 */
export const check = (
  grants: unknown,
  resource: string,
  action: string,
  required: Level,
  reading: Reading
): Verdict => {
  const candidates: ReadonlyArray<readonly [string, unknown]> = [
    [`${resource}.${action}`, own(own(grants, resource), action)],
    [`${resource}.${wildcard}`, ofAll(own(grants, resource))],
    [`${wildcard}.${wildcard}`, ofAll(own(grants, wildcard))]
  ]
  const match = candidates.find(([, level]) => level !== undefined)
  if (match === undefined)
    return { allowed: reading === "off" || required === 0, grant: undefined, level: undefined }
  const level = sound(match[1])
  const allowed =
    reading === "off" || (reading === "asBuilt" ? level > 0 || required === 0 : level >= required)
  const [grant, word] = match
  return { allowed, grant, level, ...(typeof word === "string" ? { word } : {}) }
}

/** The grant for all actions of a resource: its wildcard, or the bare level. */
const ofAll = (grant: unknown): unknown =>
  typeof grant === "object" && grant !== null && !Array.isArray(grant) ? own(grant, wildcard) : grant

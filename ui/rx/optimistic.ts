/** Changes that a screen shows before the platform has confirmed them, and that are undone where it does not. */
import type { Cache, Slot } from "./cache.js"
import type { Draft, Entry } from "./entry.js"
import { HandleId, type Query, whole } from "./query.js"
import { type AnyCall, asked } from "./source.js"

/** One change to what one or more queries show. */
export interface Change {
  readonly find: (slots: ReadonlyArray<Slot>) => ReadonlyArray<Pending>
}

/** A change to one entry. */
interface Pending {
  readonly entry: Entry<unknown, unknown>
  readonly draft: Draft<unknown>
}

const isQuery = (target: object): target is Query<unknown, unknown> => HandleId in target

/**
 * A change to what a query shows, or to what every query of a call shows, whatever its input. `update` answers the
 * new value and leaves the old one as it is.
 */
export const change: {
  <A, E>(query: Query<A, E>, update: (value: A) => A): Change
  <I, A, R>(call: AnyCall<I, A, R>, update: (value: A, input: I) => A): Change
} = (target: object, update: (value: never, input: never) => unknown): Change => {
  // The overloads tie the update to the target's own types.
  const apply = update as (value: unknown, input: unknown) => unknown
  const matches = matching(target as QueryFilter)
  return {
    find: (slots) =>
      slots
        .filter((slot) => matches(slot) && (isQuery(target) || slot.question.kind === whole))
        .map(({ entry, question }) => ({
          entry,
          draft: { update: (value) => apply(value, question.input) }
        }))
  }
}

/** What a mutation makes outdated: one query, all queries of a call, or all that a word names. */
export type QueryFilter = Query<unknown, unknown> | AnyCall<never, unknown, unknown> | string

/** Tells the entries that a target names. */
export const matching = (target: QueryFilter): ((slot: Slot) => boolean) => {
  if (typeof target === "string") return ({ words }) => words.has(target)
  if (isQuery(target)) {
    const { key } = target[HandleId]
    return ({ question }) => question.key === key
  }
  const { id } = asked(target)
  return ({ question }) => question.call === id
}

/** Changes that are shown. */
export interface Shown {
  readonly entries: ReadonlySet<Entry<unknown, unknown>>
  /** Ends them: the platform has taken them, and they stay, or it has not, and they are undone. */
  readonly end: (isTaken: boolean) => void
}

/** Shows changes at once. */
export const show = (cache: Cache, changes: ReadonlyArray<Change>): Shown => {
  const pending = changes.flatMap(({ find }) => find(cache.all))
  for (const { draft, entry } of pending) entry.add(draft)
  return {
    entries: new Set(pending.map(({ entry }) => entry)),
    end: (isTaken) => {
      for (const { draft, entry } of pending) entry.end(draft, isTaken)
    }
  }
}

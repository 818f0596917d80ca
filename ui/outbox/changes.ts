/** The optimistic changes of an outbox's entries, as a page shows them until the platform has done what they are of. */

import { sliceOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import type { ClientState } from "../rx/client.js"
import { type Applied, apply, type Change, matching, type QueryFilter } from "../rx/mutation.js"
import type { CacheEntry } from "../rx/query-cache.js"
import type { Definition } from "./connection.js"
import type { Kept } from "./entry.js"

/** What is known of an entry, be it in the store or on its way there. */
export type Shown = Pick<Kept, "idempotencyKey" | "input" | "operation" | "person"> & {
  readonly definition: Definition | undefined
}

interface Showing extends Shown {
  readonly changes: ReadonlyArray<Change>
  readonly applied: Applied
}

type Cache = ClientState<never, unknown>["cache"]

/** What the end of an entry's changes makes outdated, in the answers of the person that it was of. */
export interface Outdated {
  readonly person: string
  readonly matches: (entry: CacheEntry) => boolean
}

/** Runs what may throw where nobody is there to hear of it. */
const attempt = <A>(run: () => A): A | undefined => Either.getOrUndefined(Either.try(run))

/** What a mutation shows at once, for an input of its own or of the store. */
const changesOf = (definition: Definition | undefined, input: unknown): ReadonlyArray<Change> =>
  definition?.options.optimistic?.(input as never) ?? []

/** What it makes outdated. */
const filtersOf = (
  definition: Definition | undefined,
  input: unknown
): ReadonlyArray<QueryFilter> | undefined => {
  const invalidates = definition?.options.invalidates
  return typeof invalidates === "function" ? invalidates(input as never) : invalidates
}

const endAll = ({ applied }: Showing, isCommitted: boolean): void => {
  for (const end of applied.keys()) end(isCommitted)
}

/** Shows the changes in one more answer. */
const extend = ({ applied, changes }: Showing, entry: CacheEntry): void => {
  for (const [end, changed] of attempt(() => apply([entry], changes)) ?? []) applied.set(end, changed)
}

export class ShownChanges {
  private readonly showing = new Map<string, Showing>()
  /** Entries on their way into the store. */
  private readonly adding = new Set<string>()

  /**
   * Shows the changes of an entry that is about to be kept. What the app's own functions throw is thrown: nothing is shown
   * then. The function that it returns says whether the entry was kept; its changes end where it was not.
   */
  add(id: string, shown: Shown, cache: Cache): (isKept: boolean) => void {
    filtersOf(shown.definition, shown.input)
    const changes = changesOf(shown.definition, shown.input)
    const showing = { ...shown, changes, applied: apply(cache.all, changes) }
    this.showing.set(id, showing)
    this.adding.add(id)
    return (isKept) => {
      this.adding.delete(id)
      if (isKept || !this.showing.delete(id)) return
      endAll(showing, false)
    }
  }

  /** Shows the changes of an entry from the store. What throws now did not when it was written, and is left out. */
  show(id: string, shown: Shown, cache: Cache | undefined): void {
    if (this.showing.has(id)) return
    const changes = attempt(() => changesOf(shown.definition, shown.input)) ?? []
    const showing: Showing = { ...shown, changes, applied: new Map() }
    this.showing.set(id, showing)
    for (const entry of cache?.all ?? []) extend(showing, entry)
  }

  /** Shows what waits in an answer that is new. */
  extend(states: Definition["states"], entry: CacheEntry): void {
    for (const showing of this.showing.values())
      if (showing.definition?.states === states) extend(showing, entry)
  }

  /** The entries that are shown and not among those that wait: they have ended, or were written anew. */
  others(waiting: ReadonlyMap<string, Kept>): ReadonlyArray<string> {
    return [...this.showing]
      .filter(([id, { idempotencyKey }]) => waiting.get(id)?.idempotencyKey !== idempotencyKey)
      .flatMap(([id]) => (this.adding.has(id) ? [] : id))
  }

  /** Ends the changes of an entry: they stay where the platform has committed them. */
  end(id: string, isCommitted: boolean): Outdated | undefined {
    const showing = this.showing.get(id)
    if (showing === undefined) return undefined
    this.showing.delete(id)
    endAll(showing, isCommitted)
    const { applied, definition, input, operation, person } = showing
    const isOutdated = matching(...(attempt(() => filtersOf(definition, input)) ?? [sliceOf(operation)]))
    const changed = new Set(applied.values())
    return { person, matches: (entry) => isOutdated(entry) || changed.has(entry) }
  }

  /** Ends all: a sign-in or a sign-out has removed the changes from the answers. */
  clear(): void {
    for (const showing of this.showing.values()) endAll(showing, false)
    this.showing.clear()
  }
}

/** How a ready job learns what became of a lost answer. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { FleetError } from "../../adapters/fleet/store.js"
import { isListless } from "../../core/kernel/codec/page.js"
import type { Args, Call } from "../../core/kernel/dispatch/dispatcher.js"
import type { Paged } from "../../core/kernel/dispatch/pagination.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { AnswerError, type CallError } from "../../core/kernel/errors/errors.js"
import type { Page } from "../../core/kernel/operation/answer.js"
import type { Audience } from "../../core/kernel/operation/operation.js"

const undecided = (advice: string): FleetError => new FleetError({ reason: "Unknown", advice })

/**
 * For `onUnknown` of a platform that honours idempotency keys: the write is sent again with the same key, which it performs once. Of one
 * that honours none it makes two.
 * @category combinators
 */
export const sendAgain = (): Effect.Effect<Option.Option<never>> => Effect.succeedNone

/** For `onUnknown` where nothing can be read: the item is listed as unknown, and a person decides. @category combinators */
export const leaveUnknown = (): Effect.Effect<never, FleetError> =>
  undecided("nobody can say whether it was done: look it up, then settle it or try it again")

/** A value of a field that identifies, as text; undefined for what does not. */
const textOf = (value: unknown): string | undefined => {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
  return isPlain && value !== "" ? String(value) : undefined
}

/** The values of a field in an answer: its own, or one level down, where platforms keep the fields of projects. */
const valuesOf = (answer: unknown, field: string): ReadonlyArray<unknown> =>
  isRecord(answer)
    ? [answer, ...Object.values(answer)].flatMap((held) =>
        isRecord(held) && Object.hasOwn(held, field) ? [held[field]] : []
      )
    : []

/** A list whose answer without any list is a failure: it does not show that an entry is missing. */
const listed = <I, A, Aud extends Audience, R>(list: Call<I, Page<A>, Aud, R>): Call<I, Page<A>, Aud, R> => {
  const { as, client, operation } = list
  const noList = new AnswerError({ operation: operation.name, reason: "Shape", rule: "is no list" })
  const call = (...args: Args<I>) =>
    Effect.filterOrFail(
      list(...args),
      (page) => !isListless(page),
      () => noList
    )
  return Object.assign(call, { as, client, operation })
}

/** The most entries that are read to find one, where the platform does not filter by the field. */
const most = 10_000

/** What identifies a row. @category models */
export interface Identity<I> {
  /** The row, as it was sent. */
  readonly row: unknown
  /** A field whose value no two rows share, such as `sku`: of the row, of the answers, and as a filter of the list. */
  readonly field: string
  /** What the list is asked for beside that. */
  readonly input: I
}

/**
 * Whether a list has the entry that a row was to become, for `onUnknown`: the entry, or None. It asks for those with the row's value, and
 * looks at what comes, because a platform may not know the filter. Fails where that says nothing: the row has no such value, no entry shows
 * the field, or there are too many to look at.
 * @category combinators
 */
export const found = <I, A, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  { field, input, row }: Identity<Paged<I>>
): Effect.Effect<Option.Option<A>, CallError | FleetError, R> =>
  Effect.suspend(() => {
    const wanted = isRecord(row) && Object.hasOwn(row, field) ? textOf(row[field]) : undefined
    if (wanted === undefined) return undecided(`the row has no ${JSON.stringify(field)} to look for`)
    let read = 0
    let shown = 0
    const look = (asked: Paged<I>) =>
      pages(listed(list), asked).pipe(
        Stream.take(most),
        Stream.tap((answer) =>
          Effect.sync(() => {
            read += 1
            if (valuesOf(answer, field).length > 0) shown += 1
          })
        ),
        Stream.filter((answer) => valuesOf(answer, field).some((value) => textOf(value) === wanted)),
        Stream.runHead
      )
    const filtered: unknown = { ...Object(input), [field]: wanted }
    // The input with one more filter, which an open list takes; others refuse it.
    return look(filtered as Paged<I>).pipe(
      Effect.catchIf(
        (error) => error._tag === "Rejected" || error._tag === "InputError",
        () => {
          read = 0
          return look(input)
        }
      ),
      Effect.filterOrFail(
        (entry) => Option.isSome(entry) || (read < most && (read === 0 || shown > 0)),
        () =>
          undecided(
            shown === 0
              ? `the platform shows no ${JSON.stringify(field)} in what it lists`
              : `the platform lists more than ${most} entries, and does not filter by ${JSON.stringify(field)}`
          )
      )
    )
  })

/** How a ready job learns what became of a lost answer. */

import {
  AnswerError,
  type Args,
  type Audience,
  type Call,
  type CallError,
  isListless,
  type Page,
  type Paged,
  pages,
  withoutEnd
} from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { FleetError } from "../fleet-error.js"
import { type Rule, unique } from "../store/rows.js"

const undecided = (advice: string): FleetError => new FleetError({ reason: "Unknown", advice })

/**
 * For `onUnknown` of a platform that honours idempotency keys: the write is sent again with the same key, which it performs once. Of one
 * that honours none it makes two.
 * @category combinators
 */
export const sendAgain = (): Effect.Effect<Option.Option<never>> => Effect.succeedNone

/** For `onUnknown` where nothing can be read: the item is listed as unknown, and a person decides. @category combinators */
export const leaveUnknown = (): Effect.Effect<never, FleetError> =>
  undecided(
    "its answer was lost, and nothing can be looked up: find out whether it was done, then settle it (`job settle`), or send it again (`job retry --unknown --send`)"
  )

/** A value of a field that identifies, as text; undefined for what does not. */
const textOf = (value: unknown): string | undefined => {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
  return isPlain && value !== "" ? String(value) : undefined
}

/** Where platforms keep the fields of projects. A field of any other part is one of another entry, such as a parent. */
const parts = ["data", "fields", "attributes", "properties", "values", "content", "payload"]

/** The values of a field in an answer: its own, or one level down. */
const valuesOf = (answer: unknown, field: string): ReadonlyArray<unknown> =>
  isRecord(answer)
    ? [answer, ...parts.map((part) => (Object.hasOwn(answer, part) ? answer[part] : undefined))].flatMap(
        (entry) => (isRecord(entry) && Object.hasOwn(entry, field) ? [entry[field]] : [])
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

/** Whether an entry has a value in the field. */
const has = (entry: unknown, field: string, wanted: string): boolean =>
  valuesOf(entry, field).some((value) => textOf(value) === wanted)

/** A value without what platforms change in one that they keep: case, spaces, forms of letters, zeros and the plus of a number. @category getters */
export const plainOf = (text: string): string => {
  // A letter has more than one small form, such as the i of Turkish, and a large form of two letters, such as ß.
  const plain = text
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    .toUpperCase()
    .replace(/^(\+?0+|\+)(?=[^.])/, "")
  return /^\d*\.\d+$/.test(plain) ? withoutEnd(withoutEnd(plain, "0"), ".") : plain
}

/** Whether an entry has a value in the field which may be what a platform has made of the wanted one. */
const mayHave = (entry: unknown, field: string, wanted: string): boolean =>
  valuesOf(entry, field).some((value) => plainOf(textOf(value) ?? "") === plainOf(wanted))

const idOf = (entry: unknown): string | undefined => {
  // An `id` beside it may be a project's own field.
  const { id, _id = id }: Readonly<Record<string, unknown>> = isRecord(entry) ? entry : {}
  return textOf(_id)
}

/** The most entries that are read to find one, where the platform does not filter by the field. */
const most = 10_000

/** What identifies a row. @category models */
export interface Identity<I> {
  /** The row, as it was sent. */
  readonly row: unknown
  /**
   * A field whose value no two rows share, such as `sku`: of the row, of the answers, and as a filter of the list. Of rows that share one, an
   * entry is found for another row than its own: `identify` of an import refuses them, and a source of your own has to.
   */
  readonly field: string
  /** What the list is asked for beside that. */
  readonly input: I
}

/** A row whose entry is looked for. @category models */
export interface Lookup<I> extends Identity<I> {
  /** What `Fleet.foundBefore` answered before the row was sent: the context's `baseline`. */
  readonly baseline: Option.Option<unknown>
}

const textIn = ({ field, row }: Pick<Identity<unknown>, "field" | "row">): string | undefined =>
  isRecord(row) && Object.hasOwn(row, field) ? textOf(row[field]) : undefined

/**
 * Judges rows by the field that identifies them, one after another: each has a value, which no row before it has, nor one that differs in case,
 * spaces or zeros alone, which a platform may keep as the same. Of two rows with one value, the entry of the second would be found for the first.
 */
export const identified = (field: string): ((row: unknown) => Rule | undefined) => {
  const ruleOf = unique(field, "this value stands in the file already, and identifies its row")
  return (row) => {
    const value = textIn({ field, row })
    return value === undefined || plainOf(value) === ""
      ? { column: field, rule: "must be a text or a number that identifies the row" }
      : ruleOf(plainOf(value))
  }
}

/** The input with one more filter among its further parameters; a call that takes none refuses it. What names a page is no filter. */
const filteredBy = <I>({ field, input }: Identity<Paged<I>>, wanted: string): Paged<I> => {
  const given = Object(input)
  const filtered: unknown = /^(page|limit)$/.test(field)
    ? input
    : { ...given, query: { ...Object(given.query), [field]: wanted } }
  return filtered as Paged<I>
}

const isRefused = ({ _tag }: CallError): boolean => _tag === "Rejected" || _tag === "InputError"

/**
 * The ids of the entries that a list answers for a row's value before the row is sent, for `baseline`: none of them is the one that the row becomes.
 * null where that cannot be told: the row has no such value, the platform shows no ids, or does not filter by the field and has more than one page.
 * It costs a read for each row.
 * @category combinators
 */
export const foundBefore = <I, A, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  identity: Identity<Paged<I>>
): Effect.Effect<ReadonlyArray<string> | null, CallError, R> =>
  Effect.suspend(() => {
    const wanted = textIn(identity)
    if (wanted === undefined) return Effect.succeed(null)
    // Paged<I> is I of a call that has pages.
    const first = (pageInput: Paged<I>) => list(...([pageInput] as unknown as Args<I>))
    return first(filteredBy(identity, wanted)).pipe(
      Effect.catchIf(isRefused, () => first(identity.input)),
      Effect.map((page) => {
        if (isListless(page)) return null
        const { items, paging } = page
        const ids = items.map(idOf).filter((id) => id !== undefined)
        // Where no total says so, a page with more than one, or with another, need not be all.
        const isOne = items.length < 2 && items.every((entry) => mayHave(entry, identity.field, wanted))
        const isAll = items.length >= (paging.total ?? (isOne ? 0 : Number.POSITIVE_INFINITY))
        return ids.length === items.length && isAll ? ids : null
      })
    )
  })

const Ids = Schema.decodeUnknownOption(Schema.Array(Schema.String))

/**
 * Whether a list has the entry that a row was to become, for `onUnknown` of a write that makes one: the entry, or None. It asks for those with the
 * row's value, and looks at what comes, because a platform may not know the filter. Only an entry that was not there before
 * (`Fleet.foundBefore`) is the row's. Fails where the list says nothing: the row has no such value, no entry shows the field, there are too many to
 * look at, one is there of which nobody knows whether it was there before, or one is new whose value is written in another way.
 * @category combinators
 */
export const found = <I, A, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  lookup: Lookup<Paged<I>>
): Effect.Effect<Option.Option<A>, CallError | FleetError, R> =>
  Effect.suspend(() => {
    const { baseline, field, input } = lookup
    const wanted = textIn(lookup)
    if (wanted === undefined) return undecided(`the row has no ${JSON.stringify(field)} to look for`)
    const before = Option.flatMap(baseline, Ids)
    const wasThere = (answer: A) => Option.exists(before, (ids) => ids.includes(idOf(answer) ?? ""))
    /** What each entry of the list says of the field. One that is looked for is kept; of others there may be many. */
    const look = (pageInput: Paged<I>, isAsked: boolean) =>
      pages(listed(list), pageInput).pipe(
        Stream.take(most),
        Stream.map((answer) => {
          const [isLike, isOld] = [mayHave(answer, field, wanted), wasThere(answer)]
          const entry = isLike && !isOld ? answer : undefined
          return { entry, isLike, isOld, isShown: valuesOf(answer, field).length > 0 }
        }),
        Stream.runCollect,
        // An entry from before with another value would not be there.
        Effect.map((seen) => ({
          seen: [...seen],
          isFiltered: isAsked && [...seen].every(({ isLike, isOld }) => isLike || !isOld)
        }))
      )
    return look(filteredBy(lookup, wanted), true).pipe(
      Effect.catchIf(isRefused, () => look(input, false)),
      Effect.flatMap(({ isFiltered, seen }): Effect.Effect<Option.Option<A>, FleetError> => {
        const [entry, secondEntry] = seen.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
        const isNewOther = seen.some(({ isOld, isShown }) => !isOld && (isFiltered || !isShown))
        if (entry !== undefined && Option.isNone(before))
          return undecided(
            `an entry with this ${JSON.stringify(field)} is there, and may have been there before the row was sent`
          )
        if (seen.length > 0 && !seen.some(({ isShown }) => isShown))
          return undecided(`the platform shows no ${JSON.stringify(field)} in what it lists`)
        if (secondEntry !== undefined)
          return undecided(`several entries with this ${JSON.stringify(field)} are new`)
        if (entry === undefined ? Option.isSome(before) && isNewOther : !has(entry, field, wanted))
          return undecided(`an entry is new whose ${JSON.stringify(field)} is written in another way`)
        if (entry !== undefined) return Effect.succeedSome(entry)
        if (seen.length < most) return Effect.succeedNone
        return undecided(
          `the platform lists more than ${most} entries, and does not filter by ${JSON.stringify(field)}`
        )
      })
    )
  })

/** Jobs as values, which do nothing until a fleet runs them. */

import { InputError, Options } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { FleetError } from "../fleet-error.js"
import type { Common, Definition, EachItem, EachPage, Reconciled } from "./definition.js"
import type { Run } from "./run.js"
import { Fleet } from "./run.js"

/** A job. `R` is what its work needs of the fleet's layer. @category models */
export interface Job<in I, out R> {
  readonly name: string
  /** Starts a run, or finds the one that has this input's key. It goes on where this program does not. */
  readonly start: (input: I) => Effect.Effect<Run, FleetError | InputError, Fleet>
  /** The runs of this job, the newest first. */
  readonly runs: Effect.Effect<ReadonlyArray<Run>, FleetError, Fleet>
  readonly definition: Definition<R>
}

const known = {
  input: "any",
  key: "function",
  source: "function",
  count: "function",
  refuse: "function",
  item: "any",
  version: "any",
  page: "any",
  lanes: "any",
  concurrency: "any",
  attempts: "any",
  maxFailures: "any",
  each: "function",
  eachPage: "function",
  onUnknown: "function",
  baseline: "function",
  hasBaseline: "function",
  finish: "function"
} as const

/**
 * Makes a job: what a run reads, and what it does for each item, as a value. Its name is kept with its runs: another
 * job of the same name takes them for its own. Each item has an idempotency key of its own, which the work gives to
 * its call, so that it is done once, whatever crashes. Throws InputError where an option breaks a rule.
 *
 * @example
 * ```ts
 * import * as Fleet from "@quartet/fleet"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Schema from "effect/Schema"
 * import * as Stream from "effect/Stream"
 *
 * const greet = Fleet.job("greet", {
 *   input: Schema.Struct({ version: Schema.String, userIds: Schema.Array(Schema.String) }),
 *   key: ({ version }) => version,
 *   source: ({ userIds }) => Stream.fromIterable(userIds),
 *   item: Schema.String,
 *   each: (userId, { idempotencyKey }) =>
 *     Admin.notifications.send({ payload: { userId, channel: "PUSH", title: "Welcome" } }, { idempotencyKey }),
 *   onUnknown: Fleet.leaveUnknown
 * })
 * ```
 * @category constructors
 */
export const make = <
  I,
  IE,
  A,
  AE = unknown,
  SE = never,
  SR = never,
  E = never,
  R = never,
  UR = never,
  FE = never,
  FR = never,
  BR = never,
  CR = never
>(
  name: string,
  options: Common<I, IE, A, AE, SE, SR, FE, FR, CR> &
    ((EachItem<I, A, E, R, UR, BR> & Reconciled<I, A, E, UR>) | EachPage<I, A, E, R>)
): Job<I, SR | R | UR | FR | BR | CR> => {
  const operation = `Fleet.job(${JSON.stringify(name)})`
  const refuse = (field: string, rule: string) => new InputError({ operation, field, rule })
  if (typeof name !== "string" || !/^[\w.-]{1,100}$/.test(name))
    throw new InputError({
      operation: "Fleet.job",
      field: "name",
      rule: "must be 1 to 100 letters, digits, dots, dashes or underscores"
    })
  const checkedOptions = Either.getOrThrowWith(
    Options.read<object>(operation, "options", options, known),
    (error) => error
  )
  const read: Partial<typeof options> = checkedOptions
  const whole = (
    field: "attempts" | "concurrency" | "lanes" | "maxFailures" | "page" | "version",
    fallback: number,
    most: number
  ) => {
    const value = read[field] ?? fallback
    if (Number.isInteger(value) && value >= 1 && value <= most) return value
    throw refuse(field, `must be a whole number from 1 to ${most}`)
  }
  for (const field of ["input", "item"] as const)
    if (!Schema.isSchema(read[field] ?? (field === "item" ? Schema.Unknown : undefined)))
      throw refuse(field, "must be a schema")
  if (read.key === undefined) throw refuse("key", "must be a function")
  if (read.source === undefined) throw refuse("source", "must be a function")
  if ((read.each === undefined) === (read.eachPage === undefined))
    throw refuse("each", "must be given, or eachPage, and not both")
  const ofItems = (["attempts", "concurrency", "onUnknown", "baseline", "hasBaseline"] as const).find(
    (field) => read[field] !== undefined
  )
  if (read.eachPage !== undefined && ofItems !== undefined)
    throw refuse(ofItems, "is for each: the work of a page knows no items")
  if (read.baseline !== undefined && read.onUnknown === undefined)
    throw refuse("baseline", "is for onUnknown, which is not given")
  if (read.hasBaseline !== undefined && read.baseline === undefined)
    throw refuse("hasBaseline", "is for baseline, which is not given")
  const { count, finish, input, key, refuse: refuseRun, source } = options
  // Inputs and items reach these functions as their own schemas have read them, which this type cannot tell.
  const definition: Definition<SR | R | UR | FR | BR | CR> = {
    name,
    input: input as never,
    item: (options.item ?? Schema.Unknown) as never,
    source: source as never,
    count: count as never,
    refuse: refuseRun as never,
    each: options.each as never,
    eachPage: options.eachPage as never,
    onUnknown: options.onUnknown as never,
    baseline: options.baseline as never,
    hasBaseline: (options.hasBaseline ?? (() => options.baseline !== undefined)) as never,
    finish: finish as never,
    version: whole("version", 1, 1_000_000),
    page: whole("page", 1000, 10_000),
    lanes: whole("lanes", 4, 512),
    concurrency: whole("concurrency", 4, 256),
    attempts: whole("attempts", 5, 1000),
    maxFailures: whole("maxFailures", 1000, 1_000_000_000)
  }
  const encode = Schema.encodeEither(input)
  const wrongInput = (error: ParseResult.ParseError): InputError => {
    const issue = ParseResult.ArrayFormatter.formatErrorSync(error)[0]
    // The text of an issue shows what was given, which may be a secret.
    return new InputError({
      operation: `${name}.start`,
      field: ["input", ...(issue?.path ?? [])].join("."),
      rule: "is not what the job's schema says"
    })
  }
  return {
    name,
    definition,
    start: (input) =>
      Effect.gen(function* () {
        const fleet = yield* Fleet
        const encoded = yield* Either.mapLeft(encode(input), wrongInput)
        const rawKey: unknown = yield* Effect.try({
          try: () => key(input),
          catch: () =>
            new InputError({ operation: `${name}.start`, field: "key", rule: "threw for this input" })
        })
        if (typeof rawKey !== "string" || rawKey === "" || rawKey.length > 1000 || rawKey.includes("\0"))
          return yield* new InputError({
            operation: `${name}.start`,
            field: "key",
            rule: "must be a text of 1 to 1000 characters, without NUL"
          })
        return yield* fleet.start(definition, rawKey, encoded)
      }),
    runs: Effect.flatMap(Fleet, (fleet) => fleet.runs(name))
  }
}

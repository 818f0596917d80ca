/** Asks a platform everything that can be read: calls without input first, then single things by the ids that were seen. */

import { type Audience, type CallError, sliceOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { AnyClient, bind, type Values } from "../call/caller.js"
import { clientFor, configuration, connect, lackOf } from "../configuration.js"
import type { Connection } from "../connection.js"
import { progress, progressEnds } from "../output.js"
import type { Recorder } from "./index.js"
import { wrap } from "./index.js"

/** A call that was not made, or that failed, and why. */
export interface Left {
  readonly call: string
  readonly reason: string
}

const audiences: ReadonlyArray<Audience> = ["admin", "endUser", "public", "private"]

/** How many things of a kind are read one by one. */
const most = 3

/** Values of fields that calls need, such as ids, by the field's name; kept in memory while this runs. */
type Known = Map<string, Set<string>>

const remember = (known: Known, name: string, value: unknown): void => {
  if (typeof value !== "string" && typeof value !== "number") return
  const values = known.get(name) ?? new Set()
  known.set(name, values)
  if (values.size < most && value !== "") values.add(String(value))
}

/** Remembers ids of things and names of models; `slice` says of what kind an `_id` is. */
const look = (known: Known, slice: string, value: unknown): void => {
  if (Array.isArray(value)) for (const item of value) look(known, slice, item)
  else if (typeof value === "object" && value !== null) {
    const { _id, apiId, id, items, key }: Readonly<Record<string, unknown>> = { ...value }
    remember(known, `${slice}.id`, _id ?? id)
    remember(known, "apiId", apiId)
    remember(known, `${slice}.key`, key)
    look(known, slice, items)
  }
}

/** The inputs to ask with, or the names of the fields that nothing is known for. */
const inputsOf = (of: Described, known: Known): Either.Either<ReadonlyArray<Values>, string> => {
  const needed = of.fields.filter(({ isRequired, standard }) => isRequired && standard === undefined)
  const slice = `${of.audience}.${sliceOf(of.name)}`
  let inputs: ReadonlyArray<Values> = [{}]
  for (const { name } of needed) {
    const values: ReadonlyArray<unknown> =
      name === "payload" ? [{}] : [...(known.get(`${slice}.${name}`) ?? known.get(name) ?? [])]
    if (values.length === 0) return Either.left(name)
    inputs = inputs.flatMap((input) => values.map((value) => ({ ...input, [name]: value }))).slice(0, most)
  }
  return Either.right(inputs)
}

const isAsked = ({ declared, isDownload, isRead }: Described): boolean =>
  isRead && !isDownload && declared.credentials !== "none"

/** Why a call has failed, without what the platform said: that may hold anything. */
const reasonOf = ({ _tag, status }: CallError): string =>
  status === undefined ? _tag : `${_tag} (HTTP ${status})`

/** Asks through every client that is configured; answers what could not be asked. */
export const probe = (connection: Connection, recorder: Recorder) =>
  Effect.gen(function* () {
    const configured = connection.isSandbox ? undefined : yield* configuration(connection.dotenv)
    const ready = audiences.filter(
      (audience) => configured === undefined || lackOf(configured, audience).missing.length === 0
    )
    // Where nothing is configured, what an admin lacks is asked for, or named.
    const asking = ready.length === 0 ? (["admin"] as const) : ready
    const platform = yield* connect(connection, {
      ...(ready.length === 0 ? { audience: "admin" as const } : {}),
      wrap: (transport) => wrap(transport, recorder)
    })
    const left: Array<Left> = []
    const known: Known = new Map()
    for (const audience of asking) {
      const client = yield* clientFor(platform, audience)
      const lacking = new Map<Described, string>()
      const ask = (of: Described): Effect.Effect<void> =>
        Either.match(inputsOf(of, known), {
          onLeft: (name) =>
            Effect.sync(() => {
              lacking.set(of, name)
            }),
          onRight: (inputs) =>
            Effect.forEach(inputs, (input) =>
              Effect.match(Effect.provideService(bind(of)(input), AnyClient, client), {
                onFailure: (error) => {
                  left.push({ call: of.key, reason: reasonOf(error) })
                },
                onSuccess: (answer) => look(known, `${audience}.${sliceOf(of.name)}`, answer)
              })
            )
        })
      const calls = described.filter((of) => of.audience === audience && isAsked(of))
      const isSimple = (of: Described): boolean =>
        of.fields.every(
          ({ isRequired, name, standard }) => !isRequired || standard !== undefined || name === "payload"
        )
      // What lacks something is asked again, once the others have answered.
      const groups = [
        () => calls.filter(isSimple),
        () => calls.filter((of) => !isSimple(of)),
        () => [...lacking.keys()]
      ]
      for (const group of groups) {
        const now = group()
        lacking.clear()
        yield* Effect.forEach(now, (of) => Effect.zipRight(progress(`asking ${of.key}`), ask(of)), {
          concurrency: 4,
          discard: true
        })
      }
      for (const [{ key }, name] of lacking) left.push({ call: key, reason: `needs ${name}` })
    }
    // Of several things of a kind one that fails says enough.
    return [...new Map(left.map((skipped) => [`${skipped.call} ${skipped.reason}`, skipped])).values()]
  }).pipe(Effect.ensuring(progressEnds))

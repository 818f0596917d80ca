/**
 * A fleet's runs over HTTP, for a page of this machine that shows and steers them: `(request: Request) => Promise<Response>`, as
 * any server of the Web's standards takes it.
 *
 * It answers to loopback names alone, and to no page but those of its own origin. It tells nothing of the store, and of what
 * items hold, what may be shown.
 */

import { type InputError, Texts, urlOf } from "@quartet/sdk/extend"
import { Guard } from "@quartet/sdk/extend/http"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { FleetError } from "../fleet-error.js"
import type { Failure, Run, Service } from "../jobs/run.js"
import { shownFailure } from "./shown.js"
import * as Wire from "./wire.js"

/** Something that is not done, and why. */
class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly reason: string
  readonly message: string
}> {}

const refuse = (status: number, reason: string, message: string): Refused =>
  new Refused({ status, reason, message })

/** Answers are read once, by the page that asked. */
const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin"
}

/** Most bytes of a request's body. */
const largest = 1024 * 1024

const statuses: Readonly<Record<FleetError["reason"], number>> = {
  Unknown: 404,
  State: 409,
  Store: 503,
  Closed: 503,
  Version: 503,
  Driver: 500,
  Source: 500,
  Key: 500
}

const wrong = (message: string): Refused => refuse(400, "Input", message)

/** Who is answered: programs and pages of this very origin. @category guards */
export const check: Guard.Check = Either.getOrThrow(
  Guard.make({ name: "the fleet", host: "127.0.0.1", pages: "own" })
)

/** The address that is asked for, if it is asked by whom it may be. */
const checkSender = (request: Request): Effect.Effect<URL, Refused> => {
  const url = urlOf(request.url)
  const headers = Object.fromEntries(request.headers)
  const refused = check({ url: request.url, headers: { ...headers, host: headers.host ?? url?.host } })
  if (refused !== undefined || url === undefined)
    return refuse(
      403,
      refused?.code === "origin_not_allowed" ? "Origin" : "Host",
      refused?.message ?? "the address is none"
    )
  return Effect.succeed(url)
}

/** The text of a body, of which no more is read than is allowed. */
const bodyOf = (request: Request): Effect.Effect<string, Refused> =>
  Effect.gen(function* () {
    // A form of another site can send no such body without asking first.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
      return yield* refuse(415, "Input", "the body must be application/json")
    const { body } = request
    if (body === null) return ""
    const decoder = new TextDecoder()
    let [text, size] = ["", 0]
    yield* Stream.runForEach(
      Stream.fromReadableStream(
        () => body,
        () => wrong("the body could not be read to its end")
      ),
      (piece: Uint8Array) => {
        size += piece.byteLength
        text += decoder.decode(piece, { stream: true })
        return size > largest ? refuse(413, "Input", `the body has more than ${largest} bytes`) : Effect.void
      }
    )
    return text
  })

/** What an action takes, of a body. */
const inputOf = <A, I>(schema: Schema.Schema<A, I>, text: string): Effect.Effect<A, Refused> =>
  Effect.try({
    try: (): unknown => JSON.parse(text === "" ? "{}" : text),
    catch: () => wrong("the body is no JSON")
  }).pipe(
    Effect.flatMap((json) =>
      Effect.mapError(Schema.decodeUnknown(schema, { onExcessProperty: "error" })(json), (error) => {
        const path = ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join(".") || "body"
        return wrong(`the field ${JSON.stringify(path)} is none of this action, or not what it takes`)
      })
    )
  )

/** A whole number of the query. */
const numberIn = (
  query: URLSearchParams,
  name: string,
  [least, most]: readonly [number, number],
  standard: number
): Effect.Effect<number, Refused> => {
  const text = query.get(name) ?? String(standard)
  const value = Number(text)
  return /^-?\d{1,15}$/.test(text) && value >= least && value <= most
    ? Effect.succeed(value)
    : wrong(`${name} must be a whole number from ${least} to ${most}`)
}

const huge = Number.MAX_SAFE_INTEGER

const shown = (failure: Failure): Wire.Failure => ({
  ...shownFailure(failure),
  input: new Texts(failure.input).input
})

const failures = (run: Run, query: URLSearchParams) =>
  Effect.gen(function* () {
    const after = yield* numberIn(query, "after", [-1, huge], -1)
    const limit = yield* numberIn(query, "limit", [1, 500], 50)
    const state = query.get("state")
    if (state !== null && !Schema.is(Wire.FailureState)(state))
      return yield* wrong("state must be failed or unknown")
    const matching = yield* run.failures.pipe(
      Stream.filter((failure) => failure.item > after && (state === null || failure.state === state)),
      Stream.take(limit + 1),
      Stream.runCollect
    )
    const page = [...matching].slice(0, limit)
    return { failures: page.map(shown), next: matching.length > limit ? page.at(-1)?.item : undefined }
  })

/** The action on a run; where it is of items, of how many. */
const act = (
  run: Run,
  action: Wire.Action,
  text: string
): Effect.Effect<number | undefined, Refused | FleetError | InputError> => {
  switch (action) {
    case "retry":
      return Effect.flatMap(inputOf(Wire.actions.retry, text), ({ items, readAgain, send, states }) =>
        run.retry({
          ...(states === undefined ? {} : { states }),
          ...(items === undefined ? {} : { items }),
          ...(readAgain === undefined ? {} : { readAgain }),
          ...(send === undefined ? {} : { send })
        })
      )
    case "settle":
      return Effect.flatMap(inputOf(Wire.actions.settle, text), (input) =>
        run.settle("items" in input ? input.items : undefined)
      )
    default:
      return Effect.as(Effect.zipRight(inputOf(Wire.actions[action], text), run[action]), undefined)
  }
}

const isAction = (name: string): name is Wire.Action => Object.hasOwn(Wire.actions, name)

const json = <A, I>(schema: Schema.Schema<A, I>, value: A): Effect.Effect<Response> =>
  Effect.map(Effect.orDie(Schema.encode(schema)(value)), (encoded) => Response.json(encoded, { headers }))

const allow = (request: Request, method: string): Effect.Effect<void, Response> =>
  request.method === method
    ? Effect.void
    : Effect.fail(
        Response.json(
          { reason: "Method", message: `only ${method} is allowed` },
          { status: 405, headers: { ...headers, allow: method } }
        )
      )

const answer = (fleet: Service, request: Request): Effect.Effect<Response, Refused | FleetError | Response> =>
  Effect.gen(function* () {
    const { pathname, searchParams } = yield* checkSender(request)
    const [id, part, more] = Wire.isOurs(pathname)
      ? pathname.slice(Wire.base.length + 1).split("/")
      : ["", "", ""]
    if (more !== undefined || (part !== undefined && part !== "failures" && !isAction(part)))
      return yield* refuse(404, "Address", "there is nothing at this address")
    if (part !== undefined && isAction(part)) {
      yield* allow(request, "POST")
      const text = yield* bodyOf(request)
      const run = yield* fleet.run(id ?? "")
      const before = yield* run.status
      const count = yield* Effect.catchTag(act(run, part, text), "InputError", ({ field, rule }) =>
        wrong(`the field ${JSON.stringify(field)} ${rule}`)
      )
      return yield* json(Wire.Done, { run: part === "remove" ? before : yield* run.status, count })
    }
    yield* allow(request, "GET")
    if (id === undefined || id === "") {
      const limit = yield* numberIn(searchParams, "limit", [1, 500], 25)
      const offset = yield* numberIn(searchParams, "offset", [0, huge], 0)
      const all = yield* fleet.runs(searchParams.get("job") ?? undefined)
      const runs = yield* Effect.forEach(all.slice(offset, offset + limit), ({ status }) => status)
      return yield* json(Wire.Runs, { runs, total: all.length })
    }
    const run = yield* fleet.run(id)
    if (part === undefined) return yield* json(Wire.Progress, yield* run.status)
    return yield* json(Wire.Failures, yield* failures(run, searchParams))
  })

const explained = (error: Refused | FleetError | Response): Response => {
  if (error instanceof Response) return error
  const { message, reason } = error
  const status = error instanceof FleetError ? statuses[error.reason] : error.status
  return Response.json({ reason, message }, { status, headers })
}

/** Answers a request in the terms of `fetch`. */
type Handler = (request: Request) => Response | Promise<Response>

/** A fleet's runs at their own addresses, and pages at all others. @category combinators */
export const beside =
  (runs: Handler, pages: Handler): Handler =>
  (request) =>
    Wire.isOurs(new URL(request.url).pathname) ? runs(request) : pages(request)

/** Makes the handler. It never rejects. What was asked of a run is done to its end, whether the page stays or not. @category constructors */
export const make =
  (fleet: Service): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const exit = await Effect.runPromiseExit(answer(fleet, request))
    if (Exit.isSuccess(exit)) return exit.value
    return Option.match(Cause.failureOption(exit.cause), {
      onSome: explained,
      // What it was may hold anything.
      onNone: () => explained(refuse(500, "Internal", "the fleet has failed at this"))
    })
  }

/**
 * The platform: a request in, an answer out. Finds the route, checks the credentials, the audience, the permission, the
 * project and the input, runs the handler, and keeps answers under their idempotency keys. The in-process adapters and
 * the server are thin layers around this.
 */

import { type Body, callOf, Grants, isWrite, mask, sliceOf } from "@quartet/sdk/extend"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { slices } from "../slices/index.js"
import type { State } from "../state/state.js"
import type * as Answer from "./answer.js"
import * as Caller from "./caller.js"
import { Control, type Fault, type Received, Requests } from "./control.js"
import { forbidden, invalid, notFound, Refusal, unauthenticated } from "./refusal.js"
import * as Replies from "./replies.js"
import * as Routing from "./routing.js"
import { plain, type Request, type Wire } from "./wire.js"

export type { Request }

/** The sandbox's platform. @category models */
export interface Platform {
  readonly state: State
  readonly control: Control
  readonly router: Routing.Router
  /** The form in which it takes requests and gives answers. */
  readonly wire: Wire
  /** The methods by which a path is asked for. */
  readonly methods: (path: string) => ReadonlyArray<string>
  /** Answers a request; `None` if a planned fault has lost the answer. */
  readonly handle: (request: Request) => Effect.Effect<Option.Option<Answer.Answer>>
}

/** A path and its query, separate and not decoded. */
interface Address {
  readonly path: string
  readonly query: string
}

const addressOf = (target: string): Address => {
  const at = target.indexOf("?")
  return at < 0 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

/** The facts about a request that are collected for the log. */
interface Trace {
  operation: string | undefined
  caller: Caller.Caller | undefined
  replayed: boolean
}

/** The route for a caller: the most specific one that serves them. */
const choose = (
  matches: ReadonlyArray<Routing.Match>,
  caller: Caller.Caller | undefined
): Effect.Effect<Routing.Match, Refusal> => {
  const serving = caller === undefined ? undefined : matches.find(Routing.serves(caller.audience))
  const match = serving ?? matches.find(Routing.isOpen)
  if (match !== undefined) return Effect.succeed(match)
  if (caller === undefined) return Effect.fail(unauthenticated("the call carries no credentials"))
  const audiences = [...new Set(matches.flatMap(({ route }) => route.declared.audiences))]
  return Effect.fail(
    forbidden(`this call serves ${audiences.join(" and ")}, not the ${caller.audience} client`)
  )
}

const permit = (match: Routing.Match, caller: Caller.Caller | undefined): Effect.Effect<void, Refusal> => {
  const { declared, handler } = match.route
  if (caller?.audience !== "admin" || declared.requires === undefined) return Effect.void
  const { name } = handler.operation
  const verdict = Grants.check(caller.grants, sliceOf(name), callOf(name), declared.requires, "intended")
  return verdict.allowed
    ? Effect.void
    : Effect.fail(forbidden(`${caller.admin.email} lacks ${name} at level ${declared.requires}`))
}

/** Whether an admin's call must name the project in its query: all on the new API that do not name it in their path. */
const namesProject = ({ route }: Routing.Match, caller: Caller.Caller | undefined): boolean =>
  caller?.audience === "admin" && route.declared.credentials !== "none" && route.declared.host !== "legacy"

const findProject = (
  state: State,
  match: Routing.Match,
  query: URLSearchParams,
  isNamed: boolean
): Effect.Effect<void, Refusal> => {
  const projectId = match.params.projectId ?? (isNamed ? query.get("projectId") : state.project._id)
  if (projectId === null) return Effect.fail(invalid("projectId", "is required in the query"))
  return projectId === state.project._id ? Effect.void : Effect.fail(notFound("the project"))
}

const faulty = (fault: Extract<Fault, { readonly _tag: "Status" }>): Refusal =>
  new Refusal({
    status: fault.status,
    code: "planned_fault",
    message: "this failure was planned by the sandbox's control",
    ...(fault.retryAfter === undefined ? {} : { headers: { "retry-after": String(fault.retryAfter) } })
  })

const encoded = (body: Body | undefined): string => {
  if (body === undefined) return ""
  if (body._tag === "Json") return body.text
  return JSON.stringify(
    body.parts.map((part) => ("file" in part ? [part.name, part.fileName, part.file.size] : part))
  )
}

/** What stands in place of a credential. */
const hidden = "•••"

/** Headers that may be shown: those of credentials are masked, and what they hold in all others. */
const shownOf = (
  headers: Request["headers"],
  isCredential: (name: string) => boolean
): Received["headers"] => {
  const all = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  const secrets = all
    .filter(([name]) => isCredential(name))
    .map(([, value]) => value.replace(/^bearer +/i, ""))
  return Object.fromEntries(
    all.map(([name, value]) => [name, isCredential(name) ? hidden : mask(value, secrets)])
  )
}

/** A query that may be shown: parameters of credentials are masked. */
const shownQuery = (query: string, secrets: ReadonlyArray<string>): string =>
  secrets.length === 0
    ? query
    : query
        .split("&")
        .map((pair) => {
          const [name = ""] = pair.split("=", 1)
          return secrets.includes(name) ? `${name}=${hidden}` : pair
        })
        .join("&")

/** Makes a platform over a state, which speaks as the sandbox itself does unless it is given another wire. */
export const make = (
  state: State,
  onRequest?: (received: Received) => void,
  wire: Wire = plain
): Platform => {
  const requests = new Requests(onRequest)
  const control = new Control(state, requests)
  const router = Routing.make(slices)
  const replies = Replies.make()
  const turn = Effect.unsafeMakeSemaphore(1)
  let count = 0

  const answer = (asked: Request, now: Date, trace: Trace): Effect.Effect<Answer.Answer, Refusal> =>
    Effect.gen(function* () {
      const request = yield* wire.receive(asked, now)
      if ("status" in request) return request
      const url = addressOf(request.path)
      const parameters = new URLSearchParams(url.query)
      const matches = router.match(request.method, url.path)
      if (matches.length === 0) {
        const others = router.methods(url.path)
        const advice = others.length === 0 ? "" : ` (the path knows ${others.join(", ")})`
        return yield* notFound(`the call ${request.method} ${url.path}${advice}`)
      }
      trace.operation = matches[0]?.route.handler.operation.name
      const caller = yield* Caller.identify(state, request.headers, now)
      trace.caller = caller
      const match = yield* choose(matches, caller)
      const { declared, decode, handler } = match.route
      trace.operation = handler.operation.name
      yield* permit(match, caller)
      const isProjectNamed = namesProject(match, caller)
      const { body, params, query, range } = yield* wire.read(match, request, parameters, isProjectNamed)
      yield* findProject(state, { ...match, params }, query, isProjectNamed)
      const input = yield* decode({ params, query, body, isProjectNamed })
      const run = Effect.map(handler.run({ state, caller, input, now, query: [...query] }), (value) =>
        wire.answer({ route: match.route, value, request: asked, range, now })
      )
      const key = request.headers[wire.idempotencyKey]
      if (key === undefined || !isWrite(declared)) return yield* run
      const print = `${request.method} ${request.path} ${encoded(request.body)}`
      return yield* replies.once(`${Caller.nameOf(caller)} ${key}`, print, run, () => {
        trace.replayed = true
      })
    })

  const handle = (request: Request): Effect.Effect<Option.Option<Answer.Answer>> =>
    Effect.gen(function* () {
      count += 1
      const requestId = `sandbox-${String(count).padStart(6, "0")}`
      const clock = yield* Effect.clock
      const began = clock.unsafeCurrentTimeMillis()
      const url = addressOf(request.path)
      const trace: Trace = { operation: undefined, caller: undefined, replayed: false }
      if (control.latency > 0) yield* Effect.sleep(Duration.millis(control.latency))
      const fault = requests.faults.shift()
      const now = new Date(clock.unsafeCurrentTimeMillis())
      const work = fault?._tag === "Status" ? Effect.fail(faulty(fault)) : answer(request, now, trace)
      // One request at a time, to its end: every answer is one step from one consistent state to the next.
      const { body, headers, status } = yield* turn.withPermits(1)(
        Effect.uninterruptible(
          Effect.catchAll(work, (refusal) => Effect.succeed(wire.refusal(refusal, requestId, url.path)))
        )
      )
      requests.note({
        requestId,
        method: request.method,
        path: url.path,
        query: shownQuery(url.query, wire.secretParameters),
        headers: shownOf(request.headers, wire.isCredential),
        operation: trace.operation,
        audience: trace.caller?.audience,
        status,
        idempotencyKey: request.headers[wire.idempotencyKey],
        replayed: trace.replayed,
        at: now,
        duration: clock.unsafeCurrentTimeMillis() - began
      })
      if (fault?._tag === "Lost") return Option.none()
      return Option.some(wire.numbered({ status, headers, body }, requestId))
    })

  return { state, control, router, wire, methods: (path) => wire.methods(path, router.methods), handle }
}

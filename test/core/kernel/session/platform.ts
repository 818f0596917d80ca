/**
 * A platform of the tests' own, as a Transport on the test's clock: it signs admins in, ends their sessions on a clock
 * of its own, and keeps an account of what it was asked.
 */

import { json } from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { type Clock, Duration, Effect, Layer, Option, TestClock } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import {
  SessionStore,
  SessionStoreError,
  type Service as SessionStoreService,
  type StoredSession
} from "../../../../core/ports/session-store.js"
import { type Outcome, type Request, type Service, Transport } from "../../../../core/ports/transport.js"

export interface Options {
  /** Milliseconds that a session holds; an hour. */
  readonly lifetime?: number
  /** Milliseconds by which the platform's clock is ahead of the client's; 0. */
  readonly ahead?: number
  /** How the platform tells its time: with the header `Date`, with the claim `iat`, or not at all. */
  readonly tells?: "date" | "iat" | "nothing"
  /** Milliseconds from a request to its answer; 0, which is at once. */
  readonly latency?: number
  /** Whether an earlier session ends when another is opened. */
  readonly isExclusive?: boolean
}

/** One request that was answered, at the platform's time. */
export interface Answered {
  readonly operation: string
  readonly status: number
  readonly at: number
  readonly token: string
}

/** A request that waits for its answer. */
interface Pending {
  readonly end: () => void
  isOver: boolean
}

/** Whose sign-in it is. */
const personIn = ({ body }: Request): string =>
  body?._tag === "Json" && body.text.includes("bob@") ? "admin-2" : "admin-1"

export class Platform {
  readonly log: Array<Answered> = []
  /** What the next sign-ins are answered with, in place of a session. */
  readonly refusals: Array<Outcome> = []
  private readonly sessions = new Map<string, { readonly sessionId: string; readonly ends: number }>()
  private readonly batches = new Map<number, Array<Pending>>()
  private issued = 0
  private readonly options: Required<Options>
  /** What calls with a good session are answered, as a value or by a function of the request: an empty list. */
  status = 200
  body: unknown = { items: [] }
  /** Whether it refuses all sessions, its newest too. */
  isClosed = false
  inFlight = 0
  abandoned = 0

  constructor(
    private readonly clock: Clock.Clock,
    options: Options
  ) {
    this.options = {
      lifetime: 3_600_000,
      ahead: 0,
      tells: "date",
      latency: 0,
      isExclusive: false,
      ...options
    }
  }

  time(): number {
    return this.clock.unsafeCurrentTimeMillis() + this.options.ahead
  }

  /** Ends all sessions. */
  revoke(): void {
    this.sessions.clear()
  }

  /** How many sign-ins the new service has answered. */
  signIns(): number {
    return this.count("auth.login")
  }

  count(operation: string, status?: number): number {
    return this.log.filter(
      (entry) => entry.operation === operation && (status ?? entry.status) === entry.status
    ).length
  }

  readonly transport: Service = {
    start: (request, settle) => {
      if (this.options.latency === 0) {
        settle(this.answer(request))
        return () => undefined
      }
      const pending: Pending = {
        end: () => settle(this.answer(request)),
        isOver: false
      }
      this.inFlight += 1
      this.later(pending)
      return () => {
        if (pending.isOver) return
        pending.isOver = true
        this.inFlight -= 1
        this.abandoned += 1
      }
    }
  }

  /** Answers after the latency; the test's clock wakes one fiber for all requests of an instant. */
  private later(pending: Pending): void {
    const due = this.clock.unsafeCurrentTimeMillis() + this.options.latency
    const batch = this.batches.get(due)
    if (batch !== undefined) return void batch.push(pending)
    const fresh = [pending]
    this.batches.set(due, fresh)
    const answerAll = Effect.sync(() => {
      this.batches.delete(due)
      for (const session of fresh) {
        if (session.isOver) continue
        session.isOver = true
        this.inFlight -= 1
        session.end()
      }
    })
    Effect.runFork(
      Effect.withClock(Effect.delay(answerAll, Duration.millis(this.options.latency)), this.clock)
    )
  }

  private answer(request: Request): Outcome {
    const date: Record<string, string> =
      this.options.tells === "date" ? { date: new Date(this.time()).toUTCString() } : {}
    const outcome = this.outcome(request, date)
    this.log.push({
      operation: request.operation,
      status: outcome._tag === "Answered" ? outcome.status : 0,
      at: this.time(),
      token: request.headers.authorization ?? ""
    })
    return outcome
  }

  private outcome(request: Request, headers: Record<string, string>): Outcome {
    if (request.operation === "auth.login")
      return this.refusals.shift() ?? this.open(headers, personIn(request))
    if (request.operation === "auth.legacyLogin")
      return json(200, { sessionId: `session-${this.issued}` }, headers)
    const session = this.sessions.get(request.headers.authorization ?? "")
    if (this.isClosed || session === undefined || session.ends <= this.time())
      return json(401, { message: "who?" }, headers)
    return json(this.status, typeof this.body === "function" ? this.body(request) : this.body, headers)
  }

  private open(headers: Record<string, string>, sub: string): Outcome {
    const seconds = Math.floor(this.time() / 1_000)
    const ends = (seconds + this.options.lifetime / 1_000) * 1_000
    this.issued += 1
    const accessToken = jwt({
      sub,
      p: { "*": { "*": 9 } },
      jti: this.issued,
      exp: ends / 1_000,
      ...(this.options.tells === "iat" ? { iat: seconds } : {})
    })
    if (this.options.isExclusive) this.revoke()
    this.sessions.set(`Bearer ${accessToken}`, { sessionId: `session-${this.issued}`, ends })
    return json(200, { accessToken, user: { _id: sub } }, headers)
  }
}

const make = (options: Options): Effect.Effect<Platform> =>
  Effect.map(Effect.clock, (clock) => new Platform(clock, options))

export const signInCooldown = 5_000

/** An admin client of the platform, which keeps its session in a store where it is given one. */
export const client = (
  platform: Platform,
  config: object = {},
  store?: SessionStoreService
): Effect.Effect<Admin.Service> => {
  const admin = Admin.make({
    baseUrl: "https://api.example.test",
    projectId: "project-1",
    email: "ada@example.test",
    password: "correct horse",
    signInCooldown,
    ...config
  } as Admin.ClientConfig)
  return Effect.orDie(
    Effect.provide(
      store === undefined ? admin : Effect.provideService(admin, SessionStore, store),
      Layer.succeed(Transport, platform.transport)
    )
  )
}

/** The configuration of a client that is given a session. */
export const given = (sessionId: string | undefined, accessToken: string | undefined) => ({
  email: undefined,
  password: undefined,
  sessionId,
  accessToken
})

/** One call with a client. */
export const call = (service: Admin.Service) =>
  Effect.provideService(Admin.requests.list({}), Admin.Client, service)

/** The credentials of a client, obtained where there are none. */
export const credentials = ({ session }: Admin.Service) => Effect.clockWith(session.getCredentials)

export const start = Date.UTC(2026, 0, 1)

/** A platform on the clock of the test, at the start of 2026. */
export const started = (options: Options = {}): Effect.Effect<Platform> =>
  Effect.zipRight(TestClock.setTime(start), make(options))

/** The same with a client. */
export const makeWorld = (options: Options = {}, config: object = {}, store?: SessionStoreService) =>
  Effect.flatMap(started(options), (platform) =>
    Effect.map(client(platform, config, store), (signedIn) => ({ platform, client: signedIn }))
  )

/** Runs an effect while a time passes. */
export const during = <A, E>(effect: Effect.Effect<A, E>, time: Duration.DurationInput) =>
  Effect.flatMap(Effect.fork(effect), (fiber) => Effect.zipRight(TestClock.adjust(time), fiber))

/** A store in memory that takes a while to load and to save, and none to clear. */
export const makeStore = (overrides: Partial<SessionStoreService> = {}, pause = 0) => {
  const sessions = new Map<string, StoredSession>()
  const slow = <A>(effect: Effect.Effect<A>) => (pause === 0 ? effect : Effect.delay(effect, pause))
  const service: SessionStoreService = {
    load: (key) => slow(Effect.sync(() => Option.fromNullable(sessions.get(key)))),
    save: (key, session) => slow(Effect.sync(() => void sessions.set(key, session))),
    clear: (key) => Effect.sync(() => void sessions.delete(key)),
    ...overrides
  }
  return { sessions, service }
}

/** A store's method that fails. */
export const failing = (method: "load" | "save" | "clear") => () =>
  Effect.fail(new SessionStoreError({ method, cause: new Error("disk full") }))

/** Dispatchers for tests: settings made as clients make them, credentials made by hand, and calls run to their end. */

import {
  type CallError,
  type CallOptions,
  type Credentials,
  type CredentialsProvider,
  Dispatcher,
  Lifetime,
  makeAuthorization,
  type Policy,
  type Reading,
  type Request,
  Settings,
  SingleFlight,
  streaming,
  type TransportService as Transport,
  traced
} from "@quartet/sdk/extend"
import { Effect, Either, Fiber, Random, TestClock } from "effect"
import * as Fake from "./fake-transport.js"
import * as Things from "./things.js"

/** Credentials that are at hand and cannot be renewed, as keys are. */
export const keys = (grants: unknown = { "*": { "*": 9 } }): CredentialsProvider => {
  const credentials: Credentials = { headers: { authorization: "Bearer token-1" }, grants }
  return {
    current: () => credentials,
    getCredentials: () => Effect.succeed(credentials),
    renew: undefined,
    accepted: () => undefined,
    secrets: () => ["token-1"]
  }
}

/** A credentials provider that makes token after token, a second each, and counts them. */
export const renewing = () => {
  const count = { renewals: 0, obtained: 0 }
  const make = (number: number): Credentials => ({
    headers: { authorization: `Bearer token-${number}` },
    grants: { "*": { "*": 9 } }
  })
  let credentials: Credentials | undefined = make(1)
  const renewal = Effect.sync(() => {
    count.renewals += 1
    credentials = make(count.renewals + 1)
    return credentials
  })
  const shared = SingleFlight.make(Effect.delay(renewal, "1 second"))
  const obtain = Effect.suspend(() => {
    count.obtained += 1
    return credentials === undefined ? shared : Effect.succeed(credentials)
  })
  const forget = () => {
    credentials = undefined
  }
  const renew = (old: Credentials) =>
    Effect.suspend(() => {
      if (credentials === old) forget()
      return obtain
    })
  const credentialsProvider: CredentialsProvider = {
    ...keys(),
    current: () => credentials,
    getCredentials: () => obtain,
    renew,
    secrets: () => []
  }
  return { credentialsProvider, count, forget }
}

export const tokenOf = ({ headers }: Request): string => (headers.authorization ?? "").replace("Bearer ", "")

/** An answer to `things.get`. */
export const thing = Fake.json(200, { _id: "a" })

/** An answer after which a reading call is repeated. */
export const busy = Fake.json(503, { message: "busy" })

export interface Options {
  readonly settings?: Partial<Settings.Settings>
  readonly permissions?: Reading
  readonly permissionNames?: Readonly<Record<string, string>>
  readonly policy?: Partial<Policy>
  readonly credentialsProvider?: CredentialsProvider
  readonly config?: Partial<Settings.Common>
  readonly lifetime?: Lifetime
}

/** The settings of an admin client without a project, over those of the test. */
const settings = ({
  credentialsProvider,
  config,
  permissionNames = {},
  permissions = "intended",
  policy,
  settings: own
}: Options = {}): Settings.Settings => ({
  ...Either.getOrThrow(
    Settings.base(
      { baseUrl: "https://api.example.test/v9", ...config, ...(policy && { policy }) },
      { traced }
    )
  ),
  audience: "admin",
  projectId: undefined,
  authorization: makeAuthorization(permissions, permissionNames),
  credentialsProvider: credentialsProvider ?? keys(),
  ...own
})

export interface Made {
  readonly dispatcher: Dispatcher.Dispatcher
  readonly fake: Fake.Fake
}

/** A dispatcher over a transport of the test's own. */
export const over = (transport: Transport, options: Options = {}): Dispatcher.Dispatcher =>
  Dispatcher.make(settings(options), transport, options.lifetime ?? new Lifetime(Effect.runFork))

/** A dispatcher over a scripted transport. */
export const make = (script: Fake.Script, options: Options = {}): Made => {
  const fake = Fake.make(script)
  return { dispatcher: over(fake.service, options), fake }
}

/** The calls that most tests make, by their names. */
export type Named = "get" | "list" | "create" | "search" | "open" | "download"

/** Makes a call by its name. */
export const call = (
  { call: of, open }: Dispatcher.Dispatcher,
  name: Named,
  options?: CallOptions
): Effect.Effect<unknown, CallError> => {
  const ways: Record<Named, () => Effect.Effect<unknown, CallError>> = {
    get: () => of(Things.get, { id: "a" }, options),
    list: () => of(Things.list, {}, options),
    create: () => of(Things.create, { payload: {} }, options),
    search: () => of(Things.search, { payload: {} }, options),
    open: () => of(Things.open, {}, options),
    download: () => open(Things.download, { id: "a" }, options, streaming)
  }
  return ways[name]()
}

/** Runs a call to its end, letting as much time pass as it wants. */
export const settled = <A>(effect: Effect.Effect<A, CallError>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either(effect))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

export interface CallSettings extends Options {
  readonly options?: CallOptions
}

/** How a call ends: its tag, its error or value, and what was sent for it. */
export const ended = (script: Fake.Script, name: Named = "get", { options, ...of }: CallSettings = {}) =>
  Effect.gen(function* () {
    const { fake, dispatcher } = make(script, of)
    const result = yield* settled(call(dispatcher, name, options))
    return {
      tag: Either.isRight(result) ? "success" : result.left._tag,
      sent: fake.exchanges.length,
      error: Either.isLeft(result) ? result.left : undefined,
      value: Either.isRight(result) ? result.right : undefined,
      fake
    }
  })

/** Starts a call whose pauses are half of their bounds, and lets it run until it waits. */
export const start = (script: Fake.Script, name: Named = "get", { options, ...of }: CallSettings = {}) =>
  Effect.gen(function* () {
    const world = make(script, of)
    const half = Effect.withRandom(call(world.dispatcher, name, options), Random.fixed([0.5]))
    const fiber = yield* Effect.fork(Effect.either(half))
    yield* Effect.yieldNow()
    return { ...world, fiber }
  })

/** What a call that was started fails with. */
export const failed = <A>(fiber: Fiber.RuntimeFiber<Either.Either<A, CallError>>) =>
  Effect.map(Fiber.join(fiber), (result) => Either.getOrThrow(Either.flip(result)))

/** As many calls as are wanted, at once. */
export const together = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.all(Array(count).fill(effect) as ReadonlyArray<typeof effect>, { concurrency: "unbounded" })

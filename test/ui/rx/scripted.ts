/** Clients over scripted transports, with a clock and signals in the test's hands. */
import { Registry, Result, type Rx } from "@effect-rx/rx-react"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Admin from "../../../clients/admin/index.js"
import { makeQueryClient, type QueryClientOptions, type Signal } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** An admin's access token with these permissions. */
export const token = (permissions: unknown = { "*": { "*": 9 } }, subject = "a1"): string =>
  `${encode({ alg: "HS256" })}.${encode({ sub: subject, email: "ann@example.com", name: "Ann", p: permissions })}.sig`

/** A clock that stands until the test moves it. */
const makeClock = (start = 1_700_000_000_000) => {
  const real = Clock.make()
  let time = start
  const clock: Clock.Clock = {
    ...real,
    unsafeCurrentTimeMillis: () => time,
    unsafeCurrentTimeNanos: () => BigInt(time) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => time),
    currentTimeNanos: Effect.sync(() => BigInt(time) * 1_000_000n),
    sleep: real.sleep
  }
  return {
    layer: Layer.setClock(clock),
    pass: (milliseconds: number) => {
      time += milliseconds
    }
  }
}

/** A signal that the test gives. */
export const makeSignal = () => {
  const listeners = new Set<() => void>()
  const signal: Signal = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    signal,
    give: () => {
      for (const listener of listeners) listener()
      return turn()
    },
    listeners
  }
}

/** Observes a value and keeps what it was told. */
export const watch = <A>(registry: Registry.Registry, rx: Rx.Rx<A>) => {
  const seen: Array<A> = []
  const stop = registry.subscribe(rx, (value) => seen.push(value), { immediate: true })
  const leave = () => {
    stop()
    return turn()
  }
  const last = (): A => {
    const value = seen.at(-1)
    if (value === undefined) throw new Error("nothing was seen")
    return value
  }
  return { seen, leave, last }
}

/** Lets everything that is due happen: microtasks, and tasks of schedulers. */
export const turn = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The same, once everything that is due has happened. */
export const observe = async <A>(registry: Registry.Registry, rx: Rx.Rx<A>) => {
  const watched = watch(registry, rx)
  await turn()
  return watched
}

/** Sends a message to a value, and lets everything that is due happen. */
export const send = <A, W>(registry: Registry.Registry, rx: Rx.Writable<A, W>, message: W): Promise<void> => {
  registry.set(rx, message)
  return turn()
}

/** One attempt a call: what is repeated here, the bindings repeat. */
const config = { baseUrl: "https://api.example.com", projectId: "p1", policy: { attempts: 1 } }

/** The layer of an admin client over a fake, signed in with a token. */
export const adminLayer = (fake: Fake.Fake, accessToken = token()) =>
  Layer.provide(Admin.layer({ ...config, sessionId: "s1", accessToken }), fake.layer)

/** An admin client over a script, and everything that a test needs around it. */
export const adminClient = (script: Fake.Script, options: QueryClientOptions = {}) => {
  const fake = Fake.make(script)
  const clock = makeClock()
  const focus = makeSignal()
  const reconnect = makeSignal()
  const layer = Layer.merge(adminLayer(fake), clock.layer)
  const client = makeQueryClient(layer, { focus: focus.signal, reconnect: reconnect.signal, ...options })
  return { client, fake, clock, focus, reconnect, registry: Registry.make() }
}

/** A request action as the platform answers it. */
export const request = (id: string, more: object = {}) => ({ _id: id, type: "VISIT", version: 1, ...more })

/** What a result holds. */
export const answerOf = <A>(result: Result.Result<A, unknown>): A => Option.getOrThrow(Result.value(result))

/** Answers reads with versions that count up, and leaves writes to the test. */
export const readsAnswer = (write: Fake.Reply = "waits"): Fake.Script => {
  let version = 0
  return ({ method, path }) => {
    if (method !== "GET") return write
    version += 1
    return /request-action\?/.test(path)
      ? Fake.json(200, [request("r1", { version }), request("r2", { version })])
      : Fake.json(200, request("r1", { version }))
  }
}

/** The exchanges that change something. */
export const writes = (fake: Fake.Fake) =>
  fake.exchanges.filter(({ request: { method } }) => method !== "GET")
/** How many questions were sent. */
export const reads = (fake: Fake.Fake) => fake.exchanges.length - writes(fake).length

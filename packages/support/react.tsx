/** Clients over scripted transports, with a clock, signals, a registry and a place to render in the test's hands. */
import { Registry, Result, type Rx } from "@effect-rx/rx-react"
import {
  makeQueryClient,
  QuartetProvider,
  type QueryClientOptions,
  type QueryOptions,
  type Signal
} from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Public from "@quartet/sdk/public"
import { Effect, Layer, Option } from "effect"
import { act, type ReactNode, StrictMode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { afterEach, beforeEach, onTestFinished, vi } from "vitest"
import * as Fake from "./fake-transport.js"

/** Lets everything that is due happen: microtasks, and tasks of schedulers. */
export const flush = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** An action after which everything that is due happens. */
export const flushed =
  <A extends ReadonlyArray<unknown>>(action: (...args: A) => unknown) =>
  (...args: A) => {
    action(...args)
    return flush()
  }

/** A registry, and ways to look at values in it. */
export const makeScreen = (registry = Registry.make()) => {
  /** Observes a value and keeps what it shows. */
  const watch = <A,>(rx: Rx.Rx<A>) => {
    const seen: Array<A> = []
    const stop = registry.subscribe(rx, (value) => seen.push(value), { immediate: true })
    const leave = flushed(stop)
    const last = (): A => {
      const value = seen.at(-1)
      if (value === undefined) throw new Error("nothing was seen")
      return value
    }
    return { seen, leave, last }
  }
  const observe = async <A,>(rx: Rx.Rx<A>) => {
    const watched = watch(rx)
    await flush()
    return watched
  }
  const visit = async <A,>(rx: Rx.Rx<A>) => {
    const watched = await observe(rx)
    await watched.leave()
    return watched
  }
  const send = flushed(<A, W>(rx: Rx.Writable<A, W>, message: W) => registry.set(rx, message))
  return { registry, watch, observe, visit, send }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** An admin's access token with these permissions. */
export const token = (permissions: unknown = { "*": { "*": 9 } }, sub = "a1"): string =>
  `${encode({ alg: "HS256" })}.${encode({ sub, email: "ann@example.com", name: "Ann", p: permissions })}.sig`

/** A system clock, with its intervals, that stands until the test moves it. */
const makeClock = () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: 1_700_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  return { pass: (milliseconds: number) => vi.advanceTimersByTime(milliseconds) }
}

/** A signal that the test gives. */
export const makeSignal = () => {
  const listeners = new Set<() => void>()
  const signal: Signal = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const give = flushed(() => {
    for (const listener of listeners) listener()
  })
  return { signal, give, listeners }
}

/** A scoped effect, and a layer of it, that counts how often it was built and released. */
export const makeResource = () => {
  const counts = { built: 0, released: 0 }
  const count = (event: keyof typeof counts) =>
    Effect.sync(() => {
      counts[event] += 1
    })
  const acquire = Effect.acquireRelease(count("built"), () => count("released"))
  return { counts, acquire, layer: Layer.scopedDiscard(acquire) }
}

/** One attempt a call: what is repeated here, the bindings repeat. */
export const base = { baseUrl: "https://api.example.com", projectId: "p1", policy: { attempts: 1 } }

/** The layer of an admin client over a fake, signed in with a token. */
export const adminLayer = (fake: Fake.Fake, accessToken = token(), config: { apiKey?: string } = {}) =>
  Layer.provide(Admin.layer({ ...base, sessionId: "s1", accessToken, ...config }), fake.layer)

export const endUserLayer = (fake: Fake.Fake) =>
  Layer.provide(EndUser.layer({ ...base, apiKey: "k", sessionId: "s" }), fake.layer)

export const visitorLayer = (fake: Fake.Fake) =>
  Layer.provide(Public.layer({ ...base, apiKey: "k" }), fake.layer)

/** An admin client over a script, and everything that a test needs around it. */
export const adminClient = (script: Fake.Script, options: QueryClientOptions = {}) => {
  const fake = Fake.make(script)
  const clock = makeClock()
  const focus = makeSignal()
  const reconnect = makeSignal()
  const layer = adminLayer(fake)
  const client = makeQueryClient(layer, { focus: focus.signal, reconnect: reconnect.signal, ...options })
  const get = (id = "r1", queryOptions: QueryOptions = {}) =>
    client.query(Admin.requests.get, { id }, queryOptions)
  /** How many questions, which change nothing, were sent. */
  const reads = () => fake.requests().filter(({ method }) => method === "GET").length
  return { ...makeScreen(), client, fake, clock, focus, reconnect, layer, get, reads }
}

/** A request action as the platform answers it. */
export const request = (id: string, more: object = {}) => ({ _id: id, type: "VISIT", version: 1, ...more })

/** Answers with the request r1. */
export const ok = (more: object = {}) => Fake.json(200, request("r1", more))

/** Answers each question with a version that counts up. */
export const versions: Fake.Script = (_, place) => ok({ version: place + 1 })

/** What a result holds. */
export const answerOf = <A,>(result: Result.Result<A, unknown>): A => Option.getOrThrow(Result.value(result))
export const errorOf = <E,>(result: Result.Result<unknown, E>): E => Option.getOrThrow(Result.error(result))

let root: Root
let host: HTMLElement

/** What React, or anything else, has written to the console. */
export const complaints: Array<unknown> = []

/** Gives each test of a file a root of its own, and an ear for React's complaints. */
export const withRoot = () => {
  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
    complaints.length = 0
    for (const kind of ["error", "warn"] as const)
      vi.spyOn(console, kind).mockImplementation((...words) => complaints.push(words.join(" ")))
    host = document.createElement("div")
    document.body.append(host)
    root = createRoot(host)
  })
  afterEach(async () => {
    await act(async () => root.unmount())
    host.remove()
    vi.restoreAllMocks()
  })
}

/** Does something that changes what is shown, and lets everything that is due happen. */
export const during = (change: () => unknown = () => undefined) =>
  act(async () => {
    change()
    await flush()
  })

/** Renders as it stands. */
export const render = (node: ReactNode) => during(() => root.render(node))

/** Renders in Strict Mode, under one provider. */
export const show = (children: ReactNode, registry?: Registry.Registry) =>
  render(
    <StrictMode>
      <QuartetProvider {...(registry === undefined ? {} : { registry })}>{children}</QuartetProvider>
    </StrictMode>
  )

/** All text that is shown. */
export const text = (): string => host.textContent ?? ""

export const Button = ({ label, onClick }: { readonly label: string; readonly onClick: () => unknown }) => (
  <button type="button" aria-label={label} onClick={() => void onClick()} />
)

/** Clicks the button with this label, and lets happen what follows. */
export const press = async (label: string) => {
  const button = host.querySelector<HTMLElement>(`[aria-label="${label}"]`)
  if (button === null) throw new Error(`there is no button ${label}`)
  await during(() => button.click())
}

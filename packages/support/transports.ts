/** The transports of Node, opened as users open them, and a visitor's client over one of them. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as PlatformTransport from "@quartet/sdk/adapters/platform"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import {
  type Bindable,
  type CallError,
  type Outcome,
  type Request,
  type TransportService as Service,
  Transport
} from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { Agent } from "undici"

/** A transport that is open until it is closed. */
export interface Opened {
  readonly transport: Service
  readonly close: () => Promise<void>
}

export type TransportName = "undici" | "fetch"

/** fetch as Node has it, or undici with an agent of its own. */
export const openTransport = (name: TransportName, connections?: number): Opened => {
  if (name === "fetch") return { transport: FetchTransport.make(), close: () => Promise.resolve() }
  const agent = new Agent(connections === undefined ? {} : { connections })
  return { transport: UndiciTransport.make(agent), close: () => agent.destroy() }
}

/** The two transports that need no other package. */
export const transports = (["undici", "fetch"] as const).map((name) => ({
  name,
  open: (connections?: number) => openTransport(name, connections)
}))

export interface Way {
  readonly name: string
  readonly layer: Layer.Layer<Transport>
}

/** All ways by which requests leave on Node. */
export const ways: ReadonlyArray<Way> = [
  { name: "fetch", layer: FetchTransport.layer },
  { name: "undici", layer: UndiciTransport.layer },
  { name: "platform over fetch", layer: Layer.provide(PlatformTransport.layer, FetchHttpClient.layer) },
  { name: "platform over undici", layer: Layer.provide(PlatformTransport.layer, NodeHttpClient.layerUndici) },
  { name: "platform over node:http", layer: Layer.provide(PlatformTransport.layer, NodeHttpClient.layer) }
]

export const open = async ({ layer }: Pick<Way, "layer">): Promise<Opened> => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return {
    transport: Context.get(context, Transport),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** The way of a name, for programs that are told one. */
export const wayOf = (name: string | undefined): Way => {
  const way = ways.find((transport) => transport.name === name)
  if (way === undefined) throw new Error(`no transport ${name}`)
  return way
}

/** A request that says nothing particular. */
export const plainRequest: Request = {
  operation: "test",
  method: "GET",
  origin: "http://127.0.0.1:1",
  path: "/",
  headers: {},
  body: undefined,
  answer: "bytes",
  maxBytes: 64 * 1024 * 1024,
  attempt: 1,
  onUpload: undefined
}

/** Exchanges one request. */
export const exchange = (transport: Service, request: Partial<Request>): Promise<Outcome> =>
  new Promise((resolve) => {
    transport.start({ ...plainRequest, ...request }, resolve)
  })

/** Makes a client over a transport; what keeps it from being made is thrown. */
export const over = <A, E>(transport: Service, client: Effect.Effect<A, E, Transport>): A =>
  Effect.runSync(Effect.provideService(client, Transport, transport))

/** A visitor's client, whose calls are tried once. */
export const visitor = (
  transport: Service,
  baseUrl: string,
  config: Partial<Public.ClientConfig> = {}
): Bindable =>
  over(
    transport,
    Public.make({
      baseUrl,
      apiKey: "key-of-the-project",
      policy: { attempts: 1, deadline: 5_000 },
      ...config
    })
  )

/** How a call ended: its value, or the typed error that it failed with. Anything else is a defect and thrown. */
export type Ended<A> =
  | { readonly value: A; readonly error?: undefined }
  | { readonly error: CallError; readonly value?: undefined }

export const ended = async <A>(call: Effect.Effect<A, CallError>): Promise<Ended<A>> => {
  const result = await Effect.runPromise(Effect.either(call))
  return result._tag === "Right" ? { value: result.right } : { error: result.left }
}

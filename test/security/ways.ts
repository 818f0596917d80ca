/** The ways by which requests leave on Node: every promise about the wire holds over each of them. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as PlatformTransport from "../../adapters/platform/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import * as Public from "../../clients/public/index.js"
import type { Bindable } from "../../core/kernel/dispatch/binding.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { type Service, Transport } from "../../core/ports/transport.js"

export interface Way {
  readonly name: string
  readonly layer: Layer.Layer<Transport>
}

/** A transport that is open until it is closed. */
export interface Opened {
  readonly transport: Service
  readonly close: () => Promise<void>
}

export const ways: ReadonlyArray<Way> = [
  { name: "fetch", layer: FetchTransport.layer },
  { name: "undici", layer: UndiciTransport.layer },
  { name: "platform over fetch", layer: Layer.provide(PlatformTransport.layer, FetchHttpClient.layer) },
  { name: "platform over undici", layer: Layer.provide(PlatformTransport.layer, NodeHttpClient.layerUndici) },
  { name: "platform over node:http", layer: Layer.provide(PlatformTransport.layer, NodeHttpClient.layer) }
]

export const open = async ({ layer }: Way): Promise<Opened> => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return {
    transport: Context.get(context, Transport),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const apiKey = "key-of-the-project"

/** A visitor's client, whose calls are tried once. */
export const visitor = (
  transport: Service,
  baseUrl: string,
  config: Partial<Public.ClientConfig> = {}
): Bindable =>
  Effect.runSync(
    Effect.provideService(
      Public.make({ baseUrl, apiKey, policy: { attempts: 1, deadline: 5_000 }, ...config }),
      Transport,
      transport
    )
  )

/** How a call ended: its value, or the typed error that it failed with. Anything else is a defect and thrown. */
export type Ended<A> =
  | { readonly value: A; readonly error?: undefined }
  | { readonly error: CallError; readonly value?: undefined }

export const ended = async <A>(call: Effect.Effect<A, CallError>): Promise<Ended<A>> => {
  const result = await Effect.runPromise(Effect.either(call))
  return result._tag === "Right" ? { value: result.right } : { error: result.left }
}

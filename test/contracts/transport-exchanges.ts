// How the tests of a Transport build one, and exchange requests over it.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import { type Outcome, type Request, type Service, Transport } from "../../core/ports/transport.js"
import type { OddServer } from "../support/odd-server.js"
import { exchange, plainRequest } from "../support/transports.js"

export const utf8 = new TextDecoder()

/** Builds a transport for the tests of one file. */
export const using = (layer: Layer.Layer<Transport>): (() => Service) => {
  const scope = Effect.runSync(Scope.make())
  let transport: Service | undefined
  beforeAll(async () => {
    transport = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), Transport)
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => {
    if (transport === undefined) throw new Error("the transport is not built yet")
    return transport
  }
}

/** A Transport and the server at the other end of its wire. */
export interface Wire {
  readonly server: () => OddServer
  readonly transport: () => Service
  readonly request: (path: string, more?: Partial<Request>) => Request
  readonly get: (path: string, more?: Partial<Request>) => Promise<Outcome>
}

/** Builds a transport whose requests go to a server. */
export const wired = (layer: Layer.Layer<Transport>, server: () => OddServer): Wire => {
  const transport = using(layer)
  const request = (path: string, more: Partial<Request> = {}): Request => ({
    ...plainRequest,
    origin: server().origin,
    path,
    ...more
  })
  const get = (path: string, more: Partial<Request> = {}) => exchange(transport(), request(path, more))
  return { server, transport, request, get }
}

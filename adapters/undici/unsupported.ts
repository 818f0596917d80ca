/**
 * What `adapters/undici` is where undici cannot send: on Bun, which has a stand-in for it without dispatchers, in Workers,
 * which may not compile its parser, and in browsers. The conditions in package.json choose.
 */
import * as Layer from "effect/Layer"
import { InputError } from "../../core/kernel/errors/errors.js"
import { Transport } from "../../core/ports/transport.js"
import type * as Undici from "./index.js"

const refuse = (operation: string): never => {
  throw new InputError({
    operation: `UndiciTransport.${operation}`,
    field: "transport",
    rule: "must be another one in this runtime, where undici cannot send: that of @quartet/sdk/transport, or of @quartet/sdk/adapters/fetch"
  })
}

/** Refuses each call, before anything is sent. */
const refusing = (operation: string): Layer.Layer<Transport> =>
  /*#__PURE__*/ Layer.succeed(Transport, { start: () => refuse(operation) })

export const make: typeof Undici.make = () => refuse("make")

export const layerWith: typeof Undici.layerWith = () => refusing("layerWith")

export const layer: typeof Undici.layer = /*#__PURE__*/ refusing("layer")

/** The public client and its calls. */
import * as onDemand from "./on-demand.js"

export { bind, Client, type ClientConfig, layer, layerConfig, make } from "./client.js"
export { download } from "./download.js"
export * from "./slices.js"
export {
  /** What a client reads once, when it is first asked for, and keeps. */
  onDemand
}

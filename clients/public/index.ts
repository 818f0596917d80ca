/** The public client and its calls. */

export { bind, Client, type ClientConfig, layer, layerConfig, make } from "./client.js"
export { download } from "./download.js"
export * as onDemand from "./on-demand.js"
export * from "./slices.js"

/** The public client and its calls. */

export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as onDemand from "./on-demand.js"
export * from "./slices.js"

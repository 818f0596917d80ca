/** The end-user client and its calls. */

export * as auth from "./auth.js"
export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as requests from "./requests.js"

/** The private client and its calls. */
export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as project from "./project.js"

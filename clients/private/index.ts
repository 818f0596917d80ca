/** The private client and its calls. */
export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as files from "./files.js"
export * as items from "./items.js"
export * as notifications from "./notifications.js"
export * as onDemand from "./on-demand.js"
export * as payments from "./payments.js"
export * as project from "./project.js"

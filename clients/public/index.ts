/** The public client and its calls. */

export * as auth from "./auth.js"
export * as boxes from "./boxes.js"
export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as cms from "./cms.js"
export * as content from "./content.js"
export * as exchangeRates from "./exchange-rates.js"
export * as files from "./files.js"
export * as images from "./images.js"
export * as items from "./items.js"
export * as onDemand from "./on-demand.js"
export * as project from "./project.js"

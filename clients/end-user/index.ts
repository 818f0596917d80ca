/** The end-user client and its calls. */

export * as auth from "./auth.js"
export * as boxes from "./boxes.js"
export { bind, Client, type ClientConfig, download, layer, layerConfig, make } from "./client.js"
export * as events from "./events.js"
export * as files from "./files.js"
export * as intranet from "./intranet.js"
export * as items from "./items.js"
export * as notifications from "./notifications.js"
export * as orderGroups from "./order-groups.js"
export * as orders from "./orders.js"
export * as profile from "./profile.js"
export * as requests from "./requests.js"

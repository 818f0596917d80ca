/** The admin client and its calls. */

export * as auth from "./auth.js"
export {
  type AdminCredentials,
  bind,
  Client,
  type ClientConfig,
  download,
  layer,
  layerConfig,
  make,
  type Service
} from "./client.js"
export * as projects from "./projects.js"
export * as requests from "./requests.js"

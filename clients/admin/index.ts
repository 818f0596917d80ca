/** The admin client and its calls. */

export type { Decision } from "../../core/kernel/dispatch/credentials.js"
export * as chat from "./chat.js"
export {
  type AdminCredentials,
  bind,
  Client,
  type ClientConfig,
  layer,
  layerConfig,
  make,
  type Service
} from "./client.js"
export { download } from "./download.js"
export * as onDemand from "./on-demand.js"
export * as onboarding from "./onboarding.js"
export { type Check, type CheckArgs, type Checkable, type CheckOptions, can, check } from "./permission.js"
export * from "./slices.js"
export * as tenants from "./tenants.js"

/** The admin client and its calls. */
import * as chat from "./chat.js"
import * as onDemand from "./on-demand.js"
import * as onboarding from "./onboarding.js"
import * as tenants from "./tenants.js"

export type { Decision } from "../../core/kernel/dispatch/credentials.js"
export {
  type AdminCredentials,
  type AdminOptions,
  bind,
  Client,
  type ClientConfig,
  layer,
  layerConfig,
  make,
  type PasswordConfig,
  type PasswordCredentials,
  type Service,
  type SessionConfig,
  type SessionCredentials
} from "./client.js"
export { download } from "./download.js"
export { type Check, type CheckArgs, type Checkable, type CheckOptions, can, check } from "./permission.js"
export * from "./slices.js"
export {
  /** The chat of admins: it brings new messages of conversations as they are written, and sends. End users have none here. */
  chat,
  /** A new project's tasks, documents, prices and figures, held locally: nothing is sent. */
  onboarding,
  /** What a client reads once, when it is first asked for, and keeps. */
  onDemand,
  /** Conversation topics and action categories of the projects that have them. */
  tenants
}

/** The admin client and its calls. */

export * as admins from "./admins.js"
export * as auth from "./auth.js"
export * as chat from "./chat.js"
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
export * as content from "./content.js"
export * as contentModels from "./content-models.js"
export * as conversations from "./conversations.js"
export * as entities from "./entities.js"
export * as files from "./files.js"
export * as intranet from "./intranet.js"
export * as items from "./items.js"
export * as models from "./models.js"
export * as notifications from "./notifications.js"
export * as onDemand from "./on-demand.js"
export * as onboarding from "./onboarding.js"
export * as orderGroups from "./order-groups.js"
export * as orders from "./orders.js"
export * as ordersV2 from "./orders-v2.js"
export * as payments from "./payments.js"
export * as permissions from "./permissions.js"
export * as preferences from "./preferences.js"
export * as profiles from "./profiles.js"
export * as projects from "./projects.js"
export * as providers from "./providers.js"
export * as requests from "./requests.js"
export * as roles from "./roles.js"
export * as tenants from "./tenants.js"
export * as users from "./users.js"

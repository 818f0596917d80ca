/** The four query clients of the console. Each is made once from its client's layer, independent of the others. */
import * as Layer from "effect/Layer"
import * as Socket from "../../../adapters/socket/index.js"
import * as Upload from "../../../adapters/xhr/index.js"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import { makeQueryClient } from "../../rx/index.js"
import { onDrift, transport } from "../wire/log.js"
import { apiKey, baseUrl, privateKey, projectId } from "./config.js"
import { kept, layer as keptSessions } from "./kept.js"

/** How an administrator signs in here: by password, or by the session stored in this tab. */
export type AdminSignIn = Admin.AdminCredentials

const adminLayer = (credentials: AdminSignIn) =>
  Layer.mergeAll(
    Layer.provide(Admin.layer({ baseUrl, projectId, apiKey, onDrift: onDrift("admin"), ...credentials }), [
      transport("admin"),
      keptSessions
    ]),
    Admin.onboarding.layer(),
    Socket.layer
  )

type AdminServices = Layer.Layer.Success<ReturnType<typeof adminLayer>>
type AdminFailure = Layer.Layer.Error<ReturnType<typeof adminLayer>>

const session = kept()

/** Administrators. */
export const admin = makeQueryClient<AdminSignIn, AdminServices, AdminFailure>(
  adminLayer,
  session === undefined ? {} : { credentials: session }
)

/** Visitors, who do not sign in. */
export const visitor = makeQueryClient(
  Layer.provide(
    Public.layer({ baseUrl, apiKey, onDrift: onDrift("public") }),
    Layer.provide(Upload.layer, transport("public"))
  )
)

/** End users, who sign in with e-mail and password through the public client. */
export const endUser = makeQueryClient((credentials: { readonly email: string; readonly password: string }) =>
  Layer.provide(
    EndUser.layerSignIn({ baseUrl, apiKey, onDrift: onDrift("endUser"), ...credentials }),
    transport("endUser")
  )
)

/** Programs on a server. The key is the sandbox's; a real one must never get into a browser. */
export const server = makeQueryClient(
  Layer.provide(
    Private.layer({ baseUrl, privateKey, allowBrowser: true, onDrift: onDrift("private") }),
    transport("private")
  )
)

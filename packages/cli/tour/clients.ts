/** The three clients that the tour starts with; signing in makes the end user's. */
import * as Layer from "effect/Layer"
import * as Admin from "../../../clients/admin/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { Places } from "./places.js"

/** Clients of one platform. */
export const clients = ({ admin, apiKey, baseUrl, privateKey, projectId }: Places) =>
  Layer.mergeAll(
    Admin.layer({ baseUrl, projectId, apiKey, ...admin }),
    Public.layer({ baseUrl, apiKey }),
    Private.layer({ baseUrl, privateKey })
  )

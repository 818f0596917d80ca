/** The three clients that the tour starts with; signing in makes the end user's. */

import * as Admin from "@quartet/sdk/admin"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import * as Layer from "effect/Layer"
import type { Places } from "./places.js"

/** Clients of one platform. */
export const clients = ({ admin, apiKey, baseUrl, privateKey, projectId }: Places) =>
  Layer.mergeAll(
    Admin.layer({ baseUrl, projectId, apiKey, ...admin }),
    Public.layer({ baseUrl, apiKey }),
    Private.layer({ baseUrl, privateKey })
  )

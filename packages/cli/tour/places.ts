/** The address and the accounts of the tour: those that were configured, else the sandbox's seeded ones. */

import { accounts } from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import * as Layer from "effect/Layer"
import type { Configuration } from "../configuration.js"

export interface Places {
  readonly baseUrl: string
  readonly projectId: string
  readonly apiKey: string
  readonly privateKey: string
  readonly admin: { readonly email: string; readonly password: string }
  readonly user: { readonly email: string; readonly password: string }
}

export const places = (baseUrl: string, find: Configuration["find"]): Places => {
  const { admin, apiKey, endUsers, privateKey, projectId } = accounts
  return {
    baseUrl,
    projectId: find("QUARTET_PROJECT_ID") ?? projectId,
    apiKey: find("QUARTET_API_KEY") ?? apiKey,
    privateKey: find("QUARTET_PRIVATE_KEY") ?? privateKey,
    admin: {
      email: find("QUARTET_EMAIL") ?? admin.email,
      password: find("QUARTET_PASSWORD") ?? admin.password
    },
    user: {
      email: find("QUARTET_USER_EMAIL") ?? endUsers.ana.email,
      password: find("QUARTET_USER_PASSWORD") ?? endUsers.ana.password
    }
  }
}

/** Clients of one platform. */
export const clients = ({ admin, apiKey, baseUrl, privateKey, projectId }: Places) =>
  Layer.mergeAll(
    Admin.layer({ baseUrl, projectId, apiKey, ...admin }),
    Public.layer({ baseUrl, apiKey }),
    Private.layer({ baseUrl, privateKey })
  )

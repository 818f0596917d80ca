/** The platform of the wire tests: two services that keep what they receive, and the configuration of four clients for them. */

import { jwt } from "@quartet/support/jwt.js"
import { answer, type Received, type Reply, serve } from "@quartet/support/raw-server.js"
import type { Client } from "@quartet/support/wire-rows.js"
import type * as Admin from "../../clients/admin/index.js"
import type * as EndUser from "../../clients/end-user/index.js"
import type * as Private from "../../clients/private/index.js"
import type * as Public from "../../clients/public/index.js"

/** Each service lives under a path of its own, which must be kept. */
export const prefixes = { api: "/api/v9", legacy: "/old" } as const

/** A token that grants everything. */
export const tokenOf = (subject: string): string => jwt({ sub: subject, p: { "*": { "*": 9 } } })

export const secrets = {
  accessToken: tokenOf("admin-1"),
  adminSession: "admin-session-1",
  userSession: "user-session-1",
  apiKey: "api-key-1",
  privateKey: "private-key-1"
} as const

/** A project id that must be percent-encoded wherever it stands. */
export const projectId = "p 1/ü"

/** The credential headers that each client sends, by their standard names, and no others. */
export const credentials: Readonly<Record<Client, Readonly<Record<string, string>>>> = {
  admin: { authorization: `Bearer ${secrets.accessToken}`, "x-session-id": secrets.adminSession },
  public: { "x-api-key": secrets.apiKey },
  private: { "x-private-key": secrets.privateKey },
  endUser: { "x-session-id": secrets.userSession, "x-api-key": secrets.apiKey }
}

/** A configuration that both faces take: each has middleware of its own. */
type Both<C> = C extends unknown ? Omit<C, "middleware"> : never

/** What each client is made of. */
export interface Config {
  readonly admin: Both<Admin.ClientConfig>
  readonly public: Both<Public.ClientConfig>
  readonly private: Both<Private.ClientConfig>
  readonly endUser: Both<EndUser.ClientConfig>
}

/** The admin's API key is for the chat alone and must not appear on the wire. */
const configure = (baseUrl: string, legacyUrl: string): Config => ({
  admin: {
    baseUrl,
    legacyUrl,
    projectId,
    sessionId: secrets.adminSession,
    accessToken: secrets.accessToken,
    apiKey: secrets.apiKey
  },
  public: { baseUrl, legacyUrl, apiKey: secrets.apiKey },
  private: { baseUrl, legacyUrl, privateKey: secrets.privateKey },
  endUser: { baseUrl, legacyUrl, apiKey: secrets.apiKey, sessionId: secrets.userSession }
})

/** An answer of JSON. */
export const json = (value: unknown, status = 200): Reply =>
  answer(status, ["content-type: application/json"], JSON.stringify(value))

/** A service that answers what it is told, and keeps its requests until they are taken. */
const service = async () => {
  let reply: (request: Received) => Reply = () => json(null)
  let kept: Array<Received> = []
  const { close, url } = await serve((request) => {
    kept.push(request)
    return reply(request)
  })
  return {
    url,
    close,
    take: (): ReadonlyArray<Received> => {
      const taken = kept
      kept = []
      return taken
    },
    answer: (next: typeof reply) => {
      reply = next
    }
  }
}

export type Platform = Awaited<ReturnType<typeof start>>

export const start = async () => {
  const [api, legacy] = [await service(), await service()]
  return {
    api,
    legacy,
    config: configure(api.url + prefixes.api, `${legacy.url}${prefixes.legacy}/`),
    close: () => Promise.all([api.close(), legacy.close()])
  }
}

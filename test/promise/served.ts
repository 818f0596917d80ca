// A server that the tests play, and Promise clients of it.

import { type Exchange, listen } from "@quartet/support/scripted-server.js"
import { type TransportName, transports } from "@quartet/support/transports.js"
import { afterAll, describe } from "vitest"
import {
  createAdminClient,
  createEndUserClient,
  createPublicClient,
  type EndUserClient,
  type PublicClient,
  type SharedByAdmins
} from "../../clients/promise/index.js"
import type { Common } from "../../core/kernel/dispatch/settings.js"
import type { Service } from "../../core/ports/transport.js"
import { tokenOf } from "../wire/platform.js"

export const login = { email: "ada@example.com", password: "secret-1" }
export const ada = { _id: "admin-1", fullName: "Ada", since: "2024-05-01T10:00:00.000Z" }

/** Plays both of an admin's sign-ins, and answers anything else with a project. */
export const playAdmin = ({ json, target }: Exchange): void => {
  if (target === "/auth/admin/login") json({ accessToken: tokenOf("admin-1"), user: ada })
  else if (target === "/auth/login") json({ sessionId: "session-1" })
  else json({ _id: "p1", name: "House" })
}

/** What a call rejects with. */
export const rejected = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => Promise.reject(new Error("nothing was rejected")),
    (reason: unknown) => reason
  )

interface Over {
  readonly name: TransportName
  readonly config: { readonly baseUrl: string; readonly apiKey: string; readonly transport: Service }
  /** Clients whose calls are tried once. */
  readonly visitor: PublicClient
  readonly endUser: EndUserClient
}

/** Serves for the tests of one file. */
export const serve = async () => {
  const server = await listen()
  afterAll(() => server.close())
  const { url: baseUrl } = server
  return {
    server,
    /** Method, path and query of the requests so far. */
    targets: () => server.exchanges.map(({ method, target }) => `${method} ${target}`),
    admin: (extra: SharedByAdmins & Pick<Common, "answers" | "headers"> = {}) =>
      createAdminClient({ baseUrl, projectId: "p1", ...login, ...extra }),
    visitor: (extra: Partial<Parameters<typeof createPublicClient>[0]> = {}) =>
      createPublicClient({ baseUrl, apiKey: "key-1", ...extra }),
    endUser: () => createEndUserClient({ baseUrl, apiKey: "key-1", sessionId: "session-1" }),
    /** Declares tests for each transport. */
    over: (what: string, tests: (of: Over) => void): void =>
      describe.each(transports)(`over $name, ${what}`, ({ name, open }) => {
        const { close, transport } = open()
        const config = { baseUrl, apiKey: "key-1", transport }
        const policy = { attempts: 1 }
        const visitor = createPublicClient({ ...config, policy })
        const endUser = createEndUserClient({ ...config, policy, sessionId: "session-1" })
        afterAll(async () => {
          await Promise.all([visitor.close(), endUser.close()])
          await close()
        })
        tests({ name, config, visitor, endUser })
      })
  }
}

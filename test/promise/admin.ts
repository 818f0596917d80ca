// A server that plays the sign-ins of an admin, and the admin's Promise client of it.
import { afterAll } from "vitest"
import { createAdminClient, type SharedByAdmins } from "../../clients/promise/index.js"
import { type Exchange, listen } from "../support/scripted-server.js"
import { tokenOf } from "../wire/platform.js"

export const login = { email: "ada@example.com", password: "secret-1" }
export const ada = { _id: "admin-1", fullName: "Ada", since: "2024-05-01T10:00:00.000Z" }

/** Plays both of an admin's sign-ins, and answers anything else with a project. */
export const playAdmin = ({ json, target }: Exchange): void => {
  if (target === "/auth/admin/login") json({ accessToken: tokenOf("admin-1"), user: ada })
  else if (target === "/auth/login") json({ sessionId: "session-1" })
  else json({ _id: "p1", name: "House" })
}

/** Serves for the tests of one file. */
export const serve = async () => {
  const server = await listen()
  afterAll(() => server.close())
  return {
    server,
    /** Method, path and query of the requests so far. */
    targets: () => server.exchanges.map(({ method, target }) => `${method} ${target}`),
    admin: (extra: SharedByAdmins = {}) =>
      createAdminClient({ baseUrl: server.url, projectId: "p1", ...login, ...extra })
  }
}

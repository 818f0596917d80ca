// A server that plays the sign-ins of an admin, and the admin's Promise client of it.
import { createAdminClient, type SharedByAdmins } from "../../clients/promise/index.js"
import { type Exchange, listen, type Server } from "../support/scripted-server.js"
import { tokenOf } from "../wire/platform.js"

export let server: Server

/** Starts the server of one file. */
export const start = async (): Promise<void> => {
  server = await listen()
}

export const stop = (): Promise<void> => server.close()

export const login = { email: "ada@example.com", password: "secret-1" }

/** Method, path and query of the requests so far. */
export const targets = () => server.exchanges.map(({ method, target }) => `${method} ${target}`)

export const ada = { _id: "admin-1", fullName: "Ada", since: "2024-05-01T10:00:00.000Z" }

/** Plays both of an admin's sign-ins, and answers anything else with a project. */
export const playAdmin = ({ json, target }: Exchange): void => {
  if (target === "/auth/admin/login") json({ accessToken: tokenOf("admin-1"), user: ada })
  else if (target === "/auth/login") json({ sessionId: "session-1" })
  else json({ _id: "p1", name: "House" })
}

export const admin = (extra: SharedByAdmins = {}) =>
  createAdminClient({ baseUrl: server.url, projectId: "p1", ...login, ...extra })

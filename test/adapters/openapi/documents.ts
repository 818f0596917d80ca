/** The OpenAPI documents as they are published, by their clients. */
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import { type Client, clients } from "@quartet/support/wire-rows.js"

const names: Readonly<Record<Client, string>> = {
  admin: "admin",
  public: "public",
  private: "private",
  endUser: "end-user"
}

export const documents = clients.map((client) => ({
  client,
  name: names[client],
  path: join(root, "docs/openapi", `${names[client]}.json`)
}))

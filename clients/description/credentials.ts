/** The credentials of each client's calls, as OpenAPI names them. All of one client are needed together. */
import type { Audience } from "../../core/kernel/operation/operation.js"

const header = (name: string) => ({ type: "apiKey", in: "header", name }) as const

/** By client, then by the name of the scheme. */
export const credentials = {
  admin: {
    accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    session: header("x-session-id")
  },
  public: { apiKey: header("x-api-key") },
  private: { privateKey: header("x-private-key") },
  endUser: { session: header("x-session-id"), apiKey: header("x-api-key") }
} as const satisfies Record<Audience, object>

/** The names of the clients on the command line. */
import type { Audience } from "@quartet/sdk/extend"

/** By name, the kind of credentials. */
export const audiences = {
  admin: "admin",
  public: "public",
  private: "private",
  "end-user": "endUser"
} as const satisfies Record<string, Audience>

/** The name of a client on the command line. */
export type ClientName = keyof typeof audiences

export const clientNames = Object.keys(audiences) as ReadonlyArray<ClientName>

/** The name of an audience's client. */
export const clientOf = (audience: Audience): ClientName => (audience === "endUser" ? "end-user" : audience)

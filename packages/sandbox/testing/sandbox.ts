/** All four clients over one sandbox in this process. */

import * as Admin from "@quartet/sdk/admin/client"
import type * as EndUser from "@quartet/sdk/end-user/client"
import { layerSignIn } from "@quartet/sdk/end-user/sign-in"
import {
  type CallError,
  type ChatSocket,
  type Known,
  read,
  type Settings,
  type Transport
} from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private/client"
import * as Public from "@quartet/sdk/public/client"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sandbox from "../index.js"
import { baseUrl, known as knownOfSandbox } from "../sandbox.js"

/** The sandbox behind the clients of a test: its control fails, delays and counts requests. @category testing */
export class Platform extends Context.Tag("@quartet/sandbox/testing/Platform")<Platform, Sandbox.Sandbox>() {}

/** The clients' accounts, and their platform. @category testing */
export interface Options extends Sandbox.Options {
  /** The admin; may do everything by default. `Sandbox.accounts.viewer` may only read. */
  readonly admin?: { readonly email: string; readonly password: string }
  /** The end user; Ana by default. */
  readonly endUser?: { readonly email: string; readonly password: string }
  /** For all four clients: policy, routes, header names. */
  readonly common?: Omit<Settings.Common, "baseUrl">
}

/** The services of a test with all four clients. @category testing */
export type Clients =
  | Admin.Client
  | Public.Client
  | Private.Client
  | EndUser.Client
  | Platform
  | Transport
  | ChatSocket

const known = {
  ...knownOfSandbox,
  admin: "object",
  endUser: "object",
  common: "object"
} satisfies Known<Options>

/**
 * All four clients over a fresh sandbox. Nothing leaves the process. Fails with InputError if an option breaks a rule.
 * @category testing
 */
export const layer = (options: Options = {}): Layer.Layer<Clients, CallError> =>
  Layer.unwrapEffect(Effect.map(read("testing.layer", "options", options, known), layerOf))

const layerOf = ({ admin, common = {}, endUser, ...platform }: Options): Layer.Layer<Clients, CallError> => {
  const { accounts } = Sandbox
  const { apiKey, privateKey, projectId } = accounts
  const clients = Layer.mergeAll(
    Admin.layer({ ...common, baseUrl, projectId, apiKey, ...(admin ?? accounts.admin) }),
    Public.layer({ ...common, baseUrl, apiKey }),
    Private.layer({ ...common, baseUrl, privateKey }),
    layerSignIn({ ...common, baseUrl, apiKey, ...(endUser ?? accounts.endUsers.ana) })
  )
  return Layer.unwrapEffect(
    Effect.map(Sandbox.make(platform), (sandbox) =>
      Layer.provideMerge(clients, Layer.merge(Sandbox.layerOf(sandbox), Layer.succeed(Platform, sandbox)))
    )
  )
}

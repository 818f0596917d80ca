/** Each call of the list through both forms of its client: an Effect or Stream that is run, and a Promise. */

import { partsOf, type Row } from "@quartet/support/wire-rows.js"
import { type Effect, Layer, ManagedRuntime, type Stream } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Promised from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import { collect } from "../../core/kernel/dispatch/streaming.js"
import { type Service, Transport } from "../../core/ports/transport.js"
import type { Config } from "./platform.js"

/** Runs calls by the ids of their rows. */
export interface Form {
  readonly call: (row: Row, input: unknown) => Promise<unknown>
  readonly close: () => Promise<void>
}

const modules = { admin: Admin, public: Public, private: Private, endUser: EndUser }

/** The member of a client that a row names. What it is follows from the row, hence the one cast of each form. */
const member = (clients: object, row: Row): unknown => {
  const { call, client, slice } = partsOf(row.id)
  const method: unknown = Reflect.get(Object(Reflect.get(Object(Reflect.get(clients, client)), slice)), call)
  if (typeof method !== "function") throw new Error(`${row.id} is offered by no client`)
  return method
}

const isBytes = (row: Row): boolean => row.answer === "bytes" || row.answer === "text/csv"

/** The Effect clients, all four in one runtime. */
export const effects = (config: Config, transport: Service): Form => {
  const clients = Layer.mergeAll(
    Admin.layer(config.admin),
    Public.layer(config.public),
    Private.layer(config.private),
    EndUser.layer(config.endUser)
  )
  const runtime = ManagedRuntime.make(Layer.provide(clients, Layer.succeed(Transport, transport)))
  type Clients = Admin.Client | Public.Client | Private.Client | EndUser.Client
  return {
    call: (row, input) => {
      const call = member(modules, row)
      return isBytes(row)
        ? runtime.runPromise(
            collect((call as (input: unknown) => Stream.Stream<Uint8Array, unknown, Clients>)(input))
          )
        : runtime.runPromise((call as (input: unknown) => Effect.Effect<unknown, unknown, Clients>)(input))
    },
    close: () => runtime.dispose()
  }
}

/** The Promise clients. */
export const promises = (config: Config, transport: Service): Form => {
  const clients = {
    admin: Promised.createAdminClient({ ...config.admin, transport }),
    public: Promised.createPublicClient({ ...config.public, transport }),
    private: Promised.createPrivateClient({ ...config.private, transport }),
    endUser: Promised.createEndUserClient({ ...config.endUser, transport })
  }
  return {
    call: (row, input) => {
      const call = member(clients, row)
      return isBytes(row)
        ? (call as { bytes: (input: unknown) => Promise<Uint8Array> }).bytes(input)
        : (call as (input: unknown) => Promise<unknown>)(input)
    },
    close: async () => {
      await Promise.all(Object.values(clients).map((client) => client.close()))
    }
  }
}

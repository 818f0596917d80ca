/** The two faces of the four clients, which perform calls by the ids of their rows; and a sandbox whose time stands still. */
import * as Sandbox from "@quartet/sandbox"
import { pages, text } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { Transport, type TransportService } from "@quartet/sdk/extend"
import type { Platform } from "@quartet/sdk/platform"
import * as Private from "@quartet/sdk/private"
import {
  createAdminClient,
  createPrivateClient,
  createPublicClient,
  signInEndUser
} from "@quartet/sdk/promise"
import * as Public from "@quartet/sdk/public"
import { Cause, Chunk, Clock, Effect, Exit, Layer, ManagedRuntime, Stream } from "effect"
import type { Face } from "./platform-walk.js"
import { partsOf, rows } from "./wire-rows.js"

/** Where a platform is, and how it differs. */
export interface Reached {
  readonly baseUrl: string
  readonly transport: TransportService
  readonly platform?: Platform
}

const real = Clock.make()
const moment = Date.UTC(2100, 0, 1)

/** A clock that stands, later than any machine's: what clients take to end by their own clock never ends. */
const standing: Clock.Clock = {
  ...real,
  unsafeCurrentTimeMillis: () => moment,
  unsafeCurrentTimeNanos: () => BigInt(moment) * 1_000_000n,
  currentTimeMillis: Effect.succeed(moment),
  currentTimeNanos: Effect.succeed(BigInt(moment) * 1_000_000n)
}

/** Makes a sandbox, or serves one, whose rows have the same stamps whenever they are made. */
const standStill = <A, E, R>(sandbox: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withClock(sandbox, standing)

/** A sandbox in this process whose time stands still. */
export const standingSandbox = (options: Sandbox.Options = {}): Promise<Sandbox.Sandbox> =>
  Effect.runPromise(standStill(Sandbox.make(options)))

const configOf = ({ baseUrl, platform }: Reached) => {
  const { admin, apiKey, endUsers, privateKey, projectId } = Sandbox.accounts
  const shared = { baseUrl, policy: { attempts: 1 }, ...(platform === undefined ? {} : { platform }) }
  return {
    admin: { ...shared, projectId, apiKey, ...admin },
    public: { ...shared, apiKey },
    private: { ...shared, privateKey },
    endUser: { ...shared, apiKey, ...endUsers.ana }
  }
}

/** The call that a row names: what it is follows from the row, hence the casts of the faces. */
const member = (clients: object, id: string): unknown => {
  const { call, client, slice } = partsOf(id)
  const found: unknown = Reflect.get(Object(Reflect.get(Object(Reflect.get(clients, client)), slice)), call)
  if (typeof found !== "function") throw new Error(`${id} is offered by no client`)
  return found
}

const downloads = new Set(
  rows.filter(({ answer }) => answer === "bytes" || answer === "text/csv").map(({ id }) => id)
)

interface Method {
  (input: unknown): Promise<unknown>
  readonly text: (input: unknown) => Promise<string>
  readonly pages: (input: unknown) => AsyncIterable<unknown>
}

/** The clients with Promises. The end user is Ana. */
export const promiseFace = async (reached: Reached): Promise<Face> => {
  const config = configOf(reached)
  const { transport } = reached
  const clients = {
    admin: createAdminClient({ ...config.admin, transport }),
    public: createPublicClient({ ...config.public, transport }),
    private: createPrivateClient({ ...config.private, transport }),
    endUser: await signInEndUser({ ...config.endUser, transport })
  }
  const method = (row: string): Method => member(clients, row) as Method
  return {
    call: (row, input) => (downloads.has(row) ? method(row).text(input) : method(row)(input)),
    pages: async (row, input) => {
      const items: Array<unknown> = []
      for await (const item of method(row).pages(input)) items.push(item)
      return items
    },
    close: async () => {
      await Promise.all(Object.values(clients).map((client) => client.close()))
    }
  }
}

type Clients = Admin.Client | Public.Client | Private.Client | EndUser.Client

/** The clients with Effects, in one runtime. The end user is Ana. */
export const effectFace = async (reached: Reached): Promise<Face> => {
  const config = configOf(reached)
  const clients = Layer.mergeAll(
    Admin.layer(config.admin),
    Public.layer(config.public),
    Private.layer(config.private),
    EndUser.layerSignIn(config.endUser)
  )
  const runtime = ManagedRuntime.make(Layer.provide(clients, Layer.succeed(Transport, reached.transport)))
  await runtime.runtime()
  const modules = { admin: Admin, public: Public, private: Private, endUser: EndUser }
  /** Runs an Effect, and rejects with its own error. */
  const run = async <A>(effect: Effect.Effect<A, unknown, Clients>): Promise<A> => {
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    return exit.value
  }
  return {
    call: (row, input) => {
      const call = member(modules, row)
      return run<unknown>(
        downloads.has(row)
          ? text((call as (input: unknown) => Stream.Stream<Uint8Array, unknown, Clients>)(input))
          : (call as (input: unknown) => Effect.Effect<unknown, unknown, Clients>)(input)
      )
    },
    pages: (row, input) => {
      const list = member(modules, row) as typeof Admin.payments.list
      const items: Stream.Stream<unknown, unknown, Clients> = pages(
        list,
        input as NonNullable<Parameters<typeof list>[0]>
      )
      return run(Effect.map(Stream.runCollect(items), Chunk.toReadonlyArray))
    },
    close: () => runtime.dispose()
  }
}

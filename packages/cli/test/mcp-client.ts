/** The protocol's official client, connected in memory to a server over a sandbox. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  type ElicitResult
} from "@modelcontextprotocol/sdk/types.js"
import * as Sandbox from "@quartet/sandbox"
import * as Testing from "@quartet/sandbox/testing"
import * as Admin from "@quartet/sdk/admin/client"
import * as EndUser from "@quartet/sdk/end-user/client"
import * as Private from "@quartet/sdk/private/client"
import * as Public from "@quartet/sdk/public/client"
import { Effect, Exit, Layer, Scope } from "effect"
import type { Clients } from "../mcp/calls.js"
import * as Server from "../mcp/server.js"

/** What a tool answered. */
export interface Answer {
  readonly isError: boolean
  readonly texts: ReadonlyArray<string>
  /** The first text, read as JSON. */
  readonly json: () => unknown
}

export interface Options extends Partial<Pick<Server.Options, "allowsWrites" | "confirmation">> {
  readonly admin?: { readonly email: string; readonly password: string }
  /** The clients that there are credentials for; all by default. */
  readonly only?: ReadonlyArray<keyof Clients>
  /** What the person says who is asked; without it the client cannot ask. */
  readonly person?: (question: string) => ElicitResult | Promise<ElicitResult>
}

/** A tool's answer, as a test reads it. */
export const call = async (
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  options?: Parameters<Client["callTool"]>[2]
): Promise<Answer> => {
  const result = CallToolResultSchema.parse(
    await client.callTool({ name, arguments: input }, undefined, options)
  )
  const texts = result.content.map((part) => (part.type === "text" ? part.text : part.type))
  return { isError: result.isError === true, texts, json: () => JSON.parse(texts[0] ?? "") }
}

/** Connects; `await using` closes both ends. */
export const connected = async ({
  admin = Sandbox.accounts.admin,
  allowsWrites = false,
  confirmation = "auto",
  only = ["admin", "public", "private", "endUser"],
  person
}: Options = {}) => {
  const scope = Effect.runSync(Scope.make())
  const log: Array<string> = []
  const services = await Effect.runPromise(
    Layer.buildWithScope(Testing.layer({ admin }), scope).pipe(
      Effect.flatMap((context) =>
        Effect.provide(
          Effect.all({
            admin: Admin.Client,
            public: Public.Client,
            private: Private.Client,
            endUser: EndUser.Client,
            platform: Testing.Platform
          }),
          context
        )
      )
    )
  )
  const { platform, ...all } = services
  const clients: Clients = Object.fromEntries(
    Object.entries(all).filter(([name]) => only.some((clientName) => clientName === name))
  )
  const makeServer = Server.make({
    clients,
    allowsWrites,
    confirmation,
    version: "0.0.0",
    log: (line) => log.push(line)
  })
  const server = await Effect.runPromise(makeServer)
  const client = new Client(
    { name: "test", version: "0" },
    { capabilities: person === undefined ? {} : { elicitation: { form: {} } } }
  )
  if (person !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message))
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(clientSide), client.connect(serverSide)])
  return {
    client,
    log,
    control: platform.control,
    /** What was sent to the platform, without sign-ins. */
    sent: () =>
      platform.control
        .log()
        .map(({ operation = "" }) => operation)
        .filter((name) => !name.startsWith("auth.")),
    ask: (name: string, input?: Record<string, unknown>, options?: Parameters<typeof call>[3]) =>
      call(client, name, input, options),
    [Symbol.asyncDispose]: async () => {
      await client.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

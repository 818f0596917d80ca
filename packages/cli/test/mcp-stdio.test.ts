// The command `quartet mcp` as it is published, by the protocol's official client over stdio.
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Sandbox from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import { quartet } from "@quartet/support/quartet.js"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { call } from "./mcp-client.js"

const { program, run } = quartet()
const { accounts } = Sandbox

/** Starts the command and connects to it. What it writes to stderr is there when it has ended. */
const started = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program(), "mcp", ...args],
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "pipe"
  })
  // A pipe, as asked for: the type does not tell.
  const stderr = text(transport.stderr as Readable)
  const client = new Client({ name: "test", version: "0" })
  await client.connect(transport)
  return {
    client,
    ask: (name: string, input?: Record<string, unknown>) => call(client, name, input),
    end: async () => {
      await client.close()
      return await stderr
    },
    [Symbol.asyncDispose]: () => client.close()
  }
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } }
}

describe("quartet mcp", () => {
  it("serves a sandbox: finds, reads, refuses to delete at first, deletes when told twice", async () => {
    await using server = await started(["--sandbox", "--allow-writes"])
    const { tools } = await server.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(["search", "describe", "read", "docs", "write"])
    expect(server.client.getServerVersion()).toMatchObject({
      name: "quartet",
      version: expect.stringMatching(/^\d+\.\d+/)
    })
    const { items } = (
      await server.ask("read", { operation: "admin.items.list", input: { limit: 1 } })
    ).json() as {
      readonly items: ReadonlyArray<{ readonly _id: string }>
    }
    expect(items).toHaveLength(1)
    const request = {
      operation: "endUser.requests.create",
      input: { payload: { type: "VISIT", title: "A visit" } }
    }
    const { _id } = (await server.ask("write", request)).json() as { readonly _id: string }
    const deletion = { operation: "endUser.requests.delete", input: { id: _id } }
    const refused = await server.ask("write", deletion)
    const [, confirmation] = /"confirmation": "([^"]+)"/.exec(refused.texts[0] ?? "") ?? []
    expect(refused.texts[0]).toContain(`DELETE http://sandbox.test/request-action/${_id}`)
    expect((await server.ask("write", { ...deletion, confirmation })).isError).toBe(false)
    expect(
      (await server.ask("read", { operation: "endUser.requests.get", input: { id: _id } })).isError
    ).toBe(true)
    expect((await server.ask("docs", { words: "errors" })).json()).not.toEqual([])
    expect(await server.end()).toMatch(
      /reads and writes on http:\/\/sandbox\.test; clients with credentials: admin, /
    )
  })

  it("refuses names that it does not know, says how they pass, and passes them", async () => {
    await using server = await started(["--sandbox", "--allow-writes"])
    const { tools } = await server.client.listTools()
    for (const name of ["read", "write"])
      expect(tools.find((tool) => tool.name === name)?.inputSchema.properties).toMatchObject({
        raw: { type: "boolean", description: expect.stringContaining("also with names that `describe`") }
      })
    const request = {
      operation: "endUser.requests.create",
      input: { payload: { type: "VISIT", titel: "A visit" } }
    }
    const refused = await server.ask("write", request)
    expect([refused.isError, refused.texts.join()]).toEqual([true, expect.stringContaining('"raw": true')])
    expect(refused.texts[0]).toContain(
      'is not a field of this body (did you mean "title"?). Nothing was sent.'
    )
    expect((await server.ask("write", { ...request, raw: true })).json()).toMatchObject({ titel: "A visit" })
    const list = { operation: "admin.requests.list", input: { statusIn: ["on_hold"] } }
    expect((await server.ask("read", list)).isError).toBe(true)
    expect((await server.ask("read", { ...list, raw: true })).json()).toMatchObject({ items: [] })
    const useless = await server.ask("read", { operation: "admin.roles.list", raw: true })
    expect(useless.texts[0]).toContain('has no names that "raw" would pass')
    await server.end()
  })

  it("shows the body that is passed as it is, and takes a confirmation for exactly that", async () => {
    await using server = await started(["--sandbox", "--allow-writes"])
    const refund = {
      operation: "admin.payments.refund",
      input: { id: "none", payload: { amount: 5, note: "late" } }
    }
    expect((await server.ask("write", refund)).texts[0]).toContain("is not a field of this body")
    const asked = await server.ask("write", { ...refund, raw: true })
    expect(asked.texts[0]).toContain('{\n  "amount": 5,\n  "note": "late"\n}')
    const [, confirmation] = /"confirmation": "([^"]+)"/.exec(asked.texts[0] ?? "") ?? []
    const other = { ...refund, input: { id: "none", payload: { note: "late" } }, raw: true, confirmation }
    expect((await server.ask("write", other)).texts[0]).toContain("The confirmation is not for this call")
    const forged = { ...refund, input: { id: "none", payload: { "@quartet/raw": { amout: 5 } } } }
    expect((await server.ask("write", forged)).texts[0]).toContain("is not a field of this body")
    const shown = asked.texts.join()
    expect(shown).not.toContain("quartet/raw")
    await server.end()
  })

  it("takes the credentials of the environment, shows none, and says which clients have none", async () => {
    const served = Effect.gen(function* () {
      const { control, url } = yield* Server.serve({ port: 0 })
      const { email, password } = accounts.viewer
      const env = {
        QUARTET_BASE_URL: url,
        QUARTET_PROJECT_ID: accounts.projectId,
        QUARTET_EMAIL: email,
        QUARTET_PASSWORD: password
      }
      yield* Effect.promise(async () => {
        await using server = await started(["--allow-writes"], env)
        const users = await server.ask("read", { operation: "admin.users.list", input: { limit: 2 } })
        expect((users.json() as { readonly items: ReadonlyArray<unknown> }).items).toHaveLength(2)
        const denied = await server.ask("write", { operation: "admin.users.delete", input: { id: "u1" } })
        expect(denied.texts[0]).toContain("the admin's token does not permit it")
        const none = await server.ask("read", { operation: "private.items.list" })
        expect(none.texts[0]).toContain("no credentials of the private client (QUARTET_PRIVATE_KEY)")
        const sent = control.log().map(({ operation }) => operation)
        expect(sent).toEqual(["auth.login", "auth.legacyLogin", "users.list"])
        const stderr = await server.end()
        expect(stderr).toContain("clients with credentials: admin\n")
        expect(stderr).toMatch(/read admin\.users\.list: done, \d+ ms/)
        const shown = [users, denied, none].flatMap(({ texts }) => texts).join() + stderr
        expect(shown).not.toContain(password)
      })
    })
    await Effect.runPromise(Effect.scoped(served))
  })

  it("writes nothing but the protocol to stdout, and ends with its client", async () => {
    const messages = [
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      {
        jsonrpc: "2.0",
        id: 2,
        method: "tools/call",
        params: { name: "search", arguments: { words: "boxes" } }
      }
    ]
    const stdin = messages.map((message) => `${JSON.stringify(message)}\n`).join("")
    const { code, stderr, stdout } = await run(["mcp", "--sandbox"], { stdin })
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id, jsonrpc }) => [jsonrpc, id])).toEqual(expect.arrayContaining([["2.0", 1]]))
    expect([code, stderr.includes("only reads")]).toEqual([0, true])
  })

  it("ends with code 3 and says what to set where there is no platform", async () => {
    const { code, stderr, stdout } = await run(["mcp"], { stdin: `${JSON.stringify(initialize)}\n` })
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).toContain("QUARTET_BASE_URL is missing")
  })
})

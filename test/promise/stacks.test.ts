// The stack of what a Promise client rejects with leads to the line that made the call, in every style of client.

import { Schema } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import * as Files from "../../clients/admin/files.js"
import * as OnDemand from "../../clients/admin/on-demand.js"
import * as Requests from "../../clients/admin/requests.js"
import * as Functions from "../../clients/promise/admin.js"
import { openChat } from "../../clients/promise/chat.js"
import { createAdminClient, createPublicClient, Errors, until } from "../../clients/promise/index.js"
import { pages } from "../../clients/promise/pages.js"
import { withResponse } from "../../clients/promise/with-response.js"
import { login, playAdmin, serve } from "./served.js"

const { admin, server, visitor } = await serve()

/** Signs admins in, and answers anything else with 404. */
const playNothing: typeof playAdmin = (exchange) =>
  exchange.target.startsWith("/auth/") ? playAdmin(exchange) : exchange.json({ message: "none" }, 404)

const config = () => ({ baseUrl: server.url, projectId: "p1", ...login })

/** The error of a call, whose own function is named in its stack. */
const caught = async (call: () => Promise<unknown>): Promise<Error> => {
  try {
    await call()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("nothing was rejected with an error")
}

const looped = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items);
}

const own = /\n {4}at (async )?(.* \()?(file:\/\/)?\/.*stacks\.test\.ts:\d+:\d+/

const styles: ReadonlyArray<readonly [style: string, call: () => Promise<unknown>]> = [
  ["a method", async () => await admin().requests.get({ id: "r1" })],
  ["a method of a client with a key", async () => await visitor().items.get({ id: "i1" })],
  [
    "a method with an answer of one's own",
    async () => await admin().requests.get.as(Schema.Struct({ mine: Schema.String }))({ id: "r1" })
  ],
  [
    "a call with its answer",
    async () => await withResponse(Functions.createAdmin(config()), Requests.get, { id: "r1" })
  ],
  ["waiting for a state", async () => await until(admin().requests.get, { id: "r1" }, () => true)],
  ["all pages of a list", async () => await looped(admin().requests.list.pages())],
  ["a download as it comes", async () => await looped(admin().files.download({ id: "f1" }))],
  ["a download at once", async () => await admin().files.download.bytes({ id: "f1" })],
  ["a download as text", async () => await admin().files.download.text({ id: "f1" })],
  ["a value that is kept", async () => await admin().onDemand.project.get()],
  ["opening a chat without a key", async () => await admin().chat.open()],
  ["the onboarding", async () => await admin().onboarding.complete("nothing")],
  ["a call of a function", async () => await Functions.createAdmin(config())(Requests.get, { id: "r1" })],
  [
    "all pages by a function",
    async () => await looped(pages(Functions.createAdmin(config()), Requests.list))
  ],
  [
    "a download by a function",
    async () => await Functions.bytes(Functions.createAdmin(config()), Files.download, { id: "f1" })
  ],
  ["a chat by a function", async () => await openChat(Functions.createAdmin(config()))],
  [
    "the onboarding by a function",
    async () => await Functions.createOnboarding(Functions.createAdmin(config())).complete("nothing")
  ],
  [
    "an Effect by a function",
    async () => await Functions.run(Functions.createAdmin(config()), OnDemand.project.get)
  ]
]

test.each(styles)("the stack leads to the caller's line: %s", async (_, call) => {
  server.play(playNothing)
  const error = await caught(call)
  expect(error.stack).toMatch(own)
  expect(error.stack?.startsWith(`${error.name}: ${error.message}`)).toBe(true)
})

test("a call among several at once leads to their line", async () => {
  server.play(playNothing)
  const client = visitor()
  const error = await caught(
    async () => await Promise.all([client.items.get({ id: "i1" }), client.items.get({ id: "i1" })])
  )
  expect(error.stack).toMatch(/at (async )?Promise\.all \(index \d\)\n/)
  expect(error.stack).toMatch(own)
})

test("an input that is refused before anything is sent leads there too", async () => {
  const error = await caught(async () => await visitor().items.get({ id: "" }))
  expect(error).toBeInstanceOf(Errors.InputError)
  expect(error.stack).toMatch(/stacks\.test\.ts:\d+:\d+/)
})

test("the error is otherwise the same: class, tag, cause and JSON say nothing of a stack", async () => {
  const client = createPublicClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "key-1",
    policy: { attempts: 1 }
  })
  const error = await caught(async () => await client.items.get({ id: "i1" }))
  expect(error).toBeInstanceOf(Errors.NetworkError)
  expect(error).toMatchObject({ _tag: "NetworkError", cause: { code: "ECONNREFUSED" } })
  expect(Object.keys(error)).not.toContain("stack")
  expect(JSON.stringify(error)).not.toContain("stacks.test")
  await client.close()
})

/** The errors of calls that all fail. */
const allCaught = async (...calls: ReadonlyArray<() => Promise<unknown>>): Promise<ReadonlyArray<Error>> =>
  Promise.all(calls.map(caught))

test("calls that share a sign-in that fails get an error each, with the line of its own caller", async () => {
  server.play(({ json }) => json({ message: "no" }, 401))
  const client = createAdminClient(config())
  async function reader() {
    return await client.projects.get({ id: "p1" })
  }
  async function writer() {
    return await client.roles.delete({ id: "r1" })
  }
  const [first, second] = await allCaught(reader, writer)
  expect(first).not.toBe(second)
  expect(first).toBeInstanceOf(Errors.CredentialsError)
  expect(second).toBeInstanceOf(Errors.CredentialsError)
  expect(second).toMatchObject({ ...first })
  expect(first?.stack).toMatch(/ reader /)
  expect(first?.stack).not.toMatch(/ writer /)
  expect(second?.stack).toMatch(/ writer /)
  expect(second?.stack).not.toMatch(/ reader /)
  await client.close()
})

test("readers that share a value which is not to be had get an error each, with a line each", async () => {
  server.play(playNothing)
  const client = admin()
  async function one() {
    return await client.onDemand.project.get()
  }
  async function other() {
    return await client.onDemand.project.get()
  }
  const [first, second] = await allCaught(one, other)
  expect(first).not.toBe(second)
  expect(first?.stack).toMatch(/ one /)
  expect(second?.stack).toMatch(/ other /)
  expect(second?.stack).not.toMatch(/ one /)
})

test("an error of the program's own that several calls share stays the same", async () => {
  const error = new Error("mine")
  const middleware = [() => () => Promise.reject(error)]
  const client = createPublicClient({ baseUrl: server.url, apiKey: "key-1", middleware })
  const get = async () => await client.items.get({ id: "i1" })
  expect(await allCaught(get, get)).toEqual([error, error])
  expect(await caught(get)).toBe(error)
  await client.close()
})

describe("with a format of stacks that is the program's own", () => {
  const { prepareStackTrace } = Error
  afterEach(() => {
    Error.prepareStackTrace = prepareStackTrace
  })

  const get = async () => await visitor().items.get({ id: "i1" })

  test.each<readonly [string, typeof Error.prepareStackTrace]>([
    ["other text", (error, sites) => `${error} ${sites.map((site) => site.getLineNumber()).join(",")}`],
    ["no text", (_, sites) => sites]
  ])("the error is the call's: %s", async (_, format) => {
    server.play(playNothing)
    Error.prepareStackTrace = format
    const error = await caught(get)
    expect(Error.prepareStackTrace).toBe(format)
    expect(error).toBeInstanceOf(Errors.NotFound)
  })

  test("the line of the caller follows other text as V8 writes it", async () => {
    server.play(playNothing)
    Error.prepareStackTrace = (error, sites) => `${error} in ${sites.length} frames`
    expect((await caught(get)).stack).toMatch(own)
  })
})

test("the reason of a signal is the caller's own, and stays as it was", async () => {
  server.play(() => undefined)
  const reason = new Error("enough")
  const { stack } = reason
  const signal = AbortSignal.abort(reason)
  expect(await caught(async () => await visitor().items.get({ id: "i1" }, { signal }))).toBe(reason)
  expect(reason.stack).toBe(stack)
})

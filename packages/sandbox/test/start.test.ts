// A sandbox for programs with Promises: one value is spread into each client, and nothing of it leaves the process.
import * as Sandbox from "@quartet/sandbox"
import {
  createAdminClient,
  createPrivateClient,
  createPublicClient,
  Errors,
  signInEndUser
} from "@quartet/sdk/promise"
import { describe, expect, expectTypeOf, it } from "vitest"

const { accounts } = Sandbox

describe("a sandbox that was started", () => {
  it("is what all four clients are made with, and the chat ends in it", async () => {
    await using sandbox = await Sandbox.start({ seed: 7 })
    const { control, hub, options } = sandbox
    await using admin = createAdminClient({ ...options.admin, ...accounts.admin })
    await using visitor = createPublicClient(options.public)
    await using server = createPrivateClient(options.private)
    await using ana = await signInEndUser({ ...options.endUser, ...accounts.endUsers.ana })
    expect((await visitor.project.self())._id).toBe(accounts.projectId)
    expect((await server.project.self())._id).toBe(accounts.projectId)
    expect((await ana.auth.self()).email).toBe(accounts.endUsers.ana.email)

    const chat = await admin.chat.open()
    expect(hub.size()).toBe(1)
    const conversation = control.state.conversations.all().find(({ userId }) => userId !== undefined)
    const { _id: conversationId = "", userId = "" } = conversation ?? {}
    const heard = (async () => {
      for await (const { text } of chat.messages) return text
      return undefined
    })()
    await hub.sayAs(userId, { conversationId, text: "Is the lift mended?" })
    expect(await heard).toBe("Is the lift mended?")
    await expect(hub.sayAs("nobody", { conversationId, text: "Hello" })).rejects.toMatchObject({
      status: 404
    })
    await chat.close()
    expect(hub.size()).toBe(0)
  })

  it("shows the headers of each request, with its credentials masked", async () => {
    await using sandbox = await Sandbox.start()
    await using admin = createAdminClient({ ...sandbox.options.admin, ...accounts.admin })
    await using visitor = createPublicClient(sandbox.options.public)
    await admin.orders.search({ limit: 1 }, { headers: { "X-Tenant": "north" } })
    await visitor.project.self({}, { headers: { "x-note": `the key is ${accounts.apiKey}` } })
    const [first, second] = sandbox.control.log().slice(-2)
    expect(first?.headers).toMatchObject({ "x-tenant": "north", authorization: "•••", "x-session-id": "•••" })
    expect(second?.headers).toMatchObject({ "x-note": "the key is •••", "x-api-key": "•••" })
  })

  it("answers nothing more once it is closed: calls and chats say that it was closed", async () => {
    const sandbox = await Sandbox.start()
    const admin = createAdminClient({
      ...sandbox.options.admin,
      ...accounts.admin,
      policy: { attempts: 1 }
    })
    const chat = await admin.chat.open({ policy: { attempts: 1, pause: 1 } })
    await sandbox.close()
    const error = await admin.orders.search().catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(Errors.NetworkError)
    expect(error).toMatchObject({ reason: "Refused", cause: { message: "the sandbox was closed" } })
    await expect(chat.send({ conversationId: "c1", text: "Hello" })).rejects.toThrow("the sandbox was closed")
    await admin.close()
  })

  it("rejects with the error itself if an option breaks a rule", async () => {
    const error = await Sandbox.start({ seed: 0.5 }).catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(Errors.InputError)
    expect(error).toMatchObject({ field: "seed", rule: "must be a whole number" })
  })

  it("leaves the sides of its chat that only a platform has to the platform", () => {
    expectTypeOf<keyof Sandbox.Started["hub"]>().toEqualTypeOf<"disconnectAll" | "size" | "sayAs">()
    expectTypeOf<keyof Sandbox.Control>().toEqualTypeOf<
      "latency" | "state" | "expireSessions" | "setLatency" | "failNext" | "loseNext" | "log" | "clear"
    >()
  })
})

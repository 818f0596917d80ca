/** The chat in the same process: what a connection hears and says, and how it ends. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sandbox from "../../adapters/sandbox/index.js"
import type { Trouble } from "../../core/ports/chat-socket.js"

const baseUrl = "http://sandbox.test"
const { accounts } = Sandbox

describe("the chat socket", () => {
  it.live("connects, tells the history, says and hears, and is silent once it is closed", () =>
    Effect.gen(function* () {
      const { control, hub, platform, socket } = yield* Sandbox.make()
      const handshake = yield* chatHandshake(platform)
      const heard: Array<readonly [string, unknown]> = []
      const troubles: Array<Trouble> = []
      const connection = socket.open(
        { origin: baseUrl, path: "/api_private/v1/chat", namespace: "/" },
        handshake,
        {
          onEvent: (event, payload) => heard.push([event, payload]),
          onTrouble: (trouble) => troubles.push(trouble)
        }
      )
      expect(connection.connected()).toBe(false)
      yield* settle
      expect(connection.connected()).toBe(true)
      expect(heard.map(([event]) => event)).toEqual(["history"])

      const conversationId = control.state.conversations.all()[0]?._id ?? ""
      const acknowledged = yield* Effect.async<unknown>((resume) => {
        connection.emit("chat", { conversationId, text: "Hello" }, (answer) => resume(Effect.succeed(answer)))
      })
      expect(acknowledged).toMatchObject({ message: { text: "Hello" } })
      yield* settle
      expect(heard.at(-1)).toMatchObject(["chat", { text: "Hello", conversationId }])

      connection.close()
      yield* hub.sayAs(control.state.conversations.all()[0]?.userId ?? "", { conversationId, text: "Bye" })
      yield* settle
      expect(connection.connected()).toBe(false)
      expect([heard.length, troubles.length, hub.size()]).toEqual([2, 0, 0])
    })
  )

  it.live("is refused with the reason, and told when the platform ends it", () =>
    Effect.gen(function* () {
      const { hub, platform, socket } = yield* Sandbox.make()
      const troubles: Array<Trouble> = []
      const listener = { onEvent: () => undefined, onTrouble: (trouble: Trouble) => troubles.push(trouble) }
      const address = { origin: baseUrl, path: "/api_private/v1/chat", namespace: "/" }
      socket.open(address, { query: {}, headers: {} }, listener)
      yield* settle
      expect(troubles).toEqual([{ reason: "Refused", message: "the API key is missing" }])
      const connection = socket.open(address, yield* chatHandshake(platform), listener)
      yield* settle
      hub.disconnectAll()
      yield* settle
      expect(connection.connected()).toBe(false)
      expect(troubles[1]).toMatchObject({ reason: "Lost" })
    })
  )
})

/** Lets everything that is under way in the process come to rest. */
const settle = Effect.sleep(5)

const chatHandshake = (platform: Sandbox.Platform) =>
  Effect.gen(function* () {
    const admin = platform.state.admins.all()[0]
    const text = JSON.stringify(accounts.admin)
    const call = (path: string) =>
      Effect.map(
        platform.handle({ method: "POST", path, headers: {}, body: { _tag: "Json", text } }),
        (answer) =>
          answer._tag === "Some" && answer.value.body instanceof Uint8Array
            ? JSON.parse(new TextDecoder().decode(answer.value.body))
            : {}
      )
    const { accessToken } = yield* call("/auth/admin/login")
    const { sessionId } = yield* call("/auth/login")
    expect(admin?.email).toBe(accounts.admin.email)
    return {
      query: { token: String(accessToken) },
      headers: { "X-Api-Key": accounts.apiKey, "X-Session-Id": String(sessionId) }
    }
  })

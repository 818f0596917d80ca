// Messages on their way out: pending, sent or failed, each under an id of its own.
import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import { makeQueryClient } from "../../../ui/rx/index.js"
import { makeLine, message, refused, setup } from "./line.js"
import { turn, watch } from "./scripted.js"

describe("sending", () => {
  test("a message is pending at once, and gone when the platform has told it", async () => {
    const { marks, say, send, sent } = await setup()
    const clientId = send("hello")
    expect(marks()).toEqual(["hello pending"])
    await turn()
    expect(sent[0]?.draft).toEqual({ conversationId: "c1", text: "hello", clientId })
    await say(message("m1", { clientId }))
    expect(marks()).toEqual([])
  })

  test("the platform's answer puts the message among the others, its echo not twice", async () => {
    const { marks, say, send, sent, texts } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.succeed({ clientId, message: message("m1", { clientId }) }))
    await turn()
    expect([marks(), texts()]).toEqual([[], ["m1"]])
    await say(message("m1", { clientId }))
    expect(texts()).toEqual(["m1"])
  })

  test("a bare yes marks it as sent until the message is told", async () => {
    const { marks, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.succeed({ clientId, message: undefined }))
    await turn()
    expect(marks()).toEqual(["hello sent"])
  })

  test("a message that failed stays, can be sent again under its id, and can be dropped", async () => {
    const { actions, last, marks, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.fail(refused))
    await turn()
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: refused, clientId })
    actions.retry(clientId)
    await turn()
    expect(marks()).toEqual(["hello pending"])
    expect(sent[1]?.draft.clientId).toBe(clientId)
    sent[1]?.settle(Effect.fail(refused))
    await turn()
    actions.discard(clientId)
    expect(marks()).toEqual([])
  })

  test("a message that is pending can be neither sent again nor dropped", async () => {
    const { actions, marks, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    actions.retry(clientId)
    actions.discard(clientId)
    await turn()
    expect([marks(), sent.length]).toEqual([["hello pending"], 1])
  })

  test("messages that are written before the chat is open go out in their order", async () => {
    const line = makeLine()
    const registry = Registry.make()
    const client = makeQueryClient(Layer.empty)
    const live = client.chat(Effect.zipRight(Effect.yieldNow(), line.open))
    watch(registry, live)
    registry.set(live, { conversationId: "c1", text: "one" })
    registry.set(live, { conversationId: "c1", text: "two" })
    await turn()
    expect(line.sent.map(({ draft }) => draft.text)).toEqual(["one", "two"])
  })

  test("without a chat that is open, a message fails at once", async () => {
    const { fail, last, send } = await setup()
    await fail(refused)
    send("hello")
    await turn()
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: { reason: "Closed" } })
  })

  test("ids are never the same", async () => {
    const { send } = await setup()
    expect(new Set(Array.from({ length: 100 }, () => send("x"))).size).toBe(100)
  })
})

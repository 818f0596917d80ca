import type { Message } from "@quartet/sdk/extend"
import { describe, expect, it } from "vitest"
import { merge } from "../views/chat/messages.js"

const sender = { kind: "admin", name: "Ana", _id: "a1" }
const at = (minute: number) => new Date(Date.UTC(2024, 4, 1, 10, minute))
const message = (id: string, minute: number, more: object = {}): Message => ({
  _id: id,
  text: id,
  sender,
  createdAt: at(minute),
  ...more
})
const read = (id: string, minute: number) => ({ _id: id, text: id, sender, createdAt: at(minute) })
const texts = (...[before, received]: Parameters<typeof merge>) =>
  merge(before, received).map(({ text }) => text)

describe("a conversation on the screen", () => {
  it("holds what was read and what came in, each message once, in the order of time", () => {
    const received = [message("2", 2), message("3", 3), message("4", 4)]
    expect(texts([read("1", 1), read("3", 3)], received)).toEqual(["1", "2", "3", "4"])
  })

  it("shows the newest content of a message that was received again", () => {
    const received = [message("1", 1, { text: "edited" })]
    expect(texts([read("1", 1), read("2", 2)], received)).toEqual(["edited", "2"])
  })

  it("begins a day with its first message, a message without a time standing with the one before it", () => {
    const [noon, day] = [Date.UTC(2024, 4, 1, 12), 86_400_000]
    const times = [noon, noon + 1, noon + 2 * day, undefined, noon + 2 * day + 1]
    const messages = times.map((time, index) => message(`${index}`, 0, { createdAt: time && new Date(time) }))
    const begun = merge([], messages).map(({ begins }) => begins?.getTime())
    expect(begun).toEqual([noon, undefined, noon + 2 * day, undefined, undefined])
  })

  it("shows messages without id, without time, or with a text that is none", () => {
    // What a platform may tell otherwise than it is described.
    const odd = [
      message("1", 1),
      { text: "first", createdAt: at(2) },
      { text: "second", createdAt: "soon" },
      { text: { de: "Hallo" }, createdAt: at(3) },
      { text: null }
    ] as unknown as ReadonlyArray<Message>
    const shown = merge([], odd)
    expect(shown.map(({ text }) => text)).toEqual(["1", "first", "second", '{"de":"Hallo"}', ""])
    expect(new Set(shown.map(({ key }) => key)).size).toBe(5)
    expect(shown[2]?.createdAt).toBeUndefined()
  })
})

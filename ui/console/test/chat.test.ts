import type { Message } from "@quartet/sdk/extend"
import { describe, expect, it } from "vitest"
import { isUnread, merge } from "../views/chat/messages.js"

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

describe("what nobody has read", () => {
  const customer = { kind: "endUser", name: "Zura", _id: "u1" }
  const theirs = (more: object = {}): Message => message("1", 1, { sender: customer, seen: false, ...more })

  it("is what a customer wrote and nobody has seen, neither as the platform says nor in this page", () => {
    expect(isUnread(theirs(), new Set())).toBe(true)
    expect(isUnread(theirs({ seen: true }), new Set())).toBe(false)
    expect(isUnread(theirs(), new Set(["1"]))).toBe(false)
  })

  it("is never one's own side's, nor what says of nobody that they wrote it", () => {
    expect(isUnread(theirs({ sender }), new Set())).toBe(false)
    expect(isUnread(theirs({ sender: { ...customer, kind: "system" } }), new Set())).toBe(false)
    expect(isUnread(theirs({ sender: undefined }), new Set())).toBe(false)
  })

  it("is what has come since the page was opened, where the platform does not say what was seen", () => {
    expect(isUnread(theirs({ seen: undefined }), new Set())).toBe(false)
    const later = new Date(Date.now() + 60_000)
    expect(isUnread(theirs({ seen: undefined, createdAt: later }), new Set())).toBe(true)
  })
})

describe("messages of one author", () => {
  it("stand together for ten minutes, and not across another's or another day", () => {
    const other = { kind: "endUser", name: "Zura", _id: "u1" }
    const messages = [message("1", 1), message("2", 5), message("3", 30), message("4", 31, { sender: other })]
    expect(merge([], messages).map(({ goesOn }) => goesOn)).toEqual([false, true, false, false])
  })
})

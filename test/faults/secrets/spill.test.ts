// The spilling server spills: whatever form it chooses, its answer holds the header and the body that it was sent.
import { describe, expect, test } from "vitest"
import { Framer, type Message, statusOf } from "../../support/framing.js"
import { canary, password, seenIn } from "./canaries.js"
import { forms, losses, spill, statuses, treatments } from "./spill.js"

const key = canary("apiKey")
const word = password("password")
const body = JSON.stringify({ email: "a@x.test", password: word.text })
const sent = `POST /login HTTP/1.1\r\nx-api-key: ${key.text}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const only = (bytes: Buffer): Message => {
  const [message, ...more] = new Framer().push(bytes)
  if (message === undefined) return expect.unreachable("the answer is not whole")
  expect(more).toEqual([])
  return message
}
const request = only(Buffer.from(sent))

/** What a client can read in an answer: its head and body, and the body's own escapes undone. */
const readIn = (answer: Message): string => {
  const text = answer.bytes.toString("utf8")
  const body = text.slice(answer.head.length + 4)
  const message: unknown = body.startsWith("{") ? Reflect.get(JSON.parse(body), "message") : undefined
  return `${text}\n${message}`
}

describe("an answer is a whole message, and holds what was sent, in the form", () => {
  for (const form of forms)
    test(form, () => {
      for (const status of statuses) {
        const answer = only(spill(request, status, form))
        expect(statusOf(answer)).toBe(status)
        expect(seenIn(readIn(answer), [key, word])).toEqual([key, word])
      }
    })
})

test("all statuses meet all forms, and every loss is among the treatments", () => {
  expect(treatments).toHaveLength(statuses.length * forms.length + losses.length)
  expect(new Set(treatments.map((treatment) => JSON.stringify(treatment))).size).toBe(treatments.length)
})

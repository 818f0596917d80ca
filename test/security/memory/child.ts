/**
 * A program that reads one answer over one transport: run as a process of its own with a small heap.
 * `process.argv`: the name of the transport, the URL, `bytes` or `stream`.
 */
import type { Outcome } from "../../../core/ports/transport.js"
import { open, ways } from "../ways.js"

const [, , name, address = "", answer] = process.argv
const way = ways.find((one) => one.name === name)
if (way === undefined) throw new Error("no such transport")
const { close, transport } = await open(way)
const { origin, pathname } = new URL(address)

const outcome = await new Promise<Outcome>((settle) => {
  transport.start(
    {
      operation: "memory.test",
      method: "GET",
      origin,
      path: pathname,
      headers: {},
      body: undefined,
      answer: answer === "stream" ? "stream" : "bytes",
      maxBytes: 64 * 1024 * 1024,
      attempt: 1,
      onUpload: undefined
    },
    settle
  )
})

let size = 0
if (outcome._tag === "Answered") size = outcome.body.byteLength
if (outcome._tag === "Streaming") {
  // As those do who want all of it: every piece is kept.
  const pieces: Array<Uint8Array> = []
  const reader = outcome.body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value)
  for (const { byteLength } of pieces) size += byteLength
}
console.log(JSON.stringify({ tag: outcome._tag, status: "status" in outcome ? outcome.status : 0, size }))
await close()

/**
 * A program that reads one answer over one transport: run as a process of its own with a small heap.
 * `process.argv`: the name of the transport, the URL, `bytes` or `stream`.
 */
import { exchange, open, wayOf } from "@quartet/support/transports.js"

const [, , name, address = "", answer] = process.argv
const { close, transport } = await open(wayOf(name))
const { origin, pathname: path } = new URL(address)
const outcome = await exchange(transport, { origin, path, answer: answer === "stream" ? "stream" : "bytes" })

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

// The server of the benchmark, a process of its own so that its work is not counted. It listens on one
// loopback port per contender, which gives each its own keep-alive pool, answers by path pattern from
// ready-made bytes and checks nothing.

import { once } from "node:events"
import { createServer } from "node:http"
import { bodies } from "./bodies.mjs"

const [ports = "1", framing = "sized"] = process.argv.slice(2)
const chunked = framing === "chunked"
const chunkBytes = 16_384

const bytes = (name) => Buffer.from(JSON.stringify(bodies[name]()))
const ready = { small: bytes("small"), page: bytes("page"), large: bytes("large") }

/** A list call asks for the large answer by this many items in `limit`, or more. */
const largeFrom = 1000

/**
 * The answer that a folder of the path names: `/small`, `/rest/v1/page`, `/api/collections/large/records`. Under any prefix
 * `request-action`, the SDK's call, and `customers`, stripe's: a list of them, or a member.
 */
const answerTo = (target) => {
  const { pathname, searchParams } = new URL(target, "http://loopback")
  const named = pathname.split("/").find((folder) => Object.hasOwn(ready, folder))
  if (named !== undefined) return ready[named]
  if (/\/request-action\/[^/]+$/.test(pathname)) return ready.small
  if (/\/(request-action|customers)$/.test(pathname)) {
    return Number(searchParams.get("limit")) >= largeFrom ? ready.large : ready.page
  }
  return undefined
}

/** The answer per target, so that parsing it costs once. */
const known = new Map()

/** Streams as many bytes as the path names: `/files/1000/download`, and the SDK's `cms/file/1000/download`. */
const download = async (response, length) => {
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": length })
  for (let left = length; left > 0 && !response.destroyed; left -= block.length) {
    if (!response.write(left < block.length ? block.subarray(0, left) : block)) await once(response, "drain")
  }
  response.end()
}

const block = Buffer.alloc(65_536, 7)

/** Takes a body, and answers how many bytes it had. */
const upload = async (request, response) => {
  let bytes = 0
  for await (const chunk of request) bytes += chunk.length
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({ _id: "f1", url: "/f1", bytes }))
}

const listener = (request, response) => {
  const target = request.url ?? "/"
  const length = /\/(\d+)\/download(\?|$)/.exec(target)?.[1]
  if (length !== undefined) return void download(response, Number(length)).catch(() => response.destroy())
  if (request.method === "POST") return void upload(request, response).catch(() => response.destroy())
  if (!known.has(target) && known.size < 1000) known.set(target, answerTo(target))
  const body = known.has(target) ? known.get(target) : answerTo(target)
  request.resume()
  if (body === undefined) {
    response.writeHead(404, { "content-type": "application/json" })
    response.end(
      JSON.stringify({ message: `the benchmark's server has no answer to ${request.method} ${target}` })
    )
  } else if (chunked) {
    response.writeHead(200, { "content-type": "application/json" })
    for (let at = 0; at < body.length; at += chunkBytes) response.write(body.subarray(at, at + chunkBytes))
    response.end()
  } else {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
    response.end(body)
  }
}

const listening = Array.from({ length: Number(ports) }, () => {
  const server = createServer({ keepAliveTimeout: 600_000, noDelay: true }, listener)
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => resolve(server.address().port))
  })
})

// The parent's end, however it came about, closes the channel; the server never outlives it.
process.once("disconnect", () => process.exit(0))
process.send?.({
  ports: await Promise.all(listening),
  bytes: { small: ready.small.length, page: ready.page.length, large: ready.large.length }
})

// The server of the benchmark, a process of its own so that its work is not counted. It listens on one
// loopback port per contender, which gives each its own keep-alive pool, answers by path pattern from
// ready-made bytes and checks nothing.

import { createServer } from "node:http"
import { bodies } from "./bodies.mjs"

const [ports = "1", framing = "sized"] = process.argv.slice(2)
const chunked = framing === "chunked"
const chunkBytes = 16_384

const bytes = (name) => Buffer.from(JSON.stringify(bodies[name]()))
const ready = { small: bytes("small"), page: bytes("page"), large: bytes("large") }

/** A list call asks for the large answer by this many items in `limit`, or more. */
const largeFrom = 1000

/** `/small`, `/page`, `/large`; and under any prefix the SDK's calls, `request-action` and a member of it. */
const answerTo = (target) => {
  const { pathname, searchParams } = new URL(target, "http://loopback")
  if (pathname === "/small" || /\/request-action\/[^/]+$/.test(pathname)) return ready.small
  if (pathname === "/large") return ready.large
  if (pathname === "/page") return ready.page
  if (pathname.endsWith("/request-action")) {
    return Number(searchParams.get("limit")) >= largeFrom ? ready.large : ready.page
  }
  return undefined
}

/** The answer per target, so that parsing it costs once. */
const known = new Map()

const listener = (request, response) => {
  const target = request.url ?? "/"
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

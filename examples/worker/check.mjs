/** Asks the Worker for the news, for a page that cannot be, while the platform is away, and for what nobody waits for any more. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, get } from "node:http"
import { run } from "./miniflare.mjs"

/** @param {import("miniflare").Miniflare} worker @param {string} path */
const ask = async (worker, path) => {
  const response = await worker.dispatchFetch(`http://worker.test${path}`)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const worker = run()
try {
  const first = await ask(worker, "/news")
  assert.equal(first.status, 200, first.text)
  assert.equal(first.headers.get("cache-control"), "public, max-age=60")
  const { items, pages } = JSON.parse(first.text)
  assert.equal(items.length, 10)
  assert.ok(pages > 1 && items.every(({ title }) => typeof title === "string"))
  const second = JSON.parse((await ask(worker, "/news?page=2")).text)
  assert.notEqual(second.items[0]._id, items[0]._id)
  assert.deepEqual(await ask(worker, "/news?page=none").then(({ status, text }) => ({ status, text })), {
    status: 400,
    text: '{"error":"page"}'
  })
  assert.equal((await ask(worker, "/old")).status, 404)
} finally {
  await worker.dispose()
}

const alone = run({ bindings: { QUARTET_API_KEY: "key", QUARTET_BASE_URL: "http://127.0.0.1:9" } })
try {
  const away = await ask(alone, "/news")
  assert.equal(away.status, 503, away.text)
  assert.equal(away.headers.get("retry-after"), "5")
} finally {
  await alone.dispose()
}

// A visitor leaves while the platform has not answered. `waitUntil` keeps what the Worker does, so only the signal ends its call.
const kept = `
  import worker from "./worker.js"
  export default {
    fetch(request, env, context) {
      const answer = worker.fetch(request, env)
      context.waitUntil(answer.catch(() => undefined))
      return answer
    }
  }`
const silent = createServer()
silent.listen(0, "127.0.0.1")
await once(silent, "listening")
const left = run({
  script: undefined,
  modules: [
    { type: "ESModule", path: "kept.js", contents: kept },
    { type: "ESModule", path: "worker.js", contents: readFileSync("dist/worker.js", "utf8") }
  ],
  bindings: { QUARTET_API_KEY: "key", QUARTET_BASE_URL: `http://127.0.0.1:${silent.address()?.port}` }
})
try {
  const visitor = get(new URL("/news", await left.ready))
  visitor.on("error", () => undefined)
  const [request] = await once(silent, "request")
  visitor.socket?.resetAndDestroy()
  await once(request.socket, "close", { signal: AbortSignal.timeout(10_000) })
} finally {
  await left.dispose()
  silent.closeAllConnections()
  silent.close()
}

/** Asks the Worker for the news, for a page that cannot be, and while the platform is away. */
import assert from "node:assert/strict"
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

/** Starts the service, uses it, and stops it. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Admin from "@quartet/sdk/admin"
import * as Effect from "effect/Effect"
import { clients } from "./src/clients.js"

const service = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"]
})
const ended = once(service, "exit")
let log = ""
try {
  const url = await new Promise<string>((resolve, reject) => {
    ended.then(() => reject(new Error(`the service ended\n${log}`)), reject)
    service.stdout.on("data", (chunk: Buffer) => {
      log += chunk.toString()
      const port = /Listening on http:\/\/\S+:(\d+)/.exec(log)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(`${url}${path}`, { method })
    return { status: response.status, body: await response.text() }
  }

  assert.deepEqual(await ask("/health"), { status: 200, body: "ok" })
  const { body, status } = await ask("/inbox")
  assert.equal(status, 200, `${body}\n${log}`)
  const counts: Record<string, number> = JSON.parse(body)
  const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0)
  assert.ok(waiting > 10 && Object.keys(counts).length > 2, "the inbox counts the requests by type")
  assert.deepEqual(await ask("/inbox/seen", "POST"), { status: 200, body: JSON.stringify({ seen: waiting }) })
  assert.deepEqual(await ask("/inbox/nobody/seen", "POST"), { status: 404, body: '{"error":"NotFound"}' })

  const pending = Admin.requests.list({ statusIn: ["pending"] })
  const { items } = await Effect.runPromise(Effect.provide(pending, clients))
  assert.ok(
    items.every(({ seenByAdmin, version }) => seenByAdmin === version),
    "all are seen as they are"
  )
} finally {
  service.kill("SIGTERM")
  // One that does not stop is no reason to wait for ever.
  setTimeout(() => service.kill("SIGKILL"), 10_000).unref()
  await ended
}
assert.deepEqual(await ended, [0, null], "it stops with code 0")
assert.match(log, /Stopped/)

/** Starts the service, uses it, and stops it. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createAdminClient } from "@quartet/sdk/promise"

const service = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"]
})
let log = ""
const url = await new Promise<string>((resolve, reject) => {
  service.once("exit", () => reject(new Error(`the service ended\n${log}`)))
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
const counts: Record<string, number> = JSON.parse((await ask("/inbox")).body)
const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0)
assert.ok(waiting > 10 && Object.keys(counts).length > 2, "the inbox counts the requests by type")
assert.deepEqual(await ask("/inbox/seen", "POST"), { status: 200, body: JSON.stringify({ seen: waiting }) })
assert.deepEqual(await ask("/inbox/nobody/seen", "POST"), { status: 404, body: '{"error":"NotFound"}' })

const {
  QUARTET_BASE_URL = "",
  QUARTET_PROJECT_ID = "",
  QUARTET_EMAIL = "",
  QUARTET_PASSWORD = ""
} = process.env
const admin = createAdminClient({
  baseUrl: QUARTET_BASE_URL,
  projectId: QUARTET_PROJECT_ID,
  email: QUARTET_EMAIL,
  password: QUARTET_PASSWORD
})
const { items } = await admin.requests.list({ statusIn: ["pending"] })
assert.ok(
  items.every(({ seenByAdmin, version }) => seenByAdmin === version),
  "all are seen as they are"
)
await admin.close()

service.kill("SIGTERM")
const [code] = await once(service, "exit")
assert.equal(code, 0)
assert.match(log, /Stopped/)

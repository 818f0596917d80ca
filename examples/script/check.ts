/**
 * Runs the script twice in a sandbox where a user has just opened a request: the first run marks it, the second finds nothing
 * left. Then where it cannot do its work.
 */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { accounts } from "@quartet/sandbox"
import { signInEndUser } from "@quartet/sdk/promise"

const { QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const { apiKey, endUsers } = accounts

const run = (variables: Readonly<Record<string, string>> = {}) => {
  const env = { ...process.env, ...variables }
  const { status, stderr, stdout } = spawnSync("npm", ["start", "--silent"], { encoding: "utf8", env })
  return { status, stderr, stdout: stdout.trim() }
}

const ana = await signInEndUser({ baseUrl, apiKey, ...endUsers.ana })
try {
  const { _id: id } = await ana.requests.create({ payload: { type: "MAINTENANCE" } })
  const first = run()
  const [, seen] = /^(\d+) pending requests are seen now$/.exec(first.stdout) ?? []
  assert.ok(Number(seen) >= 1, `the first run marks what is new\n${first.stderr}`)
  const { seenByAdmin, version } = await ana.requests.get({ id })
  assert.equal(seenByAdmin, version, "the new request is seen as it is")
  assert.deepEqual(run(), { status: 0, stderr: "", stdout: "0 pending requests are seen now" })
} finally {
  await ana.close()
}

const failures = [
  [
    { QUARTET_BASE_URL: "http://127.0.0.1:9" },
    /^.*refused the connection \(ECONNREFUSED\)\. Is it running\?.*\n$/
  ],
  [{ QUARTET_PASSWORD: "" }, /^.*password.*\n$/],
  [{ QUARTET_PASSWORD: "wrong" }, /^.*password.*\n$/]
] as const
for (const [variables, line] of failures) {
  const { status, stderr, stdout } = run(variables)
  assert.deepEqual({ status, stdout }, { status: 1, stdout: "" })
  assert.match(stderr, line, "one line says why")
}

/** Runs the script twice in a sandbox where a user has just opened a request: the first run marks it, the second finds nothing left. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { signInEndUser } from "@quartet/sdk/promise"
import { accounts } from "@quartet/sdk/sandbox"

const { QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const { apiKey, endUsers } = accounts

const run = (): string => execFileSync("npm", ["start", "--silent"], { encoding: "utf8" }).trim()

const ana = await signInEndUser({ baseUrl, apiKey, ...endUsers.ana })
try {
  const { _id: id } = await ana.requests.create({ payload: { type: "MAINTENANCE" } })
  const [, seen] = /^(\d+) pending requests are seen now$/.exec(run()) ?? []
  assert.ok(Number(seen) >= 1, "the first run marks what is new")
  const { seenByAdmin, version } = await ana.requests.get({ id })
  assert.equal(seenByAdmin, version, "the new request is seen as it is")
  assert.equal(run(), "0 pending requests are seen now")
} finally {
  await ana.close()
}

/** Runs the script twice: the first run marks what was new, the second finds nothing left. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"

const run = (): string => execFileSync("npm", ["start", "--silent"], { encoding: "utf8" }).trim()

const first = /^(\d+) pending requests are seen now$/.exec(run())
assert.ok(Number(first?.[1]) > 10, "the first run marks the sandbox's pending requests")
assert.equal(run(), "0 pending requests are seen now")

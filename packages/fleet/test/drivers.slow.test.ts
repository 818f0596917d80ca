// A store in a file under several versions of Node, which open it with SQLite of their own or with libsql.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { live } from "@quartet/support/effect.js"
import { root } from "@quartet/support/files.js"
import { Effect } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import { numbers } from "./drivers/numbers.js"
import { file } from "./stores.js"

/** A program of the tests under a version of Node. */
const start = (version: number, program: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const words = ["-y", "-p", `node@${version}`, "node", "packages/support/run.mjs"]
      const child = spawn("npx", [...words, `packages/fleet/test/drivers/${program}.ts`, ...args], {
        cwd: root,
        stdio: ["pipe", "pipe", "inherit"]
      })
      let text = ""
      child.stdout.setEncoding("utf8").on("data", (more: string) => {
        text += more
      })
      return { child, ended: once(child, "close"), output: () => text }
    }),
    ({ child, ended }) => Effect.promise(() => end(child).then(() => ended))
  )

/** Its standard input ends: it does so, and all that it has started. */
const end = async (child: ChildProcess): Promise<void> => {
  child.stdin?.end()
}

live("runners of Node 20, 22 and 24 share a file, and do each item once", function* () {
  const store = yield* file
  const log = `${store.slice("file:".length)}.log`
  const runners = yield* Effect.forEach([20, 22, 24], (version) => start(version, "runner", store, log))
  yield* Effect.repeat(Effect.sleep(50), {
    until: () => runners.every(({ child, output }) => output().includes("ready") || child.exitCode !== null)
  })
  const total = 3_000
  const job = numbers(() => Effect.void)
  const ended = yield* Effect.provide(
    Effect.flatMap(job.start(total), ({ wait }) => wait),
    Fleet.layerClient({ store })
  )
  expect(ended).toMatchObject({ state: "done", done: total, failed: 0, unknown: 0 })
  const noted = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
  expect(noted.map(([, item]) => Number(item)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: total }, (_, item) => item)
  )
  expect([...new Set(noted.map(([version]) => version))].sort()).toEqual(["20", "22", "24"])
  for (const { child, ended } of runners) {
    yield* Effect.promise(() => end(child).then(() => ended))
    expect(child.exitCode).toBe(0)
  }
})

live.each([20, 22, 24])(
  "on Node %s a run that is used while its layer is closed, and after that, fails by name, and the process goes on",
  function* (version) {
    const { child, ended, output } = yield* start(version, "closing", yield* file)
    yield* Effect.promise(() => ended)
    expect(child.exitCode).toBe(0)
    const result: { readonly version: string; readonly during: ReadonlyArray<string> } = JSON.parse(output())
    expect(result).toMatchObject({ version: expect.stringMatching(`^${version}\\.`), after: ["Closed"] })
    expect(result.during).toContain("Closed")
    for (const became of result.during) expect(["done", "Closed", "Store", "State"]).toContain(became)
  }
)

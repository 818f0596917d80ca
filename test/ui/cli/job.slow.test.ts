/** `quartet job` whose runner is killed or stopped, as the bundled program. */
import type { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Sandbox from "../../../adapters/sandbox/index.js"
import { quartet } from "../../support/quartet.js"

const { ended, run, said, start } = quartet()

const folder = mkdtempSync(join(tmpdir(), "quartet-jobs-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content = ""): string => {
  const path = join(folder, name)
  if (content !== "") writeFileSync(path, content)
  return path
}

const rows = (count: number) => Array.from({ length: count }, (_, n) => `{"sku":"s${n}"}\n`).join("")
const store = `file:${join(folder, "fleet.db")}`
const { admin, projectId } = Sandbox.accounts

/** The environment of a sandbox that another process serves. */
let env: Readonly<Record<string, string>> = {}
let sandbox: ReturnType<typeof spawn> | undefined
beforeAll(async () => {
  const child = start(["sandbox", "--port", "0", "--quiet"])
  sandbox = child
  const address = await said(child, /on (http:\/\/127\.0\.0\.1:\d+)/)
  env = {
    QUARTET_BASE_URL: address,
    QUARTET_PROJECT_ID: projectId,
    QUARTET_EMAIL: admin.email,
    QUARTET_PASSWORD: admin.password,
    QUARTET_FLEET_STORE: store
  }
})
afterAll(() => void sandbox?.kill())

const job = (...words: ReadonlyArray<string>) => run(["job", ...words], { env })
const shoe = (path: string, kind = "shoe") => [
  ...["run", "import", "--file", path, "--to", "entities.create", "--input", `{"kind": "${kind}"}`],
  ...["--identify", "sku", "--yes"]
]
const made = async (kind: string): Promise<Array<string>> => {
  const { stdout } = await run(
    ["call", "entities.list", "--all", "--page-size", "100", "--input", `{"kind": "${kind}"}`],
    { env }
  )
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).sku)
}

it("goes on with what a killed runner had begun, and does nothing twice", async () => {
  const path = file("killed.ndjson", rows(1500))
  const child = start(["job", ...shoe(path, "killed"), "--per-second", "400"], { env })
  for (let tries = 0; tries < 200 && (await made("killed")).length < 100; tries++);
  child.kill("SIGKILL")
  await ended(child)
  const before = (await made("killed")).length
  expect([before >= 100, before < 1500]).toEqual([true, true])
  const { code, stderr } = await job(...shoe(path, "killed"))
  expect([code, stderr]).toEqual([0, expect.stringContaining("1,500 of 1,500, done")])
  const all = await made("killed")
  expect([all.length, new Set(all).size]).toEqual([1500, 1500])
})

it("stops at Ctrl+C in order, says how to go on, and another runner does", async () => {
  const path = file("stopped.ndjson", rows(400))
  const child = start(["job", ...shoe(path, "stopped"), "--per-second", "50"], { env })
  for (let tries = 0; tries < 200 && (await made("stopped")).length < 10; tries++);
  child.kill("SIGINT")
  const { code, stderr } = await ended(child)
  expect(code).toBe(130)
  expect(stderr).toContain("stopping: what was begun is ended first")
  expect(stderr).toContain("It goes on with the same command, or with: quartet job work\n")
  const runner = start(["job", "work", "--per-second", "1000"], { env })
  const found: ReadonlyArray<{ readonly run: string; readonly key: string }> = JSON.parse(
    (await job("list", "--json")).stdout
  )
  const id = found.find(({ key }) => key.includes("stopped"))?.run ?? ""
  const isDone = async () => JSON.parse((await job("show", id, "--json")).stdout).state === "done"
  for (let tries = 0; tries < 100 && !(await isDone()); tries++);
  expect(await isDone()).toBe(true)
  runner.kill("SIGTERM")
  expect((await ended(runner)).code).toBe(0)
  expect(new Set(await made("stopped")).size).toBe(400)
})

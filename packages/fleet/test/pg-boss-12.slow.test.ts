// The same promises over pg-boss 12. It asks for Node 22.12, and is installed beside this: version 10 is what the other tests take.

import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { afterAll, beforeAll, expect, test } from "vitest"

const version = "12.38.0"
const run = promisify(execFile)

let folder = ""
beforeAll(async () => {
  await mkdir(join(root, ".cache"), { recursive: true })
  folder = await mkdtemp(join(root, ".cache/pg-boss-12-"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const flags = ["--engine-strict=false", "--ignore-scripts", "--no-audit", "--no-fund", "--workspaces=false"]
  await run("npm", ["install", ...flags, `pg-boss@${version}`], { cwd: folder })
}, patient(120_000))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The program of a Node that pg-boss 12 takes: this one, or one that npm brings. */
const node = async (): Promise<string> => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath
  const { stdout } = await run("npx", ["-y", "-p", "node@22", "node", "-p", "process.execPath"], {
    cwd: folder
  })
  return stdout.trim()
}

test(
  "each promise holds over it",
  async () => {
    const module = pathToFileURL(join(folder, "node_modules/pg-boss/dist/index.js")).href
    const {
      VITEST: _,
      VITEST_MODE: __,
      VITEST_POOL_ID: ___,
      VITEST_WORKER_ID: ____,
      ...environment
    } = process.env
    const { stdout } = await run(await node(), [join(root, "packages/fleet/test/pg-boss-12.mjs")], {
      cwd: root,
      env: { ...environment, NODE_OPTIONS: "", PG_BOSS: module },
      maxBuffer: 64 * 1024 * 1024
    })
    expect(stdout).toMatch(/Tests\s+.*\d+ passed/)
    expect(stdout).not.toMatch(/failed|skipped/)
  },
  patient(900_000)
)

test(
  "its objects are what the delivery takes, by their types",
  async () => {
    await writeFile(
      join(folder, "accepted.ts"),
      `import { pgBossDelivery } from "@quartet/fleet/pg-boss"
import { PgBoss } from "pg-boss"
pgBossDelivery(new PgBoss("postgres://127.0.0.1/none"), { concurrency: 2, prefix: "mine-" })
// @ts-expect-error a boss alone is one
pgBossDelivery({})
`
    )
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../test/types/tsconfig.json",
        compilerOptions: { types: ["node"] },
        include: ["accepted.ts"]
      })
    )
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    await expect(run(process.execPath, [compiler, "--noEmit", "-p", folder])).resolves.toBeDefined()
  },
  patient(120_000)
)

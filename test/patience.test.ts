// The limits of time of the tests fit the machine, and one that is reached is no wrong answer.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "@quartet/support/eventually.js"
import { root } from "@quartet/support/files.js"
import { factor, patient, TimedOut } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { expect, onTestFinished, test } from "vitest"
import setup from "./e2e/setup.js"

/** Runs a check with another value of PATIENCE. */
const withPatience = <A>(value: string, check: () => A): A => {
  const before = process.env.PATIENCE
  process.env.PATIENCE = value
  try {
    return check()
  } finally {
    process.env.PATIENCE = before
  }
}

const measuring = bundled(new URL("./patience-child.ts", import.meta.url))

test("a limit is as many times longer as PATIENCE says", () => {
  expect(withPatience("2.5", () => patient(20_000))).toBe(50_000)
  expect(withPatience("1", () => patient(20_000))).toBe(20_000)
})

test.each(["0", "0.5", "-2", "", " ", "fast", "Infinity", "NaN"])(
  "PATIENCE=%j is refused by its name",
  (text) => {
    expect(() => withPatience(text, factor)).toThrow(`PATIENCE must be a number from 1, by which`)
  }
)

test("without it a process measures the machine once, never finds it faster than idle, and tells its children", async () => {
  const { stdout } = await measuring([], { env: { PATIENCE: "" } })
  const { child, first, second } = JSON.parse(stdout)
  expect(first).toBeGreaterThanOrEqual(1)
  expect([second, child]).toEqual([first, first])
})

test("what does not come about in time has timed out, and says why it had not", async () => {
  const waiting = eventually(() => expect(1).toBe(2), 1)
  await expect(waiting).rejects.toBeInstanceOf(TimedOut)
  await expect(waiting).rejects.toThrow(/^timed out after \d+ ms: expected 1 to be 2/)
})

/** A limit in milliseconds that stands in a test as a number of its own: an option, a last argument, a call of Playwright's. */
const fixed =
  /\b(?:timeout|testTimeout|hookTimeout|teardownTimeout): \d{2,}_\d{3}|^\s*\}, \d[\d_]{3,}\)$|DefaultTimeout\(\d|Effect\.timeout\([^,]+, \d[\d_]{3,}\)|\.timeout\(\d[\d_]{3,}\)\.|vi\.waitFor\(/
/** A limit that a formatter has put on a line of its own. */
const fixedLast = /\},\n\s*(\d[\d_]{3,})\n\s*\)/g

test("no test has a limit of time that takes no account of the machine", () => {
  const places = ["vitest.config.ts", "test", "ui", "packages"]
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...places], { cwd: root })
  const files = String(listed)
    .split("\n")
    .filter((name) => /^vitest|^packages\/support\/|\btest\/.*\.tsx?$/.test(name))
    .filter((name) => !/^test\/(bench|faults)\/|\/patience\.test\.ts$/.test(name))
  expect(files.length).toBeGreaterThan(300)
  const limits = files.flatMap((name) => {
    const text = readFileSync(join(root, name), "utf8")
    const last = [...text.matchAll(fixedLast)].map(([, limit]) => limit ?? "")
    const lines = text.split("\n").filter((line) => fixed.test(line))
    return [...lines, ...last].map((limit) => `${name}: ${limit.trim()}`)
  })
  expect(limits).toEqual([])
})

test("a script that fails hides nothing of the next one, and the whole fails", () => {
  mkdirSync(join(root, "test-results"), { recursive: true })
  const folder = mkdtempSync(join(root, "test-results/each-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const scripts = { first: "node -e process.exit(3)", second: 'node -p "process.argv.slice(1).join()"' }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }))
  const each = (...args: ReadonlyArray<string>) =>
    spawnSync(process.execPath, [join(root, "packages/support/each.mjs"), ...args], {
      cwd: folder,
      encoding: "utf8"
    })
  const { status, stderr, stdout } = each("first", "second", "--", "a", "b c")
  expect(stdout).toContain("a,b c")
  expect(stderr).toContain("failed script: first")
  expect(stderr).not.toContain("failed script: second")
  expect(status).toBe(1)
  expect(each("second").status).toBe(0)
})

test("the scripts of the tests run every part to its end", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  for (const name of ["test", "test:slow"])
    expect(scripts[name]).toMatch(/^node packages\/support\/each\.mjs [^&|;]+ --$/)
})

test("where no Chromium runs, the tests that need none are run, and the others learn what to do", async () => {
  const provided: Record<string, unknown> = {}
  const before = process.env.CHROMIUM
  process.env.CHROMIUM = "/nowhere/chromium"
  onTestFinished(() => {
    if (before === undefined) delete process.env.CHROMIUM
    else process.env.CHROMIUM = before
  })
  const teardown = await setup({ provide: (key, value) => void Object.assign(provided, { [key]: value }) })
  await teardown()
  expect(provided.chromium).toMatchObject({ refusal: expect.stringContaining("apt-get install chromium") })
})

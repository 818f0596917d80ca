// `npm run mutants` leaves nothing behind: not in the checkout, nor among the system's temporary files when it is interrupted.
import { spawn } from "node:child_process"
import { existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { UsageError } from "@quartet/support/command-line.js"
import { patient } from "@quartet/support/patience.js"
import { afterEach, describe, expect, test } from "vitest"
import { type Copy, makeCopy } from "./copy.js"
import { mutants } from "./mutants.js"
import { readOptions } from "./options.js"

const project = process.cwd()
const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Starts the command in a folder for temporary files of its own; `until` answers what it has made there. */
const started = (only: string) => {
  const temporary = mkdtempSync(join(tmpdir(), "quartet-interrupted-"))
  closers.push(() => rmSync(temporary, { recursive: true, force: true }))
  const child = spawn(
    process.execPath,
    ["packages/support/run.mjs", "test/mutants/main.ts", "--again", "--only", only],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: temporary }
    }
  )
  closers.push(() => child.kill("SIGKILL"))
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString()
  })
  child.stdout.resume()
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const copies = (): ReadonlyArray<string> =>
    readdirSync(temporary).filter((name) => name.startsWith("quartet-mutants-"))
  return { child, copies, ended, temporary, errors: () => errors }
}

describe("an interruption", () => {
  const moments: ReadonlyArray<readonly [name: string, (root: string) => boolean]> = [
    ["while a copy is made", existsSync],
    [
      "while a test runs in it",
      // Vitest keeps what it has compiled among the temporary files.
      (root) => readdirSync(dirname(root)).some((name) => existsSync(join(dirname(root), name, "ssr")))
    ],
    ["while a scenario of the torture runs in it", (root) => existsSync(join(root, ".cache/programs"))]
  ]
  for (const [moment, hasCome] of moments)
    test.each(["SIGTERM", "SIGINT"] as const)(
      `${moment} leaves no copy, and no stack: %s`,
      async (signal) => {
        const only = moment.includes("torture") ? "one operation is never sent" : "pauses do not grow"
        const { child, copies, ended, errors, temporary } = started(only)
        while (child.exitCode === null && !copies().some((name) => hasCome(join(temporary, name))))
          await sleep(10)
        child.kill(signal)
        expect(await ended).toBe(130)
        expect(errors()).toBe("")
        expect(copies()).toEqual([])
      },
      patient(120_000)
    )
})

describe("a copy", () => {
  const copied = (): Copy => {
    const copy = makeCopy(project)
    closers.push(copy.remove)
    return copy
  }

  test("has a folder of packages of its own, without the caches of the checkout's", () => {
    const { root } = copied()
    const packages = join(root, "node_modules")
    expect(lstatSync(packages).isDirectory()).toBe(true)
    expect(readdirSync(packages)).toEqual(expect.arrayContaining([".bin", "@effect", "vitest"]))
    expect(readdirSync(packages).filter((name) => name.startsWith(".") && name !== ".bin")).toEqual([])
  })

  test("reads the repository's packages in itself, so that a sibling sees its mutant", () => {
    const { root } = copied()
    const scope = join(root, "node_modules/@quartet")
    const names = readdirSync(scope)
    expect(names).toEqual(expect.arrayContaining(["cli", "fleet", "react", "sandbox", "sdk"]))
    for (const name of names) {
      const home = realpathSync(join(scope, name))
      expect(`${home}/`.startsWith(`${realpathSync(root)}/`), name).toBe(true)
      expect(existsSync(join(home, "package.json")), name).toBe(true)
    }
  })

  test("is removed to its end", async () => {
    const { remove, root } = makeCopy(project)
    await remove()
    expect(existsSync(root)).toBe(false)
  })
})

describe("--only", () => {
  test("takes the mutants that one of its texts names, whatever commas stand around them", () => {
    const { chosen } = readOptions(["--only", ", pauses do not grow,,"])
    expect(chosen.map(({ name }) => name)).toEqual(["pauses do not grow"])
    expect(readOptions([]).chosen).toEqual(mutants)
  })

  test.each(["", ",", " , "])("refuses %j, which names none", (only) => {
    expect(() => readOptions(["--only", only])).toThrow(UsageError)
    expect(() => readOptions(["--only", only])).toThrow("--only takes texts")
  })

  test("refuses a text that no mutant has", () => {
    expect(() => readOptions(["--only", "no such text"])).toThrow("no mutant has")
  })
})

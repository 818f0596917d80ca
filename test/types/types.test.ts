// The compiler is the judge of the type tests: every `*.test-d.ts` here must compile, so that what is right stays
// right and each `@ts-expect-error` still marks a mistake.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const millis = patient(120_000)

/** Runs the compiler over a project; a non-zero exit is an answer here, not a failure. */
const compile = (project: string) =>
  new Promise<{ readonly exit: number; readonly output: string }>((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : Number(error.code), output: stdout + stderr })
    )
  })

/** Compiles one throw-away type test under the configuration of this folder. */
const compileSource = async (code: string) => {
  await mkdir(join(root, ".cache"), { recursive: true })
  const folder = await mkdtemp(join(root, ".cache/types-"))
  const config = { extends: "../../test/types/tsconfig.json", include: ["*.test-d.ts"] }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  await writeFile(join(folder, "control.test-d.ts"), code)
  return compile(join(folder, "tsconfig.json")).finally(() => rm(folder, { recursive: true, force: true }))
}

describe("the types", () => {
  test("every type test compiles", { timeout: millis }, async () => {
    const { exit, output } = await compile("test/types/tsconfig.json")
    expect(output).toBe("")
    expect(exit).toBe(0)
  })

  test("control: a right use compiles", { timeout: millis }, async () => {
    expect(await compileSource("export const one: number = 1\n")).toEqual({ exit: 0, output: "" })
  })

  test("control: a type error fails", { timeout: millis }, async () => {
    const { exit, output } = await compileSource(`export const one: number = "one"\n`)
    expect(output).toContain("TS2322")
    expect(exit).not.toBe(0)
  })

  test("control: an expected error that is none fails", { timeout: millis }, async () => {
    const { exit, output } = await compileSource(
      "// @ts-expect-error a number is a number\nexport const one: number = 1\n"
    )
    expect(output).toContain("TS2578")
    expect(exit).not.toBe(0)
  })

  test("a recorded module takes the place of an entity's assumed fields, of that call alone", {
    timeout: millis
  }, async () => {
    const code = `import * as Admin from "@quartet/sdk/admin"
import type { AdminClient } from "@quartet/sdk/promise"
import type { Effect } from "effect"
import { expectTypeOf } from "vitest"
declare module "@quartet/sdk/answers" {
  interface Recorded {
    readonly "admin.orders.get": { readonly _id: string; readonly total: string }
    readonly "admin.orders.search": { readonly _id: string; readonly total: string }
  }
}
declare const client: AdminClient
const order = await client.orders.get({ id: "o1" })
expectTypeOf(order).toEqualTypeOf<{ readonly _id: string; readonly total: string }>()
// @ts-expect-error an assumed field that was not recorded is not there
void order.currency
expectTypeOf((await client.orders.search()).items[0]?.total).toEqualTypeOf<string | undefined>()
expectTypeOf((await client.ordersV2.get({ id: "o1" })).total).toEqualTypeOf<number | null | undefined>()
expectTypeOf<Effect.Effect.Success<ReturnType<typeof Admin.orders.get>>>().toEqualTypeOf(order)
`
    const { output } = await compileSource(code)
    // A program compiles against declarations. Here are sources, whose own types are those of no recording.
    const mistakes = output.split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("clients/"))
    expect(mistakes).toEqual([])
    expect(output).toContain("clients/admin/orders.ts")
  })
})

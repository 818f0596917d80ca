// What is wrong does not compile, with Effect and with Promises, and the message says what is wrong in words that a person understands.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { read } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { beforeAll, describe, expect, test } from "vitest"
import { type ClientMistake, clientMistakes, type Mistake, mistakes } from "./mistakes.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const manifest: { readonly exports: Readonly<Record<string, { readonly types?: string }>> } = JSON.parse(
  read("package.json")
)

const modules = { admin: "Admin", endUser: "EndUser", server: "Private", visitor: "Public" } as const

const faces = {
  Effect: {
    before: `import { Admin, EndUser, Input, Private, Public } from "@quartet/sdk"\n`,
    of: ({ call, client }: Mistake) => `void ${modules[client]}.${call}\n`
  },
  Promise: {
    before:
      `import { type AdminClient, type EndUserClient, Input, type PrivateClient, type PublicClient } from "@quartet/sdk/promise"\n` +
      "declare const admin: AdminClient, endUser: EndUserClient, server: PrivateClient, visitor: PublicClient\n",
    of: ({ call, client }: Mistake) => `void ${client}.${call}\n`
  }
}

/** The built declarations of an entry, which are what an app's compiler reads. */
const entryOf = (specifier: string): string => {
  const { types = "" } = manifest.exports[specifier.replace("@quartet/sdk", ".")] ?? {}
  return join(root, types.replace(/\.d\.ts$/, ".js"))
}

/** What a compiler says of each line of a file, by the number of the line. */
const compiled = async (program: string, compiler = "typescript"): Promise<ReadonlyMap<number, string>> => {
  const code = program.replaceAll(/(?<=from ")@quartet\/sdk[^"]*/g, entryOf)
  await mkdir(join(root, ".cache"), { recursive: true })
  const folder = await mkdtemp(join(root, ".cache/mistakes-"))
  const config = { extends: "../../test/types/tsconfig.json", include: ["*.test-d.ts"] }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
  await writeFile(join(folder, "mistakes.test-d.ts"), code)
  const args = [join(root, `node_modules/${compiler}/bin/tsc`), "--noEmit", "--pretty", "false", "-p", folder]
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  }).finally(() => rm(folder, { recursive: true, force: true }))
  const said = new Map<number, string>()
  let line = 0
  for (const text of output.split("\n")) {
    const at = /mistakes\.test-d\.ts\((\d+),\d+\): error/.exec(text)?.[1]
    if (at !== undefined) line = Number(at)
    else if (/^\S/.test(text)) line = 0
    said.set(line, `${said.get(line) ?? ""}${text}\n`)
  }
  return said
}

describe.each(Object.entries(faces))("with %s", (_, { before, of }) => {
  let said: ReadonlyMap<number, string> = new Map()
  const first = before.split("\n").length

  beforeAll(async () => {
    said = await compiled(before + mistakes.map(of).join(""))
  }, patient(120_000))

  test("nothing but the mistakes is wrong", () => {
    expect(said.get(0)?.trim() ?? "").toBe("")
    expect([...said.keys()].filter((line) => line > 0 && line < first)).toEqual([])
  })

  test.each(mistakes.map((mistake, index) => [`${mistake.client}.${mistake.call}`, mistake, index] as const))(
    "%s does not compile, and the message says why",
    (_, { says }, index) => {
      const message = (said.get(first + index) ?? "").toLowerCase()
      for (const words of says) expect(message).toContain(words.toLowerCase())
    }
  )
})

describe.each(["typescript-5.9", "typescript-6.0", "typescript"])(
  "with the clients themselves, %s",
  (compiler) => {
    const before =
      'import { Admin } from "@quartet/sdk"\n' +
      'import * as EndUser from "@quartet/sdk/end-user"\n' +
      'import { type AdminClient, createAdminClient, createPublicClient, until, withOptions, withResponse } from "@quartet/sdk/promise"\n' +
      'import { type AdminCaller, createAdmin, pages } from "@quartet/sdk/promise/admin"\n' +
      'import { Effect } from "effect"\n' +
      "declare const admin: AdminClient, call: AdminCaller\n" +
      'const at = { baseUrl: "https://api.example.com", projectId: "p1" }\n'
    const of = ({ code }: ClientMistake): string => `void ${code}\n`
    let said: ReadonlyMap<number, string> = new Map()
    const first = before.split("\n").length

    beforeAll(async () => {
      said = await compiled(before + clientMistakes.map(of).join(""), compiler)
    }, patient(120_000))

    test("nothing but the mistakes is wrong", () => {
      expect(said.get(0)?.trim() ?? "").toBe("")
      expect([...said.keys()].filter((line) => line > 0 && line < first)).toEqual([])
    })

    test.each(clientMistakes.map((mistake, index) => [mistake.code, mistake, index] as const))(
      "%s does not compile, and the message says why, shortly",
      (_, { most, says }, index) => {
        const message = said.get(first + index) ?? ""
        for (const words of says) expect(message).toContain(words)
        expect(message.length).toBeLessThanOrEqual(most)
      }
    )
  }
)

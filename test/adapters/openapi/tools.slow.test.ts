// Tools that others wrote read the documents: linters find nothing to mind, and generators write programs that compile.

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { foreignTool, type Tool } from "@quartet/support/foreign.js"
import { patient } from "@quartet/support/patience.js"
import { rowsOf } from "@quartet/support/wire-rows.js"
import { beforeAll, describe, expect, test } from "vitest"
import { documents } from "./documents.js"

const limit = patient(120_000)

/** Compiles what a tool wrote, and programs that use it, with the TypeScript that is installed beside the tool. */
const compile = async (tool: Tool, programs: Readonly<Record<string, string>>) => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: []
  }
  await writeFile(
    join(tool.folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts", "written"] })
  )
  for (const [name, code] of Object.entries(programs)) await writeFile(join(tool.folder, name), code)
  return tool.run("tsc", "--pretty", "false", "-p", "tsconfig.json")
}

describe("Redocly", () => {
  const redocly = foreignTool("redocly", { packages: { "@redocly/cli": "2.77.0" } })

  beforeAll(() =>
    writeFile(
      join(redocly.folder, "redocly.yaml"),
      // Where a platform is, its owner says: what is published has examples.
      "extends: [recommended]\nrules:\n  no-server-example.com: off\n"
    )
  )

  test.each(documents)(
    "finds nothing in the document of the $client client",
    async ({ path }) => {
      const { code, output, stdout } = await redocly.run("redocly", "lint", "--format=json", path)
      expect(code, output).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
    },
    limit
  )
})

describe("Spectral", () => {
  const spectral = foreignTool("spectral", { packages: { "@stoplight/spectral-cli": "6.16.3" } })

  beforeAll(() =>
    writeFile(
      join(spectral.folder, "rules.yaml"),
      // Whom to write to about a platform, its owner says.
      'extends: ["spectral:oas"]\nrules:\n  info-contact: off\n'
    )
  )

  test(
    "finds nothing in any document",
    async () => {
      const paths = documents.map(({ path }) => path)
      const args = ["--ruleset", "rules.yaml", "--format", "json", "--quiet", "--fail-severity", "hint"]
      const { code, output, stdout } = await spectral.run("spectral", "lint", ...args, ...paths)
      expect([code, JSON.parse(stdout)], output).toEqual([0, []])
    },
    limit
  )
})

describe("openapi-typescript", () => {
  const generator = foreignTool("openapi-typescript", {
    packages: { "openapi-typescript": "7.13.0", typescript: "5.9.3" }
  })

  test(
    "writes types that TypeScript 5 compiles, with the calls' parameters, bodies, answers and failures",
    async () => {
      for (const { name, path } of documents) {
        const { code, output } = await generator.run("openapi-typescript", path, "-o", `${name}.ts`)
        expect(code, output).toBe(0)
      }
      const program = `
        import type { operations as Admin } from "./admin"
        import type { operations as EndUser } from "./end-user"
        import type { operations as Private } from "./private"
        import type { components, operations as Public } from "./public"

        export const query: Admin["admin.requests.list"]["parameters"]["query"] = {
          projectId: "p1", page: 1, limit: 20, statusIn: ["pending"]
        }
        export const sent: EndUser["endUser.profile.followers"]["requestBody"] = {
          content: { "application/json": { page: 1, limit: 20 } }
        }
        export const none: Private["private.project.self"]["parameters"] = {}
        type Refused = Public["public.boxes.get"]["responses"][404]["content"]["application/json"]
        export const wordsOf = (refused: Refused): string | undefined => refused.error?.message
        export const boxOf = (box: components["schemas"]["Boxes.Box"]): string | null | undefined => box._id
        // @ts-expect-error: it is a number
        query.page = "1"
      `
      const { output } = await compile(generator, { "program.ts": program })
      expect(output).toBe("")
    },
    limit
  )
})

describe("Hey API", () => {
  const generator = foreignTool("hey-api", {
    packages: { "@hey-api/openapi-ts": "0.99.0", typescript: "5.9.3" },
    node: "24.21.0"
  })

  test(
    "writes clients that compile, with a function for each call",
    async () => {
      for (const { client, name, path } of documents) {
        const { code, output } = await generator.run("openapi-ts", "-i", path, "-o", `written/${name}`)
        expect(code, output).toBe(0)
        const written = await readFile(join(generator.folder, `written/${name}/sdk.gen.ts`), "utf8")
        expect(written.match(/^export const \w+ = </gm)).toHaveLength(rowsOf(client).length)
      }
      const program = `
        import { adminFilesDownload, adminRequestsList } from "./written/admin"

        export const words = async (): Promise<string | undefined> => {
          const { error } = await adminRequestsList({ query: { projectId: "p1", page: 1, limit: 20 } })
          return error?.error?.message
        }
        export const file = async (id: string): Promise<Blob | undefined> =>
          (await adminFilesDownload({ path: { id }, query: { projectId: "p1" } })).data
        // @ts-expect-error: it is a number
        export const wrong = adminRequestsList({ query: { projectId: "p1", page: "1" } })
      `
      const { output } = await compile(generator, { "program.ts": program })
      expect(output).toBe("")
    },
    limit
  )
})

/** TypeScript: the program and every entry, strictly, with the declarations of all packages checked too. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { entries } from "@quartet/support/entries.js"
import { root } from "@quartet/support/files.js"
import { type Folder, tscOf, versions } from "../versions.js"
import { execute } from "../workshop.js"
import type { Cell } from "./cell.js"

interface Environment {
  readonly name: string
  readonly folder: Folder
  readonly lib: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
  readonly resolutions: ReadonlyArray<"node16" | "nodenext" | "bundler">
  /** Which entries compile without the packages that this consumer lacks. */
  readonly has: (entry: string) => boolean
}

/** They need another package, or Node's types, as undici's own do. */
const demanding =
  /^@quartet\/((react|fleet)(\/|$)|sandbox\/(server|extend)$|sdk\/(extend\/http$|adapters\/(platform|storage|storage-file|undici)$))/

const environments: ReadonlyArray<Environment> = [
  {
    name: "with the DOM, without `@types/node`",
    folder: "plain",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    resolutions: ["node16", "nodenext", "bundler"],
    has: (entry) => !demanding.test(entry)
  },
  {
    name: "with `@types/node`, without the DOM",
    folder: "newest",
    lib: ["es2022"],
    types: ["node"],
    resolutions: ["node16", "nodenext", "bundler"],
    // The hooks are for React, whose types need the DOM's.
    has: (entry) => !/^@quartet\/react($|\/outbox|\/devtools)/.test(entry)
  },
  {
    name: "with the DOM and all peers",
    folder: "newest",
    lib: ["es2022", "dom", "dom.iterable"],
    types: ["node"],
    resolutions: ["bundler"],
    has: () => true
  },
  {
    name: "with `@cloudflare/workers-types`, without the DOM",
    folder: "plain",
    lib: ["es2022"],
    types: ["@cloudflare/workers-types"],
    resolutions: ["bundler"],
    has: (entry) => !demanding.test(entry)
  }
]

/** Compiles the program and an import of each entry; fails with what TypeScript says. */
const check = async (
  folder: string,
  version: string,
  { has, lib, name, types }: Environment,
  resolution: string
): Promise<void> => {
  const cwd = join(folder, `types-${version}-${resolution}-${name.replaceAll(/\W+/g, "-")}`)
  mkdirSync(cwd)
  for (const file of ["platform.ts", "program.ts"])
    copyFileSync(join(root, "test/matrix/consumer", file), join(cwd, file))
  const imports = entries.filter(has).map((entry, at) => `export * as entry${at} from "${entry}"\n`)
  writeFileSync(join(cwd, "entries.ts"), imports.join(""))
  const options = {
    target: "es2022",
    lib,
    types,
    module: resolution === "bundler" ? "esnext" : resolution,
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // A library of the consumer's own writes declarations, which name what it infers.
    declaration: true,
    outDir: "out"
  }
  writeFileSync(
    join(cwd, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["program.ts", "entries.ts"] })
  )
  await execute(process.execPath, [join(folder, tscOf(version)), "-p", "."], { cwd })
}

export const types: ReadonlyArray<Cell> = versions.typescript.flatMap((version) =>
  environments.map(
    (environment): Cell => ({
      table: "TypeScript",
      name: environment.name,
      version,
      expected: Object.fromEntries(environment.resolutions.map((resolution) => [resolution, "works"])),
      run: async ({ folder }) => {
        const where = await folder(environment.folder)
        const outcome: Record<string, string> = {}
        for (const resolution of environment.resolutions)
          outcome[resolution] = await check(where, version, environment, resolution).then(
            () => "works",
            (error: unknown) => String(error)
          )
        return outcome
      }
    })
  )
)

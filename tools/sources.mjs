// Reads the repository's packages from their sources. The condition of their `exports` and `imports` that leads there stands in no
// published manifest: packages/support/sources.ts has it for the tests.
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runnerImport } from "vite"

/** The repository's folder. */
export const root = fileURLToPath(new URL("../", import.meta.url))

export const condition = "@quartet/source"

/** The exports of a module of TypeScript, by its path from the root, with all that it imports of this repository as it stands now. */
export const importSource = async (path) => {
  const resolve = { conditions: [condition], noExternal: [/^@quartet\//] }
  const { module } = await runnerImport(join(root, path), { environments: { inline: { resolve } } })
  return module
}

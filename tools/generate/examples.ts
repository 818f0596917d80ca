/** Writes the version of the package into the manifests of the examples. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { exists, read, root } from "@quartet/support/files.js"
import type { Files } from "./written.js"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const manifestIn = (file: string): Manifest => JSON.parse(read(file))

const { name, version } = manifestIn("package.json")

/** The names of the examples: folders with a manifest. */
export const examples: ReadonlyArray<string> = readdirSync(join(root, "examples"))
  .filter((example) => exists(`examples/${example}/package.json`))
  .sort()

export const files: Files = new Map(
  examples.map((example) => {
    const file = `examples/${example}/package.json`
    const manifest = manifestIn(file)
    const dependencies = { ...manifest.dependencies, [name]: version }
    return [file, `${JSON.stringify({ ...manifest, dependencies }, undefined, 2)}\n`]
  })
)

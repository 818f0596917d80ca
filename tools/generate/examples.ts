/** Writes the versions of the packages into the manifests of the examples. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { exists, read, root } from "@quartet/support/files.js"
import { published } from "@quartet/support/workspaces.js"
import type { Files } from "./written.js"

type Dependencies = Readonly<Record<string, string>>

interface Manifest {
  readonly dependencies: Dependencies
  readonly devDependencies: Dependencies
}

const versions = new Map(published.map(({ manifest: { name, version } }) => [name, version]))

const withVersions = (dependencies: Dependencies): Dependencies =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [name, versions.get(name) ?? version])
  )

/** The names of the examples: folders with a manifest. */
export const examples: ReadonlyArray<string> = readdirSync(join(root, "examples"))
  .filter((example) => exists(`examples/${example}/package.json`))
  .sort()

export const files: Files = new Map(
  examples.map((example) => {
    const file = `examples/${example}/package.json`
    const manifest: Manifest = JSON.parse(read(file))
    const dependencies = withVersions(manifest.dependencies)
    const devDependencies = withVersions(manifest.devDependencies)
    return [file, `${JSON.stringify({ ...manifest, dependencies, devDependencies }, undefined, 2)}\n`]
  })
)

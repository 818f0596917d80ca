/** The packages as they are published: staged in a folder, or packed. They hold what was built last. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "./files.js"
import { published, type Workspace } from "./workspaces.js"

/** What `npm pack` says of a package. */
export interface Packed {
  readonly name: string
  readonly version: string
  /** Of the tarball. */
  readonly path: string
  readonly filename: string
  readonly integrity: string
  readonly shasum: string
}

interface Staging {
  readonly stage: (folder: string) => string
  readonly pack: (folder: string, destination: string) => Packed
}

/** Bundlers of tests would bundle what it imports: Node reads it. */
const staging: Staging = await import(/* @vite-ignore */ pathToFileURL(join(root, "tools/stage.mjs")).href)

/** A published package, by its name. */
export const packageOf = (name: string): Workspace => {
  const workspace = published.find(({ manifest }) => manifest.name === name)
  if (workspace === undefined) throw new Error(`the repository has no package ${name}`)
  return workspace
}

/** Copies a package as it is published; answers the path of the copy. */
export const stage = (name: string): string => staging.stage(packageOf(name).folder)

/** Packs every package as it is published. */
export const packAll = (destination: string): ReadonlyArray<Packed> =>
  published.map(({ folder }) => staging.pack(folder, destination))

/**
 * What `npm install @quartet/sdk` puts on a disk: the package as it is packed, its dependencies and the peers that it cannot do
 * without, with all that these need. Read from the lock file and from what stands in node_modules, so without a network.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { exists, read, root } from "@quartet/support/files.js"
import type { Figures } from "./figures.js"

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly hasInstallScript?: boolean
}

const packages: Readonly<Record<string, Package>> = JSON.parse(read("package-lock.json")).packages

/** Where a package that the one at `from` names stands: in its own folder, or in one further out. */
const placeOf = (name: string, from: string): string | undefined => {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`
  if (place in packages) return place
  if (from === "") return undefined
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))))
}

const needs = ({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {}
}: Package): ReadonlyArray<string> => [
  ...Object.keys(dependencies),
  ...Object.keys(optionalDependencies),
  ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
]

/** Folders of all packages that the package needs. An optional one counts where this machine has it. */
const production = (): ReadonlyArray<string> => {
  const places = new Set([""])
  for (const place of places) {
    for (const name of needs(packages[place] ?? {})) {
      const needed = placeOf(name, place)
      if (needed !== undefined && exists(needed)) places.add(needed)
    }
  }
  places.delete("")
  return [...places]
}

/** Sizes of the files of a folder, without the packages in it. */
const sizesIn = (folder: string): ReadonlyArray<number> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sizesIn(path)
    return [statSync(path).size]
  })

/** The package as it is packed, after a build. */
const packed = (): { readonly unpackedSize: number; readonly entryCount: number } =>
  JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "ignore"]
    })
  )[0]

export const installed = (): Readonly<Record<string, Figures>> => {
  const own = packed()
  const places = production()
  const files = places.flatMap((place) => sizesIn(join(root, place)))
  return {
    "the package alone": { bytes: own.unpackedSize, files: own.entryCount },
    "installed for production": {
      bytes: own.unpackedSize + files.reduce((sum, size) => sum + size, 0),
      files: own.entryCount + files.length,
      packages: 1 + places.length,
      "install scripts": places.filter((place) => packages[place]?.hasInstallScript === true).length
    }
  }
}

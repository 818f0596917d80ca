/**
 * What installing each package puts on a disk: the package as it is published, its dependencies and the peers that it cannot do without,
 * with all that these need. Read from the lock file and from what stands in node_modules, so without a network.
 */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { exists, read, root } from "@quartet/support/files.js"
import { stage } from "@quartet/support/packed.js"
import { published } from "@quartet/support/workspaces.js"
import type { Figures } from "./figures.js"

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly hasInstallScript?: boolean
  /** Where a package of the repository stands, of its link in node_modules. */
  readonly link?: boolean
  readonly resolved?: string
}

const packages: Readonly<Record<string, Package>> = JSON.parse(read("package-lock.json")).packages

/** Where a package that the one at `from` names stands: in its own folder, or in one further out. */
const placeOf = (name: string, from: string): string | undefined => {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`
  if (place in packages) return place
  if (from === "") return undefined
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))))
}

const dependenciesOf = ({ dependencies = {}, optionalDependencies = {} }: Package): ReadonlyArray<string> => [
  ...Object.keys(dependencies),
  ...Object.keys(optionalDependencies)
]

const neededPeersOf = ({
  peerDependencies = {},
  peerDependenciesMeta = {}
}: Package): ReadonlyArray<string> =>
  Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)

/**
 * Folders of a package of the repository and of all packages that it needs. An optional one counts where this machine has it. The peer
 * of a dependency is the copy that the package itself has: that is the one which an app has too.
 */
const production = (folder: string): ReadonlyArray<string> => {
  const start = folder === "." ? "" : folder
  const places = new Set([start])
  for (const place of places) {
    const manifest = packages[place] ?? {}
    const neededPlaces = [
      ...dependenciesOf(manifest).map((name) => placeOf(name, place)),
      ...neededPeersOf(manifest).map((name) => placeOf(name, start))
    ]
    for (const needed of neededPlaces) {
      if (needed === undefined || !exists(needed)) continue
      const { link = false, resolved = "" } = packages[needed] ?? {}
      places.add(link ? resolved : needed)
    }
  }
  return [...places]
}

/** Sizes of the files of a folder, without the packages in it. */
const sizesIn = (folder: string): ReadonlyArray<number> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sizesIn(path)
    return [statSync(path).size]
  })

const filesOf = (place: string): ReadonlyArray<number> => {
  const own = published.find(({ folder }) => folder === (place === "" ? "." : place))
  return sizesIn(own === undefined ? join(root, place) : stage(own.manifest.name))
}

const sum = (sizes: ReadonlyArray<number>): number => sizes.reduce((all, size) => all + size, 0)

export const installed = (): Readonly<Record<string, Figures>> =>
  Object.fromEntries(
    published.flatMap(({ folder, manifest: { name } }): ReadonlyArray<readonly [string, Figures]> => {
      const places = production(folder)
      const [own = [], ...others] = places.map(filesOf)
      const all = [...own, ...others.flat()]
      return [
        [`packed: ${name}`, { bytes: sum(own), files: own.length }],
        [
          `installed: ${name}`,
          {
            bytes: sum(all),
            files: all.length,
            packages: places.length,
            "install scripts": places.filter((place) => packages[place]?.hasInstallScript === true).length
          }
        ]
      ]
    })
  )

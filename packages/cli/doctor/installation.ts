/** Checks of this machine: Node, the packages of Quartet in the project, and the peers that they share with it. */
import { readFileSync, realpathSync } from "node:fs"
import * as Module from "node:module"
import { join } from "node:path"
import { type Finding, failed, ok, skipped, warning } from "./finding.js"
import { adderOf, around } from "./manager.js"
import { fits, newest } from "./range.js"

interface Manifest {
  readonly version: string
  readonly engines?: { readonly node: string }
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** A package that is installed. */
interface Installed extends Manifest {
  readonly name: string
  /** Where it really stands, behind links. */
  readonly folder: string
}

const sdk = "@quartet/sdk"

/** Their versions go together. */
const packages = [sdk, "@quartet/react", "@quartet/sandbox", "@quartet/fleet", "@quartet/cli"]

/** A package as a program in this folder would find it; undefined where there is none. */
const installed = (name: string, folder: string): Installed | undefined => {
  for (const parent of around(folder)) {
    const place = join(parent, "node_modules", name)
    try {
      const manifest: Manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8"))
      return { ...manifest, name, folder: realpathSync(place) }
    } catch {
      // It may stand further out.
    }
  }
  return undefined
}

/** What a package says of itself, wherever the command line runs. */
const own = (): Manifest => Module.createRequire(import.meta.url)("@quartet/cli/package.json")

/** The command that adds packages to the project around a folder. */
export const installOf = (folder: string, ...names: ReadonlyArray<string>): string =>
  `${adderOf(folder)} ${names.join(" ")}`

/** The packages of Quartet in a project: that they are there, and of one version. */
const ownFindings = (folder: string, quartetPackages: ReadonlyArray<Installed>): ReadonlyArray<Finding> => {
  const { version } = own()
  if (!quartetPackages.some(({ name }) => name === sdk))
    return [
      skipped(
        sdk,
        `not installed in ${folder}`,
        `Programs that import it need it: ${installOf(folder, sdk, "effect@3")}`
      )
    ]
  const together = installOf(folder, ...quartetPackages.map(({ name }) => `${name}@${version}`))
  return quartetPackages.map((installedPackage) =>
    installedPackage.version === version
      ? ok(installedPackage.name, version)
      : warning(
          installedPackage.name,
          `${installedPackage.version} is the project's, ${version} is the command line's`,
          `All packages of Quartet go together, so install one version of them: ${together}`
        )
  )
}

/** A peer of the packages in a project: that each of them finds it, that it fits, and that it is one copy. */
const peerFinding = (
  folder: string,
  quartetPackages: ReadonlyArray<Installed>,
  peer: string
): ReadonlyArray<Finding> => {
  const askers = quartetPackages.filter(({ peerDependencies = {} }) => peer in peerDependencies)
  const [first] = askers
  const range = first?.peerDependencies?.[peer] ?? "*"
  const install = installOf(folder, `${peer}@${newest(range)}`)
  const copies = askers.flatMap((asker) => installed(peer, asker.folder) ?? [])
  const needed = askers.filter(
    ({ peerDependenciesMeta = {} }) => peerDependenciesMeta[peer]?.optional !== true
  )
  const [lacking] = needed.filter((asker) => installed(peer, asker.folder) === undefined)
  if (lacking !== undefined) {
    const isApart = installed(peer, folder) !== undefined
    const says = isApart ? `in ${folder}, but not found from ${lacking.folder}` : `not installed in ${folder}`
    return [failed(peer, says, `${lacking.name} cannot be loaded without it: ${install}`)]
  }
  const unfit = copies.find(({ version }) => !fits(version, range))
  if (unfit !== undefined)
    return [failed(peer, `${unfit.version} does not fit ${range}`, `Install one that does: ${install}`)]
  const folders = new Set([...copies, installed(peer, folder)].flatMap((copy) => copy?.folder ?? []))
  if (folders.size > 1)
    return [
      warning(
        peer,
        `there are ${folders.size} copies: ${[...folders].join(", ")}`,
        `What one copy makes, another does not know. Install it once, beside the packages: ${install}`
      )
    ]
  return copies.slice(0, 1).map(({ version }) => ok(peer, `${version} fits ${range}`))
}

/** Looks at the versions, for the project in a folder. */
export const installation = (
  folder: string,
  node: string = process.versions.node
): ReadonlyArray<Finding> => {
  const range = own().engines?.node ?? "*"
  const installedPackages = packages.flatMap((name) => installed(name, folder) ?? [])
  const peers = new Set(
    installedPackages
      .flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies))
      .filter((name) => !packages.includes(name))
  )
  return [
    fits(node, range)
      ? ok("node", `${node} fits ${range}`)
      : failed("node", `${node} does not fit ${range}`, "Install a newer Node."),
    ...ownFindings(folder, installedPackages),
    ...[...peers].flatMap((peer) => peerFinding(folder, installedPackages, peer))
  ]
}

/** Checks of this machine: Node, this package, and the peers that stand in the project. */
import { readFileSync } from "node:fs"
import * as Module from "node:module"
import { dirname, join, relative } from "node:path"
import { type Finding, failed, ok, skipped, warning } from "./finding.js"
import { around, type Manager, managerOf, npm, realOf } from "./manager.js"
import { fits, newest } from "./range.js"

interface Package {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** What the optional peers are for, by the entries of the package that need them, with what has to stand beside the SDK. */
export const purposes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "rx, outbox": ["@effect-rx/rx", "@effect-rx/rx-react", "react"],
  devtools: ["@effect-rx/rx", "@effect-rx/rx-react", "react", "react-dom"],
  fleet: [
    "@effect/cluster",
    "@effect/experimental",
    "@effect/platform",
    "@effect/rpc",
    "@effect/sql",
    "@effect/sql-pg",
    "@effect/workflow",
    "csv-parse",
    "libsql"
  ],
  "tanstack-query": ["@tanstack/react-query"],
  "sandbox/server": ["@effect/platform", "@effect/platform-node", "socket.io"],
  "adapters/platform, adapters/storage, adapters/storage-file": ["@effect/platform"],
  "adapters/csv": ["csv-parse"]
}

/** The version of a package that a project has; undefined where it has none. */
export type Installed = (name: string) => string | undefined

const react = ["react", "react-dom"]

/** What optional peers ask for themselves, beside effect. npm installs it with them; others may only warn. */
export const companions: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@effect-rx/rx": ["@effect/platform"],
  "@effect-rx/rx-react": ["react", "scheduler"],
  "@effect/cluster": ["@effect/platform", "@effect/rpc", "@effect/sql", "@effect/workflow"],
  "@effect/experimental": ["@effect/platform"],
  "@effect/platform-node": ["@effect/cluster", "@effect/platform", "@effect/rpc", "@effect/sql"],
  "@effect/rpc": ["@effect/platform"],
  "@effect/sql": ["@effect/experimental", "@effect/platform"],
  "@effect/sql-pg": ["@effect/experimental", "@effect/platform", "@effect/sql"],
  "@effect/workflow": ["@effect/experimental", "@effect/platform", "@effect/rpc"],
  "@tanstack/react-query": ["react"],
  "react-dom": ["react"]
}

/** Packages with all that they ask for and the project has not. */
const accompanied = (names: ReadonlyArray<string>, has: Installed): ReadonlyArray<string> => {
  const found = new Set(names)
  // A set that grows is walked to its end.
  for (const name of found)
    for (const one of companions[name] ?? []) if (has(one) === undefined) found.add(one)
  return [...found]
}

/**
 * What installs packages in versions that fit, in a project that has others of them: without versions, npm may take one that is made for
 * another version of effect. The project's own React stays, if it fits. Older packages of effect that the SDK knows come along, because each
 * asks for one version of the others. Managers other than npm are told of all peers, and need no override: they warn where npm refuses.
 */
export const installOf = (
  packages: ReadonlyArray<string>,
  ranges: Readonly<Record<string, string>>,
  has: Installed = () => undefined,
  manager: Manager = npm
): string => {
  const names = manager.isNpm ? packages : accompanied(packages, has)
  const fitting = (name: string): string | undefined => {
    const version = has(name)
    return version !== undefined && fits(version, ranges[name] ?? "*") ? version : undefined
  }
  const kin = names.some((name) => name.startsWith("@effect/"))
    ? Object.keys(ranges).filter(
        (name) =>
          name.startsWith("@effect/") && has(name)?.startsWith(`${newest(ranges[name] ?? "*")}.`) === false
      )
    : react.some((name) => names.includes(name) && fitting(name) === undefined)
      ? react.filter((name) => has(name) !== undefined)
      : []
  const wanted = [...new Set([...names, ...kin])].filter((name) =>
    name === "react" && fitting(name) === undefined
      ? // It comes with what is built on it.
        !manager.isNpm || !names.includes("@effect-rx/rx-react")
      : !react.includes(name) || fitting(name) === undefined
  )
  const versionOf = (name: string): string => {
    const own = name === "react-dom" ? fitting("react") : undefined
    return own?.split(".")[0] ?? newest(ranges[name] ?? "*")
  }
  const named = wanted.map((name) => (name in ranges ? `${name}@${versionOf(name)}` : name))
  const install = `${manager.add} ${named.join(" ")}`
  const hasHooks = has("@effect-rx/rx") !== undefined || wanted.includes("@effect-rx/rx")
  const isTold = manager.isNpm && hasHooks && wanted.some((name) => name.startsWith("@effect"))
  const obstacles = obstaclesOf(manager.pins, wanted, isTold)
  const paths = obstacles.flatMap(({ path }) => (path === undefined ? [] : [`"${path}"`]))
  const others = obstacles.flatMap(({ key, path }) => (path === undefined ? [`"${key}"`] : []))
  const byHand =
    others.length === 0
      ? ""
      : `(first take ${others.join(", ")} out of the overrides in pnpm-workspace.yaml by hand) `
  const commands = [
    ...(paths.length === 0 ? [] : [`npm pkg delete${manager.at} ${paths.join(" ")}`]),
    ...(isTold ? [overrideOf(ranges, manager.at)] : []),
    install
  ]
  return byHand + commands.join(" && ")
}

/**
 * The pins of a project in the way of a command: one that gives a package that is installed another version (npm refuses it with `EOVERRIDE` or
 * `ERESOLVE`, others install the pinned version), and a text where npm's override of effect-rx has to stand (`EOVERRIDEVALUE`).
 */
const obstaclesOf = (pins: Manager["pins"], wanted: ReadonlyArray<string>, isTold: boolean) =>
  pins.filter(({ key, value }) => {
    // The first sign of a scoped name is not that of a version.
    const [name = key] = key.split(/(?<!^)@/, 1)
    const own: unknown = typeof value === "object" && value !== null ? Reflect.get(value, ".") : value
    // The override of effect-rx is one of a peer, which others of that peer contradict.
    const isAsked = wanted.includes(name) || (isTold && name === "@effect/platform")
    const isPinned = isAsked && own !== undefined && !String(own).startsWith("$")
    const isInPlace = isTold && key === "@effect-rx/rx" && typeof value !== "object"
    return isPinned || isInPlace
  })

/**
 * effect-rx asks for @effect/platform 0.90, and works with the one that the other packages of effect ask for. npm has to be told, or it
 * installs no app with both (`ERESOLVE`).
 */
export const overrideOf = (ranges: Readonly<Record<string, string>>, at = ""): string =>
  `npm pkg set${at} "overrides.@effect-rx/rx.@effect/platform=${newest(ranges["@effect/platform"] ?? "*")}"`

/** The version of a package as a program in this folder would find it; undefined where there is none. */
export const installed = (name: string, folder: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version
  } catch {
    const parent = dirname(folder)
    return parent === folder ? undefined : installed(name, parent)
  }
}

const sdk = join("node_modules", "@quartet/sdk")

/** Where the SDK of a project really stands, from where Node looks for its peers; the project's folder if it has none. */
const placeOf = (folder: string): string =>
  around(folder).flatMap((one) => realOf(join(one, sdk)) ?? [])[0] ?? folder

/** The folder around this one in whose node_modules the SDK stands itself, and not a link to it. */
const homeOf = (place: string, folder: string): string | undefined =>
  around(folder).find((one) => place === join(realOf(one) ?? one, sdk))

/**
 * What installs packages in the project around a folder, for the SDK that stands in a place. Where a workspace has the SDK in one folder and peers
 * that it does not find in one below, they are installed beside the SDK: below, the manager has nothing to do.
 */
export const commandOf = (
  names: ReadonlyArray<string>,
  ranges: Readonly<Record<string, string>>,
  place: string,
  folder: string
): string => {
  const has = (name: string) => installed(name, place)
  const isApart = names.some((name) => {
    const [seen, here] = [has(name), installed(name, folder)]
    return here !== undefined && here !== seen && !fits(seen ?? "", ranges[name] ?? "*")
  })
  const home = isApart ? homeOf(place, folder) : undefined
  return home === undefined
    ? installOf(names, ranges, has, managerOf(folder))
    : `cd ${relative(folder, home)} && ${installOf(names, ranges, has, managerOf(home))}`
}

/** A command, and what it undoes. */
const told = (command: string): string =>
  command.includes("npm pkg delete")
    ? `pinned versions in package.json stand in the way, and are taken out first: ${command}`
    : command

/** The project around a folder, as its SDK sees it. */
interface Project {
  readonly folder: string
  readonly own: Package
  /** Where the SDK stands. */
  readonly place: string
}

/** A peer that is installed, or that no program can do without. Those that do not fit are installed at once: one alone may ask for another. */
const peerFinding = ({ folder, own, place }: Project, name: string): ReadonlyArray<Finding> => {
  const range = own.peerDependencies[name] ?? ""
  const version = installed(name, place)
  const unfit = Object.entries(own.peerDependencies).flatMap(([peer, fitting]) => {
    const other = installed(peer, place)
    return peer === name || (other !== undefined && !fits(other, fitting)) ? [peer] : []
  })
  const install = told(commandOf(unfit, own.peerDependencies, place, folder))
  if (version === undefined)
    return own.peerDependenciesMeta[name]?.optional === true
      ? []
      : [
          failed(
            name,
            installed(name, folder) === undefined
              ? `not installed in ${folder}`
              : `in ${folder}, but not found from ${place}`,
            `Programs cannot load the package without it: ${install}`
          )
        ]
  if (fits(version, range)) return [ok(name, `${version} fits ${range}`)]
  return [failed(name, `${version} does not fit ${range}`, `Install one that does: ${install}`)]
}

/** What is missing for entries of the package. */
const purposeFinding = ({ folder, own, place }: Project, entries: string): ReadonlyArray<Finding> => {
  const names = purposes[entries] ?? []
  const missing = names.filter((name) => installed(name, place) === undefined)
  if (missing.length === 0) return []
  const install = told(commandOf(names, own.peerDependencies, place, folder))
  const next = `Only programs that import it need them: ${install}`
  const apart = missing.filter((name) => installed(name, folder) !== undefined)
  const says = apart.length === 0 ? "" : ` (in this folder, but not found from ${place}: ${apart.join(", ")})`
  return [skipped(entries, `not installed: ${missing.join(", ")}${says}`, next)]
}

/** Looks at the versions, for the project in a folder. */
export const installation = (
  folder: string,
  node: string = process.versions.node
): ReadonlyArray<Finding> => {
  const own: Package = Module.createRequire(import.meta.url)("@quartet/sdk/package.json")
  const here = installed("@quartet/sdk", folder)
  const project = { folder, own, place: placeOf(folder) }
  return [
    fits(node, own.engines.node)
      ? ok("node", `${node} fits ${own.engines.node}`)
      : failed("node", `${node} does not fit ${own.engines.node}`, "Install a newer Node."),
    here === undefined || here === own.version
      ? ok("@quartet/sdk", own.version)
      : warning(
          "@quartet/sdk",
          `${own.version} is the command line's, ${here} is the project's`,
          "Run the one of the project: npx quartet, in its folder."
        ),
    ...Object.keys(own.peerDependencies).flatMap((name) => peerFinding(project, name)),
    ...Object.keys(purposes).flatMap((entries) => purposeFinding(project, entries))
  ]
}

/** Checks of this machine: Node, this package, and the peers that stand in the project. */
import { readFileSync } from "node:fs"
import * as Module from "node:module"
import { dirname, join } from "node:path"
import { type Finding, failed, ok, skipped, warning } from "./finding.js"
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

/** What installs packages in versions that fit: without them, npm may take one that is made for another version of effect. */
export const installOf = (names: ReadonlyArray<string>, ranges: Readonly<Record<string, string>>): string =>
  `npm install ${names.map((name) => `${name}@${newest(ranges[name] ?? "*")}`).join(" ")}`

/** The version of a package as a program in this folder would find it; undefined where there is none. */
export const installed = (name: string, folder: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version
  } catch {
    const parent = dirname(folder)
    return parent === folder ? undefined : installed(name, parent)
  }
}

/** A peer that is installed, or that no program can do without. */
const peerFinding = (own: Package, name: string, folder: string): ReadonlyArray<Finding> => {
  const range = own.peerDependencies[name] ?? ""
  const version = installed(name, folder)
  const install = installOf([name], own.peerDependencies)
  if (version === undefined)
    return own.peerDependenciesMeta[name]?.optional === true
      ? []
      : [
          failed(
            name,
            `not installed in ${folder}`,
            `Programs cannot load the package without it: ${install}`
          )
        ]
  if (fits(version, range)) return [ok(name, `${version} fits ${range}`)]
  return [failed(name, `${version} does not fit ${range}`, `Install one that does: ${install}`)]
}

/** What is missing for entries of the package. */
const purposeFinding = (own: Package, entries: string, folder: string): ReadonlyArray<Finding> => {
  const names = purposes[entries] ?? []
  const missing = names.filter((name) => installed(name, folder) === undefined)
  if (missing.length === 0) return []
  const next = `Only programs that import it need them: ${installOf(names, own.peerDependencies)}`
  return [skipped(entries, `not installed: ${missing.join(", ")}`, next)]
}

/** Looks at the versions, for the project in a folder. */
export const installation = (
  folder: string,
  node: string = process.versions.node
): ReadonlyArray<Finding> => {
  const own: Package = Module.createRequire(import.meta.url)("@quartet/sdk/package.json")
  const here = installed("@quartet/sdk", folder)
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
    ...Object.keys(own.peerDependencies).flatMap((name) => peerFinding(own, name, folder)),
    ...Object.keys(purposes).flatMap((entries) => purposeFinding(own, entries, folder))
  ]
}

/** Checks of this machine: Node, this package, and the peers that stand in the project. */
import { readFileSync } from "node:fs"
import * as Module from "node:module"
import { dirname, join } from "node:path"
import { type Finding, failed, ok, skipped, warning } from "./finding.js"
import { fits } from "./range.js"

interface Package {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** What each optional peer is for. */
const uses: Readonly<Record<string, string>> = {
  "@effect-rx/rx": "the React hooks",
  "@effect-rx/rx-react": "the React hooks",
  react: "the React hooks",
  "@effect/platform": "adapters/platform, adapters/storage, adapters/storage-file and the sandbox's server",
  "@effect/platform-node": "the sandbox's server in a program",
  "socket.io": "the sandbox's server in a program",
  "csv-parse": "adapters/csv"
}

/** The version of a package as a program in this folder would find it; undefined where there is none. */
const installed = (name: string, folder: string): string | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version
  } catch {
    const parent = dirname(folder)
    return parent === folder ? undefined : installed(name, parent)
  }
}

/** What `npm install` should be given: the major version, which an unpinned install may miss. */
const wanted = (name: string, range: string): string => `${name}@"${range}"`

const peerFinding = (own: Package, name: string, folder: string): Finding => {
  const range = own.peerDependencies[name] ?? ""
  const version = installed(name, folder)
  const install = `npm install ${wanted(name, range)}`
  if (version === undefined)
    return own.peerDependenciesMeta[name]?.optional === true
      ? skipped(name, "not installed", `For ${uses[name] ?? "some entries"}: ${install}`)
      : failed(name, `not installed in ${folder}`, `Programs cannot load the package without it: ${install}`)
  if (fits(version, range)) return ok(name, `${version} fits ${range}`)
  return failed(name, `${version} does not fit ${range}`, `Install one that does: ${install}`)
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
    ...Object.keys(own.peerDependencies).map((name) => peerFinding(own, name, folder))
  ]
}

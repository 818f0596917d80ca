/** The package manager of a project, by its files: what adds packages there, and what it asks of who adds them. */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"

export interface Manager {
  /** What stands before the packages: `npm install`, `pnpm add`. */
  readonly add: string
  readonly isNpm: boolean
  /** The versions that are forced upon packages, where the manager reads them: in the package.json of its root. */
  readonly pins: ReadonlyArray<Pin>
  /** What `npm pkg` has to be told to change that package.json. */
  readonly at: string
}

/** A member of `overrides` or `resolutions`. */
export interface Pin {
  /** As `npm pkg` knows it: `overrides[csv-parse]`. Undefined in pnpm-workspace.yaml, which no command changes. */
  readonly path: string | undefined
  readonly key: string
  readonly value: unknown
}

export const npm: Manager = { add: "npm install", isNpm: true, pins: [], at: "" }

/**
 * By which files a folder is known as a manager's. npm's lock file comes after the others: it is often left behind by a move to another one.
 * What stands in node_modules says it for a project without a lock file.
 */
const locks = {
  "pnpm-lock.yaml": "pnpm",
  "pnpm-workspace.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "node_modules/.modules.yaml": "pnpm",
  "node_modules/.yarn-integrity": "yarn",
  "node_modules/.yarn-state.yml": "yarn",
  "node_modules/.package-lock.json": "npm"
} as const

/** A folder and those around it, from the inside. */
export const around = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...around(parent)]
}

const textOf = (...path: readonly [string, ...ReadonlyArray<string>]): string => {
  try {
    return readFileSync(join(...path), "utf8")
  } catch {
    return ""
  }
}

/** A package.json, as far as it can be read. */
const manifestOf = (folder: string): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(textOf(folder, "package.json")))
  } catch {
    return {}
  }
}

/** The manager that a folder names, in package.json or by its lock file. */
const namedIn = (folder: string): string | undefined => {
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifestOf(folder).packageManager)) ?? []
  return named ?? Object.entries(locks).find(([file]) => existsSync(join(folder, file)))?.[1]
}

/** The root of the npm workspaces that a package is a member of, where it is linked; else the package itself. */
const workspaceOf = (own: string): string => {
  const name = String(manifestOf(own).name ?? basename(own))
  const isLinked = (root: string) => realOf(join(root, "node_modules", name)) === realOf(own)
  return around(dirname(own)).find((one) => "workspaces" in manifestOf(one) && isLinked(one)) ?? own
}

/** Where a folder really stands, behind links; undefined where there is none. */
export const realOf = (folder: string): string | undefined =>
  existsSync(folder) ? realpathSync(folder) : undefined

/** The manager of the project around a folder: that of the nearest folder that names one, else npm. */
export const managerOf = (folder: string): Manager => {
  const folders = around(folder)
  const named = folders.find((one) => namedIn(one) !== undefined)
  const own = folders.find((one) => existsSync(join(one, "package.json"))) ?? folder
  const root = named ?? own
  const other = (add: string, ...fields: ReadonlyArray<string>): Manager => ({
    ...pinned(folder, own, root, fields),
    add,
    isNpm: false
  })
  switch (namedIn(root)) {
    case "pnpm":
      // It adds nothing to the root of a workspace unless it is told so, and knows no such flag elsewhere.
      return withWorkspace(
        root,
        other(
          existsSync(join(own, "pnpm-workspace.yaml")) ? "pnpm add -w" : "pnpm add",
          "pnpm.overrides",
          "resolutions"
        )
      )
    case "yarn": {
      const isClassic =
        String(manifestOf(root).packageManager).startsWith("yarn@1.") ||
        textOf(root, "yarn.lock").includes("# yarn lockfile v1") ||
        existsSync(join(root, "node_modules/.yarn-integrity"))
      // What a command of Classic asks for comes before its resolutions.
      if (isClassic) return other("workspaces" in manifestOf(own) ? "yarn add -W" : "yarn add")
      return other("yarn add", "resolutions")
    }
    case "bun":
      return other("bun add", "overrides", "resolutions")
    default:
      return { ...npm, ...pinned(folder, own, workspaceOf(own), ["overrides"]) }
  }
}

const at = (manifest: unknown, field: string): unknown =>
  field.split(".").reduce((value, name) => Object(value)[name], manifest)

/** A manager with what pnpm-workspace.yaml pins besides: the lines that are indented below its `overrides`. */
const withWorkspace = (root: string, manager: Manager): Manager => {
  const [, block = ""] =
    /^overrides:[ \t\r]*\n((?:[ \t]+.*\n|\r?\n)*)/m.exec(`${textOf(root, "pnpm-workspace.yaml")}\n`) ?? []
  const pins = block.split("\n").flatMap((line) => {
    const [, key, value] = /^\s+["']?([^"':\s]+)["']?:\s*["']?([^"'\s]*)/.exec(line) ?? []
    return key === undefined ? [] : [{ path: undefined, key, value }]
  })
  return { ...manager, pins: [...manager.pins, ...pins] }
}

/** What the package.json of a root pins, seen from a folder of the package `own`. */
const pinned = (
  folder: string,
  own: string,
  root: string,
  fields: ReadonlyArray<string>
): Pick<Manager, "pins" | "at"> => ({
  pins: fields.flatMap((field) =>
    Object.entries(Object(at(manifestOf(root), field))).map(([key, value]) => ({
      path: `${field}[${key}]`,
      key,
      value
    }))
  ),
  at: root === own ? "" : ` --prefix ${relative(folder, root)}`
})

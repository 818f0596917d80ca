/** The package manager of a project, by its files: what adds packages there, and what it asks of who adds them. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

export interface Manager {
  /** What stands before the packages: `npm install`, `pnpm add`. */
  readonly add: string
  readonly isNpm: boolean
  /** The `overrides` of npm in package.json. */
  readonly overrides: Readonly<Record<string, unknown>>
}

export const npm: Manager = { add: "npm install", isNpm: true, overrides: {} }

/** By which files a folder is known as a manager's. npm's comes last: it is often left behind by a move to another one. */
const locks = {
  "pnpm-lock.yaml": "pnpm",
  "pnpm-workspace.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm"
} as const

/** A folder and those around it, from the inside. */
const around = (folder: string): ReadonlyArray<string> => {
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

/** The manager of the project around a folder: that of the nearest folder that names one, else npm. */
export const managerOf = (folder: string): Manager => {
  const folders = around(folder)
  const root = folders.find((one) => namedIn(one) !== undefined)
  const own = folders.find((one) => existsSync(join(one, "package.json"))) ?? folder
  switch (root === undefined ? undefined : namedIn(root)) {
    case "pnpm":
      // It adds nothing to the root of a workspace unless it is told so, and knows no such flag elsewhere.
      return other(existsSync(join(own, "pnpm-workspace.yaml")) ? "pnpm add -w" : "pnpm add")
    case "yarn": {
      const place = root ?? own
      const isClassic =
        String(manifestOf(place).packageManager).startsWith("yarn@1.") ||
        textOf(place, "yarn.lock").includes("# yarn lockfile v1")
      return other(isClassic && "workspaces" in manifestOf(own) ? "yarn add -W" : "yarn add")
    }
    case "bun":
      return other("bun add")
    default: {
      const { overrides } = manifestOf(own)
      return { ...npm, overrides: Object(overrides) }
    }
  }
}

const other = (add: string): Manager => ({ add, isNpm: false, overrides: {} })

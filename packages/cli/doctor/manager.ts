/** The package manager of a project, by its files: what adds packages there. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

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

/** What stands before the packages to add, for the manager of the nearest folder that names one, else npm: `npm install`, `pnpm add`. */
export const adderOf = (folder: string): string => {
  const folders = around(folder)
  const own = folders.find((parent) => existsSync(join(parent, "package.json"))) ?? folder
  const root = folders.find((parent) => namedIn(parent) !== undefined) ?? own
  switch (namedIn(root)) {
    case "pnpm":
      // It adds nothing to the root of a workspace unless it is told so, and knows no such flag elsewhere.
      return existsSync(join(own, "pnpm-workspace.yaml")) ? "pnpm add -w" : "pnpm add"
    case "yarn": {
      const isClassic =
        String(manifestOf(root).packageManager).startsWith("yarn@1.") ||
        textOf(root, "yarn.lock").includes("# yarn lockfile v1") ||
        existsSync(join(root, "node_modules/.yarn-integrity"))
      return isClassic && "workspaces" in manifestOf(own) ? "yarn add -W" : "yarn add"
    }
    case "bun":
      return "bun add"
    default:
      return "npm install"
  }
}

/** The project's files by their paths from its root: `core/kernel/session/token.ts`. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { dirname, join, posix, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The nearest folder with a lock file, which only the project's has: this module may also run from a bundle in `.cache`. */
const projectAround = (path: string): string =>
  existsSync(join(path, "package-lock.json")) ? path : projectAround(dirname(path))

/** The project's folder, with a slash at its end. */
export const root = projectAround(dirname(fileURLToPath(import.meta.url))) + sep

export const exists = (path: string): boolean => existsSync(join(root, path))

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** The files of a folder and of its folders, sorted; none of installed packages, and none that are built. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules" && name !== "dist")
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? filesIn(path) : [path]
    })
    .sort()

/**
 * Removes a folder, also one in which processes that were ended a moment ago still write. It does not block: Vitest takes
 * a process that does not answer for a minute for one that hangs, and a tree of installed packages may take as long.
 */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

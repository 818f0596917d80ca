// The packages of the repository, as the manifest's `workspaces` name them: every tool that runs for each reads the list from here.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's folder. */
export const root = fileURLToPath(new URL("../", import.meta.url))

const read = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

const foldersOf = (pattern) =>
  pattern.endsWith("/*")
    ? readdirSync(join(root, pattern.slice(0, -2)))
        .sort()
        .map((name) => posix.join(pattern.slice(0, -2), name))
    : [posix.normalize(pattern)]

/** Each with its folder from the root, `.` for the root itself, and its manifest. */
export const workspaces = read(".")
  .workspaces.flatMap(foldersOf)
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .map((folder) => ({ folder, manifest: read(folder) }))

/** Those that are published. */
export const published = workspaces.filter(({ manifest }) => manifest.private !== true)

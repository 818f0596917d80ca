/** The packages of the repository, as the root's manifest names them: what runs for each package reads the list from here. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { filesIn, root } from "./files.js"
import { condition } from "./sources.js"

/** What an entry of `exports` or `imports` leads to. */
export type Target = string | null | { readonly [condition: string]: Target }

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly workspaces?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, Target>>
  readonly imports?: Readonly<Record<string, Target>>
  readonly bin?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface Workspace {
  /** From the root; `.` is the root itself. */
  readonly folder: string
  readonly manifest: Manifest
}

/** The packages of a project: those that the manifest in `home` names, or that alone. Read by the release. @public */
export const workspacesIn = (home: string): ReadonlyArray<Workspace> => {
  const pathOf = (folder: string): string => join(home, folder, "package.json")
  const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(pathOf(folder), "utf8"))
  const foldersOf = (pattern: string): ReadonlyArray<string> => {
    const folder = pattern.replace(/\/\*$/, "")
    if (folder === pattern) return [posix.normalize(pattern)]
    const names = readdirSync(join(home, folder)).sort()
    return names.map((name) => posix.join(folder, name))
  }
  return (manifestIn(".").workspaces ?? ["."])
    .flatMap(foldersOf)
    .filter((folder) => existsSync(pathOf(folder)))
    .map((folder) => ({ folder, manifest: manifestIn(folder) }))
}

export const workspaces: ReadonlyArray<Workspace> = workspacesIn(root)

/** Those that are published. */
export const published: ReadonlyArray<Workspace> = workspaces.filter(
  ({ manifest }) => manifest.private !== true
)

/** The package that a file of the repository belongs to: the innermost. */
export const workspaceOf = (file: string): Workspace => {
  const within = workspaces.filter(({ folder }) => folder === "." || file.startsWith(`${folder}/`))
  const [innermost] = [...within].sort((left, right) => right.folder.length - left.folder.length)
  if (innermost === undefined) throw new Error("the root is a workspace of its own")
  return innermost
}

/** What an entry leads to under conditions, by the order of its own. */
export const resolved = (
  target: Target | undefined,
  conditions: ReadonlySet<string>
): string | null | undefined => {
  if (typeof target !== "object" || target === null) return target
  for (const [name, inner] of Object.entries(target)) {
    const path = name === "default" || conditions.has(name) ? resolved(inner, conditions) : undefined
    if (path !== undefined) return path
  }
  return undefined
}

/** The source that an entry leads to; undefined of a file that is none, such as the manifest. */
const sourceOf = (target: Target): string | undefined =>
  typeof target === "object" && target !== null && condition in target
    ? (resolved(target[condition], new Set()) ?? undefined)
    : undefined

/** An entry of a package, as programs import it, and the source that it leads to. */
export interface Entry {
  readonly name: string
  readonly source: string
}

/** The entries of a package; each of those that a pattern stands for. One that is named goes before a pattern, and closes it with null. */
export const entriesOf = ({ folder, manifest }: Workspace): ReadonlyArray<Entry> => {
  const all = Object.entries(manifest.exports ?? {}).flatMap(([name, target]): ReadonlyArray<Entry> => {
    const path = sourceOf(target)
    if (path === undefined) return []
    const entry = posix.join(manifest.name, name)
    const source = posix.join(folder, path)
    const [before = "", after] = source.split("*")
    if (after === undefined) return [{ name: entry, source }]
    return filesIn(posix.dirname(`${before}x`))
      .filter((file) => file.startsWith(before) && file.endsWith(after))
      .map((file) => file.slice(before.length, -after.length))
      .filter((part) => !part.includes("/"))
      .map((part) => ({ name: entry.replace("*", part), source: source.replace("*", part) }))
  })
  const isClosed = (name: string): boolean => manifest.exports?.[name.replace(manifest.name, ".")] === null
  return all.filter(({ name }, at) => !isClosed(name) && all.findIndex((entry) => entry.name === name) === at)
}

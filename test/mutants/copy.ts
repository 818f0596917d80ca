/** A copy of the project in which one source at a time is changed: the user's own files are only read. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { removeFolder } from "@quartet/support/files.js"
import { linkPackages } from "@quartet/support/link-packages.js"
import type { Mutant } from "@quartet/support/mutant.js"

/** The files of the project that are no build: what git knows of, and what it would add. */
const filesOf = (root: string): ReadonlyArray<string> => {
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`)
  return [...new Set(listed.stdout.split("\0"))].filter((file) =>
    /^(\.ci|core|adapters|clients|ui|packages|spec|test|tools|docs|site|api|examples|\.github|\.changeset)\/|^[^/]+$/.test(
      file
    )
  )
}

/** A text that changes with any source or test: verdicts are kept for as long as it stays. */
export const digestOf = (root: string): string => {
  const hash = createHash("sha256")
  for (const file of filesOf(root).filter((name) => /\.(tsx?|mjs|json|diff)$/.test(name))) {
    const bytes = readIfThere(join(root, file))
    if (bytes !== undefined) hash.update(file).update("\0").update(bytes)
  }
  return hash.digest("hex")
}

const readIfThere = (file: string): Buffer | undefined => {
  try {
    return fs.readFileSync(file)
  } catch {
    // Deleted, and still known to git.
    return undefined
  }
}

/** The source with its mutation; an error where what it replaces does not stand there exactly once. */
export const mutated = (source: string, { file, find, name, replace }: Mutant): string => {
  const times = source.split(find).length - 1
  if (times !== 1)
    throw new Error(`${name}: its text stands ${times} times in ${file}, and must stand there once`)
  if (find === replace) throw new Error(`${name}: it changes nothing`)
  return source.replace(find, () => replace)
}

export const makeCopy = (project: string) => {
  const root = fs.mkdtempSync(join(tmpdir(), "quartet-mutants-"))
  for (const file of filesOf(project)) {
    const to = join(root, file)
    fs.mkdirSync(dirname(to), { recursive: true })
    if (readIfThere(join(project, file)) !== undefined) fs.copyFileSync(join(project, file), to)
  }
  linkPackages(project, root)
  return {
    root,
    /** Puts a mutant into the copy; what it answers takes it out again. */
    apply: (mutant: Mutant): (() => void) => {
      const path = join(root, mutant.file)
      const source = fs.readFileSync(path, "utf8")
      fs.writeFileSync(path, mutated(source, mutant))
      return () => fs.writeFileSync(path, source)
    },
    /** Removes the copy; tells where that fails, and never throws. */
    remove: () =>
      removeFolder(root).catch((error) => console.error(`mutants: ${root} could not be removed: ${error}`))
  }
}

export type Copy = ReturnType<typeof makeCopy>

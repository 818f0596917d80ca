/** The console as `npm run build` makes it, built once for the sources as they are, beside the tests that need none. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = ["core", "adapters", "clients", "ui/rx", "ui/devtools", "ui/console", "packages/fleet/http"]
const cache = join(root, "node_modules", ".cache", "quartet-console")

/** A digest of everything that the console is built from. */
const digest = async (): Promise<string> => {
  const hash = createHash("sha256")
  hash.update(await readFile(join(root, "package-lock.json")))
  for (const source of sources) {
    const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.sort()) hash.update(file).update(await readFile(file))
  }
  return hash.digest("hex").slice(0, 20)
}

/** Where the console stands once it is built. */
export const consoleDirectory = async (): Promise<string> => {
  await mkdir(cache, { recursive: true })
  return join(cache, await digest())
}

const refusal = (directory: string): string => `${directory}.failed`

/** Builds the console, unless it is there. Why it cannot be built is left for those who wait. */
export const buildConsole = async (directory: string, signal: AbortSignal): Promise<void> => {
  if (existsSync(directory)) return
  await rm(refusal(directory), { force: true })
  await build(directory, signal).catch((error: unknown) => writeFile(refusal(directory), String(error)))
}

/** Waits until the console is built. */
export const builtConsole = async (directory: string): Promise<string> => {
  while (!existsSync(directory)) {
    if (existsSync(refusal(directory))) throw new Error(await readFile(refusal(directory), "utf8"))
    await sleep(100)
  }
  return directory
}

const build = async (directory: string, signal: AbortSignal): Promise<void> => {
  const draft = await mkdtemp(join(cache, "draft-"))
  try {
    // In a process of its own: here, NODE_ENV says "test", and the console would hold React's development build.
    await promisify(execFile)(process.execPath, [join(root, "tools/console.mjs"), "build", "--out", draft], {
      signal
    })
    await rename(draft, directory)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

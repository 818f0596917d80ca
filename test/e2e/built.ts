/** The console as `npm run build` makes it, built once for the sources as they are, whichever test comes first. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = ["core", "adapters", "clients", "ui/rx", "ui/console"]
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

/** The directory of the built console. */
export const builtConsole = async (): Promise<string> => {
  const directory = join(cache, await digest())
  if (existsSync(directory)) return directory
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, "draft-"))
  // In a process of its own: here, NODE_ENV says "test", and the console would hold React's development build.
  await promisify(execFile)(
    process.execPath,
    [
      join(root, "node_modules", "vite", "bin", "vite.js"),
      "build",
      ...["--config", join(root, "ui", "console", "vite.config.ts")],
      ...["--outDir", draft, "--emptyOutDir", "--logLevel", "error"]
    ],
    { env: { ...process.env, NODE_ENV: "production" } }
  )
  // Where another test file was faster, its build is as good.
  await rename(draft, directory).catch(() => undefined)
  return directory
}

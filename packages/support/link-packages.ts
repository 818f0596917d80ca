/** Gives a copy of the project the packages that are installed in it. */
import * as fs from "node:fs"
import { join } from "node:path"

/**
 * Packages by links, in a folder of the copy's own: tools keep their caches beside the packages, and the checkout's are not theirs. The
 * project's own packages are those of the copy.
 */
export const linkPackages = (project: string, copy: string): void => {
  const from = join(project, "node_modules")
  const to = join(copy, "node_modules")
  const own = "@quartet"
  fs.mkdirSync(join(to, own), { recursive: true })
  for (const name of fs.readdirSync(from))
    if (name === ".bin" || !(name.startsWith(".") || name === own))
      fs.symlinkSync(join(from, name), join(to, name))
  for (const name of fs.existsSync(join(from, own)) ? fs.readdirSync(join(from, own)) : [])
    fs.symlinkSync(fs.readlinkSync(join(from, own, name)), join(to, own, name))
}

/** The package as its users have it: built and laid out in a folder of its own, beside the packages that they installed. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { root } from "./files.js"

/** The files that `npm pack` takes, from the package's root. */
export const packed = (): ReadonlyArray<string> => {
  const told = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8"
  })
  const packages: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }> =
    JSON.parse(told)
  return packages.flatMap(({ files }) => files.map(({ path }) => path))
}

/** Installs the package as it is built, beside these of its optional peers, for the tests of one block; answers the folder of the app. */
export const installed = (peers: ReadonlyArray<string> = []): (() => string) => {
  let app = ""
  beforeAll(() => {
    app = mkdtempSync(join(tmpdir(), "quartet-app-"))
    const modules = join(app, "node_modules")
    const home = join(modules, "@quartet/sdk")
    mkdirSync(home, { recursive: true })
    cpSync(join(root, "dist"), join(home, "dist"), { recursive: true })
    cpSync(join(root, "package.json"), join(home, "package.json"))
    for (const name of ["effect", "undici", "socket.io-client", ...peers]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, "node_modules", name), join(modules, name))
    }
  })
  afterAll(() => rmSync(app, { recursive: true, force: true }))
  return () => app
}

/** The package as its users have it: built and laid out in a folder of its own, beside the packages that they installed. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { filesIn, root } from "../../tools/files.js"

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

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** Every entry of the package, as programs import it; each of those that a pattern stands for. */
export const entries: ReadonlyArray<string> = Object.entries(exports).flatMap(([name, target]) => {
  if (typeof target === "string") return []
  const entry = posix.join("@quartet/sdk", name)
  if (!name.includes("*")) return [entry]
  const [before = "", after = ""] = target.default.replace("./dist/", "").replace(/\.js$/, ".ts").split("*")
  return filesIn(dirname(`${before}x`))
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, -after.length))
    .filter((part) => !part.includes("/"))
    .map((part) => entry.replace("*", part))
})

/** Installs the package, without its optional peers, for the tests of one block; answers the folder of the app. */
export const installed = (): (() => string) => {
  let app = ""
  beforeAll(() => {
    app = mkdtempSync(join(tmpdir(), "quartet-app-"))
    const modules = join(app, "node_modules")
    const home = join(modules, "@quartet/sdk")
    mkdirSync(home, { recursive: true })
    execFileSync(process.execPath, [join(root, "tools/build.mjs"), join(home, "dist")], { stdio: "inherit" })
    cpSync(join(root, "package.json"), join(home, "package.json"))
    for (const name of ["effect", "undici", "socket.io-client"])
      symlinkSync(join(root, "node_modules", name), join(modules, name))
  }, 60_000)
  afterAll(() => rmSync(app, { recursive: true, force: true }))
  return () => app
}

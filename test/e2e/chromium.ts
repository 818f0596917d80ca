/** The Chromium of the browser tests: the one that `CHROMIUM` names, else the system's, else the one of a package. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { root } from "@quartet/support/files.js"
import { type BrowserServer, chromium, type LaunchOptions } from "playwright-core"

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The name of a foreign site that leads to this machine, as a hostile name server has it.
  "--host-resolver-rules=MAP evil.test 127.0.0.1"
]

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const cache = join(root, "node_modules/.cache/quartet-chromium")

/** The package's Chromium for Linux on x64, unpacked once with the libraries and the fonts that it brings. */
const packaged = (): LaunchOptions => {
  if (!existsSync(cache)) {
    const bin = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "../../bin")
    const read = (name: string): Buffer => brotliDecompressSync(readFileSync(join(bin, name)))
    mkdirSync(dirname(cache), { recursive: true })
    const draft = mkdtempSync(`${cache}-`)
    for (const archive of ["al2023.tar.br", "fonts.tar.br"])
      execFileSync("tar", ["-x", "--no-same-owner", "-C", draft], { input: read(archive) })
    writeFileSync(join(draft, "fonts.conf"), `<fontconfig><dir>${cache}/fonts</dir></fontconfig>`)
    writeFileSync(join(draft, "chromium"), read("chromium.br"), { mode: 0o755 })
    renameSync(draft, cache)
  }
  return {
    executablePath: join(cache, "chromium"),
    env: { ...process.env, LD_LIBRARY_PATH: join(cache, "lib"), FONTCONFIG_PATH: cache }
  }
}

type Environment = Readonly<Partial<Record<"CHROMIUM" | "PATH", string>>>

/** The browsers that may be here, in the order in which they are tried. */
const candidates = ({ CHROMIUM, PATH = "" }: Environment): ReadonlyArray<() => LaunchOptions> => {
  if (CHROMIUM) return [() => ({ executablePath: CHROMIUM })]
  const files = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const installed = files.filter(existsSync).map((file) => () => ({ executablePath: file }))
  // The channel is Chrome where its installer puts it on each system.
  return [...installed, () => ({ channel: "chrome" }), packaged]
}

/** Starts the first browser that runs, with further options. Fails with what each of them said. */
export const launch = async (
  environment: Environment,
  options: LaunchOptions = {}
): Promise<BrowserServer> => {
  const refusals: Array<string> = []
  for (const candidate of candidates(environment)) {
    try {
      return await chromium.launchServer({ host: "127.0.0.1", args, ...options, ...candidate() })
    } catch (error) {
      refusals.push(String(error))
    }
  }
  throw new Error(
    [
      "The browser tests need Chromium, and none runs here.",
      "Install it (on Debian: apt-get install chromium), or name one with CHROMIUM=<path>.",
      ...refusals
    ].join("\n")
  )
}

/**
 * `npm run examples`: copies each example to a folder of its own, installs it from the packed packages, and runs its script
 * `check` against a sandbox that others have used as well.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { flagsOf, runProgram, UsageError } from "@quartet/support/command-line.js"
import { root } from "@quartet/support/files.js"
import { nobody } from "@quartet/support/servers.js"
import { examples } from "../../tools/generate/examples.js"
import { launch } from "../e2e/chromium.js"
import {
  atOnce,
  endAll,
  execute,
  installExample,
  pack,
  runAll,
  serveSandbox,
  Unfinished
} from "../matrix/workshop.js"

const help = `npm run examples -- [options]

Installs each example from the packed packages, and runs its script \`check\`.

  --only NAME    only this one; repeatable
  --once         checks each once, on a platform that nobody has used; else again, and then without a platform
  --help         this text
`

const folder = join(root, "examples")

interface Manifest {
  readonly scripts?: { readonly check?: string }
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, "package.json"), "utf8"))

/** The examples that say how they are checked. */
const names = examples.filter((name) => manifestOf(join(folder, name)).scripts?.check !== undefined)

/** The variables of the examples: the address alone. For the accounts they take those of every sandbox. */
const addressed = (url: string) => ({
  QUARTET_BASE_URL: url,
  // What Vite and Next put into the code of browsers.
  VITE_QUARTET_BASE_URL: url,
  NEXT_PUBLIC_QUARTET_BASE_URL: url
})

/**
 * Checks an example twice, because a sandbox that somebody has used is one as well; then without a platform, where a check that
 * needs one fails, and leaves nothing behind.
 */
const check = async (
  name: string,
  home: string,
  tarballs: ReadonlyMap<string, string>,
  url: string,
  browser: string,
  isOnce: boolean
) => {
  const cwd = join(home, name)
  await installExample(name, cwd, tarballs)
  const run = (address: string) =>
    execute("npm", ["run", "check"], { cwd, env: { ...addressed(address), CHROMIUM_URL: browser } })
  await run(url)
  if (isOnce) return
  await run(url)
  if (!readdirSync(cwd).some((file) => file.startsWith("check."))) return
  const alone = await run(await nobody()).catch((error: unknown) => error)
  if (alone instanceof Unfinished) throw alone
  if (typeof alone === "string") throw new Error(`the check passes without a platform\n${alone}`)
}

const main = async (): Promise<number> => {
  const flags = flagsOf(process.argv.slice(2), {
    only: { type: "string", multiple: true, default: [] },
    once: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  })
  if (flags.help) {
    console.log(help)
    return 0
  }
  const unknown = flags.only.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new UsageError(`there is no example ${unknown.join(", ")}; there are ${names.join(", ")}`)
  const wanted = flags.only.length > 0 ? flags.only : names
  const home = mkdtempSync(join(tmpdir(), "quartet-examples-"))
  const browser = await launch(process.env)
  // Of two that are checked at once, neither finds what the other one changes.
  const sandboxes = await Promise.all(Array.from({ length: atOnce }, serveSandbox))
  let failed = 0
  try {
    const tarballs = await pack(home)
    await runAll(wanted, sandboxes, async (name, sandbox) => {
      const begun = performance.now()
      const error = await check(name, home, tarballs, sandbox.url, browser.wsEndpoint(), flags.once).catch(
        (thrown: unknown) => thrown
      )
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${error === undefined ? "ok    " : "FAILED"} ${seconds.padStart(6)} s  ${name}`)
      if (error === undefined) return
      failed += 1
      console.log(error instanceof Error ? error.message : String(error))
    })
  } finally {
    endAll()
    await browser.close()
    await Promise.all(sandboxes.map(({ close }) => close()))
    rmSync(home, { recursive: true, force: true })
  }
  console.log(`${wanted.length - failed} of ${wanted.length} examples do what they say`)
  return failed === 0 ? 0 : 1
}

runProgram("examples", main)

/**
 * `npm run examples`: copies each example to a folder of its own, installs it from the packed package, and runs its script
 * `check` against a sandbox of its own.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { accounts } from "../../adapters/sandbox/index.js"
import { root } from "../../tools/files.js"
import { launch } from "../e2e/chromium.js"
import { endAll, execute, install, pack, serveSandbox } from "../matrix/workshop.js"
import { flagsOf, runProgram, UsageError } from "../support/command-line.js"

const help = `npm run examples -- [options]

Installs each example from the packed package, and runs its script \`check\`.

  --only NAME    only this one; repeatable
  --help         this text
`

const examples = join(root, "examples")

interface Manifest {
  readonly scripts?: { readonly check?: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The examples that say how they are checked. */
const names = readdirSync(examples).filter((name) => {
  const folder = join(examples, name)
  return existsSync(join(folder, "package.json")) && manifestOf(folder).scripts?.check !== undefined
})

const check = async (name: string, home: string, tarball: string, chromium: string): Promise<void> => {
  const cwd = join(home, name)
  // What somebody has installed or built there stays there.
  const isOwn = (path: string): boolean => !/\/(node_modules|dist|\.next)$/.test(path)
  cpSync(join(examples, name), cwd, { recursive: true, filter: isOwn })
  const manifest = manifestOf(cwd)
  const dependencies = { ...manifest.dependencies, "@quartet/sdk": `file:${tarball}` }
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ ...manifest, dependencies }))
  await install(cwd)
  const { url, close } = await serveSandbox()
  const env = {
    QUARTET_BASE_URL: url,
    // What Vite and Next put into the code of browsers.
    VITE_QUARTET_BASE_URL: url,
    NEXT_PUBLIC_QUARTET_BASE_URL: url,
    QUARTET_PROJECT_ID: accounts.projectId,
    QUARTET_API_KEY: accounts.apiKey,
    QUARTET_PRIVATE_KEY: accounts.privateKey,
    QUARTET_EMAIL: accounts.admin.email,
    QUARTET_PASSWORD: accounts.admin.password,
    CHROMIUM_URL: chromium
  }
  try {
    await execute("npm", ["run", "check"], { cwd, env })
  } finally {
    await close()
  }
}

const main = async (): Promise<number> => {
  const flags = flagsOf(process.argv.slice(2), {
    only: { type: "string", multiple: true, default: [] },
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
  let failed = 0
  try {
    const tarball = await pack(home)
    for (const name of wanted) {
      const begun = performance.now()
      const error = await check(name, home, tarball, browser.wsEndpoint()).catch((thrown: unknown) => thrown)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${error === undefined ? "ok    " : "FAILED"} ${seconds.padStart(6)} s  ${name}`)
      if (error === undefined) continue
      failed += 1
      console.log(error instanceof Error ? error.message : String(error))
    }
  } finally {
    endAll()
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
  console.log(`${wanted.length - failed} of ${wanted.length} examples do what they say`)
  return failed === 0 ? 0 : 1
}

runProgram("examples", main)

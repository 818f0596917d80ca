/** Runtimes that run the package as it is installed, without a bundler, and workerd with one. */
import { join } from "node:path"
import { entries } from "@quartet/support/entries.js"
import { build } from "esbuild"
import type { Outcome } from "../consumer/platform.js"
import { binaryOf, versions } from "../versions.js"
import { compile, execute, outcomeOf, type Workshop } from "../workshop.js"
import { all, type Cell, refused } from "./cell.js"

const table = "Runtimes"

const programs = ["program.ts", "command.ts"]

/** Loads every entry beside all peers. */
const loaded = async ({ folder }: Workshop, node: string, format: "esm" | "cjs"): Promise<string> => {
  const cwd = compile(join(await folder("newest"), format), ["entries.ts"], format)
  const failed = Object.entries(outcomeOf(await execute(node, ["entries.js", ...entries], { cwd })))
  return failed.length === 0 ? "works" : failed.map((parts) => parts.join(": ")).join("\n")
}

/** The command line makes a call. */
const commandLine = async ({ folder, platform }: Workshop, node: string): Promise<string> => {
  const args = ["node_modules/.bin/quartet", "call", "requests.list", "--as", "admin", "--json"]
  const env = {
    QUARTET_BASE_URL: platform.baseUrl,
    QUARTET_PROJECT_ID: platform.projectId,
    QUARTET_EMAIL: platform.admin.email,
    QUARTET_PASSWORD: platform.admin.password
  }
  const cwd = await folder("plain")
  const output = await execute(node, [...args, "--input", '{"limit":3}'], { cwd, env })
  const answer: { readonly items?: ReadonlyArray<unknown> } = JSON.parse(output)
  return answer.items?.length === 3 ? "works" : output
}

const nodes = versions.node.flatMap((version) =>
  (["esm", "cjs"] as const).map(
    (format): Cell => ({
      table,
      name: format === "esm" ? "Node, `import`" : "Node, `require`",
      version,
      expected: { ...all, undici: "works", entries: "works", cli: "works" },
      run: async (workshop) => {
        const node = join(await workshop.folder("runtimes"), binaryOf.node(version))
        const cwd = compile(join(await workshop.folder("plain"), format), programs, format)
        const output = await execute(node, ["command.js", JSON.stringify(workshop.platform)], { cwd })
        return {
          ...outcomeOf(output),
          entries: await loaded(workshop, node, format),
          cli: await commandLine(workshop, node)
        }
      }
    })
  )
)

const other = (
  name: string,
  version: string,
  binary: string,
  args: ReadonlyArray<string>,
  undici: string
): Cell => ({
  table,
  name,
  version,
  expected: { ...all, undici },
  run: async (workshop) => {
    const command = join(await workshop.folder("runtimes"), binary)
    const cwd = compile(join(await workshop.folder("plain"), "esm"), programs)
    return outcomeOf(
      await execute(command, [...args, "command.js", JSON.stringify(workshop.platform)], { cwd })
    )
  }
})

/** As Cloudflare's own tool bundles it. */
const workerd: Cell = {
  table,
  name: "workerd (Miniflare)",
  version: versions.workerd,
  expected: { ...all, undici: refused },
  run: async (workshop): Promise<Outcome> => {
    const runtimes = await workshop.folder("runtimes")
    const programs = compile(join(await workshop.folder("plain"), "worker"), ["program.ts", "worker.ts"])
    const outfile = join(programs, "built.mjs")
    await build({
      entryPoints: [join(programs, "worker.js")],
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      outfile,
      logLevel: "silent"
    })
    const node = join(runtimes, binaryOf.node(versions.node[1]))
    const host = join(compile(join(runtimes, "host"), ["miniflare.ts"]), "miniflare.js")
    return outcomeOf(
      await execute(node, [host, outfile, JSON.stringify(workshop.platform)], { cwd: runtimes })
    )
  }
}

export const runtimes: ReadonlyArray<Cell> = [
  ...nodes,
  other("Deno", versions.deno, binaryOf.deno, ["run", "-A", "--no-remote"], "works"),
  other("Bun", versions.bun, binaryOf.bun, ["run"], refused),
  workerd
]

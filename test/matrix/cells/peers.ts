/** The peers, at both ends of their ranges: what runs on Node, and the hooks in Chromium. */
import { join } from "node:path"
import { build } from "esbuild"
import type { Outcome } from "../consumer/platform.js"
import { type Folder, folders } from "../versions.js"
import { compile, execute, outcomeOf, type Workshop } from "../workshop.js"
import type { Cell } from "./cell.js"

const hooks = async ({ folder, visitBuilt }: Workshop, name: Folder): Promise<Outcome> => {
  const cwd = compile(join(await folder(name), "hooks"), ["rx-page.tsx"])
  const outdir = join(cwd, "built")
  const options = { bundle: true, format: "esm", platform: "browser", logLevel: "silent" } as const
  const define = { "process.env.NODE_ENV": '"production"' }
  await build({ ...options, entryPoints: { app: join(cwd, "rx-page.js") }, outdir, define })
  return visitBuilt(outdir)
}

const onNode = { httpClient: "works", store: "works", csv: "works", server: "works" }

const cell = (folder: "newest" | "oldest"): Cell => ({
  table: "Peers",
  name: folder,
  version: Object.entries(folders[folder])
    .filter(([peer]) => !/^(@types|typescript|react-dom)/.test(peer))
    .map((peer) => peer.join(" "))
    .join(", "),
  expected: { ...onNode, hooks: "works" },
  run: async (workshop) => {
    const cwd = compile(join(await workshop.folder(folder), "peers"), ["program.ts", "peers.ts"])
    const args = ["peers.js", JSON.stringify(workshop.platform)]
    const outcome = outcomeOf(await execute(process.execPath, args, { cwd }))
    return { ...outcome, ...(await hooks(workshop, folder)) }
  }
})

export const peers: ReadonlyArray<Cell> = [cell("oldest"), cell("newest")]

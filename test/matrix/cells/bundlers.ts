/** Bundlers: an app for browsers, run in Chromium, and one for Node, each with everything that it imports in it. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { versions } from "../versions.js"
import { compile, execute, outcomeOf } from "../workshop.js"
import { all, type Cell, refused } from "./cell.js"

const programs = ["program.ts", "page.ts", "command.ts", "bundle.ts"]

const names = { vite: "Vite", esbuild: "esbuild", rolldown: "Rolldown", webpack: "webpack" }

const cell = (bundler: keyof typeof names, target: "browser" | "node"): Cell => ({
  table: "Bundlers",
  name: `${names[bundler]}, for ${target === "node" ? "Node" : "browsers (run in Chromium)"}`,
  version: versions[bundler],
  expected: {
    ...all,
    undici: target === "node" ? "works" : refused,
    ...(target === "node" ? {} : { xhr: "works" })
  },
  run: async ({ folder, platform, visitBuilt }) => {
    const cwd = compile(join(await folder("bundlers"), "program"), programs)
    const built = join(cwd, `${bundler}-${target}`)
    const program = target === "node" ? "command.js" : "page.js"
    await execute(process.execPath, ["bundle.js", bundler, target, program, built], { cwd })
    if (target === "browser") return visitBuilt(built)
    const app = readdirSync(built).find((file) => /^app\.[cm]js$/.test(file)) ?? "no app"
    return outcomeOf(await execute(process.execPath, [app, JSON.stringify(platform)], { cwd: built }))
  }
})

export const bundlers: ReadonlyArray<Cell> = (["vite", "esbuild", "rolldown", "webpack"] as const).flatMap(
  (bundler) => [cell(bundler, "browser"), cell(bundler, "node")]
)

/** Next: one app is built and started, whose page runs the program in a server component and in a client component. */
import { cpSync } from "node:fs"
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import type { Outcome } from "../consumer/platform.js"
import { versions } from "../versions.js"
import { compile, execute, serving, type Workshop } from "../workshop.js"
import { all, type Cell, refused } from "./cell.js"

interface Both {
  readonly server: Outcome
  readonly client: Outcome
}

const visit = async ({ folder, platform, visit }: Workshop): Promise<Both> => {
  const cwd = await folder("next")
  const app = compile(join(cwd, "app"), ["program.ts"])
  cpSync(join(root, "test/matrix/consumer/next"), app, { recursive: true })
  const next = join(cwd, "node_modules/next/dist/bin/next")
  await execute(process.execPath, [next, "build"], { cwd })
  const env = { PLATFORM: JSON.stringify(platform) }
  const args = [next, "start", "--hostname", "127.0.0.1", "--port", "0"]
  const url = await serving(process.execPath, args, { cwd, env }, /http:\/\/127\.0\.0\.1:\d+/)
  return visit(url)
}

/** Both cells come from one visit. */
const visits = new WeakMap<Workshop, Promise<Both>>()

const cell = (part: keyof Both, name: string, expected: Outcome): Cell => ({
  table: "Bundlers",
  name,
  version: versions.next,
  expected,
  run: async (workshop) => {
    const begun = visits.get(workshop) ?? visit(workshop)
    visits.set(workshop, begun)
    return (await begun)[part]
  }
})

export const next: ReadonlyArray<Cell> = [
  cell("server", "Next, in a server component", { ...all, undici: "works" }),
  cell("client", "Next, in a client component", { ...all, undici: refused, xhr: "works" })
]

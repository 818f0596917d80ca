// Size, install, import and types of the package: what `npm run check:budgets` measures, with the rivals' sizes.

import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** The figures by row, and their budgets. */
export const measure = async (progress) => {
  progress("size, install and types", 0, 1)
  const file = join(root, `.cache/bench/${process.pid}.json`)
  mkdirSync(dirname(file), { recursive: true })
  try {
    const args = ["packages/support/run.mjs", "test/budgets/main.ts", "--json", file]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
    // Past a budget it has measured all the same.
    if (status !== 0 && status !== 1) throw new Error(`npm run check:budgets failed: ${stderr}`)
    return {
      figures: JSON.parse(readFileSync(file, "utf8")),
      budgets: JSON.parse(readFileSync(join(root, "test/budgets/budgets.json"), "utf8"))
    }
  } finally {
    rmSync(file, { force: true })
  }
}

/** Where a figure should go stands with its budget. */
export const judge = ({ budgets, figures }) =>
  Object.entries(budgets).flatMap(([row, kinds]) =>
    Object.entries(kinds)
      .filter(([, { aim }]) => aim !== undefined)
      .map(([kind, { aim }]) => ({ what: `${row}, ${kind}`, measured: figures[row][kind], atMost: aim }))
  )

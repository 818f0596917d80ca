/** What axe finds in a page. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"

/** Its source, to be evaluated in a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds, a line a rule and an element. */
export const violations = async (page: Page, options: RunOptions = {}): Promise<ReadonlyArray<string>> => {
  const results = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }
    const { violations } = await axe.run({ ...chosen, resultTypes: ["violations"] })
    return violations.map(({ help, id, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target }) => target.join(" "))
    }))
  }, options)
  return results.flatMap(({ help, id, where }) => where.map((target) => `${id} (${help}): ${target}`))
}

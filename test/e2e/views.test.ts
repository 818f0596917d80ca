/**
 * Every view of the console in a real browser: axe finds nothing, light, dark and narrow; the browser complains of
 * nothing; nothing is wider than a narrow screen. With `SCREENSHOTS=1`, the docs' pictures are taken on the way.
 * Each view is visited once: theme and width are CSS alone, so the page that is there takes them on.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { it } from "./stage.js"
import { views, visit } from "./views.js"

interface Look {
  readonly name: string
  readonly colorScheme: "light" | "dark"
  readonly size: { readonly width: number; readonly height: number }
  /** What axe looks at; all of it unless it is given. */
  readonly axe?: RunOptions
}

const wide = { width: 1190, height: 670 }
const looks: ReadonlyArray<Look> = [
  { name: "light", colorScheme: "light", size: wide },
  // The same elements in other colours: the rules that look at those.
  {
    name: "dark",
    colorScheme: "dark",
    size: wide,
    axe: { runOnly: ["color-contrast", "link-in-text-block"] }
  },
  { name: "narrow", colorScheme: "light", size: { width: 390, height: 844 } },
  // The width that is asked of a page at 400 %: what scrolls there can be reached.
  {
    name: "narrowest",
    colorScheme: "light",
    size: { width: 320, height: 640 },
    axe: { runOnly: ["scrollable-region-focusable"] }
  }
]

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url))

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds, a line a rule and an element. */
const violations = async (page: Page, options: RunOptions = {}): Promise<ReadonlyArray<string>> => {
  const found = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }
    const { violations } = await axe.run({ ...chosen, resultTypes: ["violations"] })
    return violations.map(({ help, id, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target }) => target.join(" "))
    }))
  }, options)
  return found.flatMap(({ help, id, where }) => where.map((target) => `${id} (${help}): ${target}`))
}

it("an unknown address says so in the title, and marks no place in the menu", async ({ enter }) => {
  const { page } = await enter("/nowhere")
  await page.getByText("There is no page at this address").waitFor()
  expect(await page.title()).toBe("Not found · Quartet console")
  expect(await page.getByRole("navigation").locator("[aria-current]").count()).toBe(0)
})

it.for(views)("$name is accessible, complete and quiet, light, dark and narrow", async (view, { arrive }) => {
  const guest = await arrive()
  await visit(guest, view)
  const { page } = guest
  // Evaluated by the debugger: the page's own policy lets no other script in.
  await page.evaluate(axe)
  for (const look of looks) {
    await page.setViewportSize(look.size)
    await page.emulateMedia({ colorScheme: look.colorScheme })
    expect(await violations(page, look.axe), look.name).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, look.name).toBeLessThanOrEqual(0)
    if (process.env.SCREENSHOTS === "1" && look.name !== "narrowest") {
      await page.mouse.move(0, 0)
      await page.screenshot({ path: `${images}${view.name}-${look.name}.png`, animations: "disabled" })
    }
  }
})

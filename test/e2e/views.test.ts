/**
 * Every view of the console in a real browser: axe finds nothing, light, dark and narrow; the browser complains of
 * nothing; nothing is wider than a narrow screen. With `SCREENSHOTS=1`, the docs' pictures are taken on the way.
 */
import { mkdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { AxeResults, RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrive, go, type Looks, open, patience, type Stage, signIn } from "./stage.js"
import { views, visit } from "./views.js"

const looks: ReadonlyArray<Looks & { readonly name: string }> = [
  { name: "light", theme: "light", width: 1190, height: 670 },
  { name: "dark", theme: "dark", width: 1190, height: 670 },
  { name: "narrow", theme: "light", width: 390, height: 844 }
]

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url))

/** What axe finds, a line a rule and an element. */
const violations = async (page: Page, axe: string): Promise<ReadonlyArray<string>> => {
  // Evaluated by the debugger: the page's own policy lets no other script in.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as {
      axe: { run: (options: RunOptions) => Promise<AxeResults> }
    }
    const { violations } = await loaded.run({ resultTypes: ["violations"] })
    return violations.map(({ help, id, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target }) => target.join(" "))
    }))
  })
  return found.flatMap(({ help, id, where }) => where.map((target) => `${id} (${help}): ${target}`))
}

describe("every view of the console in Chromium", { timeout: 4 * patience }, () => {
  let stage: Stage
  let axe = ""

  beforeAll(async () => {
    stage = await open()
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
    await mkdir(images, { recursive: true })
  }, 10 * patience)

  afterAll(async () => {
    await stage?.close()
  }, patience)

  it("an unknown address says so in the title, and marks no place in the menu", async () => {
    const guest = await arrive(stage)
    const { context, page } = guest
    await signIn(guest)
    await go(guest, "/nowhere")
    await page.getByText("There is no page at this address").waitFor()
    expect(await page.title()).toBe("Not found · Quartet console")
    expect(await page.getByRole("navigation").locator("[aria-current]").count()).toBe(0)
    await context.close()
  })

  for (const look of looks) {
    for (const view of views) {
      it(`${view.name} is accessible, complete and quiet (${look.name})`, async () => {
        const guest = await arrive(stage, "/", look)
        await visit(guest, view)
        const { page } = guest
        expect(await violations(page, axe)).toEqual([])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
        if (process.env.SCREENSHOTS === "1") {
          await page.mouse.move(0, 0)
          await page.screenshot({ path: `${images}${view.name}-${look.name}.png`, animations: "disabled" })
        }
        expect(guest.complaints).toEqual([])
        await guest.context.close()
      })
    }
  }
})

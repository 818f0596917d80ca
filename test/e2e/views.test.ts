/**
 * Every view of the console in a real browser: axe finds nothing, nothing is cut, everything can be pressed, and the browser
 * complains of nothing, in every look. Each view is visited once: theme and width are CSS alone, so the page that is there takes
 * them on. `npm test` visits one in six.
 */
import { isWhole } from "@quartet/support/scale.js"
import type { RunOptions } from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { axe, violations } from "./axe.js"
import { cut, unaligned, unreachable, wordless } from "./reach.js"
import { type Guest, it } from "./stage.js"
import { shown, views, visit } from "./views.js"

interface Look {
  readonly name: string
  readonly colours?: Parameters<Page["emulateMedia"]>[0]
  /** In CSS pixels. */
  readonly size: { readonly width: number; readonly height: number }
  /** Pixels of the screen for one of CSS: 2 is a zoom of 200 %. */
  readonly scale?: number
  /** What axe looks at; all of it unless it is given. */
  readonly axe?: RunOptions
  /** How wide and high what a finger presses must be, in pixels. */
  readonly target?: number
}

const wide = { width: 1190, height: 670 }
/** The same elements in other colours, or at another width: the rules that look at those. */
const colour: RunOptions = { runOnly: ["color-contrast", "link-in-text-block"] }
const layout: RunOptions = { runOnly: ["scrollable-region-focusable", "target-size", "color-contrast"] }

const looks: ReadonlyArray<Look> = [
  { name: "light", size: wide },
  { name: "dark", colours: { colorScheme: "dark" }, size: wide, axe: colour },
  { name: "narrow", size: { width: 390, height: 844 }, target: 44 },
  { name: "zoomed to 200 %", size: { width: 595, height: 335 }, scale: 2, axe: layout },
  // The width that is asked of a page at 400 %.
  { name: "narrowest", size: { width: 320, height: 640 }, axe: layout },
  { name: "forced colours", colours: { forcedColors: "active" }, size: wide, axe: colour }
]

/** Everything that is wrong with a view, by look. */
const faults = async ({ context, page }: Guest): Promise<Record<string, unknown>> => {
  const violationsByLook: Record<string, ReadonlyArray<string>> = {}
  const device = await context.newCDPSession(page)
  // Evaluated by the debugger: the page's own policy lets no other script in.
  await page.evaluate(axe)
  for (const { axe, colours, name, scale = 1, size, target } of looks) {
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none", ...colours })
    await page.setViewportSize(size)
    await device.send("Emulation.setDeviceMetricsOverride", {
      ...size,
      deviceScaleFactor: scale,
      mobile: false
    })
    // What a finger presses is larger, whatever the width is.
    await device.send("Emulation.setTouchEmulationEnabled", { enabled: target !== undefined })
    violationsByLook[name] = [
      ...(await violations(page, axe)),
      ...(await cut(page)),
      ...(colours === undefined ? await unreachable(page, target) : []),
      ...(name === "light" ? [...(await unaligned(page)), ...(await wordless(page))] : [])
    ]
  }
  await device.detach()
  // Chromium keeps colours of a page that was loaded in forced ones.
  await page.emulateMedia({ forcedColors: "none" })
  return Object.fromEntries(
    Object.entries(violationsByLook).filter(([, complaints]) => complaints.length > 0)
  )
}

it("an unknown address says so in the title, and marks no place in the menu", async ({ enter }) => {
  const { page } = await enter("/nowhere")
  await page.getByText("There is no page at this address").waitFor()
  expect(await page.title()).toBe("Not found · Quartet console")
  expect(await page.getByRole("navigation").locator("[aria-current]").count()).toBe(0)
})

it("shows the sign-in in every look", async ({ arrive }) => {
  const view = { name: "sign-in", path: "/", shows: "Sign in to Rustaveli Homes" }
  const guest = await arrive()
  await shown(guest, view)
  expect(await faults(guest)).toEqual({})
})

it.for(views.filter((_, index) => isWhole || index % 6 === 0))(
  "shows $name in every look",
  async (view, { walker }) => {
    await visit(walker, view)
    expect(await faults(walker)).toEqual({})
    expect(walker.complaints).toEqual([])
    expect(walker.reports, "the page's policy refuses nothing").toEqual([])
  }
)

/** How the console is delivered: its size, its headers, its addresses, its first view, and the keyboard's way in. */

import { make as makeSandboxState, Platform } from "@quartet/sandbox/extend"
import { patient } from "@quartet/support/patience.js"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { it, signIn } from "./stage.js"
import { views, visit } from "./views.js"

/** Bytes, compressed, of the JavaScript and CSS of the first view, of what each other view adds to it, and of the fonts of a page. */
const budget = { first: 340_000, further: 60_000, fonts: 90_000 }

/** Compressed bytes of the files that a page has loaded, by their address, as the browser counts them. */
const loaded = async (page: Page): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await page.evaluate(() =>
      (performance.getEntriesByType("resource") as Array<PerformanceResourceTiming>)
        .filter(({ name }) => name.includes("/assets/"))
        .map(({ encodedBodySize, name }): [string, number] => [name, encodedBodySize])
    )
  )

const sum = (files: Iterable<readonly [string, number]>, ending: RegExp): number =>
  [...files].reduce((bytes, [name, size]) => bytes + (ending.test(name) ? size : 0), 0)

/** What is counted, but for fonts. */
const code = /\.(js|css)$/

/** Waits until the page has loaded all that it loads by itself: nothing new for half a second. */
const allLoaded = async (page: Page): Promise<ReadonlyMap<string, number>> => {
  await page.waitForLoadState("networkidle")
  return loaded(page)
}

/**
 * How it counts: the first view is the sign-in, with all files that the page loads by itself, also those that it loads ahead of
 * what comes after it. Requests, to which it leads, is the first of the further views. What a view adds are the files that were
 * not counted for a view before: a file that several views share counts once, for the first of them in the order of the routes.
 * What opens over a view belongs to it. Fonts count apart, each page with all that it loads.
 */
it("loads at most 340 kB of JavaScript and CSS for the first view, 60 kB more for each other, and 90 kB of fonts, over the network", {
  timeout: patient(600_000)
}, async ({ arrive }) => {
  const guest = await arrive()
  const { page } = guest
  await page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
  const first = await allLoaded(page)
  await signIn(guest)
  const counted = new Set(first.keys())
  const further: Record<string, number> = {}
  const fonts: Record<string, number> = { "/": sum(first, /\.woff2$/) }
  for (const view of views) {
    await visit(guest, view)
    const files = await allLoaded(page)
    const more = [...files].filter(([name]) => !counted.has(name))
    for (const [name] of more) counted.add(name)
    further[view.name] = sum(more, code)
    fonts[view.name] = sum(files, /\.woff2$/)
  }
  const firstBytes = { js: sum(first, /\.js$/), css: sum(first, /\.css$/) }
  const adding = Object.fromEntries(Object.entries(further).filter(([, bytes]) => bytes > 0))
  console.info("The console's bytes, compressed:", firstBytes, "in further views", adding, "fonts", fonts)
  expect(Math.min(firstBytes.js, firstBytes.css, ...Object.values(fonts))).toBeGreaterThan(1_000)
  expect(firstBytes.js + firstBytes.css).toBeLessThanOrEqual(budget.first)
  expect(Math.max(...Object.values(further))).toBeGreaterThan(1_000)
  const over = (of: Readonly<Record<string, number>>, bound: number) =>
    Object.entries(of).filter(([, bytes]) => bytes > bound)
  expect(over(further, budget.further)).toEqual([])
  expect(over(fonts, budget.fonts)).toEqual([])
})

it("has no address that is a call of the platform", () => {
  const platform = Platform.make(makeSandboxState(1))
  const conflicts = views.filter(({ path }) => platform.router.methods(path.split("?")[0] ?? "").length > 0)
  expect(conflicts.map(({ path }) => path)).toEqual([])
})

it("comes with a policy that allows no code but its own, and with files that are kept for a year", async ({
  stage
}) => {
  const page = await fetch(`${stage.url}/requests`)
  const policy = page.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain("unsafe")
  const html = await page.text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ""
  const asset = await fetch(stage.url + script)
  expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
  expect(asset.headers.get("content-encoding")).toBe("gzip")
  expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  const again = await fetch(stage.url + script, {
    headers: { "if-none-match": asset.headers.get("etag") ?? "" }
  })
  expect(again.status).toBe(304)
})

it("answers 404 to a file that is not there, and the page to every address of the console", async ({
  stage
}) => {
  expect((await fetch(`${stage.url}/assets/none.js`)).status).toBe(404)
  expect((await fetch(`${stage.url}/.env`)).status).toBe(404)
  for (const path of ["/", "/chat/1", "/as/visitor/items"]) {
    const answer = await fetch(stage.url + path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
  }
})

it("shows its first view, and says how fast", async ({ arrive }) => {
  const { page } = await arrive()
  await page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
  const times: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const fresh = await arrive()
    await fresh.page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
    await fresh.page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0)
    const paint = await fresh.page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN
    )
    times.push(Math.round(paint))
    await fresh.context.close()
  }
  console.info(`The console's first view, in milliseconds: ${times.join(", ")}.`)
  expect(times.every((time) => time > 0)).toBe(true)
})

it("lets the keyboard skip to the content, go to places, and takes the focus along", async ({ enter }) => {
  const guest = await enter("/developers")
  const { page } = guest
  const hasFocus = () => page.evaluate(() => document.activeElement?.id)
  await page.keyboard.press("Tab")
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter")
  expect(await hasFocus()).toBe("content")
  await page.keyboard.press("g")
  await page.keyboard.press("p")
  await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("main") !== null), {
      message: "on the page, or on a row of its list"
    })
    .toBe(true)
  expect(await page.title()).toBe("Payments · Quartet console")
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.keyboard.press("/")
  await expect
    .poll(() =>
      page
        .getByRole("searchbox")
        .first()
        .evaluate((field) => field === document.activeElement)
    )
    .toBe(true)
})

it("keeps the theme that a person chose", async ({ enter }) => {
  const { page } = await enter()
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  await page.getByRole("button", { name: "Tamar Chikovani" }).click()
  await page.getByRole("menuitem", { name: "Dark" }).click()
  await expect.poll(theme).toBe("dark")
  await page.reload()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  expect(await theme()).toBe("dark")
})

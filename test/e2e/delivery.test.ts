/** How the console is delivered: its size, its headers, its addresses, its first view, and the keyboard's way in. */

import { make as makeSandboxState, Platform } from "@quartet/sandbox/extend"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"
import { views } from "./views.js"

/**
 * Bytes of JavaScript and CSS, compressed, that the first view may have, and that each other view adds to it. The first has the models of
 * all calls with the fields that they declare, and closed inputs, which read them: 4 kB more than with open ones; 3 kB ask how a platform
 * differs. The explorer alone loads what each field is, in words.
 */
const budget = { first: 275_000, further: 40_000, explorer: 50_000 }

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

it("loads at most 275 kB of JavaScript and CSS for the first view, and 40 kB more for each other but the explorer, over the network", async ({
  arrive,
  stage
}) => {
  const guest = await arrive()
  await guest.page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
  const first = await loaded(guest.page)
  const [js, css, fonts] = [sum(first, /\.js$/), sum(first, /\.css$/), sum(first, /\.woff2$/)]
  await signIn(guest)
  const further: Record<string, number> = {}
  for (const path of new Set(views.map((view) => view.path))) {
    await guest.page.goto(stage.url + path)
    await settle(guest.page)
    const more = [...(await loaded(guest.page))].filter(([name]) => !first.has(name))
    further[path] = sum(more, /\.(js|css)$/)
  }
  console.info("The console's bytes, compressed:", { js, css, fonts }, "and on further pages", further)
  expect(Math.min(js, css, fonts)).toBeGreaterThan(1_000)
  expect(js + css).toBeLessThanOrEqual(budget.first)
  expect(Math.max(...Object.values(further))).toBeGreaterThan(1_000)
  const isTooMuch = ([path, bytes]: readonly [string, number]) =>
    bytes > (path.startsWith("/explorer") ? budget.explorer : budget.further)
  expect(Object.entries(further).filter(isTooMuch)).toEqual([])
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
  await page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
  const times: Array<number> = []
  for (let round = 0; round < 3; round++) {
    const fresh = await arrive()
    await fresh.page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
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
  const guest = await enter()
  const { page } = guest
  await page.keyboard.press("Tab")
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter")
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content")
  await page.keyboard.press("g")
  await page.keyboard.press("r")
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content")
  expect(await page.title()).toBe("Requests · Quartet console")
  await page.keyboard.press("?")
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
  await page.keyboard.press("Escape")
  await go(guest, "/commerce")
  await page.keyboard.press("/")
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Find payments")
})

it("keeps the theme that a person chose", async ({ enter }) => {
  const { page } = await enter()
  await page.getByRole("radio", { name: "Dark" }).check({ force: true })
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark")
  await page.reload()
  await page.getByRole("heading", { name: /^Welcome/ }).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark")
})

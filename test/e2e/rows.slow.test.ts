/** A list of 100,000 rows, in a real browser. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, patience, type Stage, settle } from "./stage.js"

/** A task, or the microtasks after one, as Chromium traces it: `tdur` are microseconds of CPU time. */
interface Task {
  readonly name: string
  readonly pid: number
  readonly tdur?: number
}

/** The longest task of a page while something happens, in milliseconds of CPU: what else the machine does is no part of it. */
const longestTask = async (stage: Stage, page: Page, during: () => Promise<void>): Promise<number> => {
  const categories = ["toplevel", "devtools.timeline", "blink.user_timing"]
  await stage.browser.startTracing(page, { categories })
  await page.evaluate(() => performance.mark("this page"))
  await during()
  await page.evaluate(() => performance.mark("the end"))
  const trace: { readonly traceEvents: ReadonlyArray<Task> } = JSON.parse(
    (await stage.browser.stopTracing()).toString()
  )
  const pid = trace.traceEvents.find(({ name }) => name === "this page")?.pid
  const tasks = trace.traceEvents.filter((event) => event.pid === pid)
  expect(tasks.length).toBeGreaterThan(1_000)
  expect(
    tasks.some(({ name }) => name === "the end"),
    "the trace holds all of it"
  ).toBe(true)
  return Math.round(tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0))
}

/** The payments of a platform that has a hundred thousand; what is searched finds a fifth of them, which are others. */
const answer = (query: URLSearchParams): unknown => {
  const [at, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit"))]
  const [total, kind] = query.has("search") ? [20_000, "found"] : [100_000, "payment"]
  const items = Array.from({ length: limit }, (_, index) => {
    const place = (at - 1) * limit + index
    const number = query.get("sort") === "-amount" ? total - place : place
    return { _id: `${kind}${number}`, amount: number, currency: "USD", status: "succeeded" }
  })
  return { items, page: at, limit, total }
}

it("shows 100,000 rows with a few in the page, and no task of 200 ms, also where all are saved, ordered, searched or read again", async ({
  enter,
  stage
}) => {
  const guest = await enter("/", /404/)
  const { page } = guest
  await page.setViewportSize({ width: 1600, height: 900 })
  await page.route(
    (url) => url.pathname.endsWith("/payment/transaction"),
    (route) => route.fulfill({ json: answer(new URL(route.request().url()).searchParams) })
  )
  await page.route(/payment\/transaction\/(payment|found)\d+(\?|$)/, (route) => {
    const [, id = ""] = /transaction\/(\w+)/.exec(route.request().url()) ?? []
    const amount = Number(id.replace(/\D/g, ""))
    return route.fulfill({ json: { _id: id, amount, currency: "USD", status: "succeeded" } })
  })
  await go(guest, "/payments")
  let read = 0
  page.on("requestfinished", (request) => {
    if (/payment\/transaction\?(?!.*(search=|amount))/.test(request.url())) read += 1
  })
  const list = page.getByRole("region", { name: "Payments", exact: true }).first()
  const amount = list.getByRole("columnheader", { name: "Amount" })
  const top = () => list.locator("[data-row]").first().innerText()
  const says = (rows: string): Promise<void> =>
    list
      .getByRole("status")
      .getByText(rows, { exact: true })
      .waitFor({ timeout: 5 * patience })
  const saveAll = async (): Promise<void> => {
    const saving = page.waitForEvent("download", { timeout: 5 * patience })
    await list.getByRole("button", { name: "List options" }).click()
    await page.getByRole("menuitem", { name: "Save all rows as CSV" }).click()
    await saving
  }
  const longest = await longestTask(stage, page, async () => {
    await saveAll()
    await says("100,000")
    for (const [order, first] of [
      ["ascending", "$0.00"],
      ["descending", "$100,000.00"]
    ] as const) {
      await amount.getByRole("button").click()
      await amount.and(page.locator(`[aria-sort=${order}]`)).waitFor()
      await expect.poll(top).toContain(`, ${first},`)
    }
    await list.getByRole("searchbox").fill("some")
    await says("200 of 20,000")
    await saveAll()
    await says("20,000")
    await expect.poll(top).toContain(", $20,000.00,")
    // The whole list is there at once, as it was. Who comes back to it, or to the window, has all of it read again.
    read = 0
    await list.getByRole("searchbox").fill("")
    await amount.getByRole("button").click()
    await says("100,000")
    await list.locator("[data-row]").first().focus()
    for (const key of ["PageDown", "End", "ArrowUp", "Home", "End"]) await page.keyboard.press(key)
    const row = page.locator("tr[aria-rowindex='100001']")
    await row.filter({ has: page.locator(":focus") }).waitFor()
    expect(await page.getByRole("row").count()).toBeLessThan(60)
    expect(await list.getByRole("table").getAttribute("aria-rowcount")).toBe("100001")
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await expect.poll(() => read, { timeout: 5 * patience }).toBeGreaterThanOrEqual(500)
    await settle(page)
  })
  console.info(`The longest task with 100,000 rows, in milliseconds of CPU: ${longest}.`)
  expect(longest).toBeLessThan(200)
})

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

it("shows 100,000 rows with a few in the page, and no task of 200 ms, also where all are ordered, searched or read again", async ({
  enter,
  stage
}) => {
  const guest = await enter("/")
  const { page } = guest
  await page.route(
    (url) => url.pathname.endsWith("/payment/transaction"),
    (route) => {
      const query = new URL(route.request().url()).searchParams
      const [at, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit"))]
      // What is searched finds a fifth of them.
      const total = query.has("search") ? 20_000 : 100_000
      const items = Array.from({ length: limit }, (_, index) => {
        const place = (at - 1) * limit + index
        const number = query.get("sort") === "-amount" ? total - place : place
        return { _id: `payment${number}`, amount: number, currency: "USD", status: "succeeded" }
      })
      return route.fulfill({ json: { items, page: at, limit, total } })
    }
  )
  await go(guest, "/commerce")
  let read = 0
  page.on("requestfinished", (request) => {
    if (/payment\/transaction(?!.*(search|sort)=)/.test(request.url())) read += 1
  })
  const amount = page.getByRole("columnheader", { name: "Amount" })
  const top = () => page.getByRole("region", { name: "Payments" }).getByRole("link").first().innerText()
  const says = (rows: string): Promise<void> =>
    page
      .getByRole("status")
      .getByText(rows, { exact: true })
      .waitFor({ timeout: 5 * patience })
  const longest = await longestTask(stage, page, async () => {
    await page.getByRole("button", { name: "Read all" }).click()
    await says("100,000 rows")
    for (const [order, first] of [
      ["ascending", "$0.00"],
      ["descending", "$100,000.00"]
    ] as const) {
      await amount.getByRole("button").click()
      await amount.and(page.locator(`[aria-sort=${order}]`)).waitFor()
      await expect.poll(top).toBe(first)
    }
    await page.getByRole("searchbox").fill("some")
    await says("200 of 20,000 rows")
    await page.getByRole("button", { name: "Read all" }).click()
    await says("20,000 rows")
    await expect.poll(top).toBe("$20,000.00")
    // The whole list is there at once, as it was. Who comes back to it, or to the window, has all of it read again.
    read = 0
    await page.getByRole("searchbox").fill("")
    await amount.getByRole("button").click()
    await says("100,000 rows")
    await page.getByRole("region", { name: "Payments" }).getByRole("link").first().focus()
    for (const key of ["PageDown", "End", "ArrowUp", "Home", "End"]) await page.keyboard.press(key)
    const row = page.locator("tr[aria-rowindex='100001']")
    await row.filter({ has: page.locator(":focus") }).waitFor()
    expect(await page.getByRole("row").count()).toBeLessThan(60)
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("100001")
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await expect.poll(() => read, { timeout: 5 * patience }).toBeGreaterThanOrEqual(500)
    await settle(page)
  })
  console.info(`The longest task with 100,000 rows, in milliseconds of CPU: ${longest}.`)
  expect(longest).toBeLessThan(200)
})

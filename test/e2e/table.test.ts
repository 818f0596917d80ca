/** The table of every list, against the real server: what its address keeps, what its rows do, how many there may be. */
import { text } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, patience, type Stage, settle } from "./stage.js"

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") ?? null)

const soon = { timeout: patience }

it("keeps search, order and columns in the address, over details and a reload, and takes them to no other list", async ({
  enter
}) => {
  const { page } = await enter("/commerce")
  const search = page.getByRole("searchbox", { name: "Find payments" })
  await page.getByRole("button", { name: "Amount" }).click()
  await page
    .getByRole("columnheader", { name: "Amount" })
    .and(page.locator("[aria-sort=ascending]"))
    .waitFor()
  await search.fill("succeeded")
  await page.getByRole("button", { name: "View", exact: true }).click()
  await page.getByRole("checkbox", { name: "Provider" }).uncheck()
  await page.keyboard.press("Escape")
  await settle(page)
  await page.getByRole("region", { name: "Payments" }).getByRole("link").first().click()
  await page.getByRole("dialog", { name: /^Payment / }).waitFor()
  const shared = new URL(page.url()).searchParams
  expect(Object.fromEntries(shared)).toMatchObject({ search: "succeeded", sort: "amount", hide: "Provider" })
  await page.keyboard.press("Escape")
  await page.reload()
  await page.getByRole("columnheader", { name: "Created" }).waitFor()
  expect(await search.inputValue()).toBe("succeeded")
  expect(await page.getByRole("columnheader", { name: "Provider" }).count()).toBe(0)
  await page.getByRole("link", { name: "Requests", exact: true }).click()
  expect(await page.getByRole("searchbox", { name: "Find requests" }).inputValue()).toBe("")
})

it("goes back from a row to the list with its search, and leaves no step to a row that was closed", async ({
  enter
}) => {
  const { page } = await enter()
  for (const [place, path] of [
    ["Data", "/data/users?search=be"],
    ["Content", "/library?search=a"],
    ["Requests", "/requests?search=a"]
  ] as const) {
    await page.getByRole("link", { name: "Overview", exact: true }).click()
    await page.getByRole("link", { name: place, exact: true }).click()
    await page.getByRole("searchbox").fill(path.split("=")[1] ?? "")
    await page.waitForURL(`**${path}`)
    const open = (): Promise<void> => page.getByRole("row").getByRole("link").first().click()
    const isClosed = async (): Promise<void> => {
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.waitForURL(`**${path}`)
    }
    await open()
    await page.getByRole("dialog").waitFor()
    await page.goBack()
    await isClosed()
    await open()
    await page.keyboard.press("Escape")
    await isClosed()
    await page.goBack()
    await page.getByRole("heading", { name: /^Welcome/ }).waitFor()
  }
})

it("saves as CSV exactly the rows that are found, or those that are selected", async ({ enter }) => {
  const guest = await enter("/data/orders?search=cancelled")
  const { page } = guest
  await settle(page)
  const rows = Number(await page.getByRole("table").getAttribute("aria-rowcount"))
  const saved = async (): Promise<ReadonlyArray<string>> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click()
    ])
    return (await text(await download.createReadStream())).trimEnd().split("\r\n")
  }
  const lines = await saved()
  expect(lines.length).toBe(rows)
  expect(lines[0]).toBe("Number,User,Total,Status,Created")
  expect(lines.slice(1).every((line) => line.includes(",cancelled,"))).toBe(true)
  await page
    .getByRole("checkbox", { name: /^Select [^t]/ })
    .first()
    .check()
  expect(await saved()).toEqual(lines.slice(0, 2))
  await go(guest, "/data/orders?search=nothing-like-this")
  await page.getByText("Nothing found").waitFor()
  expect(await page.getByRole("button", { name: "Download CSV" }).count()).toBe(0)
})

it("opens a row from any of its cells, and by the keyboard alone", async ({ enter }) => {
  const { page } = await enter("/requests")
  const row = page.getByRole("row").nth(2)
  const under = await row
    .getByRole("cell")
    .last()
    .evaluate((cell) => {
      const { x, y } = cell.getBoundingClientRect()
      return document.elementFromPoint(x + 5, y + 5)?.getAttribute("href")
    })
  expect(under, "the whole row is a link, which the browser opens in any way it knows").toMatch(
    /^\/requests\/./
  )
  await page.keyboard.press("/")
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel), soon).toBe("Find requests")
  await row.getByRole("cell").last().click({ force: true })
  await page.getByRole("dialog").waitFor()
  await page.keyboard.press("Escape")
  await expect.poll(() => page.getByRole("dialog").count(), soon).toBe(0)
  await row.getByRole("link").focus()
  for (const [key, index] of [
    ["ArrowDown", "4"],
    ["ArrowUp", "3"],
    ["End", "81"],
    ["Home", "2"]
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page), soon).toBe(index)
  }
  await page.keyboard.press(" ")
  await page.getByText("1 selected of 80 rows").waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("dialog").waitFor()
})

it("begins each page at its top", async ({ enter }) => {
  const { page } = await enter("/")
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await page.getByRole("link", { name: "Requests", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await expect.poll(() => page.locator("main").evaluate((main) => main.scrollTop), soon).toBe(0)
})

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
      await expect.poll(top, soon).toBe(first)
    }
    await page.getByRole("searchbox").fill("some")
    await says("200 of 20,000 rows")
    await page.getByRole("button", { name: "Read all" }).click()
    await says("20,000 rows")
    await expect.poll(top, soon).toBe("$20,000.00")
    // The whole list is there at once, as it was. Who comes back to it, or to the window, has all of it read again.
    read = 0
    await page.getByRole("searchbox").fill("")
    await amount.getByRole("button").click()
    await says("100,000 rows")
    await page.getByRole("region", { name: "Payments" }).getByRole("link").first().focus()
    for (const key of ["PageDown", "End", "ArrowUp", "Home", "End"]) await page.keyboard.press(key)
    await expect.poll(() => focused(page), soon).toBe("100001")
    expect(await page.getByRole("row").count()).toBeLessThan(60)
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("100001")
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await expect.poll(() => read, { timeout: 5 * patience }).toBeGreaterThanOrEqual(500)
    await settle(page)
  })
  console.info(`The longest task with 100,000 rows, in milliseconds of CPU: ${longest}.`)
  expect(longest).toBeLessThan(200)
})

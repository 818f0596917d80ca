/** The table of every list, against the real server: what its address keeps, what its rows do, how many there may be. */
import { text } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle } from "./stage.js"

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") ?? null)

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
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.waitForURL(({ pathname }) => pathname === "/commerce")
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
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Find requests")
  await row.getByRole("cell").last().click({ force: true })
  await page.getByRole("dialog").waitFor()
  await page.keyboard.press("Escape")
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
  await row.getByRole("link").focus()
  for (const [key, index] of [
    ["ArrowDown", "4"],
    ["ArrowUp", "3"],
    ["End", "81"],
    ["Home", "2"]
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(index)
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
  await expect.poll(() => page.locator("main").evaluate((main) => main.scrollTop)).toBe(0)
})

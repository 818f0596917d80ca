/** The list of every place, against the real server: what its address keeps, what its rows do, how one comes back to it, and its file. */
import { buffer } from "node:stream/consumers"
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle } from "./stage.js"

const wide = { width: 1600, height: 900 }
const phone = { width: 390, height: 844 }

const list = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true }).first()

const rows = (page: Page): Locator => page.locator("[data-row]")

/** The number of the row that has the focus. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") ?? null)

const menuLink = (page: Page, name: string): Locator =>
  page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: new RegExp(`^${name}`) })

/** Does what an entry of the list's menu says. */
const choose = async (page: Page, entry: string): Promise<void> => {
  await page.getByRole("button", { name: "List options" }).click()
  await page.getByRole("menuitem", { name: entry }).click()
}

it("keeps search and order in the address, over details and a reload, and takes them to no other list", async ({
  enter
}) => {
  const { page } = await enter()
  await page.setViewportSize(wide)
  await go({ page }, "/orders?tab=all")
  const search = page.getByRole("searchbox", { name: "Find by number or customer" })
  await page.getByRole("button", { name: "Total" }).click()
  const ascending = page
    .getByRole("columnheader", { name: "Total" })
    .and(page.locator("[aria-sort=ascending]"))
  await ascending.waitFor()
  await search.fill("zura")
  await page.waitForURL(/search=zura/)
  await settle(page)
  await rows(page).nth(1).click()
  const id = await rows(page).nth(1).getAttribute("data-row")
  await page.waitForURL(({ pathname }) => pathname === `/orders/${id}`)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    tab: "all",
    search: "zura",
    sort: "total"
  })
  await page.reload()
  await ascending.waitFor()
  expect(await search.inputValue()).toBe("zura")
  await expect.poll(() => page.locator("[data-row][aria-current]").getAttribute("data-row")).toBe(id)
  await menuLink(page, "Requests").click()
  expect(await page.getByRole("searchbox", { name: "Find requests" }).inputValue()).toBe("")
  expect(new URL(page.url()).searchParams.get("sort")).toBe(null)
})

it("goes back from a row to the list with its search, and leaves no step to a row that was closed", async ({
  enter
}) => {
  const { page } = await enter()
  await page.setViewportSize(phone)
  for (const [label, path] of [
    ["Customers", "/customers?search=be"],
    ["Content", "/library?search=a"],
    ["Requests", "/requests?search=a"]
  ] as const) {
    await go({ page }, "/developers")
    await page.getByRole("button", { name: "Open the menu" }).click()
    await page
      .getByRole("dialog", { name: "Menu" })
      .getByRole("link", { name: new RegExp(`^${label}`) })
      .click()
    await page.getByRole("heading", { level: 1, name: label }).waitFor()
    await page
      .getByRole("searchbox")
      .first()
      .fill(path.split("=")[1] ?? "")
    await page.waitForURL(`**${path}`)
    await settle(page)
    const isClosed = async (): Promise<void> => {
      await page.waitForURL(`**${path}`)
      await list(page, label).waitFor()
    }
    const open = async (): Promise<void> => {
      await rows(page).first().click()
      await page.waitForURL(({ pathname }) => pathname.split("/").length > 2)
      await page.getByRole("heading", { level: 2 }).first().waitFor()
    }
    await open()
    await page.goBack()
    await isClosed()
    await open()
    await page.getByRole("link", { name: label, exact: true }).filter({ visible: true }).click()
    await isClosed()
    await page.goBack()
    await page.getByRole("heading", { level: 1, name: "Developers" }).waitFor()
  }
})

it("leaves no step to the rows that one only passed beside a wide list", async ({ enter }) => {
  const { page } = await enter("/developers")
  await menuLink(page, "Orders").click()
  await page.waitForURL(/\/orders\/\w+/)
  for (const key of ["j", "j", "k"]) await page.keyboard.press(key)
  await rows(page).nth(3).click()
  await page.goBack()
  await page.getByRole("heading", { level: 1, name: "Developers" }).waitFor()
})

it("keeps how far a list was scrolled for whoever comes back to it", async ({ enter }) => {
  const { page } = await enter("/developers")
  await page.setViewportSize(phone)
  await go({ page }, "/customers")
  const scrolled = () =>
    rows(page)
      .first()
      .evaluate((row) => row.closest("[aria-label='Rows of customers']")?.scrollTop ?? -1)
  await rows(page).first().waitFor()
  await list(page, "Customers").hover()
  await page.mouse.wheel(0, 1_500)
  await expect.poll(scrolled).toBeGreaterThan(500)
  const before = await scrolled()
  const shown = rows(page).and(page.locator(":not([tabindex='0'])")).filter({ visible: true })
  await shown.nth(Math.floor((await shown.count()) / 2)).click()
  await page.waitForURL(/\/customers\/\w+/)
  await page.goBack()
  await expect.poll(scrolled).toBeGreaterThan(before - 200)
})

it("saves as CSV exactly the rows that are found, or those that are ticked", async ({ enter, stage }) => {
  const guest = await enter("/orders?tab=cancelled")
  const { page } = guest
  const cancelled = stage.sandbox.platform.state.orders.filter(({ status }) => status === "cancelled")
  await rows(page).first().waitFor()
  await settle(page)
  const saved = async (entry: string): Promise<ReadonlyArray<string>> => {
    const [download] = await Promise.all([page.waitForEvent("download"), choose(page, entry)])
    // A text decoder takes away the mark that tells spreadsheets that it is UTF-8.
    const bytes = await buffer(await download.createReadStream())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    return bytes.subarray(3).toString().trimEnd().split("\r\n")
  }
  const lines = await saved("Save all rows as CSV")
  expect(lines[0]).toBe("Number,Customer,Customer ID,Status,Type,Lines,Total,Currency,Ordered")
  expect(lines.length - 1).toBe(cancelled.length)
  expect(lines.slice(1).every((line) => line.includes(",Cancelled,"))).toBe(true)
  await page
    .getByRole("checkbox", { name: /^Tick / })
    .first()
    .check({ force: true })
  expect(await saved("Save the ticked rows as CSV")).toEqual(lines.slice(0, 2))
  await go(guest, "/orders?tab=all&search=nothing-like-this")
  await page.getByText("No orders match “nothing-like-this”").waitFor()
  await page.getByRole("button", { name: "List options" }).click()
  await page.getByRole("menu").waitFor()
  expect(await page.getByRole("menuitem", { name: /CSV/ }).count()).toBe(0)
})

it("opens a row from any of its cells, and by the keyboard alone", async ({ enter }) => {
  const { page } = await enter()
  await page.setViewportSize(wide)
  await go({ page }, "/orders?tab=all")
  const row = list(page, "Orders").getByRole("row").nth(2)
  const under = await row
    .getByRole("cell")
    .last()
    .evaluate((cell) => {
      const { x, y } = cell.getBoundingClientRect()
      return document
        .elementFromPoint(x + 5, y + 5)
        ?.closest("a")
        ?.getAttribute("href")
    })
  expect(under, "the whole row is a link, which the browser opens in any way it knows").toMatch(
    /^\/orders\/./
  )
  await page.keyboard.press("/")
  const find = page.getByRole("searchbox", { name: "Find by number or customer" })
  await expect.poll(() => find.evaluate((field) => field === document.activeElement)).toBe(true)
  await row.getByRole("cell").last().click({ force: true })
  const id = await row.locator("[data-row]").getAttribute("data-row")
  await page.waitForURL(({ pathname }) => pathname === `/orders/${id}`)
  await expect.poll(() => focused(page)).toBe("3")
  const last = await list(page, "Orders").getByRole("table").getAttribute("aria-rowcount")
  for (const [key, index] of [
    ["ArrowDown", "4"],
    ["ArrowUp", "3"],
    ["End", last],
    ["Home", "2"]
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(index)
  }
  await page.keyboard.press(" ")
  await page.getByText("1 ticked").waitFor()
  const title = page.getByRole("heading", { level: 2 }).first()
  await page.keyboard.press("Enter")
  await expect.poll(() => title.evaluate((heading) => heading === document.activeElement)).toBe(true)
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page)).toBe("2")
})

it("begins each page at its top", async ({ enter }) => {
  const { page } = await enter("/developers")
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.locator("main").evaluate((main) => main.scrollTo(0, main.scrollHeight))
  expect(await page.locator("main").evaluate((main) => main.scrollTop)).toBeGreaterThan(0)
  await go({ page }, "/settings")
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
  await expect.poll(() => page.locator("main").evaluate((main) => main.scrollTop)).toBe(0)
})

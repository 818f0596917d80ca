/** Lists of a platform that passes over what it is asked for: the page looks itself, says among how many, and hides nothing in silence. */
import { text } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, type Stage, settle } from "./stage.js"

const total = 1_200
const every = 100

const note = (page: Page, words: string) => page.getByRole("status").getByText(words)
const counted = (page: Page, count: string) => page.getByRole("status").getByText(count, { exact: true })
const rows = (page: Page) => page.locator("[data-row]")

/** Answers all orders, whatever is asked for but the page; every hundredth is of the customer. */
const answerAll = async (page: Page, { sandbox }: Stage, customer: string): Promise<void> => {
  const [order] = sandbox.platform.state.orders.all()
  const orders = Array.from({ length: total }, (_, index) => ({
    ...order,
    _id: String(index).padStart(24, "0"),
    number: `RH-${20_000 + index}`,
    status: "new",
    userId: index % every === every - 1 ? customer : "f".repeat(24)
  }))
  await page.route(/\/ecommerce\/order\?/, (route) => {
    const asked = new URL(route.request().url()).searchParams
    const [number, limit] = [Number(asked.get("page") ?? 1), Number(asked.get("limit") ?? 20)]
    const items = orders.slice((number - 1) * limit, number * limit)
    return route.fulfill({
      json: { items, paging: { page: number, limit, total, pages: Math.ceil(total / limit) } }
    })
  })
}

it("looks for the orders of a customer itself, further on demand, and saves all of them", async ({
  enter,
  stage
}) => {
  const guest = await enter("/customers", /404/)
  const { page } = guest
  const customer = stage.sandbox.platform.state.users.filter(({ fullName }) => fullName === "Zura Novak")[0]
  await answerAll(page, stage, String(customer?._id))
  await go(guest, `/orders?tab=all&customer=${customer?._id}`)
  await note(page, "Searched among the last 600 orders.").waitFor()
  await counted(page, "6").waitFor()
  await page.getByRole("button", { name: "List options" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Save all rows as CSV" }).click()
  ])
  const saved = await text(await download.createReadStream())
  expect(saved.trimEnd().split("\r\n").length - 1).toBe(total / every)
  await go(guest, "/orders?tab=all&search=rh-21150")
  await note(page, "Searched among the last 600 orders.").waitFor()
  await page.getByText("No orders match").waitFor()
  await page.getByRole("button", { name: "Search more" }).click()
  await page.getByRole("link", { name: "RH-21150" }).waitFor()
  await expect.poll(() => note(page, "Searched among").count()).toBe(0)
})

it("takes for found only what has the text, also where much of the list was read before", async ({
  enter,
  stage
}) => {
  const guest = await enter("/customers", /404/)
  const { page } = guest
  await answerAll(page, stage, "0".repeat(24))
  await go(guest, "/orders?tab=all")
  await page.keyboard.press("j")
  await page.keyboard.press("End")
  await counted(page, "400 of 1,200").waitFor()
  await page.keyboard.press("/")
  await page.keyboard.type("zzzqq")
  await note(page, "Searched among the last 600 orders.").waitFor()
  await expect.poll(() => rows(page).count()).toBe(0)
})

it("says in the palette among how many it looked, with and without a total", async ({ enter, stage }) => {
  const { page } = await enter("/requests")
  const customer = stage.sandbox.platform.state.users.filter(({ fullName }) => fullName === "Zura Novak")[0]
  await answerAll(page, stage, String(customer?._id))
  await settle(page)
  await page.keyboard.press("Control+k")
  const field = page.getByRole("combobox", { name: "Search or run a command" })
  await field.fill("RH-21100")
  await page.getByText("Orders: among the last 30.").waitFor()
  await page.route(/\/ecommerce\/order\?/, async (route) => {
    const asked = new URL(route.request().url()).searchParams
    const isSearched = asked.has("search")
    const [order] = stage.sandbox.platform.state.orders.all()
    const items = Array.from({ length: isSearched ? 0 : 30 }, (_, index) => ({
      ...order,
      _id: String(index).padStart(24, "0"),
      userId: "f".repeat(24)
    }))
    await route.fulfill({ json: { items, paging: { page: 1, limit: 30 } } })
  })
  await field.fill("zura novak")
  await page.getByText("Orders: among the last 30.").waitFor()
})

it("finds requests and customers by their texts where the platform does not", async ({ enter, stage }) => {
  const { requests, users } = stage.sandbox.platform.state
  const guest = await enter("/files")
  const { page } = guest
  const title = "Nothing else is called this"
  const request = requests.filter(({ status }) => status === "pending")[0]
  if (request !== undefined) requests.put({ ...request, title })
  await page.route(/\/(request-action|user)\?/, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.delete("search")
    return route.continue({ url: url.href })
  })
  await go(guest, `/requests?search=${encodeURIComponent(title.toLowerCase())}`)
  await expect.poll(() => rows(page).count()).toBe(1)
  const email = users.filter(({ fullName }) => fullName === "Zura Novak")[0]?.email
  await go(guest, `/customers?search=${email}`)
  await expect.poll(() => rows(page).count()).toBe(1)
})

it("says of a name that more customers have than can be asked for that it looked for some of them", async ({
  enter,
  stage
}) => {
  const { users } = stage.sandbox.platform.state
  const [user] = users.all()
  for (let index = 0; index < 101; index++)
    if (user !== undefined)
      users.put({ ...user, _id: String(index).padStart(24, "e"), fullName: `Nestan ${index}` })
  const { page } = await enter("/orders?tab=all&search=nestan")
  await page.getByText(/^Only 100 customers were searched by name/).waitFor()
})

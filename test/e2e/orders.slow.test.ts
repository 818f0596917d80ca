/** Orders as one works through them: found by whose they are, taken on by keys, undone, several at once, and on a phone. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Orders", exact: true }).first()
const details = (page: Page) => page.getByRole("region", { name: "Details" })
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** The first open order is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
}

it("shows what was ordered as a table with its total, what of it is paid, and whose it is", async ({
  enter,
  stage
}) => {
  const { orders, users } = stage.sandbox.platform.state
  const order = orders.filter(
    ({ lines, userId }) => lines.length > 1 && orders.filter((other) => other.userId === userId).length > 1
  )[0]
  const { page } = await enter(`/orders/${order?._id}`)
  await settle(page)
  await page.getByRole("heading", { level: 2, name: order?.number ?? "" }).waitFor()
  await details(page)
    .getByText(/^Paid \$/)
    .waitFor()
  const rows = details(page).getByRole("table").getByRole("row")
  expect(await rows.count()).toBe((order?.lines.length ?? 0) + 2)
  await rows.last().getByText("Total").waitFor()
  await page
    .getByRole("link", { name: users.peek(order?.userId ?? "")?.fullName ?? "" })
    .first()
    .waitFor()
  const others = details(page).getByRole("region", { name: "Orders" }).getByRole("link")
  await others.first().waitFor()
  expect(await others.filter({ hasText: order?.number ?? "" }).count()).toBe(0)
})

it("finds orders by the name of their customer, which stands in their rows, and by their number", async ({
  enter,
  stage
}) => {
  const { orders, users } = stage.sandbox.platform.state
  const zuras = new Set(users.filter(({ fullName }) => fullName.startsWith("Zura")).map(({ _id }) => _id))
  const theirs = orders.filter(({ userId }) => zuras.has(userId))
  const { page } = await enter("/orders?tab=all")
  await begin(page)
  await page.keyboard.press("/")
  await page.keyboard.type("zura")
  const links = list(page).locator("[data-row]")
  await expect.poll(() => links.count()).toBe(theirs.length)
  for (const text of await list(page).locator("[data-row]").allInnerTexts()) expect(text).toContain("Zura")
  const [first] = theirs
  await page.getByRole("searchbox", { name: "Find by number or customer" }).fill(first?.number ?? "")
  await expect.poll(() => links.count()).toBe(1)
})

it("saves the orders that are found with the names of their customers and their currency", async ({
  enter
}) => {
  const { page } = await enter("/orders?tab=all&search=zura")
  await begin(page)
  await page.getByRole("button", { name: "List options" }).click()
  const download = page.waitForEvent("download")
  await page.getByRole("menuitem", { name: "Save all rows as CSV" }).click()
  const stream = await (await download).createReadStream()
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const [head, ...rows] = Buffer.concat(chunks).toString("utf8").trim().split("\r\n")
  for (const title of ["Customer", "Currency", "Total"]) expect(head).toContain(title)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    expect(row).toContain("Zura")
    expect(row).toContain("USD")
  }
})

it("confirms by one key, and undoes it unless somebody has changed the order in the meantime", async ({
  enter,
  stage
}) => {
  const { orders } = stage.sandbox.platform.state
  const [order, other] = orders.filter(({ status }) => status === "new")
  const guest = await enter(`/orders/${order?._id}`)
  const { page } = guest
  const status = (id = order?._id) => orders.peek(id ?? "")?.status
  await settle(page)
  await page.keyboard.press("c")
  await expect.poll(() => status()).toBe("confirmed")
  await page.getByRole("button", { name: /^Undo/ }).waitFor()
  await page.keyboard.press("u")
  await expect.poll(() => status()).toBe("new")
  await go(guest, `/orders/${other?._id}`)
  await page.keyboard.press("c")
  await expect.poll(() => status(other?._id)).toBe("confirmed")
  await page.getByRole("button", { name: /^Undo/ }).waitFor()
  const present = orders.peek(other?._id ?? "")
  if (present !== undefined) orders.put({ ...present, status: "delivered" })
  await page.keyboard.press("u")
  await page.getByText("Someone else has changed it since.").waitFor()
  expect(status(other?._id)).toBe("delivered")
})

it("asks before an order counts as paid or is cancelled, and goes to the next one by the same letters", async ({
  enter,
  stage
}) => {
  const { orders } = stage.sandbox.platform.state
  const { page } = await enter("/orders?status=confirmed")
  await begin(page)
  const id = idIn(page)
  await page.keyboard.press("n")
  await page.keyboard.press("p")
  const question = page.getByRole("alertdialog")
  await question.getByText("No money is moved.").waitFor()
  expect(orders.peek(id)?.status).toBe("confirmed")
  await question.getByRole("button", { name: "Mark as paid" }).click()
  await expect.poll(() => orders.peek(id)?.status).toBe("paid")
  await expect.poll(() => idIn(page)).not.toBe(id)
  const next = idIn(page)
  await page.keyboard.press("s")
  await page.keyboard.press("x")
  await question.getByRole("button", { name: "Keep the order" }).click()
  expect(orders.peek(next)?.status).toBe("confirmed")
})

it("sets the status of ticked orders at once, with their number on the button", async ({ enter, stage }) => {
  const { orders } = stage.sandbox.platform.state
  const { page } = await enter("/orders?status=new")
  await begin(page)
  const first = idIn(page)
  await page.keyboard.press("x")
  await page.keyboard.press("j")
  await expect.poll(() => idIn(page)).not.toBe(first)
  const second = idIn(page)
  await page.keyboard.press("x")
  await page.getByRole("button", { name: "Set status…" }).click()
  const dialog = page.getByRole("dialog", { name: "Set the status of 2 orders" })
  await dialog.getByRole("button", { name: /Status/ }).click()
  await page.getByRole("option", { name: "Confirmed" }).click()
  await dialog.getByRole("button", { name: "Set 2 orders to Confirmed" }).click()
  for (const id of [first, second]) await expect.poll(() => orders.peek(id)?.status).toBe("confirmed")
})

it("says of a dead id that the order no longer exists, with a way back and no retry", async ({ enter }) => {
  const { page } = await enter("/orders/5eedffffffffffffffffffff", /404/)
  await page.getByText("This order no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await page.getByRole("link", { name: "Back to Orders" }).click()
  await begin(page)
})

it("offers a role that may not change orders nothing to change, and says so once", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/orders")
  await begin(guest.page)
  await guest.page.getByText("You can view orders, but your role does not let you change them.").waitFor()
  expect(await guest.page.getByRole("button", { name: /^(Confirm|Mark as)/ }).count()).toBe(0)
})

it("shows list and order one after the other on a phone, and nothing is cut off", async ({ enter }) => {
  const { page } = await enter("/")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(new URL("/orders", page.url()).href)
  await settle(page)
  await list(page).locator("[data-row]").first().click()
  await details(page)
    .getByText(/^Paid \$/)
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const status = await page.getByRole("group", { name: "Status" }).boundingBox()
  expect((status?.x ?? 0) + (status?.width ?? 0)).toBeLessThanOrEqual(390)
  await page.getByRole("link", { name: "Orders" }).first().click()
  await list(page).locator("[data-row]").first().waitFor()
})

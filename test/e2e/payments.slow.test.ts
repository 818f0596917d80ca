/** Payments as one works with them: found by whose they are, refunded in part by keys, never twice, and what became of it. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Payments", exact: true }).first()
const question = (page: Page) => page.getByRole("alertdialog")
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** A payment is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
}

it("takes an amount as text: no wheel changes it, and more than is left is refused beside it", async ({
  enter,
  stage
}) => {
  const paid = stage.sandbox.platform.state.transactions.filter(({ status }) => status === "succeeded")[1]
  const { page } = await enter(`/payments/${paid?._id}`)
  await settle(page)
  await page.keyboard.press("r")
  const amount = page.getByRole("textbox", { name: "Amount in USD" })
  expect(await amount.getAttribute("inputmode")).toBe("decimal")
  await amount.fill("1,5")
  await amount.hover()
  await page.mouse.wheel(0, 300)
  expect(await amount.inputValue()).toBe("1,5")
  await page.getByRole("button", { name: "Refund $1.50…" }).waitFor()
  await amount.fill(String((paid?.amount ?? 0) + 1))
  await page.keyboard.press("Enter")
  await page.getByText(/^At most \$.* is left\.$/).waitFor()
  expect(await question(page).count()).toBe(0)
  await amount.fill("1.005")
  await page.keyboard.press("Enter")
  await page.getByText("At most 2 decimal places.").waitFor()
})

it("looks again and says what became of a refund whose answer was lost, and sends none by itself", async ({
  enter,
  stage
}) => {
  const { transactions } = stage.sandbox.platform.state
  const [, , paid] = transactions.filter(({ status }) => status === "succeeded")
  const { page } = await enter(`/payments/${paid?._id}`, /ERR_/)
  await settle(page)
  let sent = 0
  // The platform does its work, and the answer never arrives.
  await page.route("**/refund?*", async (route) => {
    sent += 1
    await route.fetch()
    await route.abort("connectionreset")
  })
  await page.keyboard.press("r")
  await page.keyboard.type("3")
  await page.keyboard.press("Enter")
  await question(page)
    .getByRole("button", { name: /^Refund / })
    .click()
  await page.getByText("The refund went through.").waitFor()
  expect(sent).toBe(1)
  expect(transactions.peek(paid?._id ?? "")?.refundedAmount).toBe(3)
})

it("keeps the form with the platform's reason beside the amount where a refund is refused", async ({
  enter,
  stage
}) => {
  const paid = stage.sandbox.platform.state.transactions.filter(({ status }) => status === "succeeded")[3]
  const { page } = await enter(`/payments/${paid?._id}`, /400/)
  await settle(page)
  await page.route("**/refund?*", (route) =>
    route.fulfill({ status: 400, json: { message: "The bank does not take it" } })
  )
  await page.keyboard.press("r")
  await page.keyboard.type("3")
  await page.keyboard.press("Enter")
  await question(page)
    .getByRole("button", { name: /^Refund / })
    .click()
  await page.getByText("The bank does not take it").first().waitFor()
  expect(await page.getByRole("textbox", { name: "Amount in USD" }).inputValue()).toBe("3")
})

it.for([390, 1_280])(
  "never cuts the day of a payment, and names a tick by its customer, at %d px",
  async (width, { enter }) => {
    const { page } = await enter("/requests")
    await page.setViewportSize({ width, height: 844 })
    await go({ page }, "/payments")
    const row = list(page).locator("[data-row]").first()
    const paidAt = row.getByText(/^( · )?\d+ \w+( \d{4})?$/)
    await paidAt.waitFor()
    // It is as wide as what it says, and ends within its row.
    const ends = await paidAt.evaluate((part) => [
      part.scrollWidth - part.clientWidth,
      part.getBoundingClientRect().right - (part.closest("li")?.getBoundingClientRect().right ?? 0)
    ])
    expect(Math.max(...ends)).toBeLessThanOrEqual(0)
    const name = (await list(page).getByRole("checkbox").first().getAttribute("aria-label")) ?? ""
    const [, amount = "", customer = ""] = /^Tick (\S+), (.+), \d+ \w+( \d{4})?$/.exec(name) ?? []
    const text = await row.innerText()
    expect(text).toMatch(new RegExp(`^${customer}\\s`))
    expect(text).toContain(amount)
  }
)

it("shows which tab is open under the pointer, too, and keeps the focus where filters are cleared", async ({
  enter
}) => {
  const { page } = await enter("/payments")
  await settle(page)
  const tab = list(page).getByRole("link", { name: "Failed", exact: true })
  const look = () =>
    tab.evaluate((link) => [getComputedStyle(link).color, getComputedStyle(link).backgroundColor])
  await tab.click()
  await page.waitForURL(/tab=failed/)
  await settle(page)
  const pressed = await look()
  await page.getByRole("heading", { level: 1 }).hover()
  expect(pressed).toEqual(await look())
  const search = list(page).getByRole("searchbox")
  await search.fill("zzqqx")
  await list(page).getByRole("status").filter({ hasText: "Nothing found" }).waitFor({ state: "attached" })
  await list(page).getByRole("button", { name: "Clear filters" }).press("Enter")
  await list(page).locator("[data-row]").first().waitFor()
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
})

it("finds payments by their customer's name, and narrows them by status", async ({ enter, stage }) => {
  const { transactions, users } = stage.sandbox.platform.state
  const zuras = new Set(users.filter(({ fullName }) => fullName.startsWith("Zura")).map(({ _id }) => _id))
  const failed = transactions.filter(({ status, userId }) => status === "failed" && zuras.has(String(userId)))
  const { page } = await enter("/payments?search=zura&tab=failed")
  await settle(page)
  await expect.poll(() => list(page).locator("[data-row]").count()).toBe(failed.length)
  for (const text of await list(page).locator("[data-row]").allInnerTexts()) expect(text).toContain("Zura")
})

it("offers a role that may not refund no refund, and says so once", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/payments")
  await begin(guest.page)
  await guest.page.getByText("You can view payments, but your role does not let you refund them.").waitFor()
  expect(await guest.page.getByRole("button", { name: /^Refund/ }).count()).toBe(0)
})

it("says of a dead id that the payment no longer exists, with a way back and no retry", async ({ enter }) => {
  const { page } = await enter("/payments/5eedffffffffffffffffffff", /404/)
  await page.getByText("This payment no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await page.getByRole("link", { name: "Back to Payments" }).waitFor()
})

it("ends a question with the place that one leaves by going back, and refunds nothing", async ({
  enter,
  stage
}) => {
  const { transactions } = stage.sandbox.platform.state
  const paid = transactions.filter(({ status }) => status === "succeeded")[4]
  const { page } = await enter("/customers")
  await settle(page)
  await go({ page }, `/payments/${paid?._id}`)
  await page.keyboard.press("r")
  await page.keyboard.press("Enter")
  await question(page)
    .getByRole("button", { name: /^Refund / })
    .waitFor()
  await page.goBack()
  await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor()
  await expect.poll(() => question(page).count()).toBe(0)
  await page.getByRole("searchbox", { name: "Find customers" }).fill("zura")
  expect(transactions.peek(paid?._id ?? "")?.status).toBe("succeeded")
})

/** The customers: notified, changed, added and deleted, by keys and on a phone. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Customers", exact: true }).first()
const title = (page: Page) => page.getByRole("heading", { level: 2 }).first()
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""
const message = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Messages" }).getByText(text)

const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
}

it("notifies one customer by keys, with a preview, and shows how the text came out", async ({
  enter,
  stage
}) => {
  const { notifications } = stage.sandbox.platform.state
  const { page } = await enter("/customers")
  await begin(page)
  const id = idIn(page)
  await page.keyboard.press("m")
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("radio", { name: "Email" }).press("ArrowRight")
  await expect.poll(() => dialog.getByLabel("Subject").count(), { message: "an SMS has none" }).toBe(0)
  await page.keyboard.press("Tab")
  await page.keyboard.type("The water is off on Friday.")
  await dialog.getByRole("region", { name: "Preview" }).getByText("The water is off on Friday.").waitFor()
  await dialog.getByText("27 characters, 1 message").waitFor()
  await dialog.getByRole("button", { name: /^Notify / }).click()
  await message(page, /^Notified .* by SMS/).waitFor()
  expect(await page.getByRole("alertdialog", { name: /\?$/ }).count()).toBe(0)
  const sent = notifications.filter(({ body }) => body === "The water is off on Friday.")
  expect(sent.map(({ channel, userId }) => [channel, userId])).toEqual([["SMS", id]])
})

it("asks before several are notified, and says how many", async ({ enter, stage }) => {
  const { notifications } = stage.sandbox.platform.state
  const { page } = await enter("/customers")
  await begin(page)
  for (const key of ["x", "j", "x", "j", "x"]) await page.keyboard.press(key)
  await list(page).getByRole("button", { name: "Notify" }).click()
  const dialog = page.getByRole("dialog", { name: "Notify 3 customers" })
  await dialog.getByLabel("Subject").fill("New opening hours")
  await dialog.getByRole("button", { name: "Notify 3 customers" }).click()
  const question = page.getByRole("alertdialog", { name: "Notify 3 customers by email?" })
  await question.getByRole("button", { name: "Cancel" }).click()
  expect(notifications.filter(({ title }) => title === "New opening hours")).toHaveLength(0)
  expect(await dialog.getByLabel("Subject").inputValue()).toBe("New opening hours")
  await dialog.getByRole("button", { name: "Notify 3 customers" }).click()
  await question.getByRole("button", { name: "Notify 3 customers" }).click()
  await message(page, "Notified 3 customers by email").waitFor()
  expect(notifications.filter(({ title }) => title === "New opening hours")).toHaveLength(3)
})

it("changes a customer in place, by keys, and takes it back", async ({ enter, stage }) => {
  const { users } = stage.sandbox.platform.state
  const { page } = await enter("/customers")
  await begin(page)
  const id = idIn(page)
  const before = users.peek(id)
  await page.keyboard.press("e")
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type("Nino Abashidze")
  await page.keyboard.press("ControlOrMeta+s")
  await message(page, "Nino Abashidze saved").waitFor()
  expect(users.peek(id)?.fullName).toBe("Nino Abashidze")
  await expect.poll(() => title(page).innerText()).toBe("Nino Abashidze")
  await page.keyboard.press("u")
  await message(page, "Undone").waitFor()
  expect(users.peek(id)?.fullName).toBe(before?.fullName)
})

it("shows both versions where somebody else was faster, and a taken e-mail address at its field", async ({
  enter,
  stage
}) => {
  const { users } = stage.sandbox.platform.state
  const { page } = await enter("/customers", /409/)
  await begin(page)
  const id = idIn(page)
  await page.keyboard.press("e")
  await page.getByLabel("City").fill("Poti")
  const present = users.peek(id)
  if (present) users.put({ ...present, city: "Gori", updatedAt: new Date() })
  await page.getByRole("button", { name: "Save" }).click()
  const question = page.getByRole("alertdialog")
  await question.getByRole("cell", { name: "Gori" }).waitFor()
  await question.getByRole("cell", { name: "Poti" }).waitFor()
  await question.getByRole("button", { name: "Save yours" }).click()
  await message(page, / saved$/).waitFor()
  expect(users.peek(id)?.city).toBe("Poti")
  await page.keyboard.press("e")
  await page.getByLabel("Email").fill("beka@quartet.test")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Someone else has this email address.").waitFor()
})

it("adds a customer with a password that is not shown, and deletes them by name", async ({
  enter,
  stage
}) => {
  const { users } = stage.sandbox.platform.state
  const { page } = await enter("/customers")
  await begin(page)
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.keyboard.press("a")
  await page.keyboard.type("Elene Gelashvili")
  await page.getByLabel("Email").fill("elene@example.test")
  await page.getByRole("button", { name: "Generate and copy" }).click()
  await page.getByText("Copied, but not shown").waitFor()
  expect(await page.getByLabel("First password").getAttribute("type")).toBe("password")
  await page.getByRole("button", { name: "Add customer" }).click()
  await message(page, "Elene Gelashvili added").waitFor()
  await expect.poll(() => title(page).innerText()).toBe("Elene Gelashvili")
  const id = idIn(page)
  expect(users.peek(id)?.type).toBe("resident")
  expect(stage.sandbox.platform.state.passwords.get(id)).toMatch(/^\w{16}$/)
  await page.keyboard.press("Delete")
  const question = page.getByRole("alertdialog", { name: "Delete Elene Gelashvili?" })
  await question.getByText(/orders and payments are kept/).waitFor()
  await question.getByRole("button", { name: "Delete Elene Gelashvili" }).click()
  await message(page, "Elene Gelashvili deleted").waitFor()
  expect(users.peek(id)).toBeUndefined()
  await expect.poll(() => idIn(page)).not.toBe(id)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY")
})

it("narrows the list by type and status, and finds by name", async ({ enter, stage }) => {
  const { users } = stage.sandbox.platform.state
  const { page } = await enter("/customers?type=broker&status=inactive")
  const count = users.filter(({ status, type }) => type === "broker" && status === "inactive").length
  await expect.poll(() => list(page).locator("[data-row]").count()).toBe(count)
  await go({ page }, "/customers?search=nobody-has-this")
  await page.getByText(/^No customers match/).waitFor()
})

it("says that a customer no longer exists, and leads back", async ({ enter }) => {
  const { page } = await enter("/customers/0123456789abcdef01234567", /404/)
  await page.getByText("This customer no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await page.getByRole("link", { name: "Back to Customers" }).click()
  await begin(page)
})

it("offers a viewer what they may do, and says so once", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/customers")
  const { page } = guest
  await begin(page)
  await page.getByText("You can view customers, but your role does not let you change them.").waitFor()
  for (const name of ["Notify", "Edit", "New customer"])
    expect(await page.getByRole("button", { name }).count()).toBe(0)
  for (const key of ["m", "e", "a", "Delete"]) await page.keyboard.press(key)
  expect(await page.getByRole("dialog").count()).toBe(0)
})

it("calls, writes and notifies from a phone, with the later groups closed", async ({ enter }) => {
  const { page } = await enter("/requests")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(new URL("/customers", page.url()).href)
  await settle(page)
  await list(page).getByRole("link").first().click()
  await page.getByRole("link", { name: "Call" }).waitFor()
  await page.getByRole("link", { name: "Email" }).waitFor()
  await page.getByRole("button", { name: "Notify" }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const closed = await page.evaluate(
    () => document.querySelectorAll("details:not([open]) > summary h3").length
  )
  expect(closed).toBe(3)
  await page.getByRole("link", { name: "Customers", exact: true }).first().click()
  await expect.poll(() => new URL(page.url()).pathname).toBe("/customers")
})

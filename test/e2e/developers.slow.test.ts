/** The palette, the keys and the pages for developers, as a person uses them. */

import { expect } from "vitest"
import { go, it, settle } from "./stage.js"

it("the palette finds nothing only after all lists have answered, and offers the rows that were opened last", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await page.keyboard.press("j")
  await page.waitForURL(/\/requests\/\w+/)
  await page.keyboard.press("Control+k")
  const dialog = page.getByRole("dialog", { name: "Search or run a command" })
  await dialog.getByRole("group", { name: "Recently opened" }).getByRole("option").first().waitFor()
  await page.keyboard.type("zzqqx")
  await dialog.getByRole("status").filter({ hasText: "Searching…" }).waitFor()
  await dialog
    .getByRole("status")
    .filter({ hasText: "Nothing found for “zzqqx”" })
    .waitFor({ state: "attached" })
  await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
})

it("the palette has a way out without keys", async ({ enter }) => {
  const { page } = await enter("/requests")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press("Control+k")
  const dialog = page.getByRole("dialog", { name: "Search or run a command" })
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await dialog.waitFor({ state: "detached" })
})

it("the help lists the present view's keys first, and switches letters off and on", async ({ enter }) => {
  const { page } = await enter("/requests")
  await page.keyboard.press("?")
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
  expect(await help.getByRole("region").first().getAttribute("aria-label")).toBe("Requests")
  await help.getByRole("switch", { name: "Use letter shortcuts" }).uncheck()
  await help.getByText("Letter shortcuts are off in this browser.").waitFor()
  await page.keyboard.press("Escape")
  await help.waitFor({ state: "detached" })
  await page.keyboard.press("g")
  await page.keyboard.press("d")
  expect(page.url()).toContain("/requests")
  await page.getByRole("button", { name: "Tamar Chikovani" }).click()
  await page.getByRole("menuitem", { name: /^Keyboard shortcuts/ }).click()
  await help.getByRole("switch", { name: "Use letter shortcuts" }).check()
  await page.keyboard.press("Escape")
  await help.waitFor({ state: "detached" })
  await page.keyboard.press("g")
  await page.getByRole("status").filter({ hasText: "Developers" }).waitFor()
  await page.keyboard.press("d")
  await page.getByRole("heading", { level: 1, name: "Developers" }).waitFor()
})

it("a page of data shows a row beside its list, and leads to its place", async ({ enter }) => {
  const { page } = await enter("/data/users", /404/)
  await page.waitForURL(/id=/)
  await page.getByRole("link", { name: "Open in Customers" }).waitFor()
  await page.getByRole("button", { name: "New", exact: true }).click()
  await page.getByRole("heading", { level: 2, name: "New user" }).waitFor()
  await go({ page }, "/data/users?id=gone")
  await page.getByText("This user no longer exists").waitFor()
})

it("the explorer sends a call by a key, wherever the focus is, with its code beside it", async ({
  enter
}) => {
  const { page } = await enter("/explorer?call=admin.users.list")
  await page.getByRole("heading", { level: 2, name: "users.list" }).waitFor()
  await page.getByRole("heading", { level: 2, name: "users.list" }).focus()
  await page.keyboard.press("Control+Enter")
  const answer = page.getByRole("region", { name: "Answer", exact: true }).first()
  await answer.getByText("200", { exact: true }).waitFor()
  await answer.getByText(/^\d+ ms$/).waitFor()
  expect(await page.getByRole("main").getByRole("status").allInnerTexts()).toContain("Done, 20 rows")
  const code = page.getByRole("region", { name: "Code", exact: true })
  await code.getByText(/curl -X GET/).waitFor()
  await page.getByRole("textbox", { name: "Query" }).fill("{")
  await page.getByText("Part of the form is not JSON. Correct it to see the code.").waitFor()
  expect(await page.getByRole("button", { name: "Copy the code" }).count()).toBe(0)
})

it("the explorer shows what a refused call was answered", async ({ enter }) => {
  const { page } = await enter("/explorer?call=admin.users.get", /404/)
  await page.getByRole("textbox", { name: "ID" }).fill("nobody")
  await page.keyboard.press("Control+Enter")
  const answer = page.getByRole("region", { name: "Answer", exact: true }).first()
  await answer.getByText("404", { exact: true }).waitFor()
  await answer.getByText(/^NotFound: /).waitFor()
  await answer.getByText(/"not_found"/).waitFor()
})

it("the palette says what it could not search by the names of customers", async ({ enter }) => {
  const { page } = await enter("/requests", /500/)
  await page.route(/\/auth\/user\?/, (route) => route.fulfill({ status: 500, body: "{}" }))
  await page.keyboard.press("Control+k")
  await page.keyboard.type("zura")
  await page.getByText(/^Not fully searched: (?=.*Customers)(?=.*Orders)(?=.*Payments)/).waitFor()
})

it("notifies everybody after asking with their number, and empties the form that stays", async ({
  enter,
  stage
}) => {
  const guest = await enter("/developers")
  const { page } = guest
  await page.getByRole("main").getByRole("link", { name: "Notify everybody" }).last().click()
  await page.getByRole("heading", { level: 1, name: "Notify everybody" }).waitFor()
  const field = page.getByRole("textbox", { name: "Text" })
  await field.fill("The pool is open.")
  const count = stage.sandbox.platform.state.users.filter(() => true).length
  const all = new RegExp(`^Notify all ${count.toLocaleString("en-GB")} customers`)
  await page.getByRole("button", { name: all }).click()
  const question = page.getByRole("alertdialog", { name: all })
  await question.getByText("This cannot be undone.").waitFor()
  await question.getByRole("button", { name: all }).click()
  await page.getByText(/^Notified (\d+ of|all) .* customers by email$/).waitFor()
  await expect.poll(() => field.inputValue()).toBe("")
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

it("an address without a page has ways out", async ({ enter }) => {
  const { page } = await enter("/requests")
  await go({ page }, "/nowhere")
  await page.getByRole("link", { name: "Go to Requests" }).click()
  await settle(page)
  expect(new URL(page.url()).pathname).toMatch(/^\/requests/)
})

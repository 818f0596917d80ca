/** What is there on every page: the wire's tools, the palette, the keys, the settings; and what others see of the platform. */
import { text as textOf } from "node:stream/consumers"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

it("copies a call of the wire as curl and as code, finds it, sends it again, and saves all as a HAR", async ({
  enter
}) => {
  const { context, page } = await enter("/requests")
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.waitForURL(/requests\/./)
  await settle(page)
  await page.keyboard.press("w")
  const panel = page.getByRole("complementary", { name: "Wire" })
  await panel.getByRole("searchbox", { name: "Find calls" }).fill("requests.list")
  const lines = panel.getByRole("listitem")
  const before = await lines.count()
  await lines.first().locator("summary").click()
  await lines.first().getByRole("button", { name: "Copy as curl" }).click()
  await page.getByText("Copied").first().waitFor()
  expect(await copied()).toMatch(/^curl -X GET 'http:.*-H 'authorization: Bearer '"\$AUTHORIZATION"''/s)
  await lines.first().getByRole("button", { name: "Copy as Effect" }).click()
  await expect.poll(copied).toContain("const program = Admin.requests.list({")
  await lines.first().getByRole("button", { name: "Copy as Promise" }).click()
  await expect.poll(copied).toContain("await admin.requests.list({")
  await lines.first().getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => lines.count()).toBe(before + 1)
  await expect.poll(() => lines.first().innerText()).toMatch(/^200\n/)
  const saving = page.waitForEvent("download")
  await panel.getByRole("button", { name: "Save as HAR" }).click()
  const text = await textOf(await (await saving).createReadStream())
  const { log } = JSON.parse(text) as {
    log: { version: string; entries: ReadonlyArray<{ comment: string }> }
  }
  expect(log.version).toBe("1.2")
  expect(log.entries.map(({ comment }) => comment)).toEqual(Array(before + 1).fill("requests.list"))
  expect(text).toContain("Bearer ••••••")
})

it("asks before a write of the wire is sent again, and sends the same once more", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/explorer?call=private.notifications.sendSms")
  await page.getByLabel("To", { exact: true }).fill("+995555000001")
  await page.getByLabel("Body", { exact: true }).fill("Sent twice")
  await page.getByRole("button", { name: "Send (changes data)" }).click()
  await page.getByText("Done", { exact: true }).waitFor()
  await settle(page)
  const sent = () => stage.sandbox.platform.state.notifications.filter(({ body }) => body === "Sent twice")
  expect(sent()).toHaveLength(1)
  await page.getByRole("button", { name: /^Wire/ }).click()
  await page.getByRole("searchbox", { name: "Find calls" }).fill("+995555000001")
  const line = page
    .getByRole("complementary", { name: "Wire" })
    .getByRole("listitem")
    .filter({ hasText: "sendSms" })
  await line.locator("summary").click()
  await line.getByRole("button", { name: "Send again" }).click()
  const question = page.getByRole("alertdialog", { name: "Send notifications.sendSms again?" })
  await question.getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => sent().length).toBe(2)
})

it("goes, finds and does by the palette, with the keyboard alone", async ({ enter, stage }) => {
  const { page } = await enter("/chat")
  const field = page.getByRole("combobox", { name: "Search or run a command" })
  const results = page.getByRole("listbox", { name: "Results" })
  const chosen = results.getByRole("option", { selected: true })
  const isOver = () =>
    page
      .getByRole("dialog", { name: "Search or run a command" })
      .getByRole("status")
      .filter({ hasText: /\d+ results?/ })
      .waitFor()
  await page.keyboard.press("Control+k")
  await page.keyboard.type("go to cont")
  await expect.poll(() => chosen.innerText()).toContain("Go to Content")
  await expect.poll(() => field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"))
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Content" }).waitFor()
  const [request] = stage.sandbox.platform.state.requests.all()
  await page.keyboard.press("Control+k")
  await page.keyboard.type(String(request?.title))
  await results
    .getByRole("option", { name: String(request?.title) })
    .first()
    .waitFor()
  await isOver()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/requests\/./)
  await page.getByRole("heading", { level: 2, name: String(request?.title) }).waitFor()
  // In lists that the platform does not search, too, and in those of each kind of entities.
  const [provider] = stage.sandbox.platform.state.providers.all()
  const [entity] = stage.sandbox.platform.state.entities.all()
  await page.keyboard.press("Control+k")
  for (const [name, kind] of [
    [provider?.name, "Provider"],
    [entity?.name, "Entity"]
  ] as const) {
    await field.fill(String(name))
    await results
      .getByRole("option", { name: String(name) })
      .filter({ hasText: kind })
      .first()
      .waitFor()
  }
  for (const [words, label] of [
    ["sign out", "Sign out"],
    ["dark theme", "Use the dark theme"],
    ["view as vis", "View as visitor"],
    ["notify ever", "Developers: Notify everybody"]
  ] as const) {
    await field.fill(words)
    await results.getByRole("option", { name: label }).waitFor()
  }
  await field.fill("the wire")
  await results.getByRole("option", { name: "Open or close the wire" }).waitFor()
  await isOver()
  await page.keyboard.press("Enter")
  await page.getByRole("complementary", { name: "Wire" }).waitFor()
})

it("lists in its help the keys that work here, and no others", async ({ enter }) => {
  const guest = await enter("/requests")
  const { page } = guest
  await page.waitForURL(/requests\/./)
  const listed = async (): Promise<string> => {
    await page.keyboard.press("?")
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    const all = await help.innerText()
    await page.keyboard.press("Escape")
    await help.waitFor({ state: "detached" })
    return all
  }
  const onList = await listed()
  for (const label of ["Find on this page", "Confirm", "Tick"]) expect(onList).toContain(label)
  expect(onList).not.toContain("Close the wire")
  // From a control of the page, too, unless letters are for it.
  for (const at of [
    page.getByRole("button", { name: "List options" }),
    page.getByRole("checkbox", { name: /^Tick / }).first()
  ]) {
    await at.focus()
    await page.keyboard.press("/")
    await expect
      .poll(() =>
        page.getByRole("searchbox", { name: "Find requests" }).evaluate((it) => it === document.activeElement)
      )
      .toBe(true)
  }
  await go(guest, "/settings")
  await page.getByRole("heading", { level: 1, name: "Settings" }).click()
  const onPage = await listed()
  for (const label of ["Find on this page", "Confirm", "Tick"]) expect(onPage).not.toContain(label)
  await page.keyboard.press("w")
  expect(await listed()).toContain("Close the wire")
  await page.keyboard.press("Escape")
  await page.getByRole("complementary", { name: "Wire" }).waitFor({ state: "detached" })
})

it("begins each page at its top", async ({ enter }) => {
  const guest = await enter("/settings")
  await guest.page.setViewportSize({ width: 390, height: 600 })
  const main = guest.page.getByRole("main")
  const scrolled = (): Promise<number> => main.evaluate((it) => it.scrollTop)
  await main.evaluate((it) => it.scrollTo(0, 200))
  expect(await scrolled()).toBeGreaterThan(0)
  await go(guest, "/developers")
  expect(await scrolled()).toBe(0)
})

it("shows an end user's own pages to who looks as one: what was sent to them, their orders, their profile", async ({
  enter,
  stage
}) => {
  const { notifications, users } = stage.sandbox.platform.state
  const ana = users.find(({ fullName }) => fullName === "Ana Beridze")
  const guest = await enter("/customers")
  const { page } = guest
  await go(guest, `/customers/${ana?._id}`)
  await settle(page)
  await page.keyboard.press("m")
  const form = page.getByRole("dialog", { name: /^Notify / })
  await form.getByRole("radio", { name: "In-app" }).check({ force: true })
  await form.getByLabel(/^(Title|Subject)$/).fill("Your parcel is here")
  await form.getByRole("button", { name: /^Notify / }).click()
  await page
    .getByRole("region", { name: "Messages" })
    .getByText(/^Notified /)
    .waitFor()
  const sent = notifications.filter(({ title }) => title === "Your parcel is here")
  expect(sent.map(({ channel, userId }) => ({ channel, userId }))).toEqual([
    { channel: "IN_APP", userId: ana?._id }
  ])
  await go(guest, "/as/resident")
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await page.getByText("You are viewing as an end user.").waitFor()
  const main = page.getByRole("main")
  await go(guest, "/as/resident/notifications")
  await main.getByText("Your parcel is here").first().waitFor()
  await go(guest, "/as/resident/orders")
  await main.locator("[data-row]").first().waitFor()
  await go(guest, "/as/resident/auth")
  await page.getByRole("button", { name: "Edit", exact: true }).click()
  const change = page.getByRole("region", { name: "Edit", exact: true })
  await change.getByLabel("City").fill("Batumi")
  await change.getByRole("button", { name: "Edit", exact: true }).click()
  await page.getByText("Account saved").waitFor()
  expect(users.peek(ana?._id ?? "")?.city).toBe("Batumi")
  await page.getByRole("link", { name: "Back to administrator" }).click()
  await page.getByRole("heading", { level: 1, name: "Developers" }).waitFor()
})

it("says before an account is deleted that it is one's own, wherever that is done", async ({
  enter,
  stage
}) => {
  const own = stage.sandbox.platform.state.admins.filter(({ email }) => email === "admin@quartet.test")[0]
  const { page } = await enter(`/data/admins?id=${own?._id}`)
  await page.getByRole("button", { name: "Delete", exact: true }).click()
  await page
    .getByRole("alertdialog", { name: /^Delete / })
    .getByText("Your own account")
    .waitFor()
})

it("changes how permissions are read, for this tab, after an address that it can call", async ({ enter }) => {
  const guest = await enter("/settings", /127\.0\.0\.1:9|Content Security Policy/)
  const { page } = guest
  const address = page.getByLabel("Platform address")
  const save = page.getByRole("button", { name: "Save and reload" })
  const own = await address.inputValue()
  await address.fill("http://127.0.0.1:9")
  await save.click()
  await page
    .getByText("Does not answer, or the policy of this page")
    .or(page.getByText("It does not answer, or the policy of this page blocks it"))
    .waitFor()
  await address.fill(`  ${own}/ `)
  await page.getByLabel("Private key").fill("")
  await page.getByRole("button", { name: /Permission checks/ }).click()
  await page.getByRole("option", { name: "As built" }).click()
  await save.click()
  await signIn(guest, "Felix Keller")
  await go(guest, "/as/server/items")
  await page.getByText("The private key is missing").waitFor()
  await go(guest, "/settings")
  expect(await address.inputValue()).toBe(own)
  // By that reading a viewer's grants let them do all.
  await go(guest, "/customers")
  await page.getByRole("button", { name: "Notify" }).first().waitFor()
})

it("goes back through the calls that were looked at in the explorer", async ({ enter }) => {
  const guest = await enter("/explorer?call=admin.users.list")
  const { page } = guest
  const title = page.getByRole("heading", { level: 2 }).first()
  await expect.poll(() => title.innerText()).toBe("users.list")
  for (const call of ["users.get", "users.create"]) {
    await go(guest, `/explorer?call=admin.${call}`)
    await expect.poll(() => title.innerText()).toBe(call)
  }
  for (const before of ["users.get", "users.list"]) {
    await page.goBack()
    await expect.poll(() => title.innerText()).toBe(before)
  }
})

/** What is there on every page: the wire's tools, the palette, the shortcuts, the bell, the settings. */
import { text as textOf } from "node:stream/consumers"
import { Effect } from "effect"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

it("copies a call of the wire as curl and as code, finds it, sends it again, and saves all as a HAR", async ({
  enter
}) => {
  const { context, page } = await enter("/requests")
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
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
  await page.getByRole("button", { name: "Send, and change data" }).click()
  await page.getByText("Done", { exact: true }).waitFor()
  await settle(page)
  const sent = () => stage.sandbox.platform.state.notifications.filter(({ body }) => body === "Sent twice")
  expect(sent()).toHaveLength(1)
  await page.getByRole("button", { name: "Wire", exact: true }).click()
  await page.getByRole("searchbox", { name: "Find calls" }).fill("+995555000001")
  const line = page
    .getByRole("complementary", { name: "Wire" })
    .getByRole("listitem")
    .filter({ hasText: "sendSms" })
  await line.locator("summary").click()
  await line.getByRole("button", { name: "Send again" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => sent().length).toBe(2)
})

it("goes, finds and does by the palette, with the keyboard alone", async ({ enter, stage }) => {
  const { page } = await enter("/chat")
  const field = page.getByRole("combobox", { name: "Go, find or do" })
  const chosen = page.getByRole("listbox", { name: "Choices" }).getByRole("option", { selected: true })
  await page.keyboard.press("Control+k")
  await page.keyboard.type("go to cont")
  await expect.poll(() => chosen.innerText()).toContain("Go to content")
  await expect.poll(() => field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"))
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Content" }).waitFor()
  const [request] = stage.sandbox.platform.state.requests.all()
  await page.keyboard.press("Control+k")
  await page.keyboard.type(String(request?.title))
  await page
    .getByRole("option", { name: String(request?.title) })
    .first()
    .waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("Enter")
  await page.getByRole("dialog", { name: String(request?.title) }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/requests\/./)
  // Over a sheet too, and in lists that the platform does not search.
  await page.keyboard.press("Control+k")
  const [provider] = stage.sandbox.platform.state.providers.all()
  await page.keyboard.type(String(provider?.name))
  await page.getByRole("option", { name: `${provider?.name} Provider` }).waitFor()
  // And in the lists of each kind of entities.
  const [entity] = stage.sandbox.platform.state.entities.all()
  await field.fill(String(entity?.name))
  await page.getByRole("option", { name: `${entity?.name} Entity` }).waitFor()
  await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.keyboard.press("Control+k")
  for (const [words, label] of [
    ["sign out", "Sign out"],
    ["invite admin", "Invite an admin"],
    ["new user", "New user"],
    ["dark theme", "Use the dark theme"]
  ] as const) {
    await field.fill(words)
    await page.getByRole("option", { name: label }).waitFor()
  }
  await page.getByText("1 choice", { exact: true }).waitFor()
  await field.fill("wire")
  await page.keyboard.press("Enter")
  await page.getByRole("complementary", { name: "Wire" }).waitFor()
})

it("lists in its help the shortcuts that work here, and no others", async ({ enter }) => {
  const { page } = await enter("/data/users")
  const listed = async (): Promise<ReadonlyArray<string>> => {
    await page.keyboard.press("?")
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    const all = await help.getByRole("term").allInnerTexts()
    await page.keyboard.press("Escape")
    await help.waitFor({ state: "detached" })
    return all
  }
  expect(await listed()).toContain("Find on this page")
  for (const at of ["checkbox", "combobox"] as const) {
    await page.getByRole("main").getByRole(at).first().focus()
    await page.keyboard.press("/")
    await expect
      .poll(() =>
        page
          .getByRole("searchbox")
          .first()
          .evaluate((it) => it === document.activeElement)
      )
      .toBe(true)
  }
  await page.getByRole("heading", { level: 1 }).click()
  await page.keyboard.press("g")
  await page.keyboard.press("o")
  await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor()
  expect(await listed()).not.toContain("Find on this page")
  await page.keyboard.press("w")
  expect(await listed()).toContain("Close the wire")
  await page.keyboard.press("Escape")
  await page.getByRole("complementary", { name: "Wire" }).waitFor({ state: "detached" })
})

it("begins each page at its top, each list too", async ({ enter }) => {
  const guest = await enter("/data/users")
  await guest.page.setViewportSize({ width: 390, height: 600 })
  const main = guest.page.getByRole("main")
  const scrolled = (): Promise<number> => main.evaluate((it) => it.scrollTop)
  await main.evaluate((it) => it.scrollTo(0, 200))
  expect(await scrolled()).toBeGreaterThan(0)
  await go(guest, "/data/orders")
  expect(await scrolled()).toBe(0)
})

it("rings for what an end user writes, on every page, and leads to the conversation", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/people")
  const [conversation] = stage.sandbox.platform.state.conversations.all()
  if (conversation === undefined) throw new Error("the sandbox has no conversation")
  await page.getByRole("button", { name: "Notifications, 0 new" }).waitFor()
  const { _id: conversationId, userId } = conversation
  await Effect.runPromise(
    stage.sandbox.hub.sayAs(String(userId), { conversationId, text: "Is anybody there?" })
  )
  await page.getByRole("button", { name: "Notifications, 1 new" }).click()
  const sheet = page.getByRole("dialog", { name: "Notifications" })
  await sheet.getByText("Is anybody there?").waitFor()
  await sheet
    .getByRole("button", { name: /^Answer / })
    .first()
    .click()
  await page.waitForURL(`**/chat/${conversation._id}`)
  await page.getByRole("button", { name: "Notifications, 0 new" }).waitFor()
})

it("notifies one end user, who finds it on their own page", async ({ enter, stage }) => {
  const guest = await enter("/", /400/)
  const { page } = guest
  await page.keyboard.press("Control+k")
  await page.keyboard.type("notify")
  await page.keyboard.press("Enter")
  await page.getByRole("searchbox", { name: /^Find/ }).fill("Ana Beridze")
  await page.getByRole("link", { name: "Ana Beridze" }).first().click()
  await page.getByRole("dialog").getByRole("button", { name: "Notify" }).click()
  const form = page.getByRole("dialog", { name: "Notify Ana Beridze" })
  expect(await form.getByLabel(/^(To all|Users?|User ids?)$/).count()).toBe(0)
  await form.getByRole("button", { name: "Notify" }).click()
  const title = form.getByLabel("Title")
  await form.getByText("Enter a title or a text.").waitFor()
  expect(await title.evaluate((field) => field === document.activeElement)).toBe(true)
  await form.getByLabel("Channel").selectOption("IN_APP")
  await form.getByLabel("Title").fill("Your parcel is here")
  await form.getByRole("button", { name: "Notify" }).click()
  await page.getByText("Sent to Ana Beridze", { exact: true }).waitFor()
  const ana = stage.sandbox.platform.state.users.find(({ fullName }) => fullName === "Ana Beridze")
  const sent = stage.sandbox.platform.state.notifications.filter(
    ({ title }) => title === "Your parcel is here"
  )
  expect(sent.map(({ channel, userId }) => ({ channel, userId }))).toEqual([
    { channel: "IN_APP", userId: ana?._id }
  ])
  await go(guest, "/as/resident")
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  await page.getByRole("dialog").getByRole("definition").first().waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: /^Notifications, [1-9]/ }).click()
  await page.getByRole("dialog").getByText("Your parcel is here").waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("link", { name: "Notifications" }).click()
  await page.getByRole("region", { name: "Notifications" }).getByText("Your parcel is here").waitFor()
  await page.getByRole("link", { name: "Orders" }).click()
  await page.getByRole("region", { name: "Orders" }).getByRole("link").first().waitFor()
  await page.getByRole("link", { name: "Profile" }).click()
  await page.getByRole("button", { name: "Change", exact: true }).click()
  await page.getByRole("dialog").getByLabel("City").fill("Batumi")
  await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
  await page.getByText("Change: done").waitFor()
  expect(stage.sandbox.platform.state.users.peek(ana?._id ?? "")?.city).toBe("Batumi")
})

it("invites an administrator, and removes them after asking", async ({ enter, stage }) => {
  const { page } = await enter("/data/admins")
  const invited = () =>
    stage.sandbox.platform.state.admins.filter(({ email }) => email === "nino@quartet.test")
  await page.getByRole("button", { name: "Invite an administrator" }).click()
  const sheet = page.getByRole("dialog").last()
  await sheet.getByLabel("Email").fill("nino@quartet.test")
  await sheet.getByLabel("Full name").fill("Nino Beridze")
  await sheet.getByRole("button", { name: "Invite an administrator" }).click()
  const password = sheet.getByLabel("Password")
  await expect.poll(() => password.getAttribute("aria-invalid")).toBe("true")
  expect(await password.getAttribute("type")).toBe("password")
  await password.fill("to-be-changed")
  await sheet.getByLabel("Roles").selectOption(["Viewer"])
  await sheet.getByRole("button", { name: "Invite an administrator" }).click()
  await page.getByRole("link", { name: "Nino Beridze" }).click()
  expect(invited()).toMatchObject([{ roles: [expect.any(String)] }])
  await sheet.getByRole("button", { name: "Delete", exact: true }).click()
  const question = page.getByRole("alertdialog", { name: "Delete Nino Beridze?" })
  await question.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("link", { name: "Nino Beridze" }).waitFor({ state: "detached" })
  expect(invited()).toHaveLength(0)
})

it("says before an account is deleted that it is one's own", async ({ enter, stage }) => {
  const own = stage.sandbox.platform.state.admins.filter(({ email }) => email === "admin@quartet.test")[0]
  const { page } = await enter(`/data/admins?id=${own?._id}`)
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
  await page.getByRole("alertdialog").getByText("Your own account").waitFor()
})

it("refunds a part of a payment with a reason, and never more than was paid", async ({ enter, stage }) => {
  const paid = stage.sandbox.platform.state.transactions.find(({ status }) => status === "succeeded")
  const { page } = await enter(`/commerce?id=${paid?._id}`)
  await page.getByRole("button", { name: "Refund…" }).click()
  const question = page.getByRole("alertdialog")
  const amount = question.getByRole("spinbutton")
  await amount.fill(String((paid?.amount ?? 0) + 1))
  await question.getByText("More than 0, and at most").waitFor()
  const payer = stage.sandbox.platform.state.users.peek(String(paid?.userId))
  await question.getByText(`The money goes back to ${payer?.fullName}.`).waitFor()
  await amount.fill("1.005")
  await question.getByText("Decimals: 2 at most.").waitFor()
  await amount.fill("1.5")
  await question.getByLabel("Reason").fill("One item was missing")
  await question.getByRole("button", { name: "Refund $1.50" }).click()
  await page.getByText("Payment refunded").waitFor()
  await page.getByRole("listitem").getByText("One item was missing").waitFor()
  expect(stage.sandbox.platform.state.transactions.peek(paid?._id ?? "")).toMatchObject({
    refundedAmount: 1.5
  })
})

it("changes how permissions are read, for this tab, after an address that it can call", async ({ enter }) => {
  const guest = await enter("/settings", /127\.0\.0\.1:9|Content Security Policy/)
  const { page } = guest
  const address = page.getByLabel("Address of the platform")
  const own = await address.inputValue()
  await address.fill("http://127.0.0.1:9")
  await page.getByRole("button", { name: "Save and load again" }).click()
  await page.getByText("Does not answer this page").waitFor()
  await address.fill(`  ${own}/ `)
  await page.getByLabel("Private key").fill("")
  await page.getByLabel("Reading of permissions").selectOption("asBuilt")
  await page.getByRole("button", { name: "Save and load again" }).click()
  await signIn(guest, "Felix Keller")
  await go(guest, "/as/server/items")
  await page.getByText("The private key is missing").waitFor()
  await go(guest, "/settings")
  expect(await address.inputValue()).toBe(own)
  await go(guest, "/")
  await page.keyboard.press("Control+k")
  await page.keyboard.type("notify")
  await page.getByRole("option", { name: /Notify an end user/ }).waitFor()
})

it("goes back through the calls that were looked at in the explorer", async ({ enter }) => {
  const { page } = await enter("/explorer?call=admin.users.list")
  const calls = page.getByRole("navigation", { name: "Calls" }).getByRole("link")
  const title = page.getByRole("navigation", { name: "Calls" }).locator("[aria-current=page]")
  const seen = [await title.innerText()]
  for (const index of [3, 5]) {
    await calls.nth(index).click()
    await expect.poll(() => title.innerText()).not.toBe(seen.at(-1))
    seen.push(await title.innerText())
  }
  for (const before of [1, 0]) {
    await page.goBack()
    await expect.poll(() => title.innerText()).toBe(seen[before])
  }
})

/** What the console derives from the operations for those who build on the platform: forms, lists, rows, and what it asks. */

import { accounts } from "@quartet/sandbox"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { type Guest, go, it, patience, settle, signIn } from "./stage.js"

/** The form of an action beside the facts of its row. */
const formOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true })

const send = (page: Page, name: string): Promise<void> =>
  formOf(page, name).getByRole("button", { name, exact: true }).click()

/** Opens the form of an action of the selected row. */
const open = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole("button", { name, exact: true }).click()
  const form = formOf(page, name)
  await form.waitFor()
  return form
}

const title = (page: Page): Locator => page.getByRole("heading", { level: 2 }).first()
const rows = (page: Page): Locator => page.getByRole("main").locator("[data-row]")
const message = (page: Page, text: string): Locator =>
  page.getByRole("region", { name: "Messages" }).getByText(text)

it("sends a call with what its form holds, and shows the answer and the same call as code", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/explorer?call=admin.users.create", /400/)
  await page.getByLabel("Email").fill("nino@quartet.test")
  await page.getByLabel("Full name").fill("Nino Beridze")
  await page.getByLabel("More fields").fill("{ no JSON")
  const submit = page.getByRole("button", { name: "Send (changes data)" })
  await submit.click()
  await page.getByText(/^It is not JSON: /).waitFor()
  await page.getByLabel("More fields").fill("[1]")
  await submit.click()
  await page.getByText("Enter an object in JSON.").waitFor()
  await page.getByLabel("More fields").fill('{ "nickname": "Nini" }')
  const code = page.getByRole("region", { name: "Code", exact: true })
  await expect
    .poll(() => code.innerText())
    .toContain('{"email":"nino@quartet.test","fullName":"Nino Beridze","nickname":"Nini"}')
  await submit.click()
  await page.getByRole("region", { name: "Answer", exact: true }).last().getByText("Nini").waitFor()
  const kept = stage.sandbox.platform.state.users.filter(({ email }) => email === "nino@quartet.test")
  expect(kept).toMatchObject([{ fullName: "Nino Beridze", nickname: "Nini" }])
})

it("holds a body to what the sandbox needs, and on another platform to nothing", async ({ stage }) => {
  const sent = () =>
    stage.sandbox.control.log().filter(({ operation }) => operation === "roles.create").length
  for (const address of [stage.url, stage.url.replace("127.0.0.1", "localhost")]) {
    // The page's own policy would keep it from another address.
    const context = await stage.browser.newContext({ bypassCSP: true })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    await page.addInitScript((baseUrl) => {
      sessionStorage.setItem("quartet.settings", JSON.stringify({ baseUrl }))
    }, address)
    await page.goto(stage.url)
    // The sandbox's own accounts are offered there alone.
    if (address === stage.url) await signIn({ page })
    else {
      expect(await page.getByRole("button", { name: /Tamar Chikovani/ }).count()).toBe(0)
      await page.getByLabel("Email").fill(accounts.admin.email)
      await page.getByLabel("Password").fill(accounts.admin.password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
    }
    await go({ page }, "/explorer?call=admin.roles.create")
    const name = page.getByLabel("Name", { exact: true })
    await page.getByRole("button", { name: "Send (changes data)" }).click()
    if (address === stage.url) await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true")
    else await expect.poll(sent).toBe(1)
    expect(await name.evaluate((field) => Object(field).required)).toBe(address === stage.url)
    expect(sent()).toBe(address === stage.url ? 0 : 1)
    await context.close()
  }
})

it("says beside its field what is wrong, and what a role may not do it does not offer", async ({
  arrive
}) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/explorer?call=admin.users.get")
  await guest.page.getByRole("button", { name: "Send", exact: true }).click()
  await expect
    .poll(() => guest.page.getByLabel("ID", { exact: true }).getAttribute("aria-invalid"))
    .toBe("true")
  await go(guest, "/explorer?call=admin.users.delete")
  await guest.page.getByText("Your role does not allow this call.").waitFor()
  expect(await guest.page.getByRole("button", { name: /^Send/ }).count()).toBe(0)
})

it("asks before a call is sent that is about money, and sends nothing where that is declined", async ({
  enter,
  stage
}) => {
  const { transactions, users } = stage.sandbox.platform.state
  const { _id: id = "", userId } = transactions.find(({ status }) => status === "succeeded") ?? {}
  const { page } = await enter(`/explorer?call=admin.payments.refund&id=${id}`)
  await page.getByRole("button", { name: "Send (changes data)" }).click()
  const question = page.getByRole("alertdialog", { name: "Refund?" })
  await question.getByText(`The money goes back to ${users.peek(userId ?? "")?.fullName}.`).waitFor()
  await question.getByRole("button", { name: "Cancel" }).click()
  await question.waitFor({ state: "detached" })
  expect(transactions.peek(id)?.status).toBe("succeeded")
})

it("asks before it sends a notification to everybody, by any client", async ({ enter, stage }) => {
  const { page } = await enter("/as/server/notifications")
  const sent = () =>
    stage.sandbox.control.log().filter(({ operation }) => operation === "notifications.sendInApp").length
  const form = formOf(page, "Send in app")
  await form.getByRole("button", { name: /To all/ }).click()
  await page.getByRole("option", { name: "Yes" }).click()
  await form.getByLabel("Title").fill("No water on Monday")
  const submit = form.getByRole("button", { name: "Send in app" })
  const question = page.getByRole("alertdialog", { name: "Send “No water on Monday” to everybody?" })
  await submit.click()
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect.poll(() => submit.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(sent()).toBe(0)
  await submit.click()
  await question.getByRole("button", { name: "Send to everybody" }).click()
  await form.getByText("Done", { exact: true }).waitFor()
  expect(sent()).toBe(1)
})

it("creates, changes and deletes a user by forms of the operations, and the platform has it", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/data/users", /409/)
  const kept = () =>
    stage.sandbox.platform.state.users.filter(({ email }) => email === "luka@quartet.test")[0]
  await page.getByRole("button", { name: "New", exact: true }).click()
  const form = formOf(page, "New user")
  await form.getByLabel("Email").fill("ana@quartet.test")
  await form.getByLabel("Full name").fill("Luka Beridze")
  await send(page, "New user")
  await message(page, "Someone else changed this").waitFor()
  await form.getByLabel("Email").fill("luka@quartet.test")
  await send(page, "New user")
  await message(page, "User created").waitFor()
  const row = page.locator(`[data-row="${kept()?._id}"]`)
  await row.click()
  await expect.poll(() => title(page).innerText()).toBe("User Luka Beridze")
  await (await open(page, "Edit")).getByLabel("City").fill("Batumi")
  await send(page, "Edit")
  await message(page, "User saved").waitFor()
  expect(kept()).toMatchObject({ city: "Batumi", fullName: "Luka Beridze" })
  await page.getByRole("button", { name: "Delete", exact: true }).click()
  const question = page.getByRole("alertdialog", { name: "Delete Luka Beridze?" })
  await question.getByRole("button", { name: "Delete" }).click()
  await row.waitFor({ state: "detached" })
  expect(kept()).toBe(undefined)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY")
})

it("shows both versions and asks where two administrators change one row, or one has begun before", async ({
  enter,
  stage
}) => {
  const { conversations, requests, users } = stage.sandbox.platform.state
  // Conversations have no call that reads one.
  for (const [slice, field, table] of [
    ["requests", "Title", requests],
    ["users", "City", users],
    ["conversations", "Topic", conversations]
  ] as const) {
    const id = [...table.all()][0]?._id ?? ""
    const kept = () => Object(table.peek(id))[field.toLowerCase()]
    const path = `/data/${slice}?id=${id}`
    const [first, second] = [await enter(path), await enter(path)]
    const change = async ({ page }: Guest, text: string) => {
      const form = await open(page, "Edit")
      await form.getByLabel(field, { exact: true }).fill(text)
      return form
    }
    const [mine] = [await change(first, "Mine"), await change(second, "Theirs")]
    await send(second.page, "Edit")
    await expect.poll(kept).toBe("Theirs")
    // What is typed outlives the form and a reload, and is compared with what it was made from.
    await mine.getByRole("button", { name: "Cancel" }).click()
    await first.page.reload()
    await open(first.page, "Edit")
    await mine.getByText("You have an unsent draft").waitFor()
    expect(await mine.getByLabel(field, { exact: true }).inputValue()).toBe("Mine")
    await send(first.page, "Edit")
    const question = first.page.getByRole("alertdialog", { name: "Someone else changed this" })
    await question.getByRole("row", { name: `${field} Theirs Mine` }).waitFor()
    await question.getByRole("button", { name: "Keep editing" }).click()
    expect(kept()).toBe("Theirs")
    await send(first.page, "Edit")
    const version = requests.peek(id)?.version
    const sent = first.page.waitForRequest((request) => request.method() === "PUT")
    await question.getByRole("button", { name: "Save yours" }).click()
    // What was changed alone, and the version that it is a change of: the platform decides, too.
    expect((await sent).postDataJSON()).toEqual({
      [field.toLowerCase()]: "Mine",
      ...(version && { version })
    })
    await expect.poll(kept).toBe("Mine")
  }
})

it("keeps of a form what is typed and not sent, and no password", async ({ enter }) => {
  const guest = await enter("/data/users?id=new")
  const { page } = guest
  const fullName = page.getByLabel("Full name")
  await fullName.fill("Nobody yet")
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.reload()
  await settle(page)
  await page.getByRole("button", { name: "New", exact: true }).click()
  expect(await fullName.inputValue()).toBe("Nobody yet")
  await page.getByRole("button", { name: "Discard draft" }).click()
  expect(await fullName.inputValue()).toBe("")
  await go(guest, "/explorer?call=public.auth.login")
  await page.getByLabel("Email").fill("ana@quartet.test")
  await page.getByLabel("Password").fill("of-nobody-else")
  await page.reload()
  await page.getByText("You have an unsent draft").waitFor()
  expect(await page.getByLabel("Email").inputValue()).toBe("ana@quartet.test")
  await go(guest, "/explorer?call=admin.users.create")
  await fullName.fill("Half a user")
  await page.getByLabel("More fields").fill('{ "apiKey": "of-nobody-else"')
  await page.reload()
  await page.getByText("You have an unsent draft").waitFor()
  expect(await fullName.inputValue()).toBe("Half a user")
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("of-nobody-else")
})

it("deletes the ticked rows after asking how many, and tells which it could not delete", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/data/files", /404/)
  const { files } = stage.sandbox.platform.state
  await page.waitForURL(/id=/)
  const before = files.size
  for (const index of [0, 1, 2])
    await page
      .getByRole("checkbox", { name: /^Tick / })
      .nth(index)
      .check()
  const name = await rows(page).nth(1).innerText()
  Effect.runSync(files.remove(files.find((file) => file.name === name)?._id ?? ""))
  await page.getByText("3 ticked").waitFor()
  await page
    .getByRole("region", { name: "Files", exact: true })
    .first()
    .getByRole("button", { name: "Delete", exact: true })
    .click()
  const question = page.getByRole("alertdialog", { name: "Delete 3 files?" })
  await question.getByRole("button", { name: "Delete 3 files" }).click()
  const report = page.getByRole("dialog", { name: "1 could not be deleted" })
  await report.getByText("This no longer exists").waitFor()
  expect(await report.getByRole("term").allInnerTexts()).toEqual([name])
  expect(files.size).toBe(before - 3)
  await page.keyboard.press("Escape")
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe(String(before - 2))
})

it("leads from a row to those that it names, and on from them", async ({ enter, stage }) => {
  const [payment] = stage.sandbox.platform.state.transactions.all()
  const { page } = await enter(`/data/payments?id=${payment?._id}`)
  const facts = page.getByRole("region", { name: "Details" })
  await facts.locator(`a[href="/data/orders?id=${payment?.orderId}"]`).click()
  await facts.locator(`a[href="/data/users?id=${payment?.userId}"]`).click()
  const user = stage.sandbox.platform.state.users.peek(payment?.userId ?? "")
  await facts.getByText(user?.email ?? "", { exact: true }).waitFor()
})

it("goes from the selected row to the next one and back, within one step of the browser's history", async ({
  enter
}) => {
  const { page } = await enter("/data/items")
  await page.waitForURL(/id=/)
  const [first, second] = [await rows(page).nth(0).innerText(), await rows(page).nth(1).innerText()]
  await expect.poll(() => title(page).innerText()).toContain(first)
  await page.keyboard.press("j")
  await expect.poll(() => title(page).innerText()).toContain(second)
  await page.keyboard.press("k")
  await expect.poll(() => title(page).innerText()).toContain(first)
  await page.goBack()
  expect(new URL(page.url()).pathname).not.toBe("/data/items")
})

it("goes on from the last row that is read to the next page", async ({ enter, stage }) => {
  const [last, next] = [...stage.sandbox.platform.state.items.all()].slice(199)
  const { page } = await enter(`/data/items?id=${last?._id}`)
  await expect.poll(() => title(page).innerText()).toContain(last?.name ?? "")
  await settle(page)
  await page.keyboard.press("j")
  await page.waitForURL(`**/data/items?id=${next?._id}`)
})

it("offers of a body what the platform takes, and of others' profiles no change", async ({ enter }) => {
  const guest = await enter("/data/orders")
  const { page } = guest
  await page.waitForURL(/id=/)
  const form = await open(page, "Edit")
  await form.getByRole("button", { name: /Status/ }).waitFor()
  expect(await form.getByLabel(/^(Total|Number|Lines)$/).count()).toBe(0)
  await go(guest, "/as/resident")
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await go(guest, "/as/resident/profiles")
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor()
  expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0)
  await page.getByRole("button", { name: "Calls", exact: true }).click()
  await formOf(page, "Edit your own").waitFor()
})

it("offers nobody a form that their role may not send", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/data/users")
  await guest.page.getByRole("definition").first().waitFor()
  expect(await guest.page.getByRole("button", { name: /^(New|Change|Delete|Notify)$/ }).count()).toBe(0)
  await go(guest, "/data/files")
  await guest.page.getByRole("definition").first().waitFor()
  expect(await guest.page.getByRole("button", { name: /^(Calls|Delete)$/ }).count()).toBe(0)
})

it("masks what is named like a secret until it is asked for", async ({ enter }) => {
  const { page } = await enter("/data/projects")
  const facts = page.getByRole("region", { name: "Details" })
  await facts.getByText("••••••").first().waitFor()
  await facts.getByText("Raw data").click()
  expect(await page.locator("body").textContent()).not.toContain(accounts.privateKey)
  await page.getByRole("button", { name: "Show secrets" }).click()
  await facts.getByRole("definition").getByText(accounts.privateKey).waitFor()
  await page.goto(new URL("/explorer?call=admin.projects.list", page.url()).href)
  await page.getByRole("button", { name: "Send", exact: true }).click()
  const answer = page.getByRole("region", { name: "Answer", exact: true }).last()
  await answer.getByText("••••••").first().waitFor()
  expect(await answer.textContent()).not.toContain(accounts.privateKey)
  await page.getByRole("button", { name: "Show secrets" }).click()
  await answer.getByText(accounts.privateKey).waitFor()
})

it("changes a project by what was typed alone, keeps that as a draft, and shows no key for it", async ({
  enter,
  stage
}) => {
  const { page } = await enter(`/data/projects?id=${stage.sandbox.platform.state.project._id}`)
  const form = await open(page, "Edit")
  await form.getByLabel("Name").fill("Quartet two")
  const values = await form.locator("[name]").evaluateAll((all) => all.map((field) => Object(field).value))
  expect(values.join()).not.toContain(accounts.privateKey)
  await form.getByRole("button", { name: "Cancel" }).click()
  await open(page, "Edit")
  expect(await form.getByLabel("Name").inputValue()).toBe("Quartet two")
  const sent = page.waitForRequest((request) => request.method() === "PUT")
  await send(page, "Edit")
  expect((await sent).postDataJSON()).toEqual({ name: "Quartet two" })
  await message(page, "Project saved").waitFor()
})

it("changes when an event starts to the minute, and shows of a row what was sent alone", async ({
  enter,
  stage
}) => {
  const guest = await enter("/as/resident")
  const { page } = guest
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await go(guest, "/as/resident/events")
  await page.waitForURL(/id=/)
  const id = new URL(page.url()).searchParams.get("id") ?? ""
  const before = stage.sandbox.platform.state.events.peek(id)
  const form = await open(page, "Edit")
  const day = form.getByRole("textbox", { name: "Starts at", exact: true })
  const time = form.getByRole("textbox", { name: "Starts at, time" })
  expect(new Date(`${await day.inputValue()} ${await time.inputValue()} UTC`)).toEqual(before?.startsAt)
  await day.fill("2 Jan 2030")
  await time.fill("03:04")
  const sent = page.waitForRequest((request) => request.method() === "PUT")
  await send(page, "Edit")
  expect((await sent).postDataJSON()).toEqual({ startsAt: "2030-01-02T03:04:00.000Z" })
  await message(page, "Event saved").waitFor()
  await go(guest, "/as/resident/intranet")
  await page
    .getByRole("definition")
    .getByText(/^20\d\d$/)
    .first()
    .waitFor()
  expect(await page.getByRole("term").filter({ hasText: /^ID$/ }).count()).toBe(0)
})

it("asks for the kind of entities once, offers those that there are, and needs it for a new one", async ({
  enter,
  stage
}) => {
  const { page, ...guest } = await enter("/data/entities")
  const kind = page.getByRole("combobox", { name: "Kind", exact: true })
  await page.getByText("Which kind?").waitFor()
  expect(await kind.evaluate((field) => Object(field).list.options.length)).toBe(2)
  await kind.pressSequentially("complex")
  await rows(page).first().waitFor()
  const reads = stage.sandbox.control.log().filter(({ operation }) => operation === "entities.list")
  expect(reads).toHaveLength(1)
  await page.getByRole("button", { name: "New", exact: true }).click()
  await send(page, "New entity")
  await expect.poll(() => formOf(page, "New entity").locator("[aria-invalid]").count()).toBeGreaterThan(0)
  await kind.fill("")
  await page.getByText("Which kind?").waitFor()
  // What is no kind is not offered any.
  await go({ page, ...guest }, "/as/visitor/content")
  expect(await page.getByRole("textbox", { name: "API ID" }).first().getAttribute("list")).toBeNull()
})

it("says of an address that leads nowhere that there is nothing, and leads on", async ({ enter }) => {
  const guest = await enter("/data/nosuch")
  await guest.page.getByText("There is no slice named “nosuch”").waitFor()
  await go(guest, "/explorer?call=admin.no.such")
  await guest.page.getByText("There is no call named “admin.no.such”").waitFor()
  await guest.page.getByRole("button", { name: "All calls" }).click()
  await guest.page.waitForURL(/call=(?!admin\.no\.such)/)
  await title(guest.page).waitFor()
})

it("names a row that has no title", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const [row] = requests.all()
  if (row !== undefined) requests.put({ ...row, title: " " })
  const { page } = await enter(`/data/requests?id=${row?._id}`)
  await page.getByRole("heading", { level: 2, name: /^Request of \d+ \w+ \d{4}$/ }).waitFor()
})

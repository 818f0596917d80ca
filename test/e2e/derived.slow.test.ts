/** What the console derives from the operations: forms, lists, sheets, and what it asks. */

import { accounts } from "@quartet/sandbox"
import { Effect } from "effect"
import type { Locator } from "playwright-core"
import { expect } from "vitest"
import { type Guest, go, it, patience, signIn } from "./stage.js"

it("sends a call with what its form holds, and shows the answer and the same call as code", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/explorer?call=admin.users.create", /400/)
  await page.getByLabel("Email").fill("nino@quartet.test")
  await page.getByLabel("Full name").fill("Nino Beridze")
  await page.getByLabel("Further fields").fill("{ no JSON")
  const send = page.getByRole("button", { name: "Send, and change data" })
  await send.click()
  await page.getByText("Enter an object in JSON.").waitFor()
  await page.getByLabel("Further fields").fill('{ "nickname": "Nini" }')
  const code = page.getByRole("region", { name: "Code", exact: true })
  await expect
    .poll(() => code.innerText())
    .toContain('{"email":"nino@quartet.test","fullName":"Nino Beridze","nickname":"Nini"}')
  await send.click()
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
      await page.getByRole("heading", { level: 1, name: /^Welcome, / }).waitFor()
    }
    await go({ page }, "/explorer?call=admin.roles.create")
    const name = page.getByLabel("Name", { exact: true })
    await page.getByRole("button", { name: "Send, and change data" }).click()
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
    .poll(() => guest.page.getByLabel("Id", { exact: true }).getAttribute("aria-invalid"))
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
  await page.getByRole("button", { name: "Send, and change data" }).click()
  const question = page.getByRole("alertdialog", { name: "Refund?" })
  await question.getByText(`The money goes back to ${users.peek(userId ?? "")?.fullName}.`).waitFor()
  await question.getByRole("button", { name: "Cancel" }).click()
  await question.waitFor({ state: "detached" })
  expect(transactions.peek(id)?.status).toBe("succeeded")
})

it("creates, changes and deletes a user by forms of the operations, and the platform has it", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/data/users", /409/)
  const kept = () =>
    stage.sandbox.platform.state.users.filter(({ email }) => email === "luka@quartet.test")[0]
  await page.getByRole("button", { name: "New user" }).click()
  const sheet = page.getByRole("dialog").last()
  await sheet.getByLabel("Email").fill("ana@quartet.test")
  await sheet.getByLabel("Full name").fill("Luka Beridze")
  await sheet.getByRole("button", { name: "New user" }).click()
  await page.getByRole("log").last().getByText("Someone was faster").waitFor()
  await sheet.getByLabel("Email").fill("luka@quartet.test")
  await sheet.getByRole("button", { name: "New user" }).click()
  await page.getByRole("link", { name: "Luka Beridze" }).click()
  await sheet.getByRole("button", { name: "Change" }).click()
  await sheet.getByLabel("City").fill("Batumi")
  await sheet.getByRole("button", { name: "Change" }).click()
  await page.getByText("Change: done", { exact: true }).waitFor()
  expect(kept()).toMatchObject({ city: "Batumi", fullName: "Luka Beridze" })
  await sheet.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
  await sheet.waitFor({ state: "detached" })
  await page.getByRole("link", { name: "Luka Beridze" }).waitFor({ state: "detached" })
  expect(kept()).toBe(undefined)
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY")
})

it("shows both versions and asks where two administrators change one row, or one has begun before", async ({
  enter,
  stage
}) => {
  const { conversations, requests, users } = stage.sandbox.platform.state
  // Conversations have no call that reads one.
  for (const [slice, field, rows] of [
    ["requests", "Title", requests],
    ["users", "City", users],
    ["conversations", "Topic", conversations]
  ] as const) {
    const id = [...rows.all()][0]?._id ?? ""
    const kept = () => Object(rows.peek(id))[field.toLowerCase()]
    const path = `/data/${slice}?id=${id}`
    const [first, second] = [await enter(path), await enter(path)]
    const open = async ({ page }: Guest, text: string) => {
      const sheet = page.getByRole("dialog").last()
      await page.getByRole("button", { name: "Change", exact: true }).click()
      await sheet.getByLabel(field, { exact: true }).fill(text)
      return sheet
    }
    const save = (sheet: Locator) => sheet.getByRole("button", { name: "Change", exact: true }).click()
    const [mine, theirs] = [await open(first, "Mine"), await open(second, "Theirs")]
    await save(theirs)
    await expect.poll(kept).toBe("Theirs")
    // What is typed outlives Escape and a reload, and is compared with what it was made from.
    await first.page.keyboard.press("Escape")
    await first.page.reload()
    await first.page.getByRole("button", { name: "Change", exact: true }).click()
    await mine.getByText("You began this before").waitFor()
    expect(await mine.getByLabel(field, { exact: true }).inputValue()).toBe("Mine")
    await save(mine)
    const question = first.page.getByRole("alertdialog", { name: "Somebody was faster" })
    await question.getByRole("row", { name: `${field} Theirs Mine` }).waitFor()
    await question.getByRole("button", { name: "Go on editing" }).click()
    expect(kept()).toBe("Theirs")
    await save(mine)
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
  const guest = await enter("/data/users")
  const { page } = guest
  await page.getByRole("button", { name: "New user" }).click()
  await page.getByLabel("Full name").fill("Nobody yet")
  await page.keyboard.press("Escape")
  await page.reload()
  await page.getByRole("button", { name: "New user" }).click()
  expect(await page.getByLabel("Full name").inputValue()).toBe("Nobody yet")
  await page.getByRole("button", { name: "Discard the draft" }).click()
  expect(await page.getByLabel("Full name").inputValue()).toBe("")
  await page.keyboard.press("Escape")
  await go(guest, "/explorer?call=public.auth.login")
  await page.getByLabel("Email").fill("ana@quartet.test")
  await page.getByLabel("Password").fill("of-nobody-else")
  await page.reload()
  await page.getByText("You began this before").waitFor()
  expect(await page.getByLabel("Email").inputValue()).toBe("ana@quartet.test")
  await go(guest, "/explorer?call=admin.users.create")
  await page.getByLabel("Full name").fill("Half a user")
  await page.getByLabel("Further fields").fill('{ "apiKey": "of-nobody-else"')
  await page.reload()
  await page.getByText("You began this before").waitFor()
  expect(await page.getByLabel("Full name").inputValue()).toBe("Half a user")
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("of-nobody-else")
})

it("deletes the selected rows after asking how many, and tells which it could not delete", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/data/files", /404/)
  const { files } = stage.sandbox.platform.state
  const before = files.size
  const chosen = page.getByRole("row").getByRole("checkbox", { name: /^Select [^t]/ })
  for (const index of [0, 1, 2]) await chosen.nth(index).check()
  const name = await page.getByRole("row").nth(2).getByRole("link").innerText()
  Effect.runSync(files.remove(files.find((file) => file.name === name)?._id ?? ""))
  await page.getByRole("button", { name: "Delete", exact: true }).click()
  const question = page.getByRole("alertdialog", { name: "Delete 3 files?" })
  await question.getByRole("button", { name: "Delete 3 files" }).click()
  const report = page.getByRole("dialog", { name: "1 could not be deleted" })
  await report.getByText("This is not there any more").waitFor()
  expect(await report.getByRole("term").allInnerTexts()).toEqual([name])
  expect(files.size).toBe(before - 3)
  await page.keyboard.press("Escape")
  await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe(String(before - 2))
})

it("leads from a payment to its order and on to who ordered", async ({ enter, stage }) => {
  const [payment] = stage.sandbox.platform.state.transactions.all()
  const { page } = await enter(`/commerce?id=${payment?._id}`)
  const sheet = page.getByRole("dialog")
  await sheet.locator(`a[href="/data/orders?id=${payment?.orderId}"]`).click()
  await sheet.locator(`a[href="/data/users?id=${payment?.userId}"]`).click()
  const user = stage.sandbox.platform.state.users.peek(payment?.userId ?? "")
  await sheet.getByText(user?.email ?? "", { exact: true }).waitFor()
})

it("goes from the open row to the next one and back, and closes to the list in one step", async ({
  enter
}) => {
  const { page } = await enter("/data/items")
  const ids = page.getByRole("row").getByRole("link")
  const [first, second] = [await ids.nth(0).innerText(), await ids.nth(1).innerText()]
  await ids.first().click()
  const sheet = page.getByRole("dialog")
  expect(await sheet.getByRole("button", { name: "The row before" }).isDisabled()).toBe(true)
  await sheet.getByRole("button", { name: "The next row" }).click()
  await sheet.getByRole("heading", { name: second }).waitFor()
  await sheet.getByRole("button", { name: "The row before" }).click()
  await sheet.getByRole("heading", { name: first }).waitFor()
  await page.keyboard.press("Escape")
  await expect.poll(() => new URL(page.url()).search).toBe("")
  await page.goBack()
  expect(new URL(page.url()).pathname).not.toBe("/data/items")
})

it("goes on from the last row that is read to the next page", async ({ enter, stage }) => {
  const [last, next] = [...stage.sandbox.platform.state.items.all()].slice(199)
  const { page } = await enter(`/data/items?id=${last?._id}`)
  const sheet = page.getByRole("dialog")
  await sheet.getByRole("button", { name: "The next row" }).click()
  await page.waitForURL(`**/data/items?id=${next?._id}`)
})

it("offers of a body what the platform takes, and of others' profiles no change", async ({ enter }) => {
  const guest = await enter("/data/orders")
  const { page } = guest
  await page.getByRole("row").getByRole("link").first().click()
  await page.getByRole("button", { name: "Change", exact: true }).click()
  const sheet = page.getByRole("dialog").last()
  await sheet.getByLabel("Status").waitFor()
  expect(await sheet.getByLabel(/^(Total|Number|Lines)$/).count()).toBe(0)
  await go(guest, "/as/resident")
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { name: "Requests" }).waitFor()
  await go(guest, "/as/resident/profiles")
  await page.getByRole("button", { name: "Change your own" }).waitFor()
  await page.getByRole("row").getByRole("link").first().click()
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor()
  expect(await page.getByRole("button", { name: "Change", exact: true }).count()).toBe(0)
})

it("offers nobody a form that their role may not send", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/data/users")
  await guest.page.getByRole("row").getByRole("link").first().click()
  await guest.page.getByRole("dialog").getByRole("definition").first().waitFor()
  expect(await guest.page.getByRole("button", { name: /^(New user|Change|Delete|Notify)$/ }).count()).toBe(0)
  await go(guest, "/data/files")
  await guest.page.getByRole("heading", { level: 1, name: "Files" }).waitFor()
  expect(await guest.page.getByRole("button", { name: "Upload a file" }).count()).toBe(0)
})

it("masks what is named like a secret until it is asked for", async ({ enter }) => {
  const { page } = await enter("/data/projects")
  await page.getByText("••••••").first().waitFor()
  await page.getByRole("row").getByRole("link").first().click()
  const sheet = page.getByRole("dialog")
  await sheet.locator("summary").click()
  expect(await page.locator("body").textContent()).not.toContain(accounts.privateKey)
  await sheet.getByRole("button", { name: "Show secrets" }).click()
  await sheet.getByRole("definition").getByText(accounts.privateKey).waitFor()
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
  const change = page.getByRole("button", { name: "Change", exact: true })
  const sheet = page.getByRole("dialog").last()
  await change.click()
  await sheet.getByLabel("Name").fill("Quartet two")
  const values = await sheet.locator("[name]").evaluateAll((all) => all.map((field) => Object(field).value))
  expect(values.join()).not.toContain(accounts.privateKey)
  await page.keyboard.press("Escape")
  await change.click()
  expect(await sheet.getByLabel("Name").inputValue()).toBe("Quartet two")
  const sent = page.waitForRequest((request) => request.method() === "PUT")
  await sheet.getByRole("button", { name: "Change", exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ name: "Quartet two" })
  await page.getByText("Change: done", { exact: true }).waitFor()
})

it("changes when an event starts to the minute, and shows of a row what was sent alone", async ({
  enter,
  stage
}) => {
  const guest = await enter("/as/resident")
  const { page } = guest
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { name: "Requests" }).waitFor()
  await go(guest, "/as/resident/events")
  await page.getByRole("row").getByRole("link").first().click()
  const id = new URL(page.url()).searchParams.get("id") ?? ""
  const before = stage.sandbox.platform.state.events.peek(id)
  await page.getByRole("button", { name: "Change", exact: true }).click()
  const sheet = page.getByRole("dialog").last()
  expect(new Date(`${await sheet.getByLabel("Starts at").inputValue()}Z`)).toEqual(before?.startsAt)
  await sheet.getByLabel("Starts at").fill("2030-01-02T03:04")
  const sent = page.waitForRequest((request) => request.method() === "PUT")
  await sheet.getByRole("button", { name: "Change", exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ startsAt: "2030-01-02T03:04:00.000Z" })
  await page.getByText("Change: done", { exact: true }).waitFor()
  await go(guest, "/as/resident/intranet")
  const year = page.getByRole("definition").getByText(/^20\d\d$/)
  await year.or(page.getByRole("row").getByRole("link")).first().waitFor()
  if ((await year.count()) === 0) await page.getByRole("row").getByRole("link").first().click()
  await year.first().waitFor()
  expect(await page.getByRole("term").filter({ hasText: /^Id$/ }).count()).toBe(0)
})

it("counts a day once it is whole, and keeps the days that find nothing until they are cleared", async ({
  enter
}) => {
  const { page } = await enter("/data/users")
  await page.getByRole("button", { name: "Any day" }).click()
  await page.getByLabel("From", { exact: true }).focus()
  await page.keyboard.type("0606203")
  expect(new URL(page.url()).search).toBe("")
  await page.keyboard.type("5")
  await expect.poll(() => page.url()).toMatch(/from=2035-06-06$/)
  await page.getByRole("button", { name: /^2035-06-06/ }).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Clear the filters" }).click()
  await page.getByRole("row").nth(1).waitFor()
  expect(new URL(page.url()).search).toBe("")
})

it("asks for the kind of entities once, offers those that there are, and needs it for a new one", async ({
  enter,
  stage
}) => {
  const { page, ...guest } = await enter("/data/entities")
  const kind = page.getByRole("combobox", { name: "Kind" })
  expect(await kind.evaluate((field) => Object(field).list.options.length)).toBe(2)
  await kind.pressSequentially("complex")
  await page.getByRole("row").nth(1).waitFor()
  const reads = stage.sandbox.control.log().filter(({ operation }) => operation === "entities.list")
  expect(reads).toHaveLength(1)
  await kind.fill("")
  await page.getByText("Say which kind").waitFor()
  await page.getByRole("button", { name: "New entity" }).click()
  const sheet = page.getByRole("dialog")
  await sheet.getByRole("button", { name: "New entity" }).click()
  await expect.poll(() => sheet.getByLabel("Kind").getAttribute("aria-invalid")).toBe("true")
  // What is no kind is not offered any.
  await page.keyboard.press("Escape")
  await go({ page, ...guest }, "/as/visitor/content")
  expect(await page.getByLabel("Api id").getAttribute("list")).toBeNull()
})

it("says of an address that leads nowhere that there is nothing, and leads on", async ({ enter }) => {
  const guest = await enter("/data/nosuch")
  await guest.page.getByText("There is no data called “nosuch”").waitFor()
  await go(guest, "/explorer?call=admin.no.such")
  await guest.page.getByRole("link", { name: "Choose one that there is" }).click()
  await guest.page.getByRole("heading", { level: 2, name: "users.list", exact: true }).waitFor()
})

it("names a row that has no title", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const [row] = requests.all()
  if (row !== undefined) requests.put({ ...row, title: " " })
  const { page } = await enter(`/data/requests?id=${row?._id}`)
  await page.getByRole("dialog", { name: /^Request of \d+ \w+ \d{4}$/ }).waitFor()
})

/** The console at work, in a real browser against the real sandbox server: what people come for, from end to end. */
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { type Guest, go, it, settle, signIn } from "./stage.js"

/** The first payment that succeeded, and the question whether to refund it. */
const askForRefund = async (page: Page): Promise<void> => {
  await page.getByRole("row").filter({ hasText: "Succeeded" }).first().getByRole("link").first().click()
  await page.getByRole("dialog").getByRole("button", { name: "Refund…" }).click()
}

const refund = (page: Page): Promise<void> =>
  page
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Refund / })
    .click()

it("signs in by one press on a seeded account, and stays signed in when the page is loaded again", async ({
  enter
}) => {
  const { page } = await enter()
  await page.reload()
  await page.getByRole("heading", { name: "Welcome, Tamar" }).waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
})

it("says that a password is wrong, in words", async ({ arrive }) => {
  const { page } = await arrive("/", /401/)
  await page.getByLabel("Email").fill("admin@quartet.test")
  await page.getByLabel("Password").fill("wrong")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect.poll(() => page.getByRole("alert").innerText()).toContain("Email or password is wrong")
})

it("shows on the overview what waits and what was paid, the newest first, each leading to what it is of", async ({
  enter,
  stage
}) => {
  const { requests, transactions } = stage.sandbox.platform.state
  const { page } = await enter()
  const newest = (
    rows: ReadonlyArray<{ readonly _id: string; readonly createdAt: Date }>
  ): string | undefined =>
    [...rows].sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())[0]?._id
  const waiting = requests.filter(({ status }) => status === "pending")
  for (const [name, path] of [
    ["Requests that wait", `/requests/${newest(waiting)}`],
    ["Latest payments", `/commerce?id=${newest([...transactions.all()])}`]
  ] as const) {
    const list = page.getByRole("region", { name })
    await expect.poll(() => list.getByRole("listitem").count()).toBe(6)
    await list.getByRole("listitem").first().getByRole("link").click()
    await page.waitForURL(`**${path}`)
    await page.getByRole("dialog").waitFor()
    await page.goBack()
  }
  const tile = page.locator("dl > div").filter({ hasText: "Requests that wait" })
  await expect.poll(() => tile.locator("dd").innerText()).toBe(String(waiting.length))
})

it("answers a request, changes its status and marks it as seen, and the platform has it all", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/requests?status=pending")
  await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  const sheet = page.getByRole("dialog")
  await sheet.getByLabel("Your comment").fill("We come on Thursday at ten.")
  await sheet.getByRole("button", { name: "Comment", exact: true }).click()
  await sheet.getByText("We come on Thursday at ten.").waitFor()
  await sheet.getByLabel("Change the status").selectOption("confirmed")
  await sheet.getByRole("button", { name: "Set the status" }).click()
  await page.getByText("Status changed").waitFor()
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
  const kept = stage.sandbox.platform.state.requests.peek(id)
  expect(kept?.status).toBe("confirmed")
  expect(kept?.comments.at(-1)).toMatchObject({
    text: "We come on Thursday at ten.",
    author: { kind: "admin" }
  })
  expect(kept?.seenByAdmin).toBe(kept?.version)
  await page.keyboard.press("Escape")
  await sheet.waitFor({ state: "detached" })
})

it("lets a viewer look at requests and not change them", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/requests")
  await guest.page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  await guest.page.getByText("Your role lets you read requests, and not change them.").waitFor()
  expect(await guest.page.getByLabel("Change the status").count()).toBe(0)
})

it("shows who is away in a month, marks today, and keeps month and kind in the address", async ({
  enter,
  stage
}) => {
  const { page } = await enter()
  const isoDay = (date: Date): string => date.toISOString().slice(0, 10)
  const [latest] = [...stage.sandbox.platform.state.absences.all()]
    .filter(({ type }) => type === "sick_day")
    .sort((left, right) => right.startDate.getTime() - left.startDate.getTime())
  if (latest === undefined) throw new Error("nobody was ever ill")
  await page.getByRole("link", { name: "Holidays" }).click()
  const today = page.getByRole("listitem").filter({ hasText: "Today" })
  expect(await today.locator("time").getAttribute("datetime")).toBe(isoDay(new Date()))
  await page.getByLabel("Kind of absence").selectOption("Sick day")
  await page.getByRole("link", { name: /^Go to / }).click()
  await page.getByRole("button", { name: "The month before" }).click()
  await page.getByRole("button", { name: "The next month" }).click()
  await page.reload()
  const first = page
    .getByRole("listitem")
    .filter({ has: page.locator(`[datetime="${isoDay(latest.startDate)}"]`) })
  await first.getByText(latest.fullName).waitFor()
  expect(new URL(page.url()).search).toBe(`?month=${isoDay(latest.startDate).slice(0, 7)}&type=sick_day`)
})

it("carries a chat both ways between two browsers", async ({ enter }) => {
  const first = await enter("/chat")
  await first.page.getByRole("region", { name: "Conversations" }).getByRole("link").first().click()
  await settle(first.page)
  const address = new URL(first.page.url()).pathname
  const second = await enter(address)
  for (const { page } of [first, second]) await page.getByText("Connected", { exact: true }).waitFor()
  const say = async ({ page }: Guest, text: string): Promise<void> => {
    await page.getByLabel("Message", { exact: true }).fill(text)
    await page.getByLabel("Message", { exact: true }).press("Enter")
  }
  const hears = ({ page }: Guest, text: string): Promise<void> =>
    page.getByRole("region", { name: "Messages" }).getByText(text).waitFor()
  await say(first, "Is the lift repaired?")
  await hears(second, "Is the lift repaired?")
  await say(second, "It works since this morning.")
  await hears(first, "It works since this morning.")
  const lines = await first.page
    .getByRole("region", { name: "Messages" })
    .getByRole("listitem")
    .allInnerTexts()
  const today = lines.indexOf("Today")
  expect(lines[0], "days stand above their messages").toMatch(/^\d+ \w+ \d{4}$/)
  expect(lines.slice(today).map((line) => line.split("\n")[0])).toEqual([
    "Today",
    "Is the lift repaired?",
    "It works since this morning."
  ])
})

it("has in the field again, when the page is loaded again, what it could not send", async ({
  enter,
  stage
}) => {
  const guest = await enter()
  // Nothing of the chat is answered: a connection that is lost unnoticed.
  await guest.page.route(/transport=polling/, () => undefined)
  await guest.page.addInitScript(() => {
    WebSocket.prototype.send = () => undefined
  })
  await guest.page.reload()
  const [conversation] = stage.sandbox.platform.state.conversations.all()
  await go(guest, `/chat/${conversation?._id}`)
  const field = guest.page.getByLabel("Message", { exact: true })
  for (const text of ["Is anybody", "there?"]) {
    await field.fill(text)
    await field.press("Enter")
  }
  await field.fill("Hello?")
  await expect.poll(() => guest.page.getByText("Sending…").count()).toBe(2)
  await guest.page.reload()
  await expect.poll(() => field.inputValue()).toBe("Is anybody there? Hello?")
})

it("finds a conversation and a message however many there are", async ({ enter, stage }) => {
  const { conversations, messages, random } = stage.sandbox.platform.state
  const [first] = conversations.all()
  const [message] = messages.filter(({ conversationId }) => conversationId === first?._id)
  if (first === undefined || message === undefined) throw new Error("nobody has said anything")
  const began = first.updatedAt.getTime()
  for (let index = 0; index < 600; index++) {
    const at = new Date(began + index)
    const userName = `Guest ${index}`
    conversations.put({ ...first, _id: random.id(), userName, updatedAt: at })
    messages.put({ ...message, _id: random.id(), text: `Line ${index}`, createdAt: at })
  }
  const { page } = await enter(`/chat/${first._id}`)
  const list = page.getByRole("region", { name: "Conversations" })
  await expect.poll(() => list.getByRole("link").count()).toBe(100)
  await list.getByRole("button", { name: "More conversations" }).click()
  await expect.poll(() => list.getByRole("link").count()).toBe(200)
  await list.getByLabel("Find conversations").fill(first.userName)
  await list.getByRole("link", { name: first.userName }).first().waitFor()
  const said = page.getByRole("region", { name: "Messages" })
  await said.getByText("Line 599", { exact: true }).waitFor()
  await said.getByRole("button", { name: "Earlier messages" }).click()
  await said.getByText("Line 0", { exact: true }).waitFor()
})

it("says beside a field what is wrong with it: by its own constraint, the operation's schema, or the platform", async ({
  enter,
  stage
}) => {
  const guest = await enter("/explorer?call=private.notifications.sendSms", /400/)
  const { page } = guest
  const [to, body] = [page.getByLabel("To", { exact: true }), page.getByLabel("Body", { exact: true })]
  const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement)
  const send = page.getByRole("button", { name: /^Send/ })
  await body.fill("We are on our way.")
  await send.click()
  await page.getByText("Please fill out this field.").waitFor()
  await expect.poll(() => to.getAttribute("aria-invalid")).toBe("true")
  await expect.poll(() => isFocused(to)).toBe(true)
  await to.fill("+995555123456")
  const refuse = (status: number, json: unknown) =>
    page.route("**/notification/sms*", (route) => route.fulfill({ status, json }), { times: 1 })
  await refuse(400, { message: "This number cannot receive texts", field: "to" })
  await send.click()
  await page.getByText("This number cannot receive texts").first().waitFor()
  await expect.poll(() => to.getAttribute("aria-invalid")).toBe("true")
  expect(await body.getAttribute("aria-invalid")).toBe(null)
  await refuse(400, { message: "Not today" })
  await send.click()
  await page.getByRole("log").getByText("Not today").waitFor()
  await go(guest, "/explorer?call=admin.requests.markSeen&id=1")
  const version = page.getByLabel("Version", { exact: true })
  const callCount = () => stage.sandbox.control.log().length
  const before = callCount()
  await version.fill("1.5")
  await send.click()
  await page.getByText("Enter a whole number, 0 or more.").waitFor()
  await expect.poll(() => version.getAttribute("aria-invalid")).toBe("true")
  await expect.poll(() => isFocused(version)).toBe(true)
  expect(callCount()).toBe(before)
})

it("refunds a payment after asking, and shows it in the payment's story", async ({ enter, stage }) => {
  const { page } = await enter("/commerce")
  await askForRefund(page)
  await refund(page)
  await page.getByText("Payment refunded").waitFor()
  await page
    .getByRole("dialog")
    .getByRole("listitem")
    .filter({ hasText: /^Refunded/ })
    .waitFor()
  const id = new URL(page.url()).searchParams.get("id") ?? ""
  expect(stage.sandbox.platform.state.transactions.peek(id)?.status).toBe("refunded")
})

it("reads the payment again and says what happened where the answer to a refund is lost", async ({
  enter
}) => {
  const { page } = await enter("/commerce", /ERR_/)
  await askForRefund(page)
  // The platform does its work, and the answer never arrives.
  await page.route("**/refund?*", async (route) => {
    await route.fetch()
    await route.abort("connectionreset")
  })
  await refund(page)
  await page.getByText("The answer to the refund was lost.").waitFor()
  await page.getByText("the refund did happen").waitFor()
})

it("says that a refund has happened where the browser sent it twice over a connection that broke", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/commerce", /ERR_|409/)
  await askForRefund(page)
  await settle(page)
  // Chromium repeats a request by itself where a kept connection ends before the answer begins.
  stage.sandbox.control.loseNext(1)
  await refund(page)
  await page.getByText("We have looked again: the refund did happen.").waitFor()
})

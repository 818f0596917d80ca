/** The console at work, in a real browser against the real sandbox server: what people come for, from end to end. */
import type { Locator } from "playwright-core"
import { expect } from "vitest"
import { type Guest, go, it, settle } from "./stage.js"

const log = ({ page }: Guest) => page.getByRole("log", { name: "Messages" })
const composer = ({ page }: Guest) => page.getByRole("textbox", { name: /^Message to / })

const say = async (guest: Guest, text: string): Promise<void> => {
  await composer(guest).fill(text)
  await composer(guest).press("Enter")
}

it("signs in by one press on a seeded account, stays signed in when the page is loaded again, and signs out", async ({
  enter
}) => {
  const { page } = await enter()
  await page.reload()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await page.getByRole("button", { name: "Tamar Chikovani" }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
})

it("says that a password is wrong, in words, and keeps the address", async ({ arrive }) => {
  const { page } = await arrive("/", /401/)
  await page.getByLabel("Email").fill("admin@quartet.test")
  await page.getByLabel("Password").fill("wrong")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect.poll(() => page.getByRole("alert").innerText()).toContain("Wrong email or password")
  expect(await page.getByLabel("Email").inputValue()).toBe("admin@quartet.test")
})

it("carries a chat both ways between two browsers", async ({ enter }) => {
  const first = await enter("/chat")
  await log(first).getByRole("listitem").first().waitFor()
  await expect.poll(() => new URL(first.page.url()).pathname).toMatch(/^\/chat\/./)
  const second = await enter(new URL(first.page.url()).pathname)
  for (const { page } of [first, second]) await page.getByText("Connected", { exact: true }).waitFor()
  await say(first, "Is the lift repaired?")
  await log(second).getByText("Is the lift repaired?").waitFor()
  await say(second, "It works since this morning.")
  await log(first).getByText("It works since this morning.").waitFor()
  const lines = await log(first).getByRole("listitem").allInnerTexts()
  const said = lines.slice(lines.indexOf("Today")).join("\n")
  expect(lines).toContain("Today")
  expect(said.indexOf("Is the lift repaired?")).toBeLessThan(said.indexOf("It works since this morning."))
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
  const field = composer(guest)
  for (const text of ["Is anybody", "there?"]) await say(guest, text)
  await field.fill("Hello?")
  await expect.poll(() => log(guest).getByText("Sending…").count()).toBe(2)
  await guest.page.reload()
  await expect.poll(() => field.inputValue()).toBe("Is anybody there? Hello?")
})

it("finds a conversation and a message however many there are", async ({ enter, stage }) => {
  const { conversations, messages, random } = stage.sandbox.platform.state
  const [first] = conversations.filter(({ status }) => status === "open")
  const [message] = messages.filter(({ conversationId }) => conversationId === first?._id)
  if (first === undefined || message === undefined) throw new Error("nobody has said anything")
  const began = first.updatedAt.getTime()
  for (let index = 0; index < 600; index++) {
    const at = new Date(began + index)
    const userName = `Guest ${index}`
    conversations.put({ ...first, _id: random.id(), userName, updatedAt: at })
    messages.put({ ...message, _id: random.id(), text: `Line ${index}`, createdAt: at })
  }
  const guest = await enter(`/chat/${first._id}`)
  const { page } = guest
  const list = page.getByRole("region", { name: "Chat", exact: true }).first()
  const rows = list.locator("[data-row]")
  await log(guest).getByText("Line 599", { exact: true }).waitFor()
  expect(await rows.count()).toBeLessThan(60)
  await list.getByRole("searchbox", { name: "Find conversations" }).fill("Guest 7")
  await list.getByRole("link", { name: /^Guest 7,/ }).waitFor()
  await expect
    .poll(async () => (await rows.allInnerTexts()).every((text) => text.includes("Guest 7")))
    .toBe(true)
  await log(guest).getByRole("button", { name: "Show earlier messages" }).click()
  await log(guest).getByText("Line 0", { exact: true }).waitFor()
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
  await page.getByRole("region", { name: "Answer", exact: true }).getByText("Rejected: Not today").waitFor()
  await go(guest, "/explorer?call=admin.requests.markSeen&id=1")
  const version = page.getByLabel("Version", { exact: true })
  const callCount = () => stage.sandbox.control.log().length
  await settle(page)
  const before = callCount()
  await version.fill("1.5")
  await send.click()
  await page.getByText("Enter a whole number, 0 or more.").waitFor()
  await expect.poll(() => version.getAttribute("aria-invalid")).toBe("true")
  await expect.poll(() => isFocused(version)).toBe(true)
  expect(callCount()).toBe(before)
})

it("says that a refund went through where the browser sent it twice over a connection that broke", async ({
  enter,
  stage
}) => {
  const { transactions } = stage.sandbox.platform.state
  const paid = transactions.find(({ status }) => status === "succeeded")
  const { page } = await enter(`/payments/${paid?._id}`, /ERR_|409/)
  await settle(page)
  await page.keyboard.press("r")
  await page.keyboard.press("Enter")
  const refund = page.getByRole("alertdialog", { name: /^Refund / }).getByRole("button", { name: /^Refund / })
  await refund.waitFor()
  await settle(page)
  // Chromium repeats a request by itself where a kept connection ends before the answer begins.
  stage.sandbox.control.loseNext(1)
  await refund.click()
  await page.getByText("The refund went through.").waitFor()
  expect(transactions.peek(paid?._id ?? "")).toMatchObject({
    refundedAmount: paid?.amount,
    status: "refunded"
  })
})

/** Conversations: answered by keys alone, read without being thrown about, closed with Undo, shared with others, and on a phone. */
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, type Stage, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Chat", exact: true }).first()
const rows = (page: Page) => list(page).getByRole("listitem")
const title = (page: Page) => page.getByRole("heading", { level: 2 }).first()
const composer = (page: Page) => page.getByRole("textbox", { name: /^Message to / })
const log = (page: Page) => page.getByRole("log", { name: "Messages" })
const places = (page: Page) => page.getByRole("navigation", { name: "Places" })
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Tabs" }).getByRole("link", { name })

/** The id of the row that has the focus. */
const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("data-row") ?? null)

/** The first open conversation is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
  await log(page).getByRole("listitem").first().waitFor()
}

/** A customer writes. */
const write = (stage: Stage, conversationId: string, text: string) => {
  const { hub, platform } = stage.sandbox
  const userId = String(platform.state.conversations.peek(conversationId)?.userId)
  return Effect.runPromise(hub.sayAs(userId, { conversationId, text }))
}

/** The texts of a conversation, the oldest first. */
const textsOf = (stage: Stage, id: string): ReadonlyArray<string> =>
  [...stage.sandbox.platform.state.messages.filter(({ conversationId }) => conversationId === id)]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    .map(({ text }) => String(text))

it("goes into the answer by Enter and stays in the list by j; Shift+Enter breaks the line, and both are said", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/chat")
  await begin(page)
  await page.keyboard.press("j")
  await expect.poll(() => focusedRow(page)).toBe(idIn(page))
  const id = idIn(page)
  await page.keyboard.press("Enter")
  await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByText("Enter to send, Shift+Enter for a new line").waitFor()
  await page.keyboard.type("Two lines:")
  await page.keyboard.press("Shift+Enter")
  await page.keyboard.type("the second.")
  await page.keyboard.press("Escape")
  await page.keyboard.press("j")
  await expect.poll(() => idIn(page)).not.toBe(id)
  await expect.poll(() => composer(page).inputValue()).toBe("")
  await page.keyboard.press("k")
  await expect.poll(() => composer(page).inputValue()).toBe("Two lines:\nthe second.")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Enter")
  await expect.poll(() => textsOf(stage, id).at(-1)).toBe("Two lines:\nthe second.")
})

it("begins at the first unread message, under a line, and marks what was read", async ({ enter, stage }) => {
  const { conversations, messages } = stage.sandbox.platform.state
  const { page } = await enter("/chat")
  await begin(page)
  await page.keyboard.press("j")
  await expect.poll(() => focusedRow(page)).toBe(idIn(page))
  const here = idIn(page)
  const other = conversations.filter(({ _id, status }) => _id !== here && status === "open")[0]
  if (other === undefined) throw new Error("the sandbox has no other conversation")
  // The chat tells of the last 50 messages.
  const unread = () =>
    [...messages.all()]
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      .slice(-50)
      .filter(
        ({ conversationId, seen, sender }) =>
          conversationId === other._id && seen !== true && sender.kind === "endUser"
      ).length
  const before = unread()
  await write(stage, other._id, "Is anybody there?")
  const row = rows(page).filter({ hasText: "Is anybody there?" })
  const spoken = new RegExp(`^[^,]+, ${before + 1} unread, Is anybody there\\?, \\d\\d:\\d\\d$`)
  await row.getByRole("link", { name: spoken }).click()
  await log(page).getByText("New", { exact: true }).waitFor()
  await expect.poll(unread).toBeLessThan(before + 1)
  await row.getByRole("link", { name: /^[^,]+, Is anybody there\?/ }).waitFor()
})

it("never throws about who reads above: it says how much is new, and leads there", async ({
  enter,
  stage
}) => {
  const { conversations, messages, random } = stage.sandbox.platform.state
  const [conversation] = conversations.filter(({ status }) => status === "open")
  const [message] = messages.filter(({ conversationId }) => conversationId === conversation?._id)
  if (conversation === undefined || message === undefined) throw new Error("the sandbox has no message")
  for (let at = 0; at < 40; at++)
    messages.put({
      ...message,
      _id: random.id(),
      seen: true,
      text: `Line ${at}`,
      createdAt: new Date(message.createdAt.getTime() + at)
    })
  const { page } = await enter(`/chat/${conversation._id}`)
  await begin(page)
  const thread = page.getByRole("region", { name: "Details" })
  const top = () => thread.evaluate((element) => Math.round(element.scrollTop))
  await expect.poll(top).toBeGreaterThan(200)
  await thread.evaluate((element) => element.scrollTo(0, 100))
  await expect.poll(top).toBe(100)
  await write(stage, conversation._id, "First")
  await write(stage, conversation._id, "Second")
  const leads = page.getByRole("button", { name: "2 new messages" })
  await leads.waitFor()
  expect(await top()).toBe(100)
  await leads.click()
  await expect
    .poll(() => thread.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight))
    .toBeLessThan(48)
  await leads.waitFor({ state: "detached" })
  await write(stage, conversation._id, "Third")
  await log(page).getByText("Third").waitFor()
  await expect
    .poll(() => thread.evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight))
    .toBeLessThan(48)
})

it("counts the unread in the menu, on every page, and shows a new conversation by itself", async ({
  enter,
  stage
}) => {
  const { conversations, random } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await settle(page)
  const count = async (): Promise<number> =>
    Number(/\d+/.exec(await places(page).getByRole("link", { name: /^Chat/ }).innerText())?.[0] ?? 0)
  const [one] = conversations.all()
  if (one === undefined) throw new Error("the sandbox has no conversation")
  const fresh = { ...one, _id: random.id(), topic: "Sales", status: "open" as const }
  conversations.put(fresh)
  await expect.poll(count).toBeGreaterThan(0)
  const before = await count()
  await write(stage, fresh._id, "I am new here")
  await expect.poll(count).toBe(before + 1)
  await go({ page }, "/chat")
  await rows(page).filter({ hasText: "I am new here" }).waitFor()
})

it("closes by s and c with Undo, several at once after a question, and finds by name", async ({
  enter,
  stage
}) => {
  const { conversations } = stage.sandbox.platform.state
  const { page } = await enter("/chat")
  await begin(page)
  await page.keyboard.press("j")
  await expect.poll(() => focusedRow(page)).toBe(idIn(page))
  const id = idIn(page)
  await page.keyboard.press("s")
  await page.getByRole("menu").waitFor()
  await page.keyboard.press("c")
  await expect.poll(() => conversations.peek(id)?.status).toBe("closed")
  await page.getByRole("button", { name: "Undo" }).waitFor()
  expect(idIn(page)).toBe(id)
  await page.keyboard.press("u")
  await expect.poll(() => conversations.peek(id)?.status).toBe("open")
  await page.getByText("Undone").waitFor()
  const closed = () => conversations.filter(({ status }) => status === "closed").length
  const before = closed()
  await page.keyboard.press("x")
  await page.keyboard.press("j")
  await page.keyboard.press("x")
  await list(page).getByRole("button", { name: "Close", exact: true }).click()
  const question = page.getByRole("alertdialog", { name: "Close 2 conversations?" })
  await question.getByRole("button", { name: "Close 2 conversations" }).click()
  await expect.poll(closed).toBe(before + 2)
  const name = String(conversations.filter(({ status }) => status === "closed")[0]?.userName)
  await tab(page, "Closed").click()
  await page.getByRole("searchbox", { name: "Find conversations" }).fill(name)
  await expect
    .poll(async () =>
      (await rows(page).getByRole("link").allInnerTexts()).every((text) => text.includes(name))
    )
    .toBe(true)
})

it("keeps a message that was not sent, to be sent again or deleted", async ({ enter, stage }) => {
  const { page } = await enter("/chat", /404/)
  await begin(page)
  await page.keyboard.press("j")
  await expect.poll(() => focusedRow(page)).toBe(idIn(page))
  // Read before it is gone.
  await begin(page)
  const id = idIn(page)
  const { platform } = stage.sandbox
  const kept = platform.state.conversations.peek(id)
  await Effect.runPromise(platform.state.conversations.remove(id))
  await composer(page).fill("Are you there?")
  await composer(page).press("Enter")
  await log(page).getByText("Not sent").waitFor()
  if (kept !== undefined) platform.state.conversations.put(kept)
  await log(page).getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => textsOf(stage, id).at(-1)).toBe("Are you there?")
})

it("says of a dead id that it is not there, with a way back, and of a role that it may only read", async ({
  arrive,
  enter
}) => {
  const { page } = await enter("/chat/000000000000000000000000", /404/)
  await page.getByText("This conversation no longer exists").waitFor()
  await page.getByRole("link", { name: "Back to Chat" }).click()
  await begin(page)
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/chat")
  await begin(guest.page)
  await guest.page
    .getByText("You can view conversations, but your role does not let you reply to or close them.")
    .waitFor()
  expect(await composer(guest.page).count()).toBe(0)
})

it("shows one pane after the other on a phone, and leads back to the row", async ({ enter }) => {
  const { page } = await enter("/chat")
  await page.setViewportSize({ width: 390, height: 844 })
  await go({ page }, "/chat")
  await rows(page).nth(1).getByRole("link").click()
  await composer(page).waitFor()
  const id = idIn(page)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe(await title(page).innerText())
  expect(await title(page).isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole("button", { name: /^About / }).click()
  await page.getByRole("dialog").getByText("Email").waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("link", { name: "Chat", exact: true }).first().click()
  await rows(page).nth(1).waitFor()
  await expect.poll(() => focusedRow(page)).toBe(id)
})

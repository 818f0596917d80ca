/** What the daily work takes, counted in keys. The letters of a text that one writes are counted apart. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { it, settle } from "./stage.js"

const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** A thing of the list is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
}

/** The id of the row that has the focus. */
const focusedRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute("data-row") ?? null)

/** A keyboard that counts the keys that are pressed, and a mouse that nobody may touch. */
const hands = async (page: Page) => {
  let keys = 0
  await page.evaluate(() =>
    addEventListener("pointerdown", () => document.body.setAttribute("data-mouse", ""))
  )
  return {
    press: async (...pressed: ReadonlyArray<string>): Promise<void> => {
      for (const key of pressed) {
        await page.keyboard.press(key)
        keys += 1
      }
    },
    /** The number of keys since it was asked last. */
    taken: async (): Promise<number> => {
      expect(await page.locator("[data-mouse]").count(), "the mouse was used").toBe(0)
      const taken = keys
      keys = 0
      return taken
    }
  }
}

it("decides twenty requests by two keys each, and the focus is on a row all the time", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const { press, taken } = await hands(page)
  const decided = new Set<string>()
  const letters = { c: "confirmed", r: "rejected", z: "archived" }
  for (let round = 0; round < 20; round++) {
    const [letter, status] = Object.entries(letters)[round % 3] ?? ["", ""]
    const id = idIn(page)
    await press("n", letter)
    await expect.poll(() => requests.peek(id)?.status).toBe(status)
    await expect.poll(() => idIn(page)).not.toBe(id)
    await expect.poll(() => focusedRow(page)).toBe(idIn(page))
    decided.add(id)
    expect(await taken()).toBe(2)
  }
  expect(decided.size).toBe(20)
})

it("answers a request and goes to the next one by two keys beside the text", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const { press, taken } = await hands(page)
  for (const text of ["We are on our way.", "It is done.", "Thank you."]) {
    const id = idIn(page)
    await press("r")
    await page.keyboard.type(text)
    await press("Control+Shift+Enter")
    await expect.poll(() => requests.peek(id)?.comments.at(-1)?.text).toBe(text)
    await expect.poll(() => idIn(page)).not.toBe(id)
    expect(await taken()).toBe(2)
  }
})

it("answers three conversations without the mouse, each by r, text, Enter, Escape, j; the list moves along", async ({
  enter,
  stage
}) => {
  const { messages } = stage.sandbox.platform.state
  const { page } = await enter("/chat")
  await begin(page)
  const links = page.locator("[data-row]")
  const order = await links.evaluateAll((all) => all.map((row) => row.getAttribute("data-row")))
  const { press, taken } = await hands(page)
  for (const [at, text] of ["We are on our way.", "It is done.", "Thank you."].entries()) {
    const id = String(order[at])
    await expect.poll(() => idIn(page)).toBe(id)
    await press("r")
    await page.keyboard.type(text)
    await press("Enter")
    await expect
      .poll(() => messages.find((message) => message.conversationId === id && message.text === text))
      .toBeDefined()
    await expect.poll(() => links.first().innerText()).toContain(`You: ${text}`)
    await press("Escape")
    await expect.poll(() => focusedRow(page)).toBe(id)
    await press("j")
    expect(await taken()).toBe(4)
  }
  await expect.poll(() => idIn(page)).toBe(order[3])
})

it("half a name leads to an order of that customer in six keys, and the palette says that it searches until it knows", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await begin(page)
  const { press, taken } = await hands(page)
  await press("Control+k")
  await page.getByRole("combobox", { name: "Search or run a command" }).waitFor()
  await press("z", "u", "r")
  const dialog = page.getByRole("dialog", { name: "Search or run a command" })
  const says = (text: string | RegExp) => dialog.getByRole("status").filter({ hasText: text })
  await says("Searching…").waitFor()
  expect(await dialog.getByText("Nothing found").count()).toBe(0)
  await says(/\d+ results/).waitFor()
  const best = dialog.getByRole("option", { selected: true })
  expect(await best.textContent()).toMatch(/^Zura .*Customer/)
  await press("ArrowDown")
  const number = /^(RH-\d+)Order · Zura /.exec((await best.textContent()) ?? "")?.[1]
  await press("Enter")
  await page.waitForURL(/\/orders\/\w+/)
  await page.getByRole("heading", { level: 2, name: number ?? "an order of Zura" }).waitFor()
  expect(await taken()).toBeLessThanOrEqual(6)
})

it("edits an entry in two languages by five keys beside the texts, without leaving it, and undoes it", async ({
  enter,
  stage
}) => {
  const { entries } = stage.sandbox.platform.state
  const { page } = await enter("/library?model=news")
  await page.getByRole("textbox", { name: "Title, English" }).waitFor()
  await begin(page)
  const id = idIn(page)
  const before = entries.peek(id)
  const georgian = page.getByRole("textbox", { name: "Title, Georgian" })
  expect(await georgian.getAttribute("lang")).toBe("ka")
  const { press, taken } = await hands(page)
  await press("e", "ControlOrMeta+a")
  await page.keyboard.type("The pool is open")
  await press("Tab", "ControlOrMeta+a")
  await page.keyboard.insertText("აუზი ღიაა")
  await page.getByText("Not saved. The draft is kept in this tab.").waitFor()
  await press("ControlOrMeta+s")
  await expect.poll(() => entries.peek(id)?.title).toBe("The pool is open")
  expect(await taken()).toBe(5)
  expect(entries.peek(id)?.translations.ka).toEqual({ ...before?.translations.ka, title: "აუზი ღიაა" })
  expect(entries.peek(id)?.publishedAt).toEqual(before?.publishedAt)
  expect(idIn(page)).toBe(id)
  expect(await georgian.evaluate((field) => field === document.activeElement)).toBe(true)
  await press("Escape", "u")
  await expect.poll(() => entries.peek(id)?.title).toBe(before?.title)
  expect(entries.peek(id)?.translations).toEqual(before?.translations)
})

it("refunds a part by four keys beside the amount, after a question that names amount and receiver", async ({
  enter,
  stage
}) => {
  const { transactions, users } = stage.sandbox.platform.state
  const { page } = await enter("/payments?tab=succeeded")
  await begin(page)
  const id = idIn(page)
  const payer = users.peek(String(transactions.peek(id)?.userId))?.fullName ?? ""
  await page.getByRole("link", { name: payer }).first().waitFor()
  const { press, taken } = await hands(page)
  await press("r")
  await page.keyboard.type("40")
  await press("Control+Enter")
  await page.getByRole("alertdialog").getByText(`Refund $40.00 to ${payer}?`).waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent), { message: "it begins on Cancel" })
    .toBe("Cancel")
  await press("Tab", "Enter")
  await expect.poll(() => transactions.peek(id)?.refundedAmount).toBe(40)
  expect(await taken()).toBe(4)
  await page.getByRole("list", { name: "Timeline" }).getByText("Partly refunded").waitFor()
  await page.getByText("Left to refund").waitFor()
})

it("tells a customer's whole story in one view, by one key from what they asked for", async ({
  enter,
  stage
}) => {
  const { state } = stage.sandbox.platform
  const ana = state.users.find(({ fullName }) => fullName === "Ana Beridze")
  const id = ana?._id ?? ""
  const theirs = state.requests.filter(({ userId }) => userId === id)
  const { page } = await enter(`/requests/${theirs[0]?._id}`)
  await begin(page)
  await page.getByRole("link", { name: "Ana Beridze" }).first().waitFor()
  const { press, taken } = await hands(page)
  await press("o")
  await page.waitForURL(`**/customers/${id}*`)
  expect(await taken()).toBe(1)
  const story = page.url()
  const body = page.getByRole("region", { name: "Details" })
  await body.getByRole("link", { name: ana?.phone ?? "" }).waitFor()
  await body.getByRole("link", { name: ana?.email ?? "" }).waitFor()
  const open = body.getByRole("region", { name: "Open" })
  const waiting = theirs.filter(({ status }) => ["pending", "reviewed", "confirmed"].includes(status))
  await open.getByRole("button", { name: /^All / }).click()
  for (const { title } of waiting) await open.getByText(title).first().waitFor()
  for (const [name, rows] of [
    ["Orders", state.orders],
    ["Payments", state.transactions],
    ["Requests", state.requests],
    ["Conversations", state.conversations]
  ] as const) {
    const count = rows.filter(({ userId }: { readonly userId?: unknown }) => userId === id).length
    const group = body.getByRole("group").filter({ has: page.getByRole("heading", { name }) })
    await group.getByText(String(count), { exact: true }).first().waitFor()
    await expect.poll(() => group.getByRole("listitem").count()).toBe(Math.min(5, count))
    if (count > 5) await group.getByRole("button", { name: `All ${count}` }).click()
    expect(await group.getByRole("listitem").count()).toBe(count)
  }
  const text = await body.innerText()
  const order = ["Open", "Orders", "Payments", "Requests", "Conversations", "About"].map((name) =>
    text.indexOf(name)
  )
  expect(order).toEqual([...order].sort((left, right) => left - right))
  await body.getByText(/^\$[\d,.]+ paid/).waitFor()
  await body.getByText("Followers").waitFor()
  expect(page.url()).toBe(story)
})

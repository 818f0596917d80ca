/** The frame of every place: a key that is held, what messages name and leave free, keycaps, the wire beside the page, ticks without a mouse. */
import type { Locator } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle } from "./stage.js"

/** Whether two things that are seen lie over each other. */
const overlap = async (one: Locator, other: Locator): Promise<boolean> => {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (a === null || b === null) return false
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

it("asks for nothing of the rows that a held key passes, and for all of the one where it rests", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await page.waitForURL(/\/requests\/[0-9a-f]{24}/)
  await settle(page)
  const asked: Array<string> = []
  page.on("request", (request) => {
    const [, id] = /\/request-action\/([0-9a-f]{24})\b/.exec(new URL(request.url()).pathname) ?? []
    if (id !== undefined && request.method() === "GET") asked.push(id)
  })
  // The first press shows its row at once; the others are repeats of it.
  for (let presses = 0; presses < 20; presses++) await page.keyboard.down("j")
  await page.keyboard.up("j")
  const row = page.locator("[data-row][aria-current]")
  await expect.poll(async () => asked.at(-1) === (await row.getAttribute("data-row"))).toBe(true)
  await page.getByRole("list", { name: "Timeline" }).waitFor()
  expect(new Set(asked).size).toBe(2)
})

it("names what it is not known of, and lies over no row and no field", async ({ enter }) => {
  const { page } = await enter("/requests", /Failed to load resource/)
  await page.waitForURL(/\/requests\/[0-9a-f]{24}/)
  const title = await page.getByRole("heading", { level: 2 }).first().innerText()
  await page.route(/request-action/, (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue()
  )
  await page.keyboard.press("c")
  const toast = page.getByRole("alertdialog", {
    name: `Confirm “${title}”: we do not know whether this was saved`
  })
  await toast.waitFor()
  expect(await overlap(toast, page.getByRole("region", { name: "Requests", exact: true }).first())).toBe(
    false
  )
  expect(await overlap(toast, page.getByRole("textbox", { name: "Reply" }))).toBe(false)
  await page.unroute(/request-action/)
  await page.keyboard.press("j")
  await toast.getByRole("button", { name: "Check again" }).click()
  await page.getByRole("heading", { level: 2, name: title }).waitFor()
})

it("shows no keycaps of letters that are switched off", async ({ enter }) => {
  const { page } = await enter("/requests")
  await settle(page)
  const letter = page.getByRole("group", { name: "Status" }).getByText("s", { exact: true })
  const inFoot = page.getByText("j", { exact: true })
  await letter.waitFor()
  await inFoot.waitFor()
  await page.keyboard.press("?")
  await page.getByRole("switch", { name: "Use letter shortcuts" }).uncheck()
  await page.keyboard.press("Escape")
  await letter.waitFor({ state: "hidden" })
  await inFoot.waitFor({ state: "hidden" })
  // What is pressed with Ctrl works still.
  await page.getByText("Ctrl", { exact: true }).waitFor()
})

it("has the wire beside the page or below it, over no button", async ({ enter }) => {
  const { page } = await enter("/orders")
  await page.waitForURL(/\/orders\/\w+/)
  await page.keyboard.press("w")
  const wire = page.getByRole("complementary", { name: "Wire" })
  await wire.getByRole("searchbox").or(wire.getByRole("textbox")).first().waitFor()
  for (const width of [800, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await overlap(wire, page.getByRole("main"))).toBe(false)
    await page.getByRole("button", { name: "More", exact: true }).click({ trial: true })
  }
})

it("leaves most of a low page to what is read: the answer is one line until one writes", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await page.waitForURL(/\/requests\/\w+/)
  await settle(page)
  const answer = page.getByRole("textbox", { name: "Reply" })
  const send = page.getByRole("button", { name: "Send", exact: true })
  await send.waitFor()
  await page.keyboard.press("w")
  await page.getByRole("complementary", { name: "Wire" }).waitFor()
  await send.waitFor({ state: "hidden" })
  await answer.fill("We come on Friday.")
  await send.waitFor()
})

it("gives the focus to the row that is selected already, where the palette opens it again", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await page.waitForURL(/\/requests\/[0-9a-f]{24}/)
  await settle(page)
  await page.keyboard.press("j")
  await page.getByRole("textbox", { name: "Reply" }).click()
  await page.keyboard.press("Control+k")
  await page.getByRole("group", { name: "Recently opened" }).getByRole("option").first().waitFor()
  await page.keyboard.press("Enter")
  await page.locator("[data-row][aria-current]:focus").waitFor()
})

it("begins to tick by Select on a phone, where a press ticks until that is over", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/requests")
  await page.setViewportSize({ width: 390, height: 844 })
  await go({ page }, "/requests")
  await page.getByRole("button", { name: "Select", exact: true }).click()
  const rows = page.locator("[data-row]")
  await rows.nth(1).click()
  await rows.nth(3).click()
  await page.getByRole("status").filter({ hasText: "2 ticked" }).waitFor()
  expect(page.url()).toBe(`${stage.url}/requests`)
  await page.getByRole("button", { name: "Clear" }).click()
  await rows.nth(1).click()
  await page.waitForURL(/\/requests\/[0-9a-f]{24}/)
})

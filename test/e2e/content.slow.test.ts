/** Entries of the content, as an editor works on them: two languages side by side, one Save, the keys, conflicts, roles, a phone. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Content", exact: true })
const open = (page: Page, title: RegExp) => list(page).getByRole("link", { name: title }).first().click()
const idIn = (page: Page): string => /\/library\/(\w+)/.exec(page.url())?.[1] ?? ""

it("translates what is empty, and marks it until it is read", async ({ enter, stage }) => {
  const { page } = await enter("/library?model=faq")
  await page.getByText("Georgian incomplete").first().waitFor()
  await page.getByRole("button", { name: "Translate empty fields (2)" }).click()
  await expect.poll(() => page.getByText("Translated, please check").count()).toBe(2)
  await page.getByRole("textbox", { name: "Answer, Georgian" }).fill("ბარათით.")
  await expect.poll(() => page.getByText("Translated, please check").count()).toBe(1)
  await page.keyboard.press("ControlOrMeta+s")
  await expect
    .poll(() => stage.sandbox.platform.state.entries.peek(idIn(page))?.translations.ka?.answer)
    .toBe("ბარათით.")
  await expect.poll(() => page.getByText("Translated, please check").count()).toBe(0)
})

it("keeps a draft while one looks at others, and shows both versions where somebody was faster", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/library?model=faq")
  await page.getByRole("textbox", { name: "Answer, English" }).fill("By transfer.")
  const id = idIn(page)
  await page.keyboard.press("Escape")
  await page.keyboard.press("j")
  await expect.poll(() => idIn(page)).not.toBe(id)
  await list(page).getByText("Not saved").waitFor()
  await page.keyboard.press("k")
  await expect
    .poll(() => page.getByRole("textbox", { name: "Answer, English" }).inputValue())
    .toBe("By transfer.")
  const entries = stage.sandbox.platform.state.entries
  const present = entries.peek(id)
  if (present === undefined) throw new Error("the entry is gone")
  entries.put({ ...present, answer: "By card.", updatedAt: new Date() })
  await page.getByRole("button", { name: /^Save/ }).click()
  const question = page.getByRole("alertdialog")
  for (const text of ["By card.", "By transfer."]) await question.getByRole("cell", { name: text }).waitFor()
  expect(entries.peek(id)?.answer).toBe("By card.")
  await question.getByRole("button", { name: "Save yours" }).click()
  await expect.poll(() => entries.peek(id)?.answer).toBe("By transfer.")
})

it("adds an entry, publishes it with a key, and deletes it after asking", async ({ enter, stage }) => {
  const { page } = await enter("/library?model=banners")
  await page.getByRole("textbox", { name: "Title, English" }).waitFor()
  await page.keyboard.press("a")
  await page.getByText("New in Banners").waitFor()
  await page.getByRole("textbox", { name: "Title, English" }).fill("Winter offer")
  await page.keyboard.press("ControlOrMeta+s")
  await list(page)
    .getByRole("link", { name: /Winter offer/ })
    .waitFor()
  const kept = () => stage.sandbox.platform.state.entries.find(({ title }) => title === "Winter offer")
  await page.keyboard.press("Escape")
  await page.keyboard.press("p")
  await expect.poll(() => kept()?.active).toBe(true)
  await page.keyboard.press("Delete")
  const question = page.getByRole("alertdialog", { name: "Delete “Winter offer”?" })
  await question.getByRole("button", { name: "Delete" }).click()
  await expect.poll(kept).toBeUndefined()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY")
})

it("says that there is no such model or entry, and what there is", async ({ enter }) => {
  const guest = await enter("/library?model=nwes", /404/)
  const { page } = guest
  await page.getByText("There is no model named “nwes”").waitFor()
  await page.getByRole("link", { name: "Buildings", exact: true }).click()
  await page.getByRole("textbox", { name: "Floors" }).waitFor()
  await go(guest, "/library/000000000000000000000000?model=news")
  await page.getByText("This entry no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
})

it("shows a viewer the languages side by side, and no field", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/library?model=faq")
  const { page } = guest
  await page.getByText("You can view entries, but your role does not let you change them.").waitFor()
  await page.getByText("Question, Georgian").waitFor()
  expect(await page.getByRole("button", { name: "New entry" }).count()).toBe(0)
  expect(await page.getByRole("textbox", { name: /, English/ }).count()).toBe(0)
})

it("opens an entry on a phone, one language at a time, and goes back", async ({ enter }) => {
  const { page } = await enter("/library?model=faq")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${new URL(page.url()).origin}/library?model=faq`)
  await settle(page)
  await open(page, /How do I pay|When|Whom|May|Is there|Can I/)
  await page.getByText("Georgian", { exact: true }).filter({ visible: true }).click()
  await page.getByRole("textbox", { name: "Question, Georgian" }).waitFor()
  expect(await page.getByRole("textbox", { name: "Question, English" }).count()).toBe(0)
  await page.getByRole("link", { name: "Content", exact: true }).filter({ visible: true }).first().click()
  await list(page).getByRole("link").first().waitFor()
})

/** A day at the console's desk: what is begun is kept, what others change is not overwritten, and one finds back. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle } from "./stage.js"

/** What has the focus: the id of a row, the text of a link or a button, else the name of the element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (
      element?.getAttribute("data-row") ||
      (element?.matches("a, button") && element.textContent?.trim()) ||
      (element?.tagName ?? "nothing")
    )
  })

const list = (page: Page, place: string) => page.getByRole("region", { name: place, exact: true }).first()
const idIn = (page: Page): string => /\/([0-9a-f]{24})/.exec(page.url())?.[1] ?? ""

/** The first thing of a list is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).not.toBe("")
}

/** Chooses a status of the selected request by its letter. */
const setStatus = async (page: Page, letter: string): Promise<void> => {
  await page.keyboard.press("s")
  await page.getByRole("menu").waitFor()
  await page.keyboard.press(letter)
}

it("keeps what a list is narrowed to in the address of a thing of it, over a reload too, and the focus on its row", async ({
  enter
}) => {
  const { page } = await enter("/requests?tab=closed&type=MAINTENANCE")
  await begin(page)
  const row = list(page, "Requests").locator("[data-row]").nth(2)
  const id = (await row.getAttribute("data-row")) ?? ""
  await row.click()
  await expect.poll(() => idIn(page)).toBe(id)
  expect(new URL(page.url()).search).toBe("?tab=closed&type=MAINTENANCE")
  await page.reload()
  await begin(page)
  expect([idIn(page), new URL(page.url()).search]).toEqual([id, "?tab=closed&type=MAINTENANCE"])
  await page.getByRole("textbox", { name: "Reply" }).focus()
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page)).toBe(id)
})

it("begins on the page itself after the sign-in, never outside of it", async ({ enter }) => {
  const { page } = await enter()
  await begin(page)
  await expect.poll(async () => ["MAIN", idIn(page)].includes(await focused(page))).toBe(true)
})

it("keeps an answer that is not sent over a reload, until it is sent or discarded, and none after the sign-out", async ({
  enter
}) => {
  // Between the answer and what it makes of the request, a look at the version before is refused.
  const { page } = await enter("/requests", /409/)
  await begin(page)
  const answer = page.getByRole("textbox", { name: "Reply" })
  await answer.fill("We come on Friday.")
  await page.reload()
  await page.getByText("You have an unsent draft").waitFor()
  expect(await answer.inputValue()).toBe("We come on Friday.")
  await page.getByRole("button", { name: "Discard draft" }).click()
  expect(await answer.inputValue()).toBe("")
  await answer.fill("We come on Saturday.")
  await page.getByRole("button", { name: "Send", exact: true }).click()
  await page.getByRole("list", { name: "Timeline" }).getByText("We come on Saturday.").waitFor()
  await page.reload()
  await begin(page)
  expect(await answer.inputValue()).toBe("")
  await answer.fill("For nobody else.")
  await page.getByRole("button", { name: "Tamar Chikovani" }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("For nobody else.")
})

it("sets a status over that of another administrator only when one says so", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const first = await enter("/requests", /409/)
  await begin(first.page)
  const id = idIn(first.page)
  const second = await enter(`/requests/${id}`, /409/)
  await begin(second.page)
  const kept = () => requests.peek(id)?.status
  await setStatus(second.page, "z")
  await expect.poll(kept).toBe("archived")
  await setStatus(first.page, "r")
  const question = first.page.getByRole("alertdialog", { name: "Someone else changed this" })
  for (const status of ["Archived", "Rejected"]) await question.getByRole("cell", { name: status }).waitFor()
  expect(kept()).toBe("archived")
  await question.getByRole("button", { name: "Set Rejected" }).click()
  await expect.poll(kept).toBe("rejected")
})

it("says to whom may not add entries that they may not, and has no field for one", async ({ arrive }) => {
  const { page } = await arrive()
  await page.getByRole("button", { name: /Felix Keller/ }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  await go({ page }, "/library/new?model=faq")
  await page.getByText("You can view entries, but your role does not let you add any.").waitFor()
  expect(await page.getByRole("textbox").count()).toBe(0)
})

it("refuses an entry without its first field, keeps what is typed, and shows the new one whatever the list shows", async ({
  enter
}) => {
  const { page } = await enter("/library?model=news&rule=title.like.Vake&search=flats&sort=views")
  await settle(page)
  const summary = page.getByRole("textbox", { name: "Summary, English" })
  const title = page.getByRole("textbox", { name: "Title, English" })
  const add = async (): Promise<void> => {
    await page.getByRole("button", { name: "New entry" }).first().click()
    await page.getByText("New in News").waitFor()
  }
  await add()
  await summary.fill("A pool in the yard.")
  await page.getByRole("button", { name: "Add entry" }).click()
  await expect.poll(() => title.getAttribute("aria-invalid")).toBe("true")
  await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press("Escape")
  await go({ page }, "/library?model=faq")
  await go({ page }, "/library?model=news&rule=title.like.Vake&search=flats&sort=views")
  await add()
  expect(await summary.inputValue()).toBe("A pool in the yard.")
  await title.fill("The pool is open")
  await page.getByRole("button", { name: "Add entry" }).click()
  await list(page, "Content")
    .getByRole("link", { name: /The pool is open/ })
    .waitFor()
  await add()
  expect([await title.inputValue(), await summary.inputValue()]).toEqual(["", ""])
})

it("compares a draft with what it was made from, also where it is opened again over what was saved since", async ({
  enter,
  stage
}) => {
  const first = await enter("/library?model=faq")
  const answerIn = (page: Page) => page.getByRole("textbox", { name: "Answer, English" })
  const mine = answerIn(first.page)
  await mine.fill("By transfer.")
  const id = idIn(first.page)
  const second = await enter(`/library/${id}?model=faq`)
  const kept = () => stage.sandbox.platform.state.entries.peek(id)?.answer
  const save = (page: Page) => page.getByRole("button", { name: /^Save/ }).click()
  await answerIn(second.page).fill("By card.")
  await save(second.page)
  await expect.poll(kept).toBe("By card.")
  await first.page.reload()
  await first.page.getByText("You have an unsaved draft").waitFor()
  const question = first.page.getByRole("alertdialog", { name: "Someone else changed this" })
  await save(first.page)
  for (const text of ["By card.", "By transfer."]) await question.getByRole("cell", { name: text }).waitFor()
  await question.getByRole("button", { name: "Keep editing" }).click()
  expect([kept(), await mine.inputValue()]).toEqual(["By card.", "By transfer."])
  await save(first.page)
  await question.getByRole("button", { name: "Save yours" }).click()
  await expect.poll(kept).toBe("By transfer.")
})

it("says what happened where it covers nothing that one writes or presses, and lets it be dismissed", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await begin(page)
  const said = page.getByRole("region", { name: "Messages" }).getByRole("alertdialog", { name: "Rejected" })
  const room = () => page.getByRole("main").boundingBox()
  const before = await room()
  await setStatus(page, "r")
  await said.waitFor()
  expect(await room()).toEqual(before)
  const message = await said.boundingBox()
  const [top = 0, right = 0] = [message?.y, (message?.x ?? 0) + (message?.width ?? 0)]
  for (const control of [
    page.getByRole("textbox", { name: "Reply" }),
    page.getByRole("button", { name: "Send", exact: true })
  ]) {
    const box = await control.boundingBox()
    const isFree =
      (box?.y ?? 0) + (box?.height ?? 0) <= top ||
      (box?.y ?? 0) >= top + (message?.height ?? 0) ||
      (box?.x ?? 0) >= right ||
      (box?.x ?? 0) + (box?.width ?? 0) <= (message?.x ?? 0)
    expect(isFree).toBe(true)
  }
  await said.getByRole("button", { name: "Dismiss" }).click()
  await said.waitFor({ state: "detached" })
  // The own change before is nobody else's.
  await setStatus(page, "c")
  await page
    .getByRole("region", { name: "Messages" })
    .getByRole("alertdialog", { name: "Confirmed" })
    .waitFor()
})

/** A day at the console's desk: what is begun is kept, what others change is not overwritten, and one finds back. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

/** What has the focus: the text of a link or a button, else the name of the element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (element?.matches("a, button") && element.textContent) || (element?.tagName ?? "nothing")
  })

/** Opens the first request of the list, and returns its sheet. */
const openFirst = async (page: Page) => {
  await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  const sheet = page.getByRole("dialog")
  await sheet.getByText("Last change").waitFor()
  return sheet
}

const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

it("keeps the filter of the list in the address of a request's sheet, and gives the focus back to its link", async ({
  enter
}) => {
  const { page } = await enter("/requests?status=pending&type=MAINTENANCE")
  const link = page.getByRole("region", { name: "Requests" }).getByRole("link").first()
  const title = await link.innerText()
  await openFirst(page)
  expect(new URL(page.url()).search).toBe("?status=pending&type=MAINTENANCE")
  await page.reload()
  await page.getByRole("dialog").getByText("Last change").waitFor()
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page), { message: "an address has opened it" }).toBe("MAIN")
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
    "/requests?status=pending&type=MAINTENANCE"
  )
  await openFirst(page)
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page)).toBe(title)
})

it("begins on the page itself after the sign-in", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest)
  await expect.poll(() => focused(guest.page)).toBe("MAIN")
})

it("keeps a comment that is not sent over Escape and a reload, until it is sent or discarded", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  const sheet = await openFirst(page)
  const comment = sheet.getByLabel("Your comment")
  await comment.fill("We come on Friday.")
  await page.keyboard.press("Escape")
  await openFirst(page)
  expect(await comment.inputValue()).toBe("We come on Friday.")
  await page.reload()
  await sheet.getByText("You began this before").waitFor()
  expect(await comment.inputValue()).toBe("We come on Friday.")
  await sheet.getByRole("button", { name: "Discard the draft" }).click()
  expect(await comment.inputValue()).toBe("")
  await comment.fill("We come on Saturday.")
  await sheet.getByRole("button", { name: "Comment", exact: true }).click()
  await sheet.getByRole("listitem").filter({ hasText: "We come on Saturday." }).waitFor()
  await page.reload()
  await sheet.getByText("Last change").waitFor()
  expect(await comment.inputValue()).toBe("")
  await comment.fill("For nobody else.")
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Sign out" }).click()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("For nobody else.")
})

it("shows both versions and asks where two administrators set the status of one request", async ({
  enter,
  stage
}) => {
  const [one, other] = [await enter("/requests", /409/), await enter("/requests", /409/)]
  const sheet = await openFirst(one.page)
  await openFirst(other.page)
  const id = idIn(one.page)
  expect(idIn(other.page)).toBe(id)
  const kept = () => stage.sandbox.platform.state.requests.peek(id)?.status
  const set = (page: Page, status: string) => page.getByLabel("Change the status").selectOption(status)
  await set(other.page, "confirmed")
  await expect.poll(kept).toBe("confirmed")
  await set(one.page, "rejected")
  const question = one.page.getByRole("alertdialog")
  for (const status of ["Confirmed", "Rejected"]) await question.getByRole("cell", { name: status }).waitFor()
  expect(kept()).toBe("confirmed")
  await question.getByRole("button", { name: "Keep theirs" }).click()
  await expect.poll(() => sheet.getByLabel("Change the status").inputValue()).toBe("confirmed")
  await set(other.page, "archived")
  await expect.poll(kept).toBe("archived")
  await set(one.page, "rejected")
  await question.getByRole("button", { name: "Set it to “Rejected”" }).click()
  await expect.poll(kept).toBe("rejected")
})

it("offers a viewer neither a comment nor the fields of an entry", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/requests")
  const sheet = await openFirst(guest.page)
  expect(await sheet.getByRole("textbox").count()).toBe(0)
})

it("shows what happened where it covers nothing, in the sheet that is open too, and lets it be dismissed there", async ({
  enter
}) => {
  const { page } = await enter("/requests?status=pending")
  const sheet = await openFirst(page)
  await sheet.getByLabel("Change the status").selectOption("reviewed")
  const said = sheet.getByRole("log").getByRole("listitem")
  await said.waitFor()
  const send = sheet.getByRole("button", { name: "Comment", exact: true })
  await send.scrollIntoViewIfNeeded()
  const [message, button] = [await said.boundingBox(), await send.boundingBox()]
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(message?.y ?? 0)
  await said.getByRole("button", { name: "Dismiss" }).click()
  await said.waitFor({ state: "detached" })
  await settle(page)
})

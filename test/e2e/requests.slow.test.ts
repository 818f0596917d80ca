/** A desk of requests: read, answered and decided by keys, undone, shared with others, and on a phone. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

const list = (page: Page) => page.getByRole("region", { name: "Requests", exact: true }).first()
const title = (page: Page) => page.getByRole("heading", { level: 2 }).first()
const idIn = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Tabs" }).getByRole("link", { name })

/** What has the focus: the text of a row or a button, else the name of the element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (element?.matches("a, button") && element.textContent?.trim()) || (element?.tagName ?? "nothing")
  })

/** The first open request is shown. */
const begin = async (page: Page): Promise<void> => {
  await settle(page)
  await expect.poll(() => idIn(page)).toMatch(/^[0-9a-f]{24}$/)
}

it("shows what was asked for first, then who asked, what else is theirs, and what happened", async ({
  enter,
  stage
}) => {
  const { requests, users } = stage.sandbox.platform.state
  const described = requests.filter(
    ({ comments, description, status }) =>
      typeof description === "string" && status === "pending" && comments.length > 0
  )[0]
  const { page } = await enter(`/requests/${described?._id}`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await settle(page)
  const [body] = String(described?.description).split("\n")
  await page.getByText(body ?? "").waitFor()
  const texts = await page.getByRole("region", { name: "Details" }).innerText()
  expect(texts.indexOf(body ?? "")).toBeLessThan(texts.indexOf("sent this"))
  const who = users.peek(described?.userId ?? "")
  const aside = page.getByRole("complementary", { name: "Customer" })
  await aside.getByRole("link", { name: who?.fullName ?? "" }).waitFor()
  await aside.getByRole("link", { name: who?.email ?? "" }).waitFor()
  for (const { text } of described?.comments ?? [])
    await page.getByRole("list", { name: "Timeline" }).getByText(text).first().waitFor()
})

it("undoes a change of status with the version that it got, and says so where somebody was faster", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests", /409/)
  await begin(page)
  const id = idIn(page)
  const before = requests.peek(id)
  await page.keyboard.press("j")
  await page.keyboard.press("k")
  await page.keyboard.press("c")
  await expect.poll(() => requests.peek(id)?.status).toBe("confirmed")
  await page.getByRole("button", { name: "Undo" }).waitFor()
  await page.keyboard.press("u")
  await page.getByRole("alertdialog", { name: "Undone" }).waitFor()
  expect(requests.peek(id)?.status).toBe(before?.status)
  expect(requests.peek(id)?.version).toBe((before?.version ?? 0) + 2)
  await page.keyboard.press("c")
  await expect.poll(() => requests.peek(id)?.status).toBe("confirmed")
  const present = requests.peek(id)
  if (present) requests.put({ ...present, status: "archived", version: present.version + 1 })
  await page.getByRole("button", { name: "Undo" }).last().click()
  const refusal = page.getByRole("alertdialog", { name: "Could not undo" })
  await refusal.getByText("It is now Archived; you had set Confirmed.").waitFor()
  expect(requests.peek(id)?.status).toBe("archived")
})

it("undoes one after the other what was set row by row", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const ids: Array<string> = []
  for (let row = 0; row < 2; row++) {
    ids.push(idIn(page))
    await page.keyboard.press("n")
    await page.keyboard.press("c")
    await expect.poll(() => requests.peek(ids[row] ?? "")?.status).toBe("confirmed")
    await expect.poll(() => idIn(page)).not.toBe(ids[row])
  }
  const now = () => ids.map((id) => requests.peek(id)?.status === "confirmed")
  await expect.poll(() => page.getByRole("button", { name: "Undo" }).count()).toBe(2)
  await page.keyboard.press("u")
  await expect.poll(now).toEqual([true, false])
  await page.keyboard.press("u")
  await expect.poll(now).toEqual([false, false])
})

it("sends a change once, however often its key is pressed meanwhile", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const id = idIn(page)
  const version = requests.peek(id)?.version ?? 0
  await page.route("**/request-action/**", async (route) => {
    if (route.request().method() !== "GET") await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  for (let press = 0; press < 3; press++) await page.keyboard.press("c")
  await page.getByRole("alertdialog", { name: "Confirmed" }).waitFor()
  await settle(page)
  expect(requests.peek(id)).toMatchObject({ status: "confirmed", version: version + 1 })
  expect(await page.getByRole("alertdialog", { name: "Someone else changed this" }).count()).toBe(0)
})

it("keeps a decided request where it is, with what it is now, until another is selected, then goes on from there", async ({
  enter
}) => {
  const { page } = await enter("/requests")
  await begin(page)
  await page.keyboard.press("j")
  await expect.poll(() => focused(page)).not.toBe("MAIN")
  const [decided, id] = [await title(page).innerText(), idIn(page)]
  const next = await list(page).locator("[data-row]").nth(2).getAttribute("data-row")
  // Its own button says by which key.
  await page.getByRole("group", { name: "Status" }).getByText("c", { exact: true }).waitFor()
  await page.keyboard.press("c")
  const row = list(page)
    .getByRole("listitem")
    .filter({ has: page.locator(`[data-row="${id}"]`) })
  await row.getByText("Confirmed", { exact: true }).waitFor()
  await settle(page)
  expect(idIn(page)).toBe(id)
  expect(await title(page).innerText()).toBe(decided)
  await page.keyboard.press("Escape")
  await expect.poll(() => idIn(page)).toBe(next)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-row"))).toBe(next)
})

it("answers by r and Ctrl+Enter, keeps what is not sent, and Escape leads back to the row", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  await page.keyboard.press("j")
  const id = idIn(page)
  await page.keyboard.press("r")
  await page.keyboard.type("We are on our way.")
  await page.keyboard.press("Enter")
  await page.keyboard.type("Until then.")
  await page.keyboard.press("Escape")
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-row"))).toBe(id)
  expect(requests.peek(id)?.comments.filter(({ text }) => text.includes("on our way"))).toEqual([])
  await page.reload()
  await settle(page)
  const answer = page.getByRole("textbox", { name: "Reply" })
  await expect.poll(() => answer.inputValue()).toBe("We are on our way.\nUntil then.")
  await page.keyboard.press("r")
  await page.keyboard.press("Control+Enter")
  await expect.poll(() => requests.peek(id)?.comments.at(-1)?.text).toBe("We are on our way.\nUntil then.")
  await expect.poll(() => answer.inputValue()).toBe("")
})

it("says of a reply that failed while one was elsewhere to which request it was, keeps it, and leads there", async ({
  enter
}) => {
  const { page } = await enter("/requests", /400|500/)
  await begin(page)
  const [name, at] = [await title(page).innerText(), new URL(page.url()).pathname]
  for (const [status, said, label] of [
    [500, "we do not know whether this was saved", "Check again"],
    [400, "the platform did not accept this", "Show"]
  ] as const) {
    let answer = (): void => undefined
    await page.route(/add-comment/, async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.fulfill({ status, json: { message: "No", field: "text" } })
    })
    const reply = page.getByRole("textbox", { name: "Reply" })
    await reply.fill("We come on Friday.")
    const sent = page.waitForRequest(/add-comment/)
    await reply.press("Control+Enter")
    await sent
    await go({ page }, "/orders")
    answer()
    const toast = page.getByRole("alertdialog", { name: `Reply to “${name}”: ${said}` })
    await toast.getByRole("button", { name: label }).click()
    await page.waitForURL(`**${at}`)
    await expect.poll(() => reply.inputValue()).toBe("We come on Friday.")
    await page.unroute(/add-comment/)
  }
})

it("does nothing by a letter that is typed into a field, composed, or held with Ctrl, nor when letters are off", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const id = idIn(page)
  const before = requests.peek(id)?.version
  await page.getByRole("searchbox", { name: "Find requests" }).focus()
  await page.keyboard.press("c")
  await page.getByRole("searchbox", { name: "Find requests" }).fill("")
  await settle(page)
  await page.getByRole("heading", { level: 1 }).click()
  for (const init of [{ isComposing: true }, { ctrlKey: true }, { altKey: true }])
    await page.evaluate(
      (init) =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true, ...init })),
      init
    )
  await page.keyboard.press("?")
  await page.getByRole("switch", { name: "Use letter shortcuts" }).click()
  await page.keyboard.press("Escape")
  await page.keyboard.press("c")
  await page.keyboard.press("j")
  await settle(page)
  expect(requests.peek(id)?.version).toBe(before)
  expect(idIn(page)).toBe(id)
})

it("takes the key at the same place of a Georgian keyboard", async ({ enter }) => {
  const { page } = await enter("/requests")
  await begin(page)
  const id = idIn(page)
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ჯ", code: "KeyJ", bubbles: true }))
  )
  await expect.poll(() => idIn(page)).not.toBe(id)
})

it("sets the status of ticked requests together after asking, and undoes them together", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const ids: Array<string> = []
  for (let ticked = 0; ticked < 3; ticked++) {
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await expect.poll(() => ids.includes(idIn(page))).toBe(false)
    ids.push(idIn(page))
  }
  const before = ids.map((id) => requests.peek(id)?.status)
  await page.getByText("3 ticked").waitFor()
  await list(page).getByRole("button", { name: "Confirm" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Confirm 3 requests" }).click()
  const now = () => ids.map((id) => requests.peek(id)?.status)
  await expect.poll(now).toEqual(["confirmed", "confirmed", "confirmed"])
  await page.getByRole("button", { name: "Undo" }).click()
  await expect.poll(now).toEqual(before)
})

it("undoes of several what nobody else has changed since, and says what was left", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests", /409/)
  await begin(page)
  const ids: Array<string> = [idIn(page)]
  await page.keyboard.press("x")
  await page.keyboard.press("j")
  await expect.poll(() => idIn(page)).not.toBe(ids[0])
  ids.push(idIn(page))
  await page.keyboard.press("x")
  const before = ids.map((id) => requests.peek(id)?.status)
  await list(page).getByRole("button", { name: "Confirm" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Confirm 2 requests" }).click()
  await page.getByRole("alertdialog", { name: "Confirmed 2" }).waitFor()
  const theirs = requests.peek(ids[0] ?? "")
  if (theirs) requests.put({ ...theirs, status: "archived", version: theirs.version + 1 })
  await page.keyboard.press("u")
  const left = page.getByRole("alertdialog", { name: "Undone 1 of 2" })
  await left.getByText("It is now Archived; you had set Confirmed.").waitFor()
  expect(ids.map((id) => requests.peek(id)?.status)).toEqual(["archived", before[1]])
})

it("shows both versions and asks where two administrators set the status of one request", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests", /409/)
  await begin(page)
  const id = idIn(page)
  await page.keyboard.press("s")
  await page.getByRole("menu").waitFor()
  const present = requests.peek(id)
  if (present) requests.put({ ...present, status: "reviewed", version: present.version + 1 })
  await page.keyboard.press("r")
  const question = page.getByRole("alertdialog")
  for (const status of ["Reviewed", "Rejected"]) await question.getByRole("cell", { name: status }).waitFor()
  await question.getByRole("button", { name: "Keep Reviewed" }).click()
  expect(requests.peek(id)?.status).toBe("reviewed")
})

it("has the tabs of who acts next, with counts, and marks what one has read as seen", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests")
  await begin(page)
  const count = (...among: ReadonlyArray<string>) =>
    requests.filter(({ status }) => among.includes(status)).length
  await tab(page, `Open ${count("pending", "reviewed")}`).waitFor()
  await tab(page, `Closed ${count("rejected", "user_accepted", "user_rejected", "archived")}`).waitFor()
  await tab(page, `Waiting for them ${count("confirmed")}`).click()
  await settle(page)
  await expect.poll(() => page.url()).toContain("tab=waiting")
  const unseen = requests.filter(
    ({ seenByAdmin, status, version }) => status === "confirmed" && seenByAdmin < version
  )[0]
  await page.getByRole("searchbox", { name: "Find requests" }).fill(String(unseen?.title))
  await page.locator(`[data-row="${unseen?._id}"]`).click()
  await expect.poll(() => requests.peek(unseen?._id ?? "")?.seenByAdmin).toBe(unseen?.version)
})

it("marks nothing as seen at a version that the reply on its way replaces", async ({ enter, stage }) => {
  const { requests } = stage.sandbox.platform.state
  const unseen = requests.filter(
    ({ seenByAdmin, status, version }) => status === "pending" && seenByAdmin < version
  )[0]
  const { page } = await enter(`/requests/${unseen?._id}`)
  // The platform has the reply, and answers it after the time that counts as reading. A mark of the version before would get 409,
  // of which the page complains.
  await page.route(/add-comment/, async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.fulfill({ response })
  })
  const reply = page.getByRole("textbox", { name: "Reply" })
  await reply.fill("We come on Friday.")
  await reply.press("Control+Enter")
  await expect.poll(() => reply.inputValue()).toBe("")
  await settle(page)
  expect(requests.peek(unseen?._id ?? "")?.seenByAdmin).toBe(requests.peek(unseen?._id ?? "")?.version)
})

it("says of an address that leads to no request that it is not there, and leads back to the list", async ({
  enter
}) => {
  const { page } = await enter("/requests", /404/)
  await go({ page }, "/requests/000000000000000000000000?tab=closed")
  await page.getByText("This request no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await page.getByRole("link", { name: "Back to Requests" }).click()
  await begin(page)
  expect(page.url()).toContain("tab=closed")
})

it("lets a viewer read requests and change nothing", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  const { page } = guest
  await begin(page)
  await page.getByText("You can view requests, but your role does not let you change them.").waitFor()
  expect(await page.getByRole("textbox", { name: "Reply" }).count()).toBe(0)
  await page.keyboard.press("s")
  expect(await page.getByRole("menu").count()).toBe(0)
})

it("shows on a phone the list, then the request, and leads back to the same place", async ({ enter }) => {
  const { page } = await enter("/requests")
  await page.setViewportSize({ width: 390, height: 844 })
  await go({ page }, "/requests?tab=closed")
  const id = await list(page).getByRole("link").nth(8).getAttribute("data-row")
  const row = list(page).locator(`[data-row="${id}"]`)
  await row.scrollIntoViewIfNeeded()
  await row.click()
  await title(page).waitFor()
  expect(await list(page).isVisible()).toBe(false)
  await expect.poll(() => focused(page)).toBe("H2")
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole("link", { name: "Requests" }).filter({ visible: true }).first().click()
  await list(page).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-row"))).toBe(id)
})

it("shows what it did above the answer on a phone, which stays free", async ({ enter }) => {
  const { page } = await enter("/requests")
  await page.setViewportSize({ width: 390, height: 844 })
  await go({ page }, "/requests")
  await list(page).locator("[data-row]").first().click()
  await page.getByRole("group", { name: "Status" }).getByRole("button", { name: "Confirm" }).click()
  const message = page.getByRole("alertdialog", { name: "Confirmed" })
  await message.waitFor()
  const said = await message.boundingBox()
  const answer = await page.getByRole("textbox", { name: "Reply" }).boundingBox()
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(answer?.y ?? 0)
})

it("leaves out the selected request where the list is asked for others, and counts what it has", async ({
  enter,
  stage
}) => {
  const { requests } = stage.sandbox.platform.state
  const { page } = await enter("/requests?tab=closed")
  await begin(page)
  const id = idIn(page)
  const type = requests.filter(
    (request) => request.status === "archived" && request.type !== requests.peek(id)?.type
  )[0]?.type
  await go({ page }, `/requests/${id}?tab=closed&type=${type}`)
  await expect.poll(() => page.locator(`[data-row="${id}"]`).count()).toBe(0)
  const count = await list(page).locator("[data-row]").count()
  await list(page).getByRole("status").getByText(String(count), { exact: true }).waitFor()
})

it("moves on as long as j is held down, and changes the address no more often than browsers take it", async ({
  enter,
  stage
}) => {
  const closed = ["rejected", "user_accepted", "user_rejected", "archived"]
  const count = stage.sandbox.platform.state.requests.filter(({ status }) => closed.includes(status)).length
  const { page } = await enter("/requests?tab=closed")
  await begin(page)
  await page.evaluate(() => {
    const { replaceState } = history
    history.replaceState = function (...args) {
      document.body.dataset.turns = String(Number(document.body.dataset.turns ?? 0) + 1)
      replaceState.apply(this, args)
    }
  })
  const place = () =>
    page.evaluate(() => Number(document.activeElement?.closest("li")?.getAttribute("aria-posinset")))
  const begun = Date.now()
  for (let press = 0; press < 60; press++) await page.keyboard.down("j")
  await page.keyboard.up("j")
  const seconds = (Date.now() - begun) / 1_000
  await expect.poll(place).toBe(Math.min(61, count))
  const row = await page.evaluate(() => document.activeElement?.getAttribute("data-row"))
  await expect.poll(() => idIn(page)).toBe(row)
  const turns = await page.evaluate(() => Number(document.body.dataset.turns))
  // Chromium takes 20 a second, Safari three; a step is two of them.
  expect(turns).toBeLessThanOrEqual(2 * (seconds * 3 + 2))
})

/** A day at the console's desk: what is begun is kept, what others change is not overwritten, and one finds back. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { go, it, settle, signIn } from "./stage.js"

/** What has the focus: the text of a link or a button, else the name of the element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (element?.matches("a, button") && element.textContent?.trim()) || (element?.tagName ?? "nothing")
  })

/** Opens the first request of the list, and returns its sheet. */
const openFirst = async (page: Page) => {
  await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  const sheet = page.getByRole("dialog")
  await sheet.getByText("Last change").waitFor()
  return sheet
}

/** Chooses the status of the open request, and sets it. */
const setStatus = async (page: Page, status: string): Promise<void> => {
  const sheet = page.getByRole("dialog")
  await sheet.getByLabel("Change the status").selectOption(status)
  await sheet.getByRole("button", { name: "Set the status" }).click()
}

/** The entries of the content. */
const rows = (page: Page) => page.getByRole("region", { name: /^Entries of/ })

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
  const [first, second] = [await enter("/requests", /409/), await enter("/requests", /409/)]
  const sheet = await openFirst(first.page)
  await openFirst(second.page)
  const id = idIn(first.page)
  expect(idIn(second.page)).toBe(id)
  const kept = () => stage.sandbox.platform.state.requests.peek(id)?.status
  await setStatus(second.page, "pending")
  await expect.poll(kept).toBe("pending")
  await setStatus(first.page, "rejected")
  const question = first.page.getByRole("alertdialog")
  for (const status of ["Pending", "Rejected"]) await question.getByRole("cell", { name: status }).waitFor()
  expect(kept()).toBe("pending")
  await question.getByRole("button", { name: "Keep theirs" }).click()
  await expect.poll(() => sheet.getByLabel("Change the status").inputValue()).toBe("pending")
  await setStatus(second.page, "archived")
  await expect.poll(kept).toBe("archived")
  await setStatus(first.page, "rejected")
  await question.getByRole("button", { name: "Set it to “Rejected”" }).click()
  await expect.poll(kept).toBe("rejected")
})

it("shows both versions and asks where two administrators change a role's level, and leaves what was chosen last", async ({
  enter,
  stage
}) => {
  const { permissions, roles } = stage.sandbox.platform.state
  const [first, second] = [await enter("/people"), await enter("/people")]
  const of = (name: string) => roles.filter((role) => role.name === name)[0]
  const levels = () =>
    permissions
      .filter(
        ({ _id, resource }) =>
          resource === "contentModels" && of("Viewer")?.permissions.includes(_id) === true
      )
      .map(({ level }) => level)
  const column = [...roles.all()].findIndex(({ name }) => name === "Viewer")
  const choose = async (page: Page, level: string): Promise<void> => {
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Content models" }) })
    await row.getByRole("cell").nth(column).getByRole("button").click()
    await page.getByRole("dialog").getByText(level, { exact: true }).click()
  }
  const save = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
  const question = first.page.getByRole("alertdialog")
  for (const level of ["Write", "Read"]) {
    await second.page.reload()
    await settle(second.page)
    await choose(first.page, level)
    await choose(second.page, "Admin")
    await save(second.page)
    await expect.poll(levels).toEqual([9])
    await save(first.page)
    for (const text of ["Admin", level]) await question.getByRole("cell", { name: text }).waitFor()
    expect(levels()).toEqual([9])
    await question.getByRole("button", { name: "Save yours" }).click()
    await expect.poll(levels).toEqual([{ Read: 1, Write: 3 }[level]])
  }
})

it("offers a viewer neither a comment nor the fields of an entry", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/requests")
  const sheet = await openFirst(guest.page)
  expect(await sheet.getByRole("textbox").count()).toBe(0)
  await go(guest, "/library?model=faq")
  expect(await guest.page.getByRole("button", { name: "Add an entry" }).count()).toBe(0)
  await rows(guest.page).getByRole("link").first().click()
  await sheet.getByText(/^question$/i).waitFor()
  expect(await sheet.getByRole("textbox").count()).toBe(0)
  await go(guest, "/library?model=faq&entry=new")
  await sheet.getByText("Your role lets you read entries, and not add them.").waitFor()
})

it("keeps the rules, the sort, the language and the open entry of the content in the address", async ({
  enter
}) => {
  const { page } = await enter("/library?model=news")
  await page.getByRole("button", { name: "Add a filter" }).click()
  await page.getByLabel("Value").fill("Vake. And more?")
  await page.getByLabel("Value").fill("Vake")
  for (const order of ["ascending", "descending"]) {
    await page.getByRole("button", { name: "Views" }).click()
    await page.locator(`[aria-sort=${order}]`).waitFor()
  }
  await page.getByText("Georgian").click()
  await settle(page)
  await rows(page).getByRole("link").first().click()
  const name = page.getByRole("dialog").getByLabel("title")
  const title = await name.inputValue()
  const filteredRequest = page.waitForRequest((request) =>
    /p\.title=like\|Vake\|TEXT/.test(decodeURIComponent(request.url()))
  )
  await page.reload()
  await name.waitFor()
  expect(await name.inputValue()).toBe(title)
  const { searchParams: sent } = new URL((await filteredRequest).url())
  expect([sent.get("lang"), sent.get("o.views")]).toEqual(["ka", "desc"])
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  const { searchParams } = new URL(page.url())
  expect([searchParams.getAll("rule"), searchParams.get("sort")]).toEqual([["title.like.Vake"], "-views"])
  await page.goForward()
  expect(await name.inputValue()).toBe(title)
})

it("refuses an entry without its first field, keeps what is typed, and shows the new one in the list", async ({
  enter
}) => {
  const { page } = await enter("/library?model=news&lang=ka&rule=title.like.Vake&search=flats&sort=views")
  const add = page.getByRole("button", { name: "Add an entry" })
  const sheet = page.getByRole("dialog")
  await add.click()
  await sheet.getByRole("heading", { name: "New in News, in English" }).waitFor()
  await sheet.getByLabel("summary").fill("A pool in the yard.")
  await sheet.getByRole("button", { name: "Add the entry" }).click()
  await sheet.getByText("Please fill out this field.").waitFor()
  await page.keyboard.press("Escape")
  await add.click()
  expect(await sheet.getByLabel("summary").inputValue()).toBe("A pool in the yard.")
  await sheet.getByLabel("title").fill("The pool is open")
  await sheet.getByRole("button", { name: "Add the entry" }).click()
  await rows(page).getByRole("link", { name: "The pool is open" }).waitFor()
  await add.click()
  expect(await sheet.getByLabel("title").inputValue()).toBe("")
})

it("shows both versions and asks where an entry was saved since it was opened", async ({ enter, stage }) => {
  const [first, second] = [await enter("/library?model=faq"), await enter("/library?model=faq")]
  const open = async (page: Page) => {
    await rows(page).getByRole("link").first().click()
    return page.getByRole("dialog").first()
  }
  const [mine, theirs] = [await open(first.page), await open(second.page)]
  await mine.getByLabel("answer").fill("By transfer.")
  await theirs.getByLabel("answer").fill("By card.")
  const id = new URL(first.page.url()).searchParams.get("entry") ?? ""
  const kept = () => stage.sandbox.platform.state.entries.peek(id)?.answer
  await theirs.getByRole("button", { name: "Save" }).click()
  await expect.poll(kept).toBe("By card.")
  // A draft is compared with what it was made from, also when it is opened again over what was saved since.
  await first.page.reload()
  await mine.getByText("You began this before").waitFor()
  const question = first.page.getByRole("alertdialog")
  await mine.getByRole("button", { name: "Save" }).click()
  for (const text of ["By card.", "By transfer."]) await question.getByRole("cell", { name: text }).waitFor()
  await question.getByRole("button", { name: "Go on editing" }).click()
  expect([kept(), await mine.getByLabel("answer").inputValue()]).toEqual(["By card.", "By transfer."])
  await mine.getByRole("button", { name: "Save" }).click()
  await question.getByRole("button", { name: "Save yours" }).click()
  await expect.poll(kept).toBe("By transfer.")
})

it("saves of an entry what was changed, and keeps the time of a date that was not", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/library?model=news")
  await rows(page).getByRole("link").nth(1).click()
  const sheet = page.getByRole("dialog")
  await sheet.getByLabel("summary").fill("The slide is back.")
  const id = new URL(page.url()).searchParams.get("entry") ?? ""
  const kept = () => stage.sandbox.platform.state.entries.peek(id)
  const before = kept()?.publishedAt
  await sheet.getByRole("button", { name: "Save" }).click()
  await expect.poll(() => kept()?.summary).toBe("The slide is back.")
  expect(before).toBeInstanceOf(Date)
  expect(kept()?.publishedAt).toEqual(before)
})

it("saves of a translation what was changed, and keeps the draft of each language", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/library?model=news&lang=ka")
  await rows(page).getByRole("link").first().click()
  const sheet = page.getByRole("dialog")
  const id = new URL(page.url()).searchParams.get("entry") ?? ""
  const kept = () => stage.sandbox.platform.state.entries.peek(id)
  const before = kept()
  expect(await sheet.getByLabel("views").count(), "a number has no language").toBe(0)
  const summary = sheet.getByLabel("summary")
  await summary.fill("A draft in Georgian.")
  await page.goto(page.url().replace("lang=ka", "lang=en"))
  await sheet.getByLabel("views").waitFor()
  expect([await summary.inputValue(), await sheet.getByText("You began this before").count()]).toEqual([
    before?.summary,
    0
  ])
  await page.goBack()
  await sheet.getByText("You began this before").waitFor()
  await sheet.getByRole("button", { name: "Save" }).click()
  await expect.poll(() => kept()?.translations.ka?.summary).toBe("A draft in Georgian.")
  const ka = { ...before?.translations.ka, summary: "A draft in Georgian." }
  expect(kept()).toEqual({ ...before, translations: { ka }, updatedAt: expect.any(Date) })
})

it("leaves the focus in the page when the entry that had it is deleted", async ({ enter }) => {
  const { page } = await enter("/library?model=faq&search=zzzz")
  await page.getByText("Nothing found").waitFor()
  await page.keyboard.press("/")
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.press("Delete")
  const link = rows(page).getByRole("link").first()
  const title = await link.innerText()
  await link.click()
  await page.getByRole("dialog").getByRole("button", { name: "Delete…" }).click()
  const question = page.getByRole("alertdialog", { name: "Delete the entry?" })
  await question.getByText("It disappears from your site and apps at once.").waitFor()
  await question.getByRole("button", { name: "Delete" }).click()
  await page.getByText("Entry deleted").waitFor()
  await rows(page).getByRole("link", { name: title }).waitFor({ state: "detached" })
  expect(await focused(page)).toBe("MAIN")
})

it("asks before it sends a notification to everybody", async ({ enter, stage }) => {
  const { page } = await enter("/as/server/notifications")
  const sent = () =>
    stage.sandbox.control.log().filter(({ operation }) => operation === "notifications.sendInApp").length
  const sheet = page.getByRole("region", { name: "Send in app" })
  await sheet.getByLabel("To all").selectOption("Yes")
  await sheet.getByLabel("Title").fill("No water on Monday")
  const send = sheet.getByRole("button", { name: "Send in app" })
  const question = page.getByRole("alertdialog", { name: "Send “No water on Monday” to everybody?" })
  await send.click()
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect.poll(() => focused(page)).toBe("Send in app")
  expect(sent()).toBe(0)
  await send.click()
  await question.getByRole("button", { name: "Send it to everybody" }).click()
  await sheet.getByText("Done", { exact: true }).waitFor()
  expect(sent()).toBe(1)
})

it("counts on the overview what there is, as the chart beside it does, however many there are", async ({
  enter,
  stage
}) => {
  const { admins, entries, random, users } = stage.sandbox.platform.state
  for (const user of users.filter(() => true).flatMap((user) => Array.from({ length: 9 }, () => user)))
    users.put({ ...user, _id: random.id(), createdAt: new Date() })
  expect(users.size).toBeGreaterThan(500)
  const { page } = await enter()
  const tile = (name: string) => page.locator("dl > div").filter({ hasText: name }).locator("dd")
  for (const [name, { size }] of Object.entries({
    "People in the team": admins,
    "Content entries": entries,
    "End users": users
  }))
    await expect.poll(() => tile(name).innerText()).toBe(String(size))
  const chart = page.getByRole("region", { name: "End users" })
  await chart.getByText("all who ever signed up").waitFor()
  const cells = chart.locator("table td")
  expect(await cells.last().textContent()).toBe(await tile("End users").innerText())
  expect(Number(await cells.first().textContent())).toBeLessThan(60)
})

it("shows what happened where it covers nothing, in the sheet that is open too, and lets it be dismissed there", async ({
  enter
}) => {
  const { page } = await enter("/requests?status=pending")
  const sheet = await openFirst(page)
  await setStatus(page, "reviewed")
  const said = sheet.getByRole("log").getByRole("listitem")
  await said.waitFor()
  const send = sheet.getByRole("button", { name: "Comment", exact: true })
  await send.scrollIntoViewIfNeeded()
  const [message, button] = [await said.boundingBox(), await send.boundingBox()]
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(message?.y ?? 0)
  await said.getByRole("button", { name: "Dismiss" }).click()
  await said.waitFor({ state: "detached" })
  // The own change before is nobody else's.
  await setStatus(page, "confirmed")
  await said.filter({ hasText: "Confirmed" }).waitFor()
  await settle(page)
})

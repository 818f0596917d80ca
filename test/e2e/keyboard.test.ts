/** The main flows by the keyboard alone. Where the focus is and what is there is read from the accessibility tree. */

import { accounts } from "@quartet/sandbox"
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { it, settle } from "./stage.js"

/**
 * What has the focus, as a screen reader says it: its role and its name. The page may drop the focus at any moment, so
 * one selector always finds something: the focus, or the empty `head`.
 */
const focused = async (page: Page): Promise<string> => {
  const snapshot = await page.locator(":focus, html:not(:has(:focus)) > head").ariaSnapshot()
  return snapshot.split("\n")[0] ?? ""
}

/** Presses Tab until this has the focus. */
const tabTo = async (page: Page, what: string): Promise<void> => {
  const passed: Array<string> = []
  for (let here = await focused(page); !here.includes(what); here = await focused(page)) {
    passed.push(here)
    if (passed.length > 100) throw new Error(`Tab does not reach ${what}, but ${passed.join("; ")}`)
    await page.keyboard.press("Tab")
  }
}

/** Goes to something by Tab, and does it. */
const press = async (page: Page, what: string): Promise<void> => {
  await tabTo(page, what)
  await page.keyboard.press("Enter")
}

/** Goes to a field by Tab, and replaces what is in it. */
const fill = async (page: Page, field: string, text: string): Promise<void> => {
  await tabTo(page, `textbox "${field}"`)
  await page.keyboard.press("Control+a")
  await page.keyboard.type(text)
}

/** Says what the accessibility tree has within a place once it has this. */
const says = (within: Locator, what: string | RegExp) =>
  expect.poll(() => within.last().ariaSnapshot()).toMatch(what)

it("signs in, answers a request, and opens, finds and answers a conversation by the palette", async ({
  arrive,
  stage
}) => {
  const { page } = await arrive()
  const [main, dialog] = [page.getByRole("main"), page.getByRole("dialog")]
  await page.getByRole("heading", { name: "Sign in to Rustaveli Homes" }).waitFor()
  await fill(page, "Email", accounts.admin.email)
  await fill(page, "Password", accounts.admin.password)
  await page.keyboard.press("Enter")
  await says(main, /heading "Requests" \[level=1\]/)
  await page.waitForURL(/\/requests\/\w+/)
  await settle(page)
  const title = await main.getByRole("heading", { level: 2 }).first().innerText()
  await tabTo(page, `link "${title}`)
  await page.keyboard.press("Enter")
  await expect.poll(() => focused(page)).toContain(`heading "${title}"`)
  await press(page, 'button "More')
  await says(page.getByRole("menu"), 'menuitem "Reviewed')
  await page.keyboard.press("ArrowDown")
  const request = () =>
    stage.sandbox.platform.state.requests.peek(new URL(page.url()).pathname.split("/").at(-1) ?? "")
  expect(request()?.status, "what is only moved to is not sent").not.toBe("reviewed")
  await page.keyboard.press("v")
  await expect.poll(() => request()?.status).toBe("reviewed")
  await fill(page, "Reply", "By the keyboard alone.")
  await press(page, 'button "Send"')
  await says(main.getByRole("list", { name: "Timeline" }), "By the keyboard alone.")
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page)).toContain(`link "${title}`)
  await page.keyboard.press("Control+k")
  await says(page.getByRole("combobox"), "Search or run a command")
  await page.keyboard.type("go to chat")
  await says(dialog, /option "Go to Chat[^\n]*\[selected\]/i)
  await page.keyboard.press("Enter")
  await says(main, /heading "Chat" \[level=1\]/)
  await page.waitForURL(/\/chat\/\w+/)
  await settle(page)
  await page.keyboard.press("j")
  await expect.poll(() => focused(page)).toContain("link ")
  await page.keyboard.press("Enter")
  await expect.poll(() => focused(page)).toContain('textbox "Message to ')
  await page.keyboard.type("Typed, not clicked.")
  await page.keyboard.press("Enter")
  await says(page.getByRole("log"), "Typed, not clicked.")
})

it("creates, changes and deletes a customer, and sends a call", async ({ enter, stage }) => {
  const { page } = await enter()
  const main = page.getByRole("main")
  const kept = () => stage.sandbox.platform.state.users.filter(({ email }) => email === "key@quartet.test")[0]
  await page.keyboard.type("gu")
  await says(main, /heading "Customers" \[level=1\]/)
  await settle(page)
  await press(page, 'button "New customer"')
  await fill(page, "Name", "Keti Board")
  await fill(page, "Email", "key@quartet.test")
  await press(page, 'button "Add customer"')
  await says(main, /heading "Keti Board" \[level=2\]/)
  await page.keyboard.press("/")
  await page.keyboard.type("Keti Bo")
  await settle(page)
  await tabTo(page, 'link "Keti Board')
  await page.keyboard.press("Enter")
  await press(page, 'button "Edit')
  await fill(page, "City", "Batumi")
  await press(page, 'button "Save"')
  await expect.poll(() => kept()?.city).toBe("Batumi")
  await says(main, /heading "Keti Board" \[level=2\]/)
  await press(page, 'button "More actions"')
  await page.keyboard.press("End")
  await expect.poll(() => focused(page)).toContain('menuitem "Delete…')
  await page.keyboard.press("Enter")
  const question = page.getByRole("alertdialog", { name: "Delete Keti Board?" })
  await says(question, /button "Cancel"/)
  await expect.poll(() => focused(page), { message: "it begins on Cancel" }).toContain('button "Cancel"')
  await press(page, 'button "Delete Keti Board"')
  await expect.poll(kept).toBe(undefined)
  await question.waitFor({ state: "detached" })
  await page.keyboard.type("gd")
  await says(main, /heading "Developers" \[level=1\]/)
  await press(page, 'link "Explorer"')
  await says(main, /heading "Explorer" \[level=1\]/)
  await page.keyboard.press("/")
  await page.keyboard.type("admin.users.get")
  await settle(page)
  // The call that was selected stands first until another one is.
  await tabTo(page, 'link "')
  await page.keyboard.press("ArrowDown")
  await expect.poll(() => focused(page)).toContain('link "users.get"')
  await says(main, /heading "users\.get" \[level=2\]/)
  const [user] = stage.sandbox.platform.state.users.all()
  await fill(page, "ID", user?._id ?? "")
  await press(page, 'button "Send')
  await says(page.getByRole("region", { name: "Answer", exact: true }), user?.email ?? "")
})

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
  await page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
  await fill(page, "Email", accounts.admin.email)
  await fill(page, "Password", accounts.admin.password)
  await page.keyboard.press("Enter")
  await says(main, /heading "Welcome, Tamar" \[level=1\]/)
  await page.keyboard.type("gr")
  await says(main, /heading "Requests" \[level=1\]/)
  await settle(page)
  const title = await main.getByRole("row").nth(1).getByRole("link").innerText()
  await press(page, `link "${title.split("\n")[0]}`)
  await says(dialog, /combobox "Change the status"/)
  await tabTo(page, 'combobox "Change the status"')
  await page.keyboard.type("Rev")
  await says(dialog, /option "Reviewed" \[selected\]/)
  const status = () => stage.sandbox.platform.state.requests.peek(page.url().split("/").at(-1) ?? "")?.status
  expect(status(), "what is chosen is not sent").not.toBe("reviewed")
  await press(page, 'button "Set the status"')
  await expect.poll(status).toBe("reviewed")
  await fill(page, "Your comment", "By the keyboard alone.")
  await press(page, 'button "Comment"')
  await says(dialog, /listitem[\s\S]*By the keyboard alone\./)
  await page.keyboard.press("Escape")
  await expect.poll(() => focused(page)).toContain(`link "${title.split("\n")[0]}`)
  await page.keyboard.press("Control+k")
  await says(page.getByRole("combobox"), "Go, find or do")
  await page.keyboard.type("go to chat")
  await says(dialog, /option "Go to chat[^\n]*\[selected\]/)
  await page.keyboard.press("Enter")
  await says(main, /heading "Chat" \[level=1\]/)
  await settle(page)
  const name = await page
    .getByRole("region", { name: "Conversations" })
    .getByRole("link")
    .first()
    .ariaSnapshot()
  await press(page, name.split("\n")[0]?.replace(/^- |:$/g, "") ?? "")
  await page.getByText("Connected", { exact: true }).waitFor()
  await fill(page, "Message", "Typed, not clicked.")
  await page.keyboard.press("Enter")
  await says(page.getByRole("region", { name: "Messages" }), "Typed, not clicked.")
})

it("creates, changes and deletes a row, and sends a call", async ({ enter, stage }) => {
  const { page } = await enter()
  const [main, dialog] = [page.getByRole("main"), page.getByRole("dialog")]
  const kept = () => stage.sandbox.platform.state.users.filter(({ email }) => email === "key@quartet.test")[0]
  await page.keyboard.type("gd")
  await says(main, /heading "Users" \[level=1\]/)
  await settle(page)
  await press(page, 'button "New user"')
  await fill(page, "Email", "key@quartet.test")
  await fill(page, "Full name", "Keti Board")
  await press(page, 'button "New user"')
  await dialog.waitFor({ state: "detached" })
  await page.keyboard.press("/")
  await page.keyboard.type("Keti")
  await settle(page)
  await press(page, 'link "Keti Board')
  await press(page, 'button "Change"')
  await fill(page, "City", "Batumi")
  await press(page, 'button "Change"')
  await expect.poll(() => kept()?.city).toBe("Batumi")
  await says(dialog, /term: City\s+- definition: Batumi/)
  await press(page, 'button "Delete"')
  await says(page.getByRole("alertdialog"), /alertdialog "Delete [\s\S]*button "Cancel"/)
  await press(page, 'button "Delete"')
  await expect.poll(kept).toBe(undefined)
  await page.getByRole("alertdialog").waitFor({ state: "detached" })
  await dialog.waitFor({ state: "detached" })
  await page.keyboard.type("ge")
  await says(main, /heading "Explorer" \[level=1\]/)
  await tabTo(page, 'searchbox "Find a call"')
  await page.keyboard.type("users.get")
  await press(page, 'link "GET get')
  const [user] = stage.sandbox.platform.state.users.all()
  await fill(page, "Id", user?._id ?? "")
  await press(page, 'button "Send"')
  await says(page.getByRole("region", { name: "Answer", exact: true }), user?.email ?? "")
})

/** What is there on every page: the wire's tools, the palette, the shortcuts, the bell, the settings. */
import { text as textOf } from "node:stream/consumers"
import { expect } from "vitest"
import { it, settle } from "./stage.js"

it("copies a call of the wire as curl and as code, finds it, sends it again, and saves all as a HAR", async ({
  enter
}) => {
  const { context, page } = await enter("/requests")
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press("w")
  const panel = page.getByRole("complementary", { name: "Wire" })
  await panel.getByRole("searchbox", { name: "Find calls" }).fill("requests.list")
  const lines = panel.getByRole("listitem")
  const before = await lines.count()
  await lines.first().locator("summary").click()
  await lines.first().getByRole("button", { name: "Copy as curl" }).click()
  await page.getByText("Copied").first().waitFor()
  expect(await copied()).toMatch(/^curl -X GET 'http:.*-H 'authorization: Bearer '"\$AUTHORIZATION"''/s)
  await lines.first().getByRole("button", { name: "Copy as Effect" }).click()
  await expect.poll(copied).toContain("const program = Admin.requests.list({")
  await lines.first().getByRole("button", { name: "Copy as Promise" }).click()
  await expect.poll(copied).toContain("await admin.requests.list({")
  await lines.first().getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => lines.count()).toBe(before + 1)
  expect(await lines.first().innerText()).toContain("200")
  const saving = page.waitForEvent("download")
  await panel.getByRole("button", { name: "Save as HAR" }).click()
  const text = await textOf(await (await saving).createReadStream())
  const { log } = JSON.parse(text) as {
    log: { version: string; entries: ReadonlyArray<{ comment: string }> }
  }
  expect(log.version).toBe("1.2")
  expect(log.entries.map(({ comment }) => comment)).toEqual(Array(before + 1).fill("requests.list"))
  expect(text).toContain("Bearer ••••••")
})

it("asks before a write of the wire is sent again, and sends the same once more", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/as/server")
  await page.getByLabel("Number").fill("+995555000001")
  await page.getByLabel("Message", { exact: true }).fill("Sent twice")
  await page.getByRole("button", { name: "Send the message" }).click()
  await page.getByText("Text message sent").waitFor()
  await settle(page)
  const sent = () => stage.sandbox.platform.state.notifications.filter(({ body }) => body === "Sent twice")
  expect(sent()).toHaveLength(1)
  await page.getByRole("button", { name: "Wire", exact: true }).click()
  const line = page
    .getByRole("complementary", { name: "Wire" })
    .getByRole("listitem")
    .filter({ hasText: "sendSms" })
  await line.locator("summary").click()
  await line.getByRole("button", { name: "Send again" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Send again" }).click()
  await expect.poll(() => sent().length).toBe(2)
})

it("goes, finds and does by the palette, with the keyboard alone", async ({ enter, stage }) => {
  const { page } = await enter("/chat")
  const field = page.getByRole("combobox", { name: "Go, find or do" })
  const chosen = page.getByRole("option", { selected: true })
  await page.keyboard.press("Control+k")
  await page.keyboard.type("go to cont")
  expect(await chosen.innerText()).toContain("Go to content")
  expect(await field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"))
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "Content" }).waitFor()
  const [request] = stage.sandbox.platform.state.requests.all()
  await page.keyboard.press("Control+k")
  await page.keyboard.type(String(request?.title))
  await page
    .getByRole("option", { name: String(request?.title) })
    .first()
    .waitFor()
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("Enter")
  await page.getByRole("dialog", { name: String(request?.title) }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/requests\/./)
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.keyboard.press("Control+k")
  await page.keyboard.type("wire")
  await page.keyboard.press("Enter")
  await page.getByRole("complementary", { name: "Wire" }).waitFor()
})

it("lists in its help the shortcuts that work here, and no others", async ({ enter }) => {
  const { page } = await enter("/people")
  const listed = async (): Promise<ReadonlyArray<string>> => {
    await page.keyboard.press("?")
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
    const all = await help.getByRole("term").allInnerTexts()
    await page.keyboard.press("Escape")
    await help.waitFor({ state: "detached" })
    return all
  }
  expect(await listed()).toContain("Find on this page")
  await page.keyboard.press("/")
  await expect
    .poll(() =>
      page
        .getByRole("searchbox")
        .first()
        .evaluate((it) => it === document.activeElement)
    )
    .toBe(true)
  await page.getByRole("heading", { level: 1 }).click()
  await page.keyboard.press("g")
  await page.keyboard.press("h")
  await page.getByRole("heading", { level: 1, name: "Chat" }).waitFor()
  expect(await listed()).not.toContain("Find on this page")
  await page.keyboard.press("w")
  expect(await listed()).toContain("Close the wire")
  await page.keyboard.press("Escape")
  await page.getByRole("complementary", { name: "Wire" }).waitFor({ state: "detached" })
})

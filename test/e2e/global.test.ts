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

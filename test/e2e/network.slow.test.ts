/** Files, filters, the wire and a lost network, in a real browser against the real sandbox server. */
import { buffer } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { it, settle } from "./stage.js"

const upload = (page: Page, name: string, bytes: Buffer): Promise<void> =>
  page
    .getByLabel("Files to upload")
    .first()
    .setInputFiles([{ name, mimeType: "text/plain", buffer: bytes }])

/** Chooses of a list that opens below its button. */
const choose = async (page: Page, name: RegExp, option: string): Promise<void> => {
  await page.getByRole("button", { name }).click()
  await page.getByRole("option", { name: option, exact: true }).click()
}

it("uploads a file, lists it, and gives the same bytes back", async ({ enter }) => {
  const { page } = await enter("/files")
  const bytes = Buffer.from("a plan of the third floor\n".repeat(2_000))
  await upload(page, "plan.txt", bytes)
  await page.getByText("plan.txt uploaded").waitFor()
  await page
    .getByRole("link", { name: /plan\.txt/ })
    .first()
    .click()
  const selected = page.getByRole("region", { name: "Selected in files" })
  await selected.getByRole("heading", { name: "plan.txt" }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    selected.getByRole("button", { name: "Download" }).click()
  ])
  expect(download.suggestedFilename()).toBe("plan.txt")
  expect(await buffer(await download.createReadStream())).toEqual(bytes)
})

it("shows the progress of an upload, on the wire too, and stops it when it is told to", async ({
  enter,
  stage
}) => {
  const { context, page } = await enter("/files")
  const session = await context.newCDPSession(page)
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000
  })
  await page.keyboard.press("w")
  const line = page.getByRole("complementary", { name: "Wire" }).getByText("files.upload").locator("..")
  await upload(page, "film.bin", Buffer.alloc(4_000_000, 7))
  const sending = page.getByRole("list", { name: "Uploads" })
  await sending.getByText(/^[1-9]\d?%$/).waitFor()
  expect(await line.innerText()).toMatch(/^…/)
  await sending.getByRole("button", { name: "Cancel film.bin" }).click()
  await sending.waitFor({ state: "detached" })
  await line.getByText("Stopped", { exact: true }).waitFor()
  expect(stage.sandbox.platform.state.files.find(({ name }) => name === "film.bin")).toBeUndefined()
})

it("sends the filter and the order that are chosen for the content, and keeps both in the address", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/library?model=news")
  await page.getByRole("button", { name: "Sort and filter" }).click()
  await page.getByRole("button", { name: "Add a filter" }).click()
  await choose(page, /Field/, "Views")
  await choose(page, /Comparison/, "is at least")
  await page.getByLabel("Value").fill("3000")
  await choose(page, /Sort by$/, "Views, descending")
  await page.keyboard.press("Escape")
  const sent = () => {
    const reads = stage.sandbox.control.log().filter(({ operation }) => operation === "content.list")
    // The entries of each model are counted, too.
    const asked = reads.map(({ query }) => new URLSearchParams(query)).filter((query) => query.has("p.views"))
    return [asked.at(-1)?.get("p.views"), asked.at(-1)?.get("o.views")]
  }
  await expect.poll(sent).toEqual([">=|3000|NUMERIC", "desc"])
  await settle(page)
  const ids = () =>
    page
      .getByRole("region", { name: "Content", exact: true })
      .first()
      .locator("[data-row]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row") ?? ""))
  const views = async (): Promise<ReadonlyArray<number>> =>
    (await ids()).map((id) => Number(stage.sandbox.platform.state.entries.peek(id)?.views))
  await expect.poll(async () => Math.min(...(await views()))).toBeGreaterThanOrEqual(3_000)
  const numbers = await views()
  expect(numbers.length).toBeGreaterThan(3)
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
  const before = await ids()
  stage.sandbox.control.clear()
  await page.reload()
  await expect.poll(sent).toEqual([">=|3000|NUMERIC", "desc"])
  await expect.poll(ids).toEqual(before)
})

it("shows every call on the wire, opened by a key, with secrets masked", async ({ enter }) => {
  const { page } = await enter()
  await page.keyboard.press("w")
  const panel = page.getByRole("complementary", { name: "Wire" })
  const call = panel.getByRole("listitem").filter({ hasText: "auth/admin/login" })
  await call.locator("summary").click()
  // What is inside is rendered once the line is open.
  await expect.poll(() => call.innerText()).toMatch(/"password": "••••••"/)
  const text = await call.innerText()
  expect(text).toContain("POST")
  expect(text).toContain("attempt 1")
  const shown = panel.getByRole("tabpanel", { name: /^Wire/ })
  const whole = await shown.innerText()
  expect(whole).toContain("auth/admin/login")
  expect(whole).not.toContain("admin-password")
  const session = await page.evaluate(() => sessionStorage.getItem("quartet.session.admin") ?? "")
  const { accessToken, sessionId } = JSON.parse(session) as { accessToken: string; sessionId: string }
  const html = await shown.innerHTML()
  for (const secret of [accessToken, sessionId, "qk_public_demo", "admin-password"])
    expect(html).not.toContain(secret)
})

it("says on the wire where an answer is not what its call declares, and shows it all the same", async ({
  enter
}) => {
  const { page } = await enter()
  await page.route(/\/project\b/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({ response, body: text.replace(/"created":"[^"]*"/, '"created":1714557600000') })
  })
  await page.reload()
  await settle(page)
  await page.keyboard.press("w")
  const panel = page.getByRole("complementary", { name: "Wire" })
  const line = panel.getByRole("listitem").filter({ hasText: "Drift" })
  await line.locator("summary").first().click()
  await expect.poll(() => line.first().innerText()).toContain("expected DateTime | null, got number")
  expect(await line.first().innerText()).toContain("created")
})

it("says that the network is gone, keeps what it shows, and goes on by itself when it is back", async ({
  enter,
  stage
}) => {
  const { context, page } = await enter("/chat", /ERR_INTERNET_DISCONNECTED/)
  const connected = page.getByText("Connected", { exact: true })
  await connected.waitFor()
  const log = page.getByRole("log", { name: "Messages" })
  await log.getByRole("listitem").first().waitFor()
  await settle(page)
  await context.setOffline(true)
  await page.getByText("You are offline.").waitFor()
  await page.getByText("Messages will be sent once the connection is back.").waitFor()
  const field = page.getByRole("textbox", { name: /^Message to / })
  await field.fill("Written without a network")
  await field.press("Enter")
  await log.getByText("Sending…").waitFor()
  await context.setOffline(false)
  await page.getByText("You are offline.").waitFor({ state: "detached" })
  await connected.waitFor()
  await log.getByText("Sending…").waitFor({ state: "detached" })
  const kept = stage.sandbox.platform.state.messages.filter(
    ({ text }) => text === "Written without a network"
  )
  expect(kept).toHaveLength(1)
})

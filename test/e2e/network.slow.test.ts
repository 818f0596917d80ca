/** Files, filters, the wire and a lost network, in a real browser against the real sandbox server. */
import { buffer } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { it, settle } from "./stage.js"

/** Gives a file to the form of an upload, and sends it. */
const upload = async (page: Page, name: string, bytes: Buffer): Promise<void> => {
  await page.getByRole("button", { name: "Upload a file" }).click()
  const sheet = page.getByRole("dialog")
  await sheet
    .getByLabel("File", { exact: true })
    .setInputFiles({ name, mimeType: "text/plain", buffer: bytes })
  await sheet.getByRole("button", { name: "Upload a file" }).click()
}

it("uploads a file, lists it, and gives the same bytes back", async ({ enter }) => {
  const { page } = await enter("/data/files")
  const bytes = Buffer.from("a plan of the third floor\n".repeat(2_000))
  await upload(page, "plan.txt", bytes)
  await page.getByText("Upload a file: done").waitFor()
  await page.getByRole("link", { name: "plan.txt" }).click()
  const sheet = page.getByRole("dialog")
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    sheet.getByRole("button", { name: "Download" }).click()
  ])
  expect(download.suggestedFilename()).toBe("plan.txt")
  expect(await buffer(await download.createReadStream())).toEqual(bytes)
  await sheet.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
  await page.getByRole("row").filter({ hasText: "plan.txt" }).waitFor({ state: "detached" })
})

it("shows the progress of an upload, on the wire too, and stops it when it is told to", async ({
  enter,
  stage
}) => {
  const { context, page } = await enter("/data/files")
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
  await page.getByText(/Uploading · [1-9]\d?%/).waitFor()
  expect(await line.innerText()).toMatch(/^…/)
  await page.getByRole("button", { name: "Stop" }).click()
  await page.getByRole("log").getByText("Stopped", { exact: true }).waitFor()
  await line.getByText("Stopped", { exact: true }).waitFor()
  expect(stage.sandbox.platform.state.files.find(({ name }) => name === "film.bin")).toBeUndefined()
})

it("sends the filter and the order that are chosen for the content", async ({ enter, stage }) => {
  const { page } = await enter("/library?model=news")
  await page.getByRole("button", { name: "Add a filter" }).click()
  await page.getByLabel("Field").selectOption("views")
  await page.getByLabel("Comparison").selectOption(">=")
  await page.getByLabel("Value").fill("3000")
  const order = page.getByRole("columnheader").getByRole("button", { name: /^Views/ })
  await order.click()
  await page.locator("[aria-sort=ascending]").waitFor()
  await order.click()
  await page.locator("[aria-sort=descending]").waitFor()
  await settle(page)
  const reads = stage.sandbox.control.log().filter(({ operation }) => operation === "content.list")
  const sent = new URLSearchParams(reads.at(-1)?.query ?? "")
  expect(sent.get("p.views")).toBe(">=|3000|NUMERIC")
  expect(sent.get("o.views")).toBe("desc")
  const heads = await page.locator("main thead th").allInnerTexts()
  const views = 1 + heads.findIndex((head) => head.startsWith("Views"))
  const counts = await page.locator(`main tbody td:nth-child(${views})`).allInnerTexts()
  const numbers = counts.map((text) => Number(text.replaceAll(",", "")))
  expect(numbers.length).toBeGreaterThan(3)
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(3_000)
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
  await page.getByText("Connected", { exact: true }).waitFor()
  await page.getByRole("region", { name: "Conversations" }).getByRole("link").first().click()
  await settle(page)
  await context.setOffline(true)
  await page.getByText("You are offline.").waitFor()
  await page.getByText(/Reconnecting/).waitFor()
  await page.getByLabel("Message", { exact: true }).fill("Written without a network")
  await page.getByLabel("Message", { exact: true }).press("Enter")
  await page.getByText("Sending…").waitFor()
  await context.setOffline(false)
  await page.getByText("You are offline.").waitFor({ state: "detached" })
  await page.getByText("Connected", { exact: true }).waitFor()
  await page.getByText("Sending…").waitFor({ state: "detached" })
  const kept = stage.sandbox.platform.state.messages.filter(
    ({ text }) => text === "Written without a network"
  )
  expect(kept).toHaveLength(1)
})

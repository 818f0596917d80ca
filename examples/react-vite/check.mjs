/** Opens the built app in Chromium, and uses it as an admin does. */
import assert from "node:assert/strict"
import { chromium } from "playwright-core"
import { preview } from "vite"

const { CHROMIUM_URL, QUARTET_EMAIL = "", QUARTET_PASSWORD = "" } = process.env

const server = await preview({ preview: { host: "127.0.0.1", port: 0 } })
const browser = await (CHROMIUM_URL === undefined ? chromium.launch() : chromium.connect(CHROMIUM_URL))
try {
  const page = await browser.newPage()
  /** @type {Array<string>} */
  const faults = []
  page.on("pageerror", (error) => faults.push(String(error)))
  page.setDefaultTimeout(30_000)
  await page.goto(server.resolvedUrls?.local[0] ?? "")

  await page.getByLabel("E-mail").fill(QUARTET_EMAIL)
  await page.getByLabel("Password").fill("wrong")
  await page.getByRole("button", { name: "Sign in" }).click()
  assert.match(await page.getByRole("alert").innerText(), /password/i)

  await page.getByLabel("Password").fill(QUARTET_PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  const rows = page.getByRole("listitem")
  await rows.first().waitFor()
  assert.equal(await rows.count(), 10)
  await page.getByRole("button", { name: "More" }).click()
  await rows.nth(10).waitFor()
  assert.equal(await rows.count(), 20)

  // The next one that nobody has seen.
  const mark = page.getByRole("button", { name: "Mark as seen" })
  const seen = page.getByText("Seen", { exact: true })
  for (let at = 0; !(await mark.isVisible()); at += 1) {
    await rows.nth(at).getByRole("button").click()
    await mark.or(seen).waitFor()
  }
  await mark.click()
  await seen.waitFor()

  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByLabel("Password").waitFor()
  assert.equal(await rows.count(), 0)
  assert.deepEqual(faults, [])
} finally {
  await browser.close()
  await server.close()
}

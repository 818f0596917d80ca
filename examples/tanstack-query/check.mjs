/** Opens the built app in Chromium, and uses it as an admin does. */
import assert from "node:assert/strict"
import { accounts } from "@quartet/sandbox"
import { signInEndUser } from "@quartet/sdk/promise"
import { chromium } from "playwright-core"
import { preview } from "vite"

const { CHROMIUM_URL, VITE_QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const { admin, apiKey, endUsers } = accounts

// A request that nobody has seen: the newest stands first.
const ana = await signInEndUser({ baseUrl, apiKey, ...endUsers.ana })
const title = `A lamp flickers since ${new Date().toISOString()}`
await ana.requests.create({ payload: { type: "MAINTENANCE", title } })
await ana.close()

const server = await preview({ preview: { host: "127.0.0.1", port: 0 } })
try {
  const browser = await (CHROMIUM_URL === undefined ? chromium.launch() : chromium.connect(CHROMIUM_URL))
  try {
    const page = await browser.newPage()
    /** @type {Array<string>} */
    const faults = []
    page.on("pageerror", (error) => faults.push(String(error)))
    /** The pages of the list that were asked for. @type {Array<string | null>} */
    const requestedPages = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (request.method() === "GET" && pathname.endsWith("/request-action"))
        requestedPages.push(searchParams.get("page"))
    })
    page.setDefaultTimeout(30_000)
    await page.goto(server.resolvedUrls?.local[0] ?? "")

    await page.getByLabel("E-mail").fill(admin.email)
    await page.getByLabel("Password").fill("wrong")
    await page.getByRole("button", { name: "Sign in" }).click()
    assert.match(await page.getByRole("alert").innerText(), /password/i)
    assert.deepEqual(requestedPages, [])

    await page.getByLabel("Password").fill(admin.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    const rows = page.getByRole("listitem")
    await rows.first().waitFor()
    assert.equal(await rows.count(), 10)
    await page.getByRole("button", { name: "More" }).click()
    await rows.nth(10).waitFor()
    assert.equal(await rows.count(), 20)
    assert.deepEqual(requestedPages, ["1", "2"])

    await rows.getByText(title).click()
    await page.getByText(/^Opened on \d/).waitFor()
    const mark = page.getByRole("button", { name: "Mark as seen" })
    await mark.click()
    await page.getByText("Seen", { exact: true }).waitFor()

    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Password").waitFor()
    assert.equal(await rows.count(), 0)
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
} finally {
  await server.close()
}

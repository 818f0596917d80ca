/** Opens the built app in Chromium, and uses it as an admin does. */
import assert from "node:assert/strict"
import { accounts } from "@quartet/sandbox"
import { createAdminClient, signInEndUser } from "@quartet/sdk/promise"
import { chromium } from "playwright-core"
import { preview } from "vite"

const { CHROMIUM_URL, VITE_QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const { admin, apiKey, endUsers, projectId } = accounts

// Requests that nobody has seen: the newest stand first.
const ana = await signInEndUser({ baseUrl, apiKey, ...endUsers.ana })
const now = new Date().toISOString()
const [title, offline] = [`A tap drips since ${now}`, `A door jams since ${now}`]
for (const each of [title, offline])
  await ana.requests.create({ payload: { type: "MAINTENANCE", title: each } })
await ana.close()

const server = await preview({ preview: { host: "127.0.0.1", port: 0 } })
try {
  const browser = await (CHROMIUM_URL === undefined ? chromium.launch() : chromium.connect(CHROMIUM_URL))
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(30_000)
    /** @type {Array<string>} */
    const faults = []
    const open = async () => {
      const page = await context.newPage()
      page.on("pageerror", (error) => faults.push(String(error)))
      await page.goto(server.resolvedUrls?.local[0] ?? "")
      return page
    }
    /** @param {import("playwright-core").Page} page */
    const signIn = async (page) => {
      await page.getByLabel("E-mail").fill(admin.email)
      await page.getByLabel("Password").fill(admin.password)
      await page.getByRole("button", { name: "Sign in" }).click()
    }

    const page = await open()
    await page.getByLabel("E-mail").fill(admin.email)
    await page.getByLabel("Password").fill("wrong")
    await page.getByRole("button", { name: "Sign in" }).click()
    assert.match(await page.getByRole("alert").innerText(), /password/i)

    await signIn(page)
    const rows = page.getByRole("listitem")
    await rows.first().waitFor()
    assert.equal(await rows.count(), 10)
    await page.getByRole("button", { name: "More" }).click()
    await rows.nth(10).waitFor()
    assert.equal(await rows.count(), 20)

    await rows.getByText(title).click()
    const mark = page.getByRole("button", { name: "Mark as seen" })
    await mark.click()
    await page.getByText("Seen", { exact: true }).waitFor()
    const waiting = page.getByRole("status")
    await waiting.waitFor({ state: "detached" })

    // Without a network, and in a tab that is closed before there is one.
    await rows.getByText(offline).click()
    await mark.waitFor()
    await context.setOffline(true)
    await mark.click()
    await page.getByText("Seen", { exact: true }).waitFor()
    await waiting.waitFor()
    assert.equal(await waiting.innerText(), "Changes that wait: 1")
    await page.close()
    await context.setOffline(false)
    const next = await open()
    await signIn(next)
    await next.getByRole("listitem").getByText(offline).click()
    await next.getByText("Seen", { exact: true }).waitFor()
    await next.getByRole("status").waitFor({ state: "detached" })
    const platform = createAdminClient({ baseUrl, projectId, ...admin })
    const { items } = await platform.requests.list({ statusIn: ["pending"] })
    for (const each of [title, offline]) {
      const { seenByAdmin, version } = items.find((item) => item.title === each) ?? {}
      assert.deepEqual([each, seenByAdmin, version], [each, 1, 1])
    }
    await platform.close()

    await next.getByRole("button", { name: "Sign out" }).click()
    await next.getByLabel("Password").waitFor()
    assert.equal(await next.getByRole("listitem").count(), 0)
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
} finally {
  await server.close()
}

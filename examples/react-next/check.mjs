/** Starts the built app, and uses it in Chromium, also without JavaScript. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { accounts } from "@quartet/sandbox"
import { createPublicClient } from "@quartet/sdk/promise"
import { chromium } from "playwright-core"

const { CHROMIUM_URL, QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400" } = process.env
const visitor = createPublicClient({ baseUrl, apiKey: accounts.apiKey })
const { email, password } = accounts.endUsers.ana

const args = ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", "0"]
const app = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
const ended = once(app, "exit")
try {
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    let output = ""
    ended.then(() => reject(new Error(`the app ended\n${output}`)), reject)
    app.stdout.on("data", (chunk) => {
      output += chunk
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
  const browser = await (CHROMIUM_URL === undefined ? chromium.launch() : chromium.connect(CHROMIUM_URL))
  try {
    const { items } = await visitor.items.search({ payload: { limit: 12 } })
    const [first] = items
    assert.ok(first !== undefined)

    // What the server renders holds the answers.
    const plain = await browser.newPage({ javaScriptEnabled: false })
    await plain.goto(url)
    assert.equal(await plain.getByRole("listitem").getByRole("link").count(), 12)
    await plain.goto(`${url}/items/${first._id}`)
    assert.equal(await plain.getByRole("heading", { level: 1 }).innerText(), first.name)

    // A person signs in and out, and no script can read the session.
    const account = async (/** @type {import("playwright-core").Page} */ shown) => {
      shown.setDefaultTimeout(30_000)
      await shown.goto(`${url}/account`)
      const signIn = async (/** @type {string} */ typed) => {
        await shown.getByLabel("E-mail").fill(email)
        await shown.getByLabel("Password").fill(typed)
        await shown.getByRole("button", { name: "Sign in" }).click()
      }
      await signIn("a-guess")
      await shown.getByRole("alert").filter({ hasText: "The e-mail or the password is wrong." }).waitFor()
      assert.deepEqual(await shown.context().cookies(), [])
      assert.equal(await shown.getByLabel("E-mail").inputValue(), email)
      await signIn(password)
      await shown.getByText(`Signed in as ${email}`).waitFor()
      const [session] = await shown.context().cookies()
      assert.ok(session?.name === "session" && session.httpOnly && session.secure)
      await shown.reload()
      await shown.getByRole("button", { name: "Sign out" }).click()
      await shown.getByLabel("Password").waitFor()
      assert.deepEqual(await shown.context().cookies(), [])

      // Of a session that has ended, or a cookie that holds none, the page says so by its form.
      for (const value of ["ended", "%E5%90%8D"]) {
        await shown.context().addCookies([{ ...session, value }])
        await shown.reload()
        await shown.getByLabel("Password").waitFor()
      }
    }
    await account(plain)

    const page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    /** @type {Array<string>} */
    const faults = []
    page.on("pageerror", (error) => faults.push(String(error)))
    /** @type {Array<string>} */
    const complaints = []
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
    })
    /** @type {Array<string>} */
    const requestedUrls = []
    page.on("request", (request) => {
      if (request.url().startsWith(baseUrl)) requestedUrls.push(request.url())
    })
    await page.goto(`${url}/items/${first._id}`)
    await page.getByRole("heading", { name: String(first.name) }).waitFor()
    // Its sections come with the page, and are as much at home in the browser as the rest.
    const section = (/** @type {string} */ name) => page.getByRole("region", { name }).getByRole("listitem")
    await section("News").first().waitFor()
    assert.equal(await section("News").count(), 3)
    await section("Other homes").first().waitFor()
    const wish = page.getByRole("button", { name: "Wish for it" })
    await wish.click()
    assert.equal(await page.getByRole("status").innerText(), "It is on your list.")
    assert.deepEqual(requestedUrls, [], "the browser took the server's answers over")
    assert.deepEqual(complaints, [], "and shows what the server has rendered")
    const refresh = page.getByRole("button", { name: "Refresh" })
    const anew = page.waitForRequest(`${baseUrl}/**`)
    await refresh.click()
    await anew
    assert.equal(requestedUrls.length, 1, "the browser asks the platform itself when it is told to")
    const { items: boxes } = await visitor.boxes.list({ limit: 1 })
    assert.equal(Object(boxes[0]?.data).itemId, first._id)

    // A section that fails leaves the others, and is tried again when somebody says so.
    const isNews = (/** @type {URL} */ { pathname }) => pathname.includes("news")
    await page.route(isNews, (route) => route.abort())
    await page.goto(url)
    await page
      .getByRole("link", { name: String(first.name) })
      .first()
      .click()
    await page.getByRole("button", { name: "Try again" }).waitFor()
    await section("Other homes").first().waitFor()
    await page.unroute(isNews)
    await page.getByRole("button", { name: "Try again" }).click()
    await section("News").first().waitFor()

    requestedUrls.length = 0
    await account(page)
    assert.equal(requestedUrls.length, 0, "the browser itself asks nothing in a person's name")

    await page.goto(`${url}/items/nothing`)
    // Next has an alert of its own, which is empty.
    await page.getByRole("alert").filter({ hasText: "This home is gone." }).waitFor()
    assert.deepEqual(faults, [])
  } finally {
    await browser.close()
  }
} finally {
  app.kill()
  // One that does not stop is no reason to wait for ever.
  setTimeout(() => app.kill("SIGKILL"), 10_000).unref()
  await ended
}

/** What the console does when something is lost: code, the session, the server. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { type Guest, go, it, settle, signIn } from "./stage.js"

const heading = ({ page }: Pick<Guest, "page">, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { level: 1, name }).waitFor()

const place = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Places" }).getByRole("link", { name })

const list = (page: Page) => page.getByRole("region", { name: "Requests", exact: true }).first()

/** Loads the page again: it then has the session without the password, and cannot renew it. */
const forgetPassword = async ({ page }: Guest): Promise<void> => {
  await page.reload()
  await settle(page)
}

/** Signs out by one's own menu. */
const signOut = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
}

it("loads a place whose code did not arrive when it is told to, or when the server is back", async ({
  enter,
  stage
}) => {
  const guest = await enter("/", /ERR_|40[01]|WebSocket|Failed to fetch dynamically/)
  const { page } = guest
  const said = page.getByText("Part of the console could not be loaded")
  await page.route(/\/assets\/view-/, (route) => route.abort())
  await place(page, /^Payments/).click()
  await said.waitFor()
  await page.unroute(/\/assets\/view-/)
  await page.getByRole("button", { name: "Try again" }).click()
  await heading(guest, "Payments")
  await stage.outage(async () => {
    await place(page, /^Content/).click()
    await said.waitFor()
    await page.getByText("The platform is not answering.").waitFor()
  })
  await heading(guest, "Content")
})

it("says of any code that did not come that it did not, and asks for it again where it stands", async ({
  arrive
}) => {
  const guest = await arrive("/", /ERR_/)
  const { page } = guest
  const said = "Part of the console could not be loaded"
  const lose = (code: RegExp) => page.route(code, (route) => route.abort())
  await lose(/\/assets\/(inside|palette|panel)-/)
  // Its code is fetched while one signs in.
  await page.reload()
  await page.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await page.getByRole("alert").getByText(said).waitFor()
  await page.unrouteAll()
  await lose(/\/assets\/(palette|panel)-/)
  await page.getByRole("button", { name: "Try again" }).click()
  await heading(guest, "Requests")
  await settle(page)
  for (const [key, name, part, end] of [
    [
      "Control+k",
      "Search or run a command",
      page.getByRole("combobox", { name: "Search or run a command" }),
      "Escape"
    ],
    ["w", "Wire", page.getByRole("complementary", { name: "Wire" }), "w"]
  ] as const) {
    await page.keyboard.press(key)
    const dialog = page.getByRole("dialog", { name })
    await dialog.getByText(said).waitFor()
    await page.unrouteAll()
    await dialog.getByRole("button", { name: "Try again" }).click()
    await part.waitFor()
    await page.keyboard.press(end)
    await part.waitFor({ state: "detached" })
    await lose(/\/assets\/panel-/)
  }
})

it("asks for the password over the page where the session has ended, and goes on with what was written", async ({
  enter,
  stage
}) => {
  // Signed in again, the page marks as seen what it shows, which the answer may have raised by then: a conflict without a consequence.
  const guest = await enter("/requests", /401|409/)
  const { page } = guest
  await forgetPassword(guest)
  const answer = page.getByRole("textbox", { name: "Reply" })
  const send = () => page.getByRole("button", { name: "Send", exact: true }).click()
  await answer.fill("We come on Friday.")
  stage.sandbox.control.expireSessions()
  await send()
  const question = page.getByRole("dialog", { name: "Sign in again" })
  await question.waitFor()
  // Put off, it is asked again by the next call.
  await page.keyboard.press("Escape")
  await question.waitFor({ state: "detached" })
  await send()
  await question.getByLabel("Email").fill("admin@quartet.test")
  await question.getByLabel("Password").fill("wrong")
  await question.getByRole("button", { name: "Sign in", exact: true }).click()
  await question.getByText("Wrong email or password").waitFor()
  await question.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await question.waitFor({ state: "detached" })
  expect(await answer.inputValue()).toBe("We come on Friday.")
  await send()
  await page.getByRole("list", { name: "Timeline" }).getByText("We come on Friday.").waitFor()
})

it("forgets in the explorer that one was signed out, and what was written where another person signs in", async ({
  enter,
  stage
}) => {
  const guest = await enter("/explorer?call=admin.requests.list", /401/)
  const { page } = guest
  const question = page.getByRole("dialog", { name: "Sign in again" })
  const types = page.getByLabel("Type in", { exact: true })
  const send = async (): Promise<void> => {
    await forgetPassword(guest)
    await types.fill("MAINTENANCE")
    stage.sandbox.control.expireSessions()
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await question.waitFor()
  }
  await send()
  const said = page.getByRole("main").getByRole("status").filter({ hasText: "You are signed out." })
  await said.waitFor()
  await question.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await question.waitFor({ state: "detached" })
  await expect.poll(() => said.count()).toBe(0)
  expect(await types.inputValue()).toBe("MAINTENANCE")
  await send()
  await question.getByRole("button", { name: /Felix Keller/ }).click()
  await question.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Felix Keller" }).waitFor()
  await expect.poll(() => types.inputValue()).toBe("")
  expect(await page.getByText("You have an unsent draft").count()).toBe(0)
})

it("says that the server is gone, and of when its lists are, and loads them again when it is back", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/requests", /ERR_|40[01]|WebSocket/)
  await settle(page)
  await stage.outage(async () => {
    await page.getByText("The platform is not answering.").waitFor()
    await list(page)
      .getByText(/^As of \d\d:\d\d$/)
      .waitFor()
    expect(await list(page).locator("[data-row]").count()).toBeGreaterThan(3)
  })
  await page.getByText("The platform is not answering.").waitFor({ state: "detached" })
  await expect
    .poll(() =>
      stage.sandbox.control
        .log()
        .some(({ operation, status }) => operation === "requests.list" && status === 200)
    )
    .toBe(true)
  expect(await page.getByText(/^As of/).count()).toBe(0)
})

it("asks an end user on any of their pages, and takes what it said of the session away", async ({
  enter,
  stage
}) => {
  const guest = await enter("/as/resident", /401/)
  const { page } = guest
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await heading(guest, "Requests")
  await go(guest, "/as/resident/auth")
  await page.getByRole("button", { name: "Edit", exact: true }).click()
  const form = page.getByRole("region", { name: "Edit", exact: true })
  const save = () => form.getByRole("button", { name: "Edit", exact: true }).click()
  stage.sandbox.control.expireSessions()
  await form.getByLabel("City").fill("Gori")
  await save()
  const question = page.getByRole("dialog", { name: "Sign in again" })
  await question.waitFor()
  expect(await page.getByText(/You are signed out/).count()).toBeGreaterThan(0)
  await question.getByRole("button", { name: /Ana Beridze/ }).click()
  await question.waitFor({ state: "detached" })
  await expect.poll(() => page.getByText(/You are signed out/).count()).toBe(0)
  await save()
  await page.getByText("Account saved").waitFor()
})

it("takes a gateway's answer for none where the platform behind it is gone, also while nothing is asked", async ({
  enter
}) => {
  const { page } = await enter("/requests", /50[234]/)
  const isCall = (type: string): boolean => type === "fetch" || type === "xhr"
  for (const status of [502, 504]) {
    await page.route("**", (route) =>
      isCall(route.request().resourceType()) ? route.fulfill({ status }) : route.continue()
    )
    await page.getByText("The platform is not answering.").waitFor()
    await list(page)
      .getByText(/^As of \d\d:\d\d$/)
      .waitFor()
    await page.unrouteAll()
    await page.getByText("The platform is not answering.").waitFor({ state: "detached" })
  }
  await expect.poll(() => page.getByText(/^As of/).count()).toBe(0)
})

it("shares a session over the tabs of a browser where that is chosen: one sign-in, one renewal, one sign-out", async ({
  arrive,
  stage
}) => {
  const first = await arrive("/", /401/)
  await first.page.getByLabel(/Keep me signed in/).check()
  await signIn(first)
  const second = { ...first, page: await first.context.newPage() }
  await second.page.goto(`${stage.url}/requests`)
  await heading(second, "Requests")
  stage.sandbox.control.clear()
  stage.sandbox.control.expireSessions()
  await go(first, "/orders")
  await heading(first, "Orders")
  await go(second, "/customers")
  await heading(second, "Customers")
  const logins = stage.sandbox.control.log().filter(({ operation }) => operation === "auth.login")
  expect(logins).toHaveLength(1)
  expect(await second.page.getByRole("dialog").count()).toBe(0)
  await signOut(second.page, "Tamar Chikovani")
  for (const tab of [first, second]) await heading(tab, "Sign in to Rustaveli Homes")
  await expect.poll(() => second.page.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON")
  await first.page.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await heading(first, "Orders")
  await heading(second, "Customers")
})

it("keeps a session to its tab where nothing is chosen, an end user's too, and over a reload", async ({
  enter,
  stage
}) => {
  const guest = await enter("/as/resident")
  await guest.page.getByRole("button", { name: /Ana Beridze/ }).click()
  await heading(guest, "Requests")
  await guest.page.reload()
  await heading(guest, "Requests")
  const otherGuest = { ...guest, page: await guest.context.newPage() }
  await otherGuest.page.goto(`${stage.url}/as/resident`)
  await heading(otherGuest, "View as an end user")
  await otherGuest.page.goto(stage.url)
  await heading(otherGuest, "Sign in to Rustaveli Homes")
})

it("has no browser print a token, neither when the chat is left while it connects nor when its server ends", async ({
  enter,
  stage
}) => {
  const guest = await enter("/", /ERR_|WebSocket/)
  const { page } = guest
  const printed: Array<string> = []
  page.on("console", (message) => printed.push(`${message.text()} ${message.location().url}`))
  const kept = await page.evaluate(() => sessionStorage.getItem("quartet.session.admin") ?? "")
  const { accessToken, sessionId } = JSON.parse(kept) as { accessToken: string; sessionId: string }
  await go(guest, "/chat")
  await go(guest, "/requests")
  await go(guest, "/chat")
  const connected = page.getByText("Connected", { exact: true })
  await connected.waitFor()
  const refused = () => printed.filter((text) => text.includes("ERR_CONNECTION_REFUSED")).length
  await stage.outage(async () => {
    await page
      .getByText(/^Reconnecting…/)
      .first()
      .waitFor()
    await expect.poll(refused).toBeGreaterThan(1)
  })
  for (const secret of [accessToken, sessionId, "qk_public_demo"])
    expect(printed.join("\n")).not.toContain(secret)
  await connected.waitFor()
})

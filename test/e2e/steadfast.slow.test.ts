/** What the console does when something is lost: code, the session, the server. */
import { expect } from "vitest"
import { type Guest, go, it, settle, signIn } from "./stage.js"

const heading = ({ page }: Pick<Guest, "page">, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { level: 1, name }).waitFor()

/** Loads the page again: it then has the session without the password, and cannot renew it. */
const forgetPassword = async ({ page }: Guest): Promise<void> => {
  await page.reload()
  await settle(page)
}

it("loads a view whose code did not arrive when it is told to, or when the server is back", async ({
  enter,
  stage
}) => {
  const guest = await enter("/", /ERR_|40[01]|WebSocket|Failed to fetch dynamically/)
  const { page } = guest
  await page.route(/\/assets\/view-/, (route) => route.abort())
  await page.getByRole("link", { name: "Payments", exact: true }).click()
  await page.getByText("A part of the console could not be loaded").waitFor()
  await page.unroute(/\/assets\/view-/)
  await page.getByRole("button", { name: "Try again" }).click()
  await heading(guest, "Payments")
  await stage.outage(async () => {
    await page.getByRole("link", { name: "Content", exact: true }).click()
    await page.getByText("A part of the console could not be loaded").waitFor()
    await page.getByText("The platform does not answer.").waitFor()
  })
  await heading(guest, "Content")
})

it("says of any code that did not come that it did not, and asks for it again where it stands", async ({
  arrive
}) => {
  const guest = await arrive("/", /ERR_/)
  const { page } = guest
  const said = "A part of the console could not be loaded"
  const lose = (code: RegExp) => page.route(code, (route) => route.abort())
  await lose(/\/assets\/(index|palette|notices)-/)
  await page.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await page.getByRole("alert").getByText(said).waitFor()
  await page.unrouteAll()
  await lose(/\/assets\/(palette|notices)-/)
  await signIn(guest)
  const bell = page.getByRole("button", { name: "The notifications could not be loaded. Try again" })
  await bell.waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("dialog", { name: "Go, find or do" }).getByText(said).waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await page.unrouteAll()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Go, find or do" }).waitFor()
  await page.keyboard.press("Escape")
  await bell.click()
  await page.getByRole("button", { name: /^Notifications, / }).waitFor()
})

it("asks for the password over the page where the session has ended, and goes on with what was written", async ({
  enter,
  stage
}) => {
  const guest = await enter("/requests", /401/)
  const { page } = guest
  await forgetPassword(guest)
  await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
  const sheet = page.getByRole("dialog").filter({ hasText: "Your comment" })
  await sheet.getByLabel("Your comment").fill("We come on Friday.")
  stage.sandbox.control.expireSessions()
  await sheet.getByRole("button", { name: "Comment", exact: true }).click()
  const question = page.getByRole("dialog", { name: "Sign in again" })
  await question.waitFor()
  // Put off, it is asked again by the next call.
  await page.keyboard.press("Escape")
  await question.waitFor({ state: "detached" })
  await sheet.getByRole("button", { name: "Comment", exact: true }).click()
  await question.getByLabel("Email").fill("admin@quartet.test")
  await question.getByLabel("Password").fill("wrong")
  await question.getByRole("button", { name: "Sign in", exact: true }).click()
  await question.getByText("Email or password is wrong").waitFor()
  await question.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await question.waitFor({ state: "detached" })
  expect(await sheet.getByLabel("Your comment").inputValue()).toBe("We come on Friday.")
  await sheet.getByRole("button", { name: "Comment", exact: true }).click()
  await sheet.getByRole("article").or(sheet.getByRole("listitem")).getByText("We come on Friday.").waitFor()
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
  const said = page.getByRole("main").getByText("You are signed out.")
  await said.waitFor()
  await question.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await question.waitFor({ state: "detached" })
  await expect.poll(() => said.count()).toBe(0)
  expect(await types.inputValue()).toBe("MAINTENANCE")
  await send()
  await question.getByRole("button", { name: /Felix Keller/ }).click()
  await page.getByText("Felix Keller").first().waitFor()
  await expect.poll(() => types.inputValue()).toBe("")
  expect(await page.getByText("You began this before").count()).toBe(0)
})

it("says that the server is gone, and of when its lists are, and loads them again when it is back", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/requests", /ERR_|40[01]|WebSocket/)
  await settle(page)
  await stage.outage(async () => {
    await page.getByText("The platform does not answer.").waitFor()
    await page.getByText(/^As of \d\d:\d\d$/).waitFor()
    expect(await page.getByRole("row").count()).toBeGreaterThan(3)
  })
  await page.getByText("The platform does not answer.").waitFor({ state: "detached" })
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
  const ana = page.getByRole("button", { name: /Ana Beridze/ })
  await ana.click()
  await heading(guest, "Requests")
  await go(guest, "/as/resident/auth")
  await page.getByRole("button", { name: "Change", exact: true }).click()
  stage.sandbox.control.expireSessions()
  await page.getByRole("dialog").getByLabel("City").fill("Gori")
  await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
  const question = page.getByRole("dialog", { name: "Sign in again" })
  await question.waitFor()
  expect(await page.getByText(/You are signed out/).count()).toBeGreaterThan(0)
  await question.getByRole("button", { name: /Ana Beridze/ }).click()
  await question.waitFor({ state: "detached" })
  await expect.poll(() => page.getByText(/You are signed out/).count()).toBe(0)
  await page.getByRole("dialog").getByRole("button", { name: "Change" }).click()
  await page.getByText("Change: done").waitFor()
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
    await page.getByText("The platform does not answer.").waitFor()
    await page.getByText(/^As of \d\d:\d\d$/).waitFor()
    await page.unrouteAll()
    await page.getByText("The platform does not answer.").waitFor({ state: "detached" })
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
  await go(first, "/people")
  await heading(first, "Roles")
  await go(second, "/data/users")
  await heading(second, "Users")
  const logins = stage.sandbox.control.log().filter(({ operation }) => operation === "auth.login")
  expect(logins).toHaveLength(1)
  expect(await second.page.getByRole("dialog").count()).toBe(0)
  await second.page.getByRole("button", { name: "Sign out" }).click()
  for (const tab of [first, second]) await heading(tab, "Sign in to the console")
  expect(await second.page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN")
  await first.page.getByRole("button", { name: /Tamar Chikovani/ }).click()
  await heading(first, "Roles")
  await heading(second, "Users")
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
  await heading(otherGuest, "Sign in to the console")
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
  await go(guest, "/")
  await go(guest, "/chat")
  await page.getByText("Connected", { exact: true }).waitFor()
  await stage.outage(() => page.getByText(/Reconnecting, attempt [2-9]/).waitFor())
  expect(printed.join("\n")).toContain("ERR_CONNECTION_REFUSED")
  for (const secret of [accessToken, sessionId, "qk_public_demo"])
    expect(printed.join("\n")).not.toContain(secret)
  await page.getByText("Connected", { exact: true }).waitFor()
})

/** The console at work, in a real browser against the real sandbox server: what people come for, from end to end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrive, type Guest, go, open, patience, type Stage, settle, signIn } from "./stage.js"

describe("the console in Chromium", { timeout: 4 * patience }, () => {
  let stage: Stage
  const guests: Array<Guest> = []

  beforeAll(async () => {
    stage = await open()
  }, 10 * patience)

  afterAll(async () => {
    await stage?.close()
  }, patience)

  /** An administrator who has signed in and stands somewhere. */
  const administrator = async (path = "/"): Promise<Guest> => {
    const guest = await arrive(stage)
    guests.push(guest)
    await signIn(guest)
    if (path !== "/") await go(guest, path)
    return guest
  }

  const leave = async (guest: Guest): Promise<void> => {
    expect(guest.complaints).toEqual([])
    await guest.context.close()
  }

  it("signs in by one press on a seeded account, and stays signed in when the page is loaded again", async () => {
    const guest = await administrator()
    await guest.page.reload()
    await guest.page.getByRole("heading", { name: "Welcome, Tamar" }).waitFor()
    await guest.page.getByRole("button", { name: "Sign out" }).click()
    await guest.page.getByRole("heading", { name: "Sign in to the console" }).waitFor()
    await leave(guest)
  })

  it("says that a password is wrong, in words", async () => {
    const guest = await arrive(stage)
    await guest.page.getByLabel("E-mail").fill("admin@quartet.test")
    await guest.page.getByLabel("Password").fill("wrong")
    await guest.page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect
      .poll(() => guest.page.getByRole("alert").innerText(), { timeout: patience })
      .toContain("E-mail or password is wrong")
    // Chromium itself notes an answer of 401 in the console.
    expect(guest.complaints.filter((complaint) => !complaint.includes("401"))).toEqual([])
    await guest.context.close()
  })

  it("completes a pending task and accepts a document in the administrator's name", async () => {
    const guest = await administrator()
    const { page } = guest
    await page.getByRole("button", { name: "Mark as complete" }).click()
    await page.getByText("All done").waitFor()
    await page.getByRole("button", { name: "Accept the service agreement" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Accept" }).click()
    await page.getByText(/Accepted by admin@quartet\.test on/).waitFor()
    await leave(guest)
  })

  it("answers a request, changes its status and marks it as seen, and the platform has it all", async () => {
    const guest = await administrator("/requests?status=pending")
    const { page } = guest
    await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
    const sheet = page.getByRole("dialog")
    await sheet.getByLabel("Your comment").fill("We come on Thursday at ten.")
    await sheet.getByRole("button", { name: "Comment", exact: true }).click()
    await sheet.getByText("We come on Thursday at ten.").waitFor()
    await sheet.getByLabel("Change the status").selectOption("confirmed")
    await page.getByText("Status changed").waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    const kept = stage.sandbox.platform.state.requests.peek(id)
    expect(kept?.status).toBe("confirmed")
    expect(kept?.comments.at(-1)).toMatchObject({
      text: "We come on Thursday at ten.",
      author: { kind: "admin" }
    })
    expect(kept?.seenByAdmin).toBe(kept?.version)
    await page.keyboard.press("Escape")
    await sheet.waitFor({ state: "detached" })
    await leave(guest)
  })

  it("lets a viewer look at requests and not change them", async () => {
    const guest = await arrive(stage)
    await signIn(guest, "Felix Keller")
    await go(guest, "/requests")
    await guest.page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
    await guest.page.getByText("Your role lets you read requests, and not change them.").waitFor()
    expect(await guest.page.getByLabel("Change the status").count()).toBe(0)
    await leave(guest)
  })

  it("carries a chat both ways between two browsers", async () => {
    const one = await administrator("/chat")
    await one.page.getByRole("region", { name: "Conversations" }).getByRole("link").first().click()
    await settle(one.page)
    const address = new URL(one.page.url()).pathname
    const other = await administrator(address)
    for (const { page } of [one, other]) await page.getByText("Connected", { exact: true }).waitFor()
    const say = async ({ page }: Guest, text: string): Promise<void> => {
      await page.getByLabel("Message", { exact: true }).fill(text)
      await page.getByLabel("Message", { exact: true }).press("Enter")
    }
    const hears = ({ page }: Guest, text: string): Promise<void> =>
      page.getByRole("region", { name: "Messages" }).getByText(text).waitFor()
    await say(one, "Is the lift repaired?")
    await hears(other, "Is the lift repaired?")
    await say(other, "It works since this morning.")
    await hears(one, "It works since this morning.")
    expect(await one.page.getByText("Is the lift repaired?").count()).toBeGreaterThan(0)
    await leave(one)
    await leave(other)
  })

  it("says beside a field what is wrong with it: by its own constraint, the operation's schema, or the platform", async () => {
    const guest = await administrator("/as/server")
    const { page } = guest
    const title = page.getByLabel("Title")
    await page.getByRole("button", { name: "Send to everybody" }).click()
    await page.getByText("Please fill out this field.").waitFor()
    expect(await title.getAttribute("aria-invalid")).toBe("true")
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true)
    const [number, message] = [page.getByLabel("Number"), page.getByLabel("Message", { exact: true })]
    await number.fill("+995555123456")
    const send = page.getByRole("button", { name: "Send the message" })
    await send.click()
    await page.getByText("Must be a non empty string.").waitFor()
    expect(await message.getAttribute("aria-invalid")).toBe("true")
    expect(await message.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(stage.sandbox.control.log().some(({ operation }) => operation === "notifications.sendSms")).toBe(
      false
    )
    await message.fill("We are on our way.")
    const refuse = (status: number, body: unknown) =>
      page.route("**/notification/sms*", (route) => route.fulfill({ status, json: body }), { times: 1 })
    await refuse(400, { message: "This number cannot receive texts", field: "to" })
    await send.click()
    await page.getByText("This number cannot receive texts").waitFor()
    expect(await number.getAttribute("aria-invalid")).toBe("true")
    expect(await message.getAttribute("aria-invalid")).toBe(null)
    await refuse(400, { message: "Not today" })
    await send.click()
    await page.getByRole("log").getByText("Not today").waitFor()
    await send.click()
    await page.getByText("Text message sent").waitFor()
    expect(await message.inputValue()).toBe("")
    expect(await page.locator("[aria-invalid]").count()).toBe(1)
    expect(guest.complaints.filter((complaint) => !complaint.includes("400"))).toEqual([])
    await guest.context.close()
  })

  it("refunds a payment after asking, and shows it in the payment's story", async () => {
    const guest = await administrator("/commerce?tab=payments")
    const { page } = guest
    const row = page.getByRole("row").filter({ hasText: "Succeeded" }).first()
    await row.getByRole("link").click()
    const sheet = page.getByRole("dialog")
    await sheet.getByRole("button", { name: "Refund…" }).click()
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Refund / })
      .click()
    await page.getByText("Payment refunded").waitFor()
    await sheet.getByRole("listitem").filter({ hasText: "Refunded" }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    expect(stage.sandbox.platform.state.transactions.peek(id)?.status).toBe("refunded")
    await leave(guest)
  })

  it("reads the payment again and says what happened where the answer to a refund is lost", async () => {
    const guest = await administrator("/commerce?tab=payments")
    const { page } = guest
    await page.getByRole("row").filter({ hasText: "Succeeded" }).first().getByRole("link").click()
    await page.getByRole("dialog").getByRole("button", { name: "Refund…" }).click()
    // The platform does its work, and the answer never arrives.
    await page.route("**/refund?*", async (route) => {
      await route.fetch()
      await route.abort("connectionreset")
    })
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Refund / })
      .click()
    await page.getByText("The answer to the refund was lost.").waitFor()
    await page.getByText("the refund did happen").waitFor()
    // Chromium itself notes the lost connection in the console.
    expect(guest.complaints.filter((complaint) => !complaint.includes("ERR_"))).toEqual([])
    await guest.context.close()
  })

  it("says that a refund has happened where the browser sent it twice over a connection that broke", async () => {
    const guest = await administrator("/commerce?tab=payments")
    const { page } = guest
    await page.getByRole("row").filter({ hasText: "Succeeded" }).first().getByRole("link").click()
    await page.getByRole("dialog").getByRole("button", { name: "Refund…" }).click()
    await settle(page)
    // Chromium repeats a request by itself where a kept connection ends before the answer begins.
    stage.sandbox.control.loseNext(1)
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Refund / })
      .click()
    await page.getByText("We have looked again: the refund did happen.").waitFor()
    expect(guest.complaints.filter((complaint) => !/ERR_|409/.test(complaint))).toEqual([])
    await guest.context.close()
  })
})

/** What the console derives from the operations: every call can be sent from it, and every list has its page. */
import { expect } from "vitest"
import { operations } from "../../core/catalogue.js"
import { go, it, signIn } from "./stage.js"

const keys = operations.flatMap(({ declaration, name }) =>
  declaration().audiences.map((audience) => `${audience}.${name}`)
)

it("shows all 168 calls, each with its form and as code", { timeout: 240_000 }, async ({ enter }) => {
  const guest = await enter("/explorer")
  const calls = guest.page.getByRole("navigation", { name: "Calls" })
  expect([await calls.getByRole("link").count(), new Set(keys).size]).toEqual([168, 168])
  for (const key of keys) {
    await go(guest, `/explorer?call=${key}`)
    await calls.locator(`[aria-current=page][href$="=${key}"]`).waitFor()
    const name = key.slice(key.indexOf(".") + 1)
    await guest.page.getByRole("heading", { level: 2, name, exact: true }).waitFor()
    await guest.page.getByText("Effect", { exact: true }).click()
    await guest.page.getByRole("region", { name: "Code", exact: true }).getByText(name).waitFor()
  }
})

it("sends a call with what its form holds, and shows the answer and the same call as code", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/explorer?call=admin.users.create", /400/)
  await page.getByLabel("Email").fill("nino@quartet.test")
  await page.getByLabel("Full name").fill("Nino Beridze")
  await page.getByLabel("Further fields").fill("{ no JSON")
  const send = page.getByRole("button", { name: "Send, and change data" })
  await send.click()
  await page.getByText("Is not valid JSON.").waitFor()
  await page.getByLabel("Further fields").fill('{ "nickname": "Nini" }')
  const code = page.getByRole("region", { name: "Code", exact: true })
  expect(await code.innerText()).toContain(
    '{"email":"nino@quartet.test","fullName":"Nino Beridze","nickname":"Nini"}'
  )
  await send.click()
  await page.getByRole("region", { name: "Answer", exact: true }).last().getByText("Nini").waitFor()
  const kept = stage.sandbox.platform.state.users.filter(({ email }) => email === "nino@quartet.test")
  expect(kept).toMatchObject([{ fullName: "Nino Beridze", nickname: "Nini" }])
})

it("says beside its field what is wrong, and what a role may not do it does not offer", async ({
  arrive
}) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/explorer?call=admin.users.get")
  await guest.page.getByRole("button", { name: "Send", exact: true }).click()
  expect(await guest.page.getByLabel("Id", { exact: true }).getAttribute("aria-invalid")).toBe("true")
  await go(guest, "/explorer?call=admin.users.delete")
  await guest.page.getByText("Your role does not allow this call.").waitFor()
  expect(await guest.page.getByRole("button", { name: /^Send/ }).count()).toBe(0)
})

it("has a page of rows for every list, with the row that is open beside it in the address", {
  timeout: 120_000
}, async ({ enter }) => {
  const { page, ...guest } = await enter("/data/users")
  const slices = await page.getByLabel("Resource").locator("option").allTextContents()
  expect(slices).toEqual(
    expect.arrayContaining(["Users", "Orders", "Items", "Order groups", "Payments", "Admins", "Models"])
  )
  for (const value of await page
    .getByLabel("Resource")
    .locator("option")
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))) {
    await go({ page, ...guest }, `/data/${value}`)
    const link = page.getByRole("row").getByRole("link").first()
    await link
      .or(page.getByText(/^Say which|^Nothing found/))
      .first()
      .waitFor()
    if ((await link.count()) === 0) continue
    await link.click()
    await page.getByRole("dialog").getByRole("definition").first().waitFor()
    expect(new URL(page.url()).searchParams.get("id")).toBeTruthy()
  }
})

it("creates, changes and deletes a user by forms of the operations, and the platform has it", async ({
  enter,
  stage
}) => {
  const { page } = await enter("/data/users", /40[49]/)
  // The sheet asks once more for the row that it has just deleted, and closes.
  const kept = () =>
    stage.sandbox.platform.state.users.filter(({ email }) => email === "luka@quartet.test")[0]
  await page.getByRole("button", { name: "New", exact: true }).click()
  const sheet = page.getByRole("dialog")
  await sheet.getByLabel("Email").fill("ana@quartet.test")
  await sheet.getByLabel("Full name").fill("Luka Beridze")
  await sheet.getByRole("button", { name: "Create" }).click()
  await page.getByText("Someone was faster").waitFor()
  await sheet.getByLabel("Email").fill("luka@quartet.test")
  await sheet.getByRole("button", { name: "Create" }).click()
  await page.getByRole("link", { name: "Luka Beridze" }).click()
  await sheet.getByRole("button", { name: "Change…" }).click()
  await sheet.getByLabel("City").fill("Batumi")
  await sheet.getByRole("button", { name: "Save" }).click()
  await page.getByText("Saved", { exact: true }).waitFor()
  expect(kept()).toMatchObject({ city: "Batumi", fullName: "Luka Beridze" })
  await sheet.getByRole("button", { name: "Delete…" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
  await page.getByText("Deleted", { exact: true }).waitFor()
  expect(kept()).toBe(undefined)
})

it("leads from a payment to its order and on to who ordered", async ({ enter, stage }) => {
  const [payment] = stage.sandbox.platform.state.transactions.all()
  const { page } = await enter(`/data/payments?id=${payment?._id}`)
  const sheet = page.getByRole("dialog")
  await sheet.locator(`a[href="/data/orders?id=${payment?.orderId}"]`).click()
  await sheet.locator(`a[href="/data/users?id=${payment?.userId}"]`).click()
  const user = stage.sandbox.platform.state.users.peek(payment?.userId ?? "")
  await sheet.getByText(user?.email ?? "").waitFor()
})

it("offers nobody a form that their role may not send", async ({ arrive }) => {
  const guest = await arrive()
  await signIn(guest, "Felix Keller")
  await go(guest, "/data/users")
  await guest.page.getByRole("row").getByRole("link").first().click()
  await guest.page.getByRole("dialog").getByRole("definition").first().waitFor()
  expect(await guest.page.getByRole("button", { name: /^(New|Change…|Delete…)$/ }).count()).toBe(0)
})

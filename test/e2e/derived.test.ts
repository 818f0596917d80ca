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

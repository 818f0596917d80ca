/** Every call can be sent from the console, and every slice of every client has its page: `npm test` opens some of them. */

import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { expect } from "vitest"
import { operations } from "../../core/catalogue.js"
import { go, it } from "./stage.js"

const keys = operations.flatMap(({ declaration, name }) =>
  declaration().audiences.map((audience) => `${audience}.${name}`)
)

const bases: Readonly<Record<string, string>> = {
  admin: "/data",
  public: "/as/visitor",
  endUser: "/as/resident",
  private: "/as/server"
}
const merged: Readonly<Record<string, string>> = { ordersV2: "orders", profile: "profiles", cms: "content" }
/** The page of each slice of each client. */
const slices = new Set(
  keys.map((key) => {
    const [audience = "", slice = ""] = key.split(".")
    return `${bases[audience]}/${merged[slice] ?? slice}`
  })
)

it("shows all 168 calls, each with its form and as code", { timeout: patient(240_000) }, async ({
  enter
}) => {
  const guest = await enter("/explorer")
  const { page } = guest
  const calls = page.getByRole("region", { name: "Explorer" }).getByRole("table")
  expect([Number(await calls.getAttribute("aria-rowcount")) - 1, new Set(keys).size]).toEqual([168, 168])
  for (const key of keys.filter((_, index) => isWhole || index % 12 === 0)) {
    await go(guest, `/explorer?call=${key}`)
    const name = key.slice(key.indexOf(".") + 1)
    await page.getByRole("heading", { level: 2, name, exact: true }).waitFor()
    const isOwn = !key.startsWith("endUser.")
    // Nobody is signed in as end user.
    const send = isOwn
      ? page.getByRole("button", { name: /^Send/ })
      : page.getByText("Nobody is signed in as end user")
    await send.first().waitFor()
    await page.getByText("Effect", { exact: true }).click()
    await page.getByRole("region", { name: "Code", exact: true }).getByText(name).waitFor()
  }
})

it("has a page for every slice of every client, with the row that is open beside its list in the address", {
  timeout: patient(300_000)
}, async ({ enter }) => {
  const { page, ...guest } = await enter("/as/resident")
  await page.getByRole("button", { name: /Ana Beridze/ }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  // All kinds of data stand beside the list where there is room.
  await page.setViewportSize({ width: 1600, height: 900 })
  const visited: Array<string> = []
  for (const base of Object.values(bases)) {
    await go({ page, ...guest }, `${base}/items`)
    const links = page.getByRole("navigation", { name: "Kinds of data" }).getByRole("link")
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))
    for (const path of paths.filter((path) => path.startsWith(`${base}/`))) {
      visited.push(path)
      if (!isWhole && visited.length % 12 > 0) continue
      await go({ page, ...guest }, path)
      const row = page.locator("[data-row]").first()
      await row
        .or(page.locator("main form"))
        .or(page.getByText(/^Which |^No .* yet$|^Raw data/))
        .first()
        .waitFor()
      if ((await row.count()) === 0) continue
      await row.click()
      const details = page.getByRole("region", { name: "Details" })
      await details.getByRole("definition").first().waitFor()
      expect(new URL(page.url()).searchParams.get("id")).toBeTruthy()
    }
  }
  expect(new Set(visited)).toEqual(slices)
})

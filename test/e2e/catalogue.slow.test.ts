/** The catalogue as a person works with it: by keys alone, with pictures, with what orders hold an item, and several compared. */
import { expect } from "vitest"
import { it } from "./stage.js"

it("shows an item's pictures by keys alone", async ({ enter }) => {
  const { page } = await enter("/catalogue?type=apartment")
  const pictures = page.getByRole("region", { name: "Pictures" })
  await page.getByRole("region", { name: "Selected in catalogue" }).getByText("Offered by").first().waitFor()
  // The next item with more pictures than one.
  for (let tries = 0; tries < 8 && (await pictures.getByText(/^1 of [2-9]$/).count()) === 0; tries += 1) {
    await page.keyboard.press("j")
    await page
      .getByRole("region", { name: "Selected in catalogue" })
      .getByText("Offered by")
      .first()
      .waitFor()
  }
  await page.keyboard.press("ArrowRight")
  await pictures.getByText(/^2 of /).waitFor()
  await page.keyboard.press("v")
  const whole = page.getByRole("dialog", { name: /^Picture 2 of / })
  await whole.waitFor()
  await page.keyboard.press("ArrowLeft")
  await page.getByRole("dialog", { name: /^Picture 1 of / }).waitFor()
  await page.keyboard.press("Escape")
  await pictures.waitFor()
  expect(await page.getByRole("dialog").count()).toBe(0)
})

it("compares the items that are ticked", async ({ enter }) => {
  const { page } = await enter("/catalogue")
  await page.getByRole("region", { name: "Selected in catalogue" }).getByText("Offered by").first().waitFor()
  for (const key of ["x", "j", "x", "j", "x"]) await page.keyboard.press(key)
  await page.getByRole("button", { name: "Compare" }).click()
  await page.getByRole("heading", { name: "3 items compared" }).waitFor()
  await page.getByRole("rowheader", { name: "Price" }).waitFor()
})

it("offers no change, and says why", async ({ enter }) => {
  const { page } = await enter("/catalogue")
  await page.getByText("Items are changed on the platform. Here you can only view them.").waitFor()
})

it("says that an item is gone, with the way back", async ({ enter }) => {
  const { page } = await enter("/catalogue/5eed0000000000000000dead", /404/)
  await page.getByText("This item no longer exists").waitFor()
  await page.getByRole("link", { name: "Back to Catalogue" }).waitFor()
})

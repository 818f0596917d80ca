// Where the browser tests find Chromium, and what they say where they find none.
import { chromium } from "playwright-core"
import { expect, test } from "vitest"
import { launch } from "./chromium.js"
import { patience } from "./stage.js"

test(
  "a machine without Chromium on its PATH runs the packaged one, or an installed Chrome; an empty CHROMIUM names none",
  async () => {
    const server = await launch({ CHROMIUM: "", PATH: "" })
    const browser = await chromium.connect(server.wsEndpoint())
    const page = await browser.newPage()
    await page.setContent("<h1>Here</h1>")
    expect(await page.locator("h1").innerText()).toBe("Here")
    await browser.close()
    await server.close()
  },
  patience * 2
)

test("where none runs, the failure says which was tried and what to do", async () => {
  const failure = launch({ CHROMIUM: "/nowhere/chromium" })
  await expect(failure).rejects.toThrow("apt-get install chromium")
  await expect(failure).rejects.toThrow("/nowhere/chromium")
})

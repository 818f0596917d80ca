/** Pages that run a program of a test, in a real browser. */
import { join } from "node:path"
import { build } from "esbuild"
import { type Browser, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import { root } from "../../tools/files.js"

/** A file of the project as a program imports it. */
export const path = (file: string): string => JSON.stringify(join(root, file))

/** Opens a page at an address and runs a program in it, whose imports are bundled. */
export const openPage = async (
  program: string,
  url: string
): Promise<{ readonly browser: Browser; readonly page: Page }> => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "error"
  })
  const browser = await chromium.connect(inject("chromium"))
  const page = await browser.newPage()
  await page.goto(url)
  await page.evaluate(outputFiles[0]?.text ?? "")
  return { browser, page }
}

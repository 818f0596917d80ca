/** Pages that run a program of a test, in a real browser. */
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { conditions } from "@quartet/support/sources.js"
import { type BuildOptions, build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { connect } from "./browser.js"

/** A file of the project as a program imports it. */
export const path = (file: string): string => JSON.stringify(join(root, file))

/** The code of a program whose imports are bundled. */
export const bundled = async (
  program: string,
  options: Pick<BuildOptions, "define" | "format" | "minify"> = {}
): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "error",
    conditions: [...conditions],
    ...options
  })
  return outputFiles[0]?.text ?? ""
}

/** Opens a page at an address and runs a program in it, whose imports are bundled. */
export const openPage = async (
  program: string,
  url: string
): Promise<{ readonly browser: Browser; readonly page: Page }> => {
  const code = await bundled(program)
  const browser = await connect()
  const page = await browser.newPage()
  page.setDefaultTimeout(patient(30_000))
  await page.goto(url)
  await page.evaluate(code)
  return { browser, page }
}

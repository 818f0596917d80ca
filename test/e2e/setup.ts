/** What all browser tests share: one Chromium, and one build of the console. */
import type { TestProject } from "vitest/node"
import { builtConsole } from "./built.js"
import { launch } from "./chromium.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is reached. */
    readonly chromium: string
    /** The directory of the built console. */
    readonly console: string
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const [browser, directory] = await Promise.all([launch(process.env), builtConsole()])
  provide("chromium", browser.wsEndpoint())
  provide("console", directory)
  return () => browser.close()
}

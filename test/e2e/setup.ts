/** What all browser tests share: one Chromium, and one build of the console. */
import type { TestProject } from "vitest/node"
import { buildConsole, consoleDirectory } from "./built.js"
import { launch } from "./chromium.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is reached. */
    readonly chromium: string
    /** The directory of the console, once it is built. */
    readonly console: string
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const [browser, directory] = await Promise.all([launch(process.env), consoleDirectory()])
  const built = buildConsole(directory)
  provide("chromium", browser.wsEndpoint())
  provide("console", directory)
  return async () => {
    await built
    await browser.close()
  }
}

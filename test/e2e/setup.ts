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
  const directory = await consoleDirectory()
  // The browser comes last: one that a failing set-up leaves behind keeps the process until `teardownTimeout`.
  const browser = await launch(process.env)
  const building = new AbortController()
  const built = buildConsole(directory, building.signal)
  provide("chromium", browser.wsEndpoint())
  provide("console", directory)
  return async () => {
    building.abort()
    await Promise.all([built, browser.close()])
  }
}

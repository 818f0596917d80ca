/** What all browser tests share: one Chromium, and one build of the console. */
import type { TestProject } from "vitest/node"
import { buildConsole, consoleDirectory } from "./built.js"
import { launch } from "./chromium.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Where Chromium is reached, or why none runs here. */
    readonly chromium:
      | { readonly endpoint: string; readonly refusal?: undefined }
      | { readonly endpoint?: undefined; readonly refusal: string }
    /** The directory of the console, once it is built. */
    readonly console: string
  }
}

export default async ({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> => {
  const directory = await consoleDirectory()
  // The browser comes last: one that a failing set-up leaves behind keeps the process until `teardownTimeout`.
  // Without one the tests that need none are run all the same.
  const browser = await launch(process.env).catch(String)
  const building = new AbortController()
  const built = buildConsole(directory, building.signal)
  provide("chromium", typeof browser === "string" ? { refusal: browser } : { endpoint: browser.wsEndpoint() })
  provide("console", directory)
  return async () => {
    building.abort()
    await Promise.all([built, typeof browser === "string" ? undefined : browser.close()])
  }
}

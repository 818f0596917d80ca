/** What every browser test stands on: the real sandbox server with the built console, and a real Chromium. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Browser, type BrowserContext, type ConsoleMessage, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import * as Server from "../../adapters/sandbox/server/index.js"
import * as Console from "../../ui/console/serve.js"
import { builtConsole } from "./built.js"

/** Milliseconds within which anything in a page must happen, on a machine that does much else at once. */
export const patience = 30_000

/** A stage: one sandbox, one browser. */
export interface Stage {
  readonly url: string
  readonly sandbox: Server.Served
  readonly browser: Browser
  readonly close: () => Promise<void>
}

/** Opens a stage with a fresh sandbox. */
export const open = async (): Promise<Stage> => {
  const scope = Effect.runSync(Scope.make())
  const directory = await builtConsole(inject("console"))
  const served = Effect.flatMap(Console.load(directory), (fallback) =>
    Server.serve({ port: 0, seed: 1, fallback })
  )
  const sandbox = await Effect.runPromise(Scope.extend(served, scope))
  const browser = await chromium.connect(inject("chromium"))
  return {
    url: sandbox.url,
    sandbox,
    browser,
    close: async () => {
      await browser.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

/** A visitor: a browser context of their own, and everything that their page complained of. */
export interface Guest {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors and warnings, and uncaught faults. */
  readonly complaints: Array<string>
}

/** A visitor arrives at an address. */
export const arrive = async (stage: Stage, path = "/"): Promise<Guest> => {
  const context = await stage.browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC"
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => complaints.push(`fault: ${error.message}`))
  await page.goto(stage.url + path)
  return { context, page, complaints }
}

/** Signs in with the seeded owner's account, or with another one, by its button. */
export const signIn = async ({ page }: Guest, name = "Tamar Chikovani"): Promise<void> => {
  await page.getByRole("button", { name: new RegExp(name) }).click()
  await page.getByRole("heading", { level: 1, name: /^Welcome, / }).waitFor()
}

/** Goes to a place of the console without loading the page anew. */
export const go = async ({ page }: Guest, path: string): Promise<void> => {
  await page.evaluate((to) => {
    history.pushState(null, "", to)
    window.dispatchEvent(new PopStateEvent("popstate"))
  }, path)
  await settle(page)
}

/** Nothing is loading any more. */
export const settle = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () =>
      document.querySelector("main h1") !== null &&
      document.querySelector("[role=status][aria-label=Loading], [data-loading]") === null &&
      document.fonts.status === "loaded"
  )
}

/** What every browser test stands on: the real sandbox server with the built console, and a real Chromium. */

import { configuration } from "@quartet/console/sandbox"
import * as Console from "@quartet/console/serve"
import type { Service } from "@quartet/fleet/extend"
import * as Handler from "@quartet/fleet/handler"
import * as Server from "@quartet/sandbox/server"
import { patient } from "@quartet/support/patience.js"
import { Effect, Exit, Scope } from "effect"
import type { Browser, BrowserContext, ConsoleMessage, Page } from "playwright-core"
import { expect, inject, test } from "vitest"
import { connect } from "./browser.js"
import { builtConsole } from "./built.js"
import { pictured } from "./fleet.js"

/** Milliseconds within which anything in a page must happen, on a machine that does much else at once. */
export const patience = patient(30_000)

/** A stage: one sandbox, one browser. */
export interface Stage {
  readonly url: string
  readonly sandbox: Server.Served
  readonly browser: Browser
  /** Shows the jobs of another fleet than the one that stands still. */
  readonly show: (fleet: Service) => void
  /** Ends the server, and afterwards begins another one at the same address, which knows no session of the old one. */
  readonly outage: (during: () => Promise<void>) => Promise<void>
}

/** A visitor: a browser context of their own, and everything that their page complained of. */
export interface Guest {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors and warnings, and uncaught faults. */
  readonly complaints: ReadonlyArray<string>
  /** What the policy of the page refused to run, to load or to style. */
  readonly reports: ReadonlyArray<string>
}

const arriveAt = async ({ browser, url }: Stage, path: string): Promise<Guest> => {
  const context = await browser.newContext({
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
    // Chromium notes a page that is left while its chat connects.
    const isLeft = /WebSocket is closed before the connection is established/.test(message.text())
    if (!isLeft && (message.type() === "error" || message.type() === "warning"))
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => complaints.push(`fault: ${error.message}`))
  const reports: Array<string> = []
  await page.exposeFunction("report", (refused: string) => void reports.push(refused))
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective, sourceFile }) =>
      Object(globalThis).report(`${effectiveDirective}: ${blockedURI} in ${sourceFile}`)
    )
  )
  await page.goto(url + path)
  return { context, page, complaints, reports }
}

interface Fixtures {
  /** One for all tests of a file. */
  readonly stage: Stage
  /**
   * A visitor arrives. What their page complains of, or its policy refuses, fails the test at its end, but for what Chromium itself
   * notes of what the test has happen.
   */
  readonly arrive: (path?: string, noise?: RegExp) => Promise<Guest>
  /** A visitor arrives, signs in as the seeded owner and goes to a place of the console. */
  readonly enter: (path?: string, noise?: RegExp) => Promise<Guest>
  /** One visitor for all tests of a file, signed in as the seeded owner; each test asks what their page complained of. */
  readonly walker: Guest
}

export const it = test.extend<Fixtures>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads in the pattern which fixtures one needs.
    async ({}, use) => {
      let fleet = pictured
      const present: Service = {
        start: (...args) => fleet.start(...args),
        runs: (job) => fleet.runs(job),
        run: (id) => fleet.run(id),
        ended: (...args) => fleet.ended(...args),
        isForgotten: Effect.suspend(() => fleet.isForgotten)
      }
      const directory = await builtConsole(inject("console"))
      const open = async (port: number) => {
        const scope = Effect.runSync(Scope.make())
        const served = Effect.flatMap(Console.load(directory, configuration), (fallback) =>
          Server.serve({ port, seed: 1, fallback: Handler.beside(Handler.make(present), fallback) })
        )
        const sandbox = await Effect.runPromise(Scope.extend(served, scope))
        return { sandbox, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
      }
      let server = await open(0)
      const { port, url } = server.sandbox
      const browser = await connect()
      await use({
        url,
        get sandbox() {
          return server.sandbox
        },
        browser,
        show: (service) => {
          fleet = service
        },
        outage: async (during) => {
          await server.close()
          await during().finally(async () => {
            server = await open(port)
          })
        }
      })
      await browser.close()
      await server.close()
    },
    { scope: "file" }
  ],
  arrive: async ({ stage }, use) => {
    const guests: Array<Guest & { readonly noise: RegExp | undefined }> = []
    await use(async (path = "/", noise) => {
      const guest = await arriveAt(stage, path)
      guests.push({ ...guest, noise })
      return guest
    })
    for (const { context } of guests) await context.close()
    for (const { complaints, noise, reports } of guests) {
      expect(complaints.filter((line) => noise?.test(line) !== true)).toEqual([])
      // A test that has the policy refuse something names the policy.
      const refused = noise?.source.includes("Content Security Policy") ? noise : undefined
      expect(reports.filter((line) => refused?.test(line) !== true)).toEqual([])
    }
  },
  walker: [
    async ({ stage }, use) => {
      const guest = await arriveAt(stage, "/")
      await signIn(guest)
      await use(guest)
      await guest.context.close()
    },
    { scope: "file" }
  ],
  enter: async ({ arrive }, use) =>
    use(async (path = "/", noise) => {
      const guest = await arrive("/", noise)
      await signIn(guest)
      if (path !== "/") await go(guest, path)
      return guest
    })
})

/** Signs in with the seeded owner's account, or with another one, by its button. */
export const signIn = async ({ page }: Pick<Guest, "page">, name = "Tamar Chikovani"): Promise<void> => {
  await page.getByRole("button", { name: new RegExp(name) }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
}

/** Goes to a place of the console without a reload. */
export const go = async ({ page }: Pick<Guest, "page">, path: string): Promise<void> => {
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
      document.querySelector(
        "[role=status][aria-label=Loading], [data-loading], main [aria-busy=true]:not(button)"
      ) === null &&
      document.fonts.status === "loaded"
  )
}

// The module that says how a platform differs, in the console's page: it runs within the page's policy, and the page's clients speak so.
import { configuration } from "@quartet/console/sandbox"
import * as Console from "@quartet/console/serve"
import * as Server from "@quartet/sandbox/server"
import { Effect, Exit, Scope } from "effect"
import { expect, inject, onTestFinished, test } from "vitest"
import { connect } from "./browser.js"
import { builtConsole } from "./built.js"
import { patience, signIn } from "./stage.js"

const module = `
import * as Platform from "@quartet/sdk/platform"
import { headers } from "./parts.mjs"
export default Platform.make({ credentials: { headers } })
`

test("the page's clients are made with it", { timeout: 4 * patience }, async () => {
  const directory = await builtConsole(inject("console"))
  const entry = "/quartet.platform/quartet.platform.mjs"
  const modules = new Map([
    [entry, module],
    ["/quartet.platform/parts.mjs", 'export const headers = { "x-desk": "mine" }']
  ])
  const scope = Effect.runSync(Scope.make())
  const served = Effect.flatMap(
    Console.load(directory, { ...configuration, platformModule: entry }, modules),
    (fallback) => Server.serve({ port: 0, seed: 1, fallback })
  )
  const { url } = await Effect.runPromise(Scope.extend(served, scope))
  const browser = await connect()
  onTestFinished(async () => {
    await browser.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  const page = await browser.newPage()
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  page.on("pageerror", ({ message }) => complaints.push(message))
  const sent: Array<string | undefined> = []
  page.on("request", (request) => {
    if (request.url().includes("/auth/login")) sent.push(request.headers()["x-desk"])
  })
  await page.goto(url)
  await signIn({ page })
  expect(complaints).toEqual([])
  expect(sent).not.toEqual([])
  expect(new Set(sent)).toEqual(new Set(["mine"]))
})

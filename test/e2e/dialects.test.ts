/**
 * The console on platforms that speak other dialects, served by the command with the module that says how each differs: the same views with the
 * same texts as on the sandbox as it is, and a chat that goes both ways.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Sandbox from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as SocketIo from "@quartet/sdk/adapters/socket"
import * as Undici from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import * as Platform from "@quartet/sdk/platform"
import { definitionOf } from "@quartet/support/platforms.js"
import { quartet } from "@quartet/support/quartet.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { Effect, Layer, type Scope } from "effect"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { beforeAll, describe, expect, inject, test } from "vitest"
import { connect } from "./browser.js"
import { builtConsole } from "./built.js"
import { go, patience, settle } from "./stage.js"

const { program, said, start, ended } = quartet()
const folder = temporaryFolder("console-dialects")

/** What the module of every dialect is made of: one file of JavaScript without imports. */
let definitions = ""
beforeAll(async () => {
  symlinkSync(await builtConsole(inject("console")), join(dirname(program()), "console"))
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../packages/support/platforms.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false
  })
  definitions = outputFiles[0]?.text ?? ""
})

/** Writes the module of a dialect as somebody with such a platform has it. */
const moduleOf = (name: Sandbox.DialectName): string => {
  const home = join(folder, name)
  mkdirSync(home)
  writeFileSync(join(home, "definitions.mjs"), definitions)
  const file = join(home, "quartet.platform.mjs")
  writeFileSync(
    file,
    `import { definitionOf } from "./definitions.mjs"\nexport default definitionOf(${JSON.stringify(Sandbox.dialectOf(name))})\n`
  )
  return file
}

const { admin, apiKey, projectId } = Sandbox.accounts

/** The console for a platform, by the command. */
const console_ = (baseUrl: string, name: Sandbox.DialectName): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        start(["console", "--port", "0", "--base-url", baseUrl, "--platform", moduleOf(name)], {
          env: { QUARTET_PROJECT_ID: projectId, QUARTET_API_KEY: apiKey }
        })
      ),
      (child) =>
        Effect.promise(() => {
          const end = ended(child)
          child.kill("SIGTERM")
          return end
        })
    )
    return yield* Effect.promise(() => said(child, / is at (http:\S+)/))
  })

/** Another administrator sends a message. */
const say = (baseUrl: string, name: Sandbox.DialectName, conversationId: string, text: string) => {
  const platform = Platform.make(definitionOf(Sandbox.dialectOf(name)))
  const client = Admin.layer({ baseUrl, projectId, apiKey, ...admin, platform })
  return Effect.flatMap(Admin.chat.open({ onMessage: () => undefined }), (chat) =>
    chat.send({ conversationId, text })
  ).pipe(
    Effect.scoped,
    Effect.provide(Layer.provideMerge(client, Layer.merge(Undici.layer, SocketIo.layer))),
    Effect.runPromise
  )
}

/** The lists that are looked at, by what must be there. */
const lists = {
  "/requests": "Filed",
  "/data/orders": "Total",
  "/commerce": "Provider",
  "/data/users": "City",
  "/library?model=news": "Title",
  "/data/items": "Price",
  "/data/admins": "Roles",
  "/holidays?month=2025-03": "March 2025"
} as const

const textOf = async (page: Page): Promise<string> => {
  await settle(page)
  return page.locator("body").innerText()
}

/** Signs in by the form, and walks through the main views: the text of each. */
const walk = async (page: Page, url: string, baseUrl: string, name: Sandbox.DialectName) => {
  const texts: Record<string, string> = {}
  await page.goto(url)
  await page.getByLabel("Email").fill(admin.email)
  await page.getByLabel("Password").fill(admin.password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: /^Welcome, / }).waitFor()
  texts.overview = await textOf(page)
  for (const [path, shows] of Object.entries(lists)) {
    await go({ page }, path)
    await page.getByText(shows).filter({ visible: true }).first().waitFor()
    texts[path] = await textOf(page)
    if (path !== "/requests") continue
    await page.getByRole("region", { name: "Requests" }).getByRole("link").first().click()
    await page.getByText("Change the status").first().waitFor()
    texts.request = await textOf(page)
  }
  await go({ page }, "/chat")
  await page.getByRole("region", { name: "Conversations" }).getByRole("link").first().click()
  await page.getByText("Connected", { exact: true }).waitFor()
  const messages = page.getByRole("region", { name: "Messages" })
  await say(baseUrl, name, new URL(page.url()).pathname.split("/").at(-1) ?? "", "A message that arrives")
  await messages.getByText("A message that arrives").waitFor()
  await page.getByLabel("Message", { exact: true }).fill("A message that is sent")
  await page.getByLabel("Message", { exact: true }).press("Enter")
  await messages.getByText("A message that is sent").waitFor()
  texts.chat = await textOf(page)
  return texts
}

/** What a platform's console shows, and what the browser complains of. */
const shownIn = (browser: Browser, name: Sandbox.DialectName) =>
  Effect.gen(function* () {
    const { platform, url: baseUrl } = yield* Server.serve({ port: 0, seed: 1, dialect: name })
    const url = yield* console_(baseUrl, name)
    const context = yield* Effect.acquireRelease(
      Effect.promise(() =>
        browser.newContext({
          viewport: { width: 1280, height: 800 },
          reducedMotion: "reduce",
          locale: "en-GB",
          timezoneId: "UTC"
        })
      ),
      (context) => Effect.promise(() => context.close())
    )
    context.setDefaultTimeout(process.env.DEV ? 15000 : patience)
    const page = yield* Effect.promise(() => context.newPage())
    const complaints: Array<string> = []
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
    })
    page.on("pageerror", ({ message }) => complaints.push(message))
    const texts = yield* Effect.promise(() => walk(page, url, baseUrl, name).catch(async (e) => {
      await page.screenshot({ path: `/tmp/q/views-${name}.png` })
      return { error: String(e), now: await page.locator("body").innerText() }
    }))
    void platform
    return { texts, complaints }
  }).pipe(Effect.scoped, Effect.runPromise)

describe("the console", () => {
  test.each(Sandbox.dialectNames)("on a platform that speaks %s", async (name) => {
    const browser = await connect()
    const r = await shownIn(browser, name).finally(() => browser.close())
    writeFileSync(`/tmp/q/views-${name}.json`, JSON.stringify(r, null, 1).replaceAll("\\n", "\n"))
    expect(r.complaints).toEqual([])
  })
})

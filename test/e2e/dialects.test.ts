/**
 * The console on platforms that speak other dialects, served by the command with the module that says how each differs: the same views with the
 * same texts as on the sandbox as it is, and a chat that goes both ways.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as SocketIo from "@quartet/sdk/adapters/socket"
import * as Undici from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import * as Platform from "@quartet/sdk/platform"
import { root } from "@quartet/support/files.js"
import { definitionOf } from "@quartet/support/platforms.js"
import { quartet } from "@quartet/support/quartet.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { Cause, Effect, Exit, Layer, type Scope } from "effect"
import { build } from "esbuild"
import type { Browser, Page, Request } from "playwright-core"
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
    entryPoints: [join(root, "packages/support/platforms.ts")],
    bundle: true,
    format: "esm",
    write: false
  })
  definitions = outputFiles[0]?.text ?? ""
  // The first file of a run waits for the console's build.
}, 8 * patience)

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
const served = (baseUrl: string, name: Sandbox.DialectName): Effect.Effect<string, never, Scope.Scope> =>
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

/** The lists that are looked at, each with its first row beside it, by what must be there. */
const lists = {
  "/requests": "sent this",
  "/orders?tab=all": "Total",
  "/payments": "About this payment",
  "/customers": "New customer",
  "/library?model=news": "New entry",
  "/catalogue": "Status",
  "/files": "Upload",
  "/team": "Add administrator",
  "/team/holidays?month=2025-03": "March 2025",
  "/data/users": "Open in Customers"
} as const

const { dialectNames, dialectOf } = Sandbox

/** A page's text without the minute in which the messages of this test were written. */
const textOf = async (page: Page): Promise<string> => {
  await settle(page)
  const text = await page.locator("body").innerText()
  return text.replaceAll(
    /(?<=A message that (arrives|is sent)(, |\n\n))\d\d:\d\d|^\d\d:\d\d$(?=\nYou: A message that)/gm,
    "now"
  )
}

/**
 * Waits until a page has all that it shows, such as the names that rows refer to, which come after the rows: no request is under
 * way, and what has come neither asks for more nor changes anything by the time at which the page has nothing left to do.
 */
const completing = (page: Page): (() => Promise<void>) => {
  const underWay = new Set<Request>()
  let begun = 0
  page.on("request", (request) => {
    // The chat asks until its socket is open, and is answered when there is something to say.
    if (new URL(request.url()).searchParams.get("transport") === "polling") return
    begun += 1
    underWay.add(request)
  })
  const end = (request: Request): void => void underWay.delete(request)
  page.on("requestfinished", end).on("requestfailed", end)
  const idle = (): Promise<void> =>
    page.evaluate(async () => {
      for (let times = 0; times < 5; times++) await new Promise((done) => requestIdleCallback(done))
    })
  return async () => {
    for (;;) {
      const before = { begun, text: await textOf(page) }
      await idle()
      const text = await textOf(page)
      if (underWay.size === 0 && begun === before.begun && text === before.text) return
    }
  }
}

/** What a view shows, and what waits until that is complete. */
type Shown = (view: string, text: () => Promise<string>, complete: () => Promise<void>) => Promise<void>

/** Signs in by the form, and walks through the main views. */
const walk = async (page: Page, { baseUrl, name, url }: Served, shown: Shown): Promise<void> => {
  const complete = completing(page)
  const shows = (view: string) => shown(view, () => textOf(page), complete)
  await page.goto(url)
  await page.getByLabel("Email").fill(admin.email)
  await page.getByLabel("Password").fill(admin.password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
  for (const [path, text] of Object.entries(lists)) {
    await go({ page }, path)
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    await shows(path)
  }
  await go({ page }, "/chat")
  await page.waitForURL(/\/chat\/\w+/)
  const messages = page.getByRole("log", { name: "Messages" })
  await messages.waitFor()
  await settle(page)
  await say(baseUrl, name, new URL(page.url()).pathname.split("/").at(-1) ?? "", "A message that arrives")
  await messages.getByText("A message that arrives").waitFor()
  const composer = page.getByRole("textbox", { name: /^Message to / })
  await composer.fill("A message that is sent")
  await composer.press("Enter")
  await messages.getByText("A message that is sent").waitFor()
  // Whoever answers has read it, a second later.
  await page.getByText(/ unread, You: A message that is sent/).waitFor({ state: "detached" })
  await shows("chat")
}

/** A platform, and the console for it. */
interface Served {
  readonly name: Sandbox.DialectName
  readonly baseUrl: string
  readonly url: string
}

/** What a program answers. What was thrown in it is thrown as it is, with what differs. */
const answered = async <A, E>(program: Effect.Effect<A, E>): Promise<A> =>
  Exit.getOrElse(await Effect.runPromiseExit(program), (cause) => {
    throw Cause.squash(cause)
  })

/** Walks through the console for a platform; answers what the browser complains of. */
const complaintsIn = (browser: Browser, name: Sandbox.DialectName, shown: Shown) =>
  Effect.gen(function* () {
    const { url: baseUrl } = yield* Server.serve({ port: 0, seed: 1, dialect: name })
    const url = yield* served(baseUrl, name)
    const open = browser.newContext({
      // Where the numbers beside tabs, which not every dialect tells, wrap nothing.
      viewport: { width: 1440, height: 800 },
      reducedMotion: "reduce",
      locale: "en-GB",
      timezoneId: "UTC"
    })
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => open),
      (context) => Effect.promise(() => context.close())
    )
    context.setDefaultTimeout(patience)
    const page = yield* Effect.promise(() => context.newPage())
    const complaints: Array<string> = []
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
    })
    page.on("pageerror", ({ message }) => complaints.push(message))
    yield* Effect.promise(() => walk(page, { name, baseUrl, url }, shown))
    return complaints
  }).pipe(Effect.scoped, answered)

/** The texts on the sandbox as it is. */
const usual: Record<string, string> = {}

let browser: Browser
beforeAll(async () => {
  browser = await connect()
  return () => browser.close()
})

type Untold = ReadonlyArray<readonly [said: RegExp, instead: string]>

/** How many there are in all, and whether what was read is all. */
const totals: Untold = [
  [/^\d+( of \d+| and more| open| in all)?\n(waiting\n)?/gm, ""],
  [/^No conversations$|^None among the last 20\. Search more$/gm, "None known"],
  [/^Chat\n\nNone known\n\n/gm, ""],
  [/\n\nAmong the last 20\. Search more(\n(?=\n))?/g, ""]
]

/** What is in a file whose download leads elsewhere: browsers do not show where. */
const contents: Untold = [
  [/^[A-Z]\n/gm, ""],
  [/^(# Contract|Text, 51 bytes)$.*?(?=^Added$)/gms, ""]
]

/** What a dialect does not tell, by how it is said, or said not to be known. */
const untold = ({ downloads, ids, lists, paging, token }: Sandbox.Dialect): Untold => [
  ...(lists === "bare" && paging !== "link" ? totals : []),
  // A number has four digits or sixteen, by when its row is first sent, and requests that run at once come in any order.
  ...(ids === "numbers" ? ([[/(?<=^ID\n)([\da-f]{24}|\d{4}|\d{16})$/gm, "an id"]] as const) : []),
  // Who is meant by the subject of a token that is no id: messages name no e-mail.
  ...(token === "other-claims" ? ([[/^You$/gm, "Tamar Chikovani"]] as const) : []),
  ...(downloads === "redirect" ? contents : [])
]

/** A text without what a dialect does not tell. */
const told = (name: Sandbox.DialectName, text = ""): string =>
  untold(dialectOf(name)).reduce((rest, [said, instead]) => rest.replaceAll(said, instead), text)

describe("the console", () => {
  beforeAll(async () => {
    const complaints = await complaintsIn(browser, "standard", async (view, text, complete) => {
      await complete()
      usual[view] = await text()
    })
    expect(complaints).toEqual([])
  }, 4 * patience)

  test.each(dialectNames.filter((name) => name !== "standard"))(
    "shows the same on a platform that speaks %s, and the browser complains of nothing",
    async (name) => {
      const complaints = await complaintsIn(browser, name, (view, text) =>
        expect.poll(async () => told(name, await text())).toBe(told(name, usual[view]))
      )
      expect(complaints).toEqual([])
    }
  )
})

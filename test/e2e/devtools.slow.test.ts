// The devtools in an app that they know nothing of, in a real browser: under a policy without inline styles, between styles that
// would break them, with the keyboard, for axe, in light, dark and narrow.

import * as Sandbox from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import { Effect, Exit, Scope } from "effect"
import type { Browser, BrowserContext, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { axe, violations } from "./axe.js"
import { connect } from "./browser.js"
import { bundled, path } from "./program.js"
import { patience } from "./stage.js"

const { admin } = Sandbox.accounts

/** An app with a query, a mutation, a chat, an outbox and a shortcut of its own. */
const program = `
  import * as Layer from "effect/Layer"
  import * as React from "react"
  import { createRoot } from "react-dom/client"
  import * as Admin from ${path("clients/admin/index.ts")}
  import * as FetchTransport from ${path("adapters/fetch/index.ts")}
  import * as Socket from ${path("adapters/socket/index.ts")}
  import { makeWire, QuartetDevtools } from ${path("ui/devtools/index.ts")}
  import { makeOutbox } from ${path("ui/outbox/index.ts")}
  import { makeQueryClient, QuartetProvider, useChat, useMutation, useQuery } from ${path("ui/rx/index.ts")}

  const wire = makeWire()
  const config = { baseUrl: location.origin, projectId: ${JSON.stringify(Sandbox.accounts.projectId)}, apiKey: ${JSON.stringify(Sandbox.accounts.apiKey)}, ...${JSON.stringify(admin)} }
  const client = makeQueryClient(Layer.merge(
    Layer.provide(Admin.layer({ ...config, onDrift: wire.onDrift("admin"), logDrift: false }), Layer.provide(wire.tap("admin"), FetchTransport.layer)),
    Socket.layerWith({ query: "auth" })
  ))
  const list = client.query(Admin.requests.list, { limit: 2 })
  const markSeen = client.mutation(Admin.requests.markSeen)
  const outbox = makeOutbox({ name: "e2e" })
  const kept = client.mutation(Admin.requests.markSeen, { outbox })
  const chat = client.chat(Admin.chat.open())

  const Requests = () => {
    const requests = useQuery(list)
    const { mutate } = useMutation(markSeen)
    const keep = useMutation(kept)
    const { connection } = useChat(chat)
    const [first] = requests.data?.items ?? []
    return React.createElement("main", null,
      React.createElement("h1", null, "An app"),
      React.createElement("p", null, "chat " + connection.status),
      React.createElement("p", { id: "shortcuts" }, "0"),
      React.createElement("button", { onClick: () => mutate({ id: first._id, version: first.version }) }, "Mark as seen"),
      React.createElement("button", { onClick: () => mutate({ id: "nobody", version: 1 }) }, "Mark nobody"),
      React.createElement("button", { onClick: () => keep.mutate({ id: "nobody", version: 1 }) }, "Keep nobody")
    )
  }
  document.addEventListener("keydown", ({ target, key }) => {
    if (target instanceof HTMLInputElement || key !== "s") return
    const shown = document.querySelector("#shortcuts")
    shown.textContent = String(Number(shown.textContent) + 1)
  })
  const appRoot = createRoot(document.querySelector("#app"))
  globalThis.unmountApp = () => appRoot.unmount()
  appRoot.render(
    React.createElement(React.StrictMode, null,
      React.createElement(QuartetProvider, null,
        React.createElement(Requests),
        React.createElement(QuartetDevtools, { wire, outbox })
      )
    )
  )
`

/** Styles of an app that reach for everything, and a policy without inline styles. */
const page = `<!doctype html><html lang="en"><head><title>An app</title><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/app.css"></head><body><div id="app"></div><script type="module" src="/app.js"></script></body></html>`
const hostile = `
  html { font-size: 40px; color-scheme: light dark }
  body { margin: 0; letter-spacing: 4px; text-transform: uppercase }
  * { border: 3px dotted red !important; margin: 7px; font-size: 31px !important; direction: rtl; visibility: visible }
  button, input, summary { display: none !important }
  main button { display: inline-block !important }
`
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"

let browser: Browser
let scope: Scope.CloseableScope
let sandbox: Server.Served
let context: BrowserContext
let guest: Page
let complaints: Array<string>

beforeAll(async () => {
  const code = await bundled(program, {
    format: "esm",
    define: { "process.env.NODE_ENV": '"development"' }
  })
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    "/app.js": ["text/javascript", code],
    "/app.css": ["text/css", hostile]
  }
  scope = Effect.runSync(Scope.make())
  sandbox = await Effect.runPromise(
    Scope.extend(
      Server.serve({
        port: 0,
        seed: 1,
        fallback: ({ url }) => {
          const [type, text] = files[new URL(url).pathname] ?? ["text/html", page]
          return new Response(text, { headers: { "content-type": type, "content-security-policy": policy } })
        }
      }),
      scope
    )
  )
  browser = await connect()
}, patience)
afterAll(async () => {
  await browser?.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1100, height: 760 }, colorScheme: "light" })
  context.setDefaultTimeout(patience)
  guest = await context.newPage()
  complaints = []
  guest.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text())
  })
  guest.on("pageerror", (error) => complaints.push(String(error)))
  await guest.goto(sandbox.url)
  await guest.getByText("chat connected").waitFor()
}, patience)
afterEach(async () => {
  await context.close()
})

/** What Chromium itself notes of an answer with an error. */
const unexpected = () => complaints.filter((text) => !/status of 40[49]/.test(text))

const panel = (): Locator => guest.getByRole("complementary", { name: "Quartet devtools" })
const open = () => panel().getByRole("button", { name: "Quartet devtools" }).click()
const tab = (name: string) =>
  panel()
    .getByRole("tab", { name: new RegExp(`^${name}`) })
    .click()
const lines = () => panel().getByRole("listitem")
const line = (text: string) => lines().filter({ hasText: text })

test("shows the queries with their answers, and fetches one again", async () => {
  await open()
  const query = line("requests.list")
  await expect.poll(() => query.innerText()).toMatch(/answered[\s\S]*1 observer[\s\S]*"limit": 2/)
  await query.locator("summary").click()
  await expect.poll(() => query.getByRole("group", { name: "Data" }).innerText()).toContain('"items"')
  let requests = 0
  guest.on("request", (request) => {
    if (/\/request-action\?/.test(request.url())) requests += 1
  })
  const requestCount = () => requests
  const before = requestCount()
  await query.getByRole("button", { name: "Refetch" }).click()
  await expect.poll(requestCount).toBe(before + 1)
  await query.getByRole("button", { name: "Reset" }).click()
  await expect.poll(requestCount).toBe(before + 2)
  expect(unexpected()).toEqual([])
})

test("shows the runs of mutations, what waits in the outbox, the chat's connection and the wire, without secrets", async () => {
  await guest.getByRole("button", { name: "Mark as seen" }).click()
  await guest.getByRole("button", { name: "Mark nobody" }).click()
  await guest.getByRole("button", { name: "Keep nobody" }).click()
  await open()
  await tab("Mutations")
  await line("success").waitFor()
  // The call itself, and the one that the outbox has kept and sent.
  await expect.poll(() => line("error").count()).toBe(2)
  for (const failedCall of await line("error").all()) {
    await failedCall.locator("summary").click()
    await expect
      .poll(() => failedCall.getByRole("group", { name: "Error" }).innerText())
      .toMatch(/^NotFound: /)
  }

  await tab("Outbox")
  await line("failed").locator("summary").click()
  await expect.poll(() => line("failed").innerText()).toContain("sent once")
  await line("failed").getByRole("button", { name: "Discard" }).click()
  await panel().getByText("Nothing is waiting.").waitFor()

  await tab("Sockets")
  await line("Chat 1").locator("summary").click()
  await expect.poll(() => line("Chat 1").first().innerText()).toMatch(/connected[\s\S]*connecting/)

  await tab("Wire")
  const login = line("auth/admin/login").first()
  await login.locator("summary").click()
  await expect.poll(() => login.innerText()).toMatch(/"password": "••••••"/)
  const all = await guest.evaluate(
    () => document.querySelector("quartet-devtools")?.shadowRoot?.textContent ?? ""
  )
  expect(all).toContain("requests.list")
  for (const secret of [admin.password, Sandbox.accounts.apiKey]) expect(all).not.toContain(secret)
  const [download] = await Promise.all([
    guest.waitForEvent("download"),
    panel().getByRole("button", { name: "Save as HAR" }).click()
  ])
  expect(download.suggestedFilename()).toBe("wire.har")
  expect(unexpected()).toEqual([])
})

test("is neither broken by the app's styles, nor changes them, under a policy without inline styles", async () => {
  const looks = () =>
    guest.evaluate(() => {
      const { border, fontSize, height } = getComputedStyle(document.querySelector("main h1") as Element)
      return { border, fontSize, height }
    })
  const before = await looks()
  await open()
  expect(await looks()).toEqual(before)
  const style = (selector: string) =>
    guest.evaluate((chosen) => {
      const host = document.querySelector("quartet-devtools") as Element
      const element = chosen === "" ? host : (host.shadowRoot?.querySelector(chosen) as Element)
      const { borderTopWidth, direction, display, fontSize, letterSpacing, textTransform } =
        getComputedStyle(element)
      return { borderTopWidth, direction, display, fontSize, letterSpacing, textTransform }
    }, selector)
  const plain = { borderTopWidth: "0px", direction: "ltr", letterSpacing: "normal", textTransform: "none" }
  expect(await style("")).toMatchObject({ ...plain, display: "block" })
  expect(await style("summary")).toMatchObject({ ...plain, display: "grid", fontSize: "13px" })
  expect(unexpected()).toEqual([])
})

test("is used with the keyboard alone, keeps the app's shortcuts out of its fields, and stays as it was left", async () => {
  await panel().getByRole("button", { name: "Quartet devtools" }).focus()
  await guest.keyboard.press("Enter")
  const focused = () =>
    guest.evaluate(() => document.querySelector("quartet-devtools")?.shadowRoot?.activeElement?.textContent)
  await expect.poll(focused).toMatch(/^Queries/)
  await guest.keyboard.press("ArrowLeft")
  await expect.poll(focused).toMatch(/^Wire/)
  await guest.keyboard.press("ArrowRight")
  await guest.keyboard.press("ArrowRight")
  await expect.poll(focused).toMatch(/^Mutations/)
  await panel().getByRole("searchbox", { name: "Find runs" }).focus()
  await guest.keyboard.type("sss")
  expect(await guest.locator("#shortcuts").innerText()).toBe("0")
  const grip = panel().getByRole("separator")
  const height = Number(await grip.getAttribute("aria-valuenow"))
  await grip.focus()
  await guest.keyboard.press("ArrowUp")
  await expect.poll(() => grip.getAttribute("aria-valuenow")).toBe(String(height + 40))
  await guest.reload()
  await panel().getByRole("searchbox", { name: "Find runs" }).waitFor()
  expect(await grip.getAttribute("aria-valuenow")).toBe(String(height + 40))
  await grip.focus()
  await guest.keyboard.press("Escape")
  await expect.poll(focused).toBe("Quartet devtools")
  await guest.keyboard.press("s")
  await expect.poll(() => guest.locator("#shortcuts").innerText()).toBe("1")
  expect(unexpected()).toEqual([])
})

test("keeps its head in the window, however it is drawn, and its chosen tab in sight on a narrow screen", async () => {
  await open()
  const grip = await panel().getByRole("separator").boundingBox()
  await guest.mouse.move(500, (grip?.y ?? 0) + 2)
  await guest.mouse.down()
  await guest.mouse.move(500, -100, { steps: 5 })
  await guest.mouse.up()
  const isWhole = (locator: Locator) =>
    locator.evaluate((element) => {
      const { bottom, left, right, top } = element.getBoundingClientRect()
      const inside = element.closest("[role=tablist]")?.getBoundingClientRect()
      return (
        top >= 0 &&
        bottom <= innerHeight &&
        left >= (inside?.left ?? 0) &&
        right <= (inside?.right ?? innerWidth)
      )
    })
  const close = panel().getByRole("button", { name: "Close the devtools" })
  expect((await panel().boundingBox())?.y).toBe(76)
  for (const height of [760, 300, 120]) {
    await guest.setViewportSize({ width: 1100, height })
    await expect.poll(() => isWhole(close)).toBe(true)
  }
  await tab("Wire")
  await guest.setViewportSize({ width: 360, height: 700 })
  await expect.poll(() => isWhole(panel().getByRole("tab", { name: /^Wire/ }))).toBe(true)
  await guest.reload()
  await panel().getByRole("searchbox", { name: "Find calls" }).waitFor()
  expect(await isWhole(panel().getByRole("tab", { name: /^Wire/ }))).toBe(true)
  expect(unexpected()).toEqual([])
})

test("tells the chosen tab from the others in forced colours too", async () => {
  await guest.emulateMedia({ forcedColors: "active" })
  await open()
  const borders = await panel()
    .getByRole("tab")
    .evaluateAll((tabs) =>
      tabs.map(
        (sectionTab) => [sectionTab.ariaSelected, getComputedStyle(sectionTab).borderBottomColor] as const
      )
    )
  const of = (isChosen: string) =>
    new Set(borders.filter(([chosen]) => chosen === isChosen).map(([, color]) => color))
  const ground = await panel().evaluate((element) => getComputedStyle(element).backgroundColor)
  // A border of the ground's colour is none.
  expect([...of("false")]).toEqual([ground])
  expect([...of("true")]).not.toContain(ground)
  expect(await guest.getByRole("tab", { name: "Queries 1", exact: true }).count()).toBe(1)
})

test("has no faults for axe, closed and in each section, and fits: light, dark and narrow", async () => {
  const devtoolsViolations = async () => {
    const all = await violations(guest)
    return all.filter((violation) => violation.includes("quartet-devtools"))
  }
  await guest.evaluate(axe)
  expect(await devtoolsViolations()).toEqual([])
  for (const name of ["Mark as seen", "Mark nobody", "Keep nobody"])
    await guest.getByRole("button", { name }).click()
  await open()
  for (const name of ["Queries", "Mutations", "Outbox", "Sockets", "Wire"]) {
    await tab(name)
    // The first two: what is open at once must be told apart.
    for (const summary of (await lines().locator("summary").all()).slice(0, 2)) await summary.click()
    for (const [colorScheme, width] of [
      ["light", 1100],
      ["dark", 1100],
      ["dark", 360]
    ] as const) {
      await guest.emulateMedia({ colorScheme })
      await guest.setViewportSize({ width, height: 760 })
      expect(await devtoolsViolations()).toEqual([])
      const overflow = await guest.evaluate(() => {
        const shown = document.querySelector("quartet-devtools")?.shadowRoot?.querySelector("aside")
        return (shown?.scrollWidth ?? 0) - (shown?.clientWidth ?? 0)
      })
      expect(overflow).toBe(0)
    }
  }
})

test("is gone with its component's provider, and leaves nothing in the page", async () => {
  await open()
  expect(await guest.locator("quartet-devtools").count()).toBe(1)
  await guest.evaluate("unmountApp()")
  await expect.poll(() => guest.locator("quartet-devtools").count()).toBe(0)
  expect(unexpected()).toEqual([])
})

// The documentation's site as a reader has it: installed from its lock and built, with no link that leads nowhere, and in a
// browser without any request to another host.
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { filesIn, root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { axe, violations } from "./axe.js"
import { connect } from "./browser.js"
import { cut } from "./reach.js"
import { patience } from "./stage.js"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm"
}

const dist = join(root, "site/dist")
let said = ""
let server: Listening
let browser: Browser

beforeAll(async () => {
  // What Vitest says of itself (DEV, MODE, …) would make it another build.
  const { BASE_URL, DEV, MODE, NODE_ENV, PROD, SSR, ...env } = process.env
  const options = { cwd: root, env, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)("npm", ["run", "site:check"], options)
  said = stdout
  const site = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.test")
    const path = join(dist, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : "")
    const type = types[extname(path)] ?? "application/octet-stream"
    readFile(path).then(
      (bytes) => response.setHeader("content-type", type).end(bytes),
      () => response.writeHead(404).end()
    )
  })
  server = await listen(site)
  browser = await connect()
}, patient(600_000))

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a page; answers it, and what it asked of other hosts or complained of. */
const open = async (path: string, colorScheme: "light" | "dark" = "light", width = 1280) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.url))
      complaints.push(`asked ${request.url()}`)
  })
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text())
  })
  page.on("pageerror", ({ message }) => complaints.push(message))
  await page.goto(server.url + path, { waitUntil: "networkidle" })
  return { page, complaints, close: () => context.close() }
}

/** Whether each block of code that scrolls can be reached by the keyboard: the page sees to it when it has nothing else to do. */
const isReachable = (page: Page): Promise<boolean> =>
  page
    .locator(".expressive-code pre")
    .evaluateAll((blocks) =>
      blocks.every((block) => block.scrollWidth <= block.clientWidth || block.hasAttribute("tabindex"))
    )

/** A page of each kind. */
const kinds = {
  "the first page": "/",
  "a guide": "/guides/start-promises/",
  "a page with diagrams": "/architecture/",
  "a page with tables and charts": "/performance/",
  "the list of calls": "/calls/",
  "a call": "/calls/admin/requests/create/",
  "a module": "/api/react/"
}

test("it is built, and no link of it leads nowhere", () => {
  expect(said).toMatch(/\d{5} links followed, 0 dead/)
})

describe.each(Object.entries(kinds))("%s", (_, path) => {
  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360]
  ] as const)(
    "is all there in %s, %i pixels wide, and asks no other host",
    { timeout: patient(120_000) },
    async (scheme, width) => {
      const { close, complaints, page } = await open(path, scheme, width)
      await expect.poll(() => isReachable(page)).toBe(true)
      await page.evaluate(axe)
      expect([...complaints, ...(await violations(page)), ...(await wider(page))]).toEqual([])
      await close()
    }
  )
})

/** How much wider than its window a page is. */
const wider = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await cut(page)).filter((complaint) => complaint.startsWith("the page is"))

/** The tables of a page whose second column a reader does not see before they scroll, by their first cells. */
const cutTables = (page: Page): Promise<ReadonlyArray<string>> =>
  page.locator(".sl-markdown-content table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const [, second] = table.querySelectorAll("tr:last-child > *")
      const { left = 0, right = 0 } = second?.getBoundingClientRect() ?? {}
      const isSeen = Math.min(right, innerWidth) - left >= Math.min(right - left, 60)
      return isSeen ? [] : [table.textContent?.trim().slice(0, 40) ?? ""]
    })
  )

test("on a phone every table of every guide shows two columns", { timeout: patient(300_000) }, async () => {
  const paths = filesIn("site/dist").flatMap((file) =>
    /^site\/dist\/(?!api\/|calls\/.+\/).*index\.html$/.test(file)
      ? [file.replace("site/dist", "").replace("index.html", "")]
      : []
  )
  expect(paths).toContain("/guides/from-directus/")
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const cutOff: Array<string> = []
  for (const path of paths) {
    await page.goto(server.url + path)
    cutOff.push(...(await cutTables(page)).map((table) => `${path}: ${table}`))
  }
  await page.setContent(
    '<div class="sl-markdown-content" style="overflow:auto"><table><tr><td style="min-width:400px">wide</td><td>hidden</td></tr></table></div>'
  )
  expect(await cutTables(page), "control").toHaveLength(1)
  await context.close()
  expect(cutOff).toEqual([])
})

test("a call is found by the keyboard alone", { timeout: patient(120_000) }, async () => {
  const { close, complaints, page } = await open("/")
  // The page makes the field once it has nothing else to do.
  await page.locator("dialog input").waitFor({ state: "attached" })
  await page.keyboard.press("Control+k")
  await page.locator("dialog input:focus").waitFor()
  const result = page.getByRole("dialog").getByRole("link", { name: "admin.payments.refund" }).first()
  // The search's own script may come after the first letters: then they are typed again.
  const isFound = async (): Promise<boolean> => {
    await page.keyboard.press("Control+a")
    await page.keyboard.type("admin.payments.refund")
    return result.waitFor({ timeout: patient(5_000) }).then(
      () => true,
      () => false
    )
  }
  await expect.poll(isFound).toBe(true)
  for (
    let steps = 0;
    steps < 10 && !(await result.evaluate((link) => link === document.activeElement));
    steps += 1
  )
    await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await page.waitForURL("**/calls/admin/payments/refund/**")
  expect(complaints).toEqual([])
  await close()
})

test("the list of calls is filtered by words and by client", { timeout: patient(120_000) }, async () => {
  const { close, page } = await open("/calls/")
  const rows = page.locator("[data-client]:visible")
  await page.getByRole("searchbox", { name: "Filter" }).fill("refund")
  expect(await rows.getByRole("link").allTextContents()).toEqual(["admin.payments.refund"])
  await page.getByRole("searchbox", { name: "Filter" }).fill("")
  await page.getByRole("combobox", { name: "Client" }).selectOption("private")
  const shown = await rows.getByRole("link").allTextContents()
  expect(shown).toHaveLength(8)
  expect(shown.every((name) => name.startsWith("private."))).toBe(true)
  await page.getByText("8 of 168").waitFor()
  await close()
})

test("diagrams are drawn in the colours of the theme, anew when it changes", {
  timeout: patient(120_000)
}, async () => {
  const { close, page } = await open("/architecture/", "light")
  const diagram = page.locator("pre.mermaid svg")
  await diagram.waitFor()
  const light = await diagram.evaluate((svg) => svg.outerHTML.match(/fill:#\w+/g)?.join())
  await page.getByRole("combobox", { name: "Select theme" }).first().selectOption("dark")
  await page.waitForFunction((before) => {
    const now = document
      .querySelector("pre.mermaid svg")
      ?.outerHTML.match(/fill:#\w+/g)
      ?.join()
    return now !== undefined && now !== before
  }, light)
  await close()
})

test("a reader stays with the face that they have chosen", { timeout: patient(120_000) }, async () => {
  const { close, page } = await open("/calls/admin/requests/create/")
  await page.getByRole("tab", { name: "Promise" }).click()
  await page.goto(`${server.url}/calls/admin/requests/list/`)
  expect(await page.getByRole("tab", { name: "Promise" }).getAttribute("aria-selected")).toBe("true")
  await close()
})

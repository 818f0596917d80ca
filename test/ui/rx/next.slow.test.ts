// A page that Next streams, in the example's app as it is built and started, installed from the packed package, over a platform
// whose answers the test holds back: what comes when, who asks for it, and what the browser makes of it.
import { mkdtempSync } from "node:fs"
import { createServer, request as forward, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "@quartet/support/eventually.js"
import { removeFolder } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import { removalTimeout } from "@quartet/support/temporary.js"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { connect } from "../../e2e/browser.js"
import { endAll, execute, installExample, pack, serveSandbox, serving } from "../../matrix/workshop.js"

const parts = { item: /item\/(?!search)[^/]+$/, others: /item\/search/, news: /news/ }
type Part = keyof typeof parts

/** What the platform was asked for, by whom, and what it still holds back. */
let questions: Array<`${"server" | "browser"} ${Part}`> = []
const waiting = new Map<Part, Array<() => void>>()
const failing = new Set<Part>()

let home = ""
let url = ""
let sandbox: Awaited<ReturnType<typeof serveSandbox>>
let proxy: Listening
let browser: Browser
/** The path of a page with sections. */
let path = ""

/** Has these parts wait for `release`. */
const hold = (...names: ReadonlyArray<Part>): void => {
  for (const name of names) waiting.set(name, [])
}

const release = (...names: ReadonlyArray<Part>): void => {
  for (const name of names) {
    const parked = waiting.get(name) ?? []
    waiting.delete(name)
    for (const go of parked) go()
  }
}

const serveProxy = (target: URL) =>
  createServer((incoming, outgoing: ServerResponse) => {
    const { headers, method, url: address = "/" } = incoming
    const pass = () => {
      const options = { host: target.hostname, port: target.port, path: address, method, headers }
      const sent = forward(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      sent.on("error", () => outgoing.destroy())
      incoming.pipe(sent)
    }
    const { pathname } = new URL(address, target)
    const part = Object.entries(parts).find(([, names]) => names.test(pathname))?.[0] as Part | undefined
    if (part === undefined || method === "OPTIONS") return pass()
    questions.push(`${headers.origin === undefined ? "server" : "browser"} ${part}`)
    if (failing.has(part)) {
      const allowed = headers.origin === undefined ? {} : { "access-control-allow-origin": headers.origin }
      return outgoing.writeHead(403, { "content-type": "application/json", ...allowed }).end("{}")
    }
    const parked = waiting.get(part)
    if (parked === undefined) pass()
    else parked.push(pass)
  })

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "quartet-next-"))
  sandbox = await serveSandbox()
  proxy = await listen(serveProxy(new URL(sandbox.url)))
  browser = await connect()
  const cwd = join(home, "app")
  await installExample("react-next", cwd, await pack(home))
  const env = { QUARTET_BASE_URL: proxy.url, NEXT_PUBLIC_QUARTET_BASE_URL: proxy.url }
  const next = join(cwd, "node_modules/next/dist/bin/next")
  await execute(process.execPath, [next, "build"], { cwd, env })
  const args = [next, "start", "--hostname", "127.0.0.1", "--port", "0"]
  url = await serving(process.execPath, args, { cwd, env }, /http:\/\/127\.0\.0\.1:\d+/)
  path = /\/items\/[^"]+/.exec(await (await fetch(url)).text())?.[0] ?? ""
  questions = []
}, patient(600_000))

afterEach(() => {
  failing.clear()
  release("item", "others", "news")
  questions = []
})

afterAll(async () => {
  endAll()
  await browser?.close()
  await proxy?.close()
  await sandbox?.close()
  await removeFolder(home)
}, removalTimeout)

/** Opens a page, and hears what it complains of. */
const open = async (options: { readonly javaScriptEnabled?: boolean } = {}) => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(patient(30_000))
  const complaints: Array<string> = []
  page.on("pageerror", (error) => complaints.push(String(error)))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      complaints.push(`${message.text()} ${message.location().url}`)
  })
  return { page, complaints, close: () => context.close() }
}

const section = (page: Page, name: "News" | "Other homes") => page.getByRole("region", { name })
const rows = (page: Page, name: "News" | "Other homes") => section(page, name).getByRole("listitem")

test("the page comes before its sections, and each section when its answer is there", async () => {
  hold("others", "news")
  const { body } = await fetch(url + path)
  let html = ""
  const read = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) html += decoder.decode(chunk, { stream: true })
  })()
  await eventually(() => expect(html.match(/Loading…/g)?.length).toBe(2))
  expect(html).toContain("<h1>")
  const names = () => html.match(/<li>/g)?.length ?? 0
  expect(names()).toBe(0)
  release("news")
  await eventually(() => expect(names()).toBe(3))
  const answers = html.indexOf('self["quartet')
  expect(answers).toBeGreaterThan(0)
  expect(answers).toBeLessThan(html.indexOf("<li>"))
  release("others")
  await eventually(() => expect(names()).toBeGreaterThan(3))
  await read
  expect(questions.sort()).toEqual(["server item", "server news", "server others"])
})

test("the browser takes all of it over: nothing is asked again, and nothing is complained of", async () => {
  hold("others", "news")
  const { close, complaints, page } = await open()
  await page.goto(url + path, { waitUntil: "commit" })
  await page.getByRole("heading", { level: 1 }).waitFor()
  await section(page, "News").getByText("Loading…").waitFor()
  release("news")
  await rows(page, "News").first().waitFor()
  expect(await section(page, "Other homes").innerText()).toContain("Loading…")
  release("others")
  await rows(page, "Other homes").first().waitFor()
  // It is at home in the browser: a click is heard.
  await page.getByRole("button", { name: "Wish for it" }).click()
  await page.getByRole("status").waitFor()
  expect([await rows(page, "News").count(), complaints]).toEqual([3, []])
  expect(questions.filter((who) => who.startsWith("browser"))).toEqual([])
  await close()
})

test("without JavaScript the page stands, and its sections wait", async () => {
  const { close, page } = await open({ javaScriptEnabled: false })
  hold("others", "news")
  const gone = page.goto(url + path)
  await page.getByRole("heading", { level: 1 }).waitFor()
  release("others", "news")
  await gone
  expect(await section(page, "News").innerText()).toContain("Loading…")
  expect(await page.content()).toContain("<li>")
  await close()
})

test("a section that fails leaves the others, and asks again when somebody says so", async () => {
  failing.add("news")
  const { close, page } = await open()
  await page.goto(url + path)
  const again = section(page, "News").getByRole("button", { name: "Try again" })
  await again.waitFor()
  await rows(page, "Other homes").first().waitFor()
  expect(questions.sort()).toEqual(["browser news", "server item", "server news", "server others"])
  await again.click()
  await again.waitFor()
  failing.clear()
  await again.click()
  await rows(page, "News").first().waitFor()
  expect(questions.filter((who) => who === "browser news")).toHaveLength(3)
  await close()
})

test("a link leads to a page whose sections follow it; the browser asks for what no server component did", async () => {
  const { close, complaints, page } = await open()
  await page.goto(url)
  questions = []
  hold("news")
  await page.locator(`a[href="${path}"]`).click()
  await rows(page, "Other homes").first().waitFor()
  await section(page, "News").getByText("Loading…").waitFor()
  release("news")
  await rows(page, "News").first().waitFor()
  expect(questions.filter((who) => who.startsWith("browser"))).toEqual(["browser news"])
  expect(complaints).toEqual([])
  await close()
})

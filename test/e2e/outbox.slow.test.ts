// An outbox in a real browser, over its own IndexedDB, Web Locks and network switch, against a platform that counts what it did.
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { token } from "@quartet/support/react.js"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest"
import { connect } from "./browser.js"
import { bundled, path } from "./program.js"
import { patience } from "./stage.js"

/** The app: an admin's client and a visitor's, an outbox and two mutations. */
const program = `
  import * as Layer from "effect/Layer"
  import * as Admin from ${path("clients/admin/index.ts")}
  import * as Public from ${path("clients/public/index.ts")}
  import * as FetchTransport from ${path("adapters/fetch/index.ts")}
  import { makeOutbox, reaches } from ${path("ui/outbox/index.ts")}
  import { makeQueryClient, makeRegistry } from ${path("ui/rx/index.ts")}

  const client = makeQueryClient(Layer.provide(
    Admin.layer({ baseUrl: location.origin, projectId: "p1", sessionId: "s1", accessToken: "${token()}", policy: { deadline: 20_000 } }),
    FetchTransport.layer
  ))
  const probes = {
    "?probe": { probe: reaches(location.origin + "/there") },
    "?broken-probe": { probe: () => { throw new Error("at fault") } }
  }
  const probe = probes[location.search] ?? {}
  const outbox = makeOutbox({ name: "desk", ...probe })
  const seen = client.mutation(Admin.requests.markSeen, { outbox, scope: ({ id }) => id.slice(0, 1) })
  const visitor = makeQueryClient(Layer.provide(Public.layer({ baseUrl: location.origin, apiKey: "k1" }), FetchTransport.layer))
  const upload = visitor.mutation(Public.files.upload, { outbox, scope: () => "files" })
  const registry = makeRegistry()
  /** What there was while another tab held this one up: that passes by itself. */
  const heldUp = []
  registry.subscribe(outbox, ({ isBlocked }) => { if (isBlocked) heldUp.push(app.entries()) }, { immediate: true })
  const short = (outcome) => ({ status: outcome.status, reason: outcome.error?.reason })
  globalThis.app = {
    write: async (id) => short(await seen.actions(registry).mutate({ id, version: 1 })),
    upload: async (text) => short(await upload.actions(registry).mutate({ form: text, file: new File([text], "a.txt", { type: "text/plain" }) })),
    uploadChosen: async () => {
      const { status, error } = await upload.actions(registry).mutate({ form: "chosen", file: chosen.files[0] })
      return { status, tag: error?._tag, field: error?.field }
    },
    state: () => registry.get(outbox),
    heldUp: () => heldUp,
    entries: () => {
      const { status, entries } = registry.get(outbox)
      // Before what is kept has been read, there is nothing to see of it.
      return status === "loading" ? [status] : entries.map(({ input, state }) => (input.id ?? "file") + " " + state)
    },
    act: (action, at = 0) => outbox.actions(registry)[action](registry.get(outbox).entries[at]?.id)
  }
`

/** What the platform does with the next write, once it has it whole. */
type Fate =
  /** Does it and answers. */
  | "answers"
  /** Does it, and its process is gone before the answer. */
  | "dies after"
  /** Its process is gone before it does anything. */
  | "dies before"
  /** Does it, and the answer does not come. */
  | "hangs after"
  | "refuses"

/** A platform whose effects outlive its process. */
const makePlatform = async (script: string) => {
  const effects: Array<{ readonly id: string; readonly key: string; readonly body: string }> = []
  const arrivedIds: Array<string> = []
  let fate: Fate = "answers"
  let underWay = 0
  let overlaps = 0
  let server: Server | undefined
  let port = 0

  const stop = async (): Promise<void> => {
    const ending = server
    server = undefined
    if (ending === undefined) return
    const closed = new Promise((resolve) => ending.close(resolve))
    ending.closeAllConnections()
    await closed
  }

  const answerWrite = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = /request-action\/(\w+)/.exec(request.url ?? "")?.[1] ?? "file"
    arrivedIds.push(id)
    underWay += 1
    if (underWay > 1) overlaps += 1
    response.on("close", () => {
      underWay -= 1
    })
    let body = ""
    for await (const chunk of request) body += String(chunk)
    const own = fate
    if (own === "dies before") return stop()
    if (own === "refuses") {
      response.writeHead(409, { "content-type": "application/json" }).end("{}")
      return
    }
    effects.push({ id, key: String(request.headers["idempotency-key"]), body })
    if (own === "dies after") return stop()
    if (own === "answers")
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ _id: id }))
  }

  const start = async (): Promise<void> => {
    const next = createServer((request, response) => {
      if (request.url?.startsWith("/app.js"))
        response.writeHead(200, { "content-type": "text/javascript" }).end(script)
      else if (request.url === "/there") response.writeHead(204).end()
      else if (request.method === "GET")
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            '<!doctype html><title>Desk</title><link rel="icon" href="data:,"><script src="/app.js"></script>'
          )
      else answerWrite(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => next.listen(port, "127.0.0.1", resolve))
    port = (next.address() as AddressInfo).port
    server = next
  }
  await start()
  return {
    effects,
    /** The ids of the writes that arrived, in order. */
    arrivedIds,
    overlaps: () => overlaps,
    url: `http://127.0.0.1:${port}/`,
    set: (next: Fate) => {
      fate = next
    },
    start,
    stop,
    forget: async () => {
      await stop()
      await start()
      fate = "answers"
      effects.length = 0
      arrivedIds.length = 0
    }
  }
}

let platform: Awaited<ReturnType<typeof makePlatform>>
let browser: Browser
let context: BrowserContext
/** What was thrown in a page and caught by nobody. */
const faults: Array<string> = []

beforeAll(async () => {
  const code = await bundled(program, { define: { "process.env.NODE_ENV": '"production"' } })
  platform = await makePlatform(code)
  browser = await connect()
}, patience)
afterAll(async () => {
  await browser?.close()
  await platform?.stop()
})
beforeEach(async () => {
  // What is kept belongs to the context, as to a person's own browser.
  context = await browser.newContext()
  context.setDefaultTimeout(patience)
  await platform.forget()
  faults.length = 0
  return async () => {
    await context.close()
    expect(faults).toEqual([])
  }
})

const openTab = async (search = ""): Promise<Page> => {
  const page = await context.newPage()
  page.on("pageerror", (error) => faults.push(String(error)))
  await page.goto(platform.url + search)
  return page
}
const write = (page: Page, id: string): Promise<{ readonly status: string; readonly reason?: string }> =>
  page.evaluate(`app.write(${JSON.stringify(id)})`)
const act = (page: Page, action: "retry" | "discard", at = 0): Promise<{ readonly status: string }> =>
  page.evaluate(`app.act(${JSON.stringify(action)}, ${at})`)
const entries = (page: Page): Promise<ReadonlyArray<string>> => page.evaluate("app.entries()")
const shows = (page: Page, expected: ReadonlyArray<string>) =>
  expect.poll(() => entries(page), { timeout: patience }).toEqual(expected)
const done = () => platform.effects.map(({ id }) => id)

/** Either tab may send what one of them writes: this one asks for the turn once it is told that the other one has `claimed()`. */
const letOtherClaim = (page: Page): Promise<void> =>
  page.evaluate(`{
    const { request } = LockManager.prototype
    const claimed = new Promise((resolve) => { globalThis.claimed = resolve })
    LockManager.prototype.request = async function (...terms) {
      await claimed
      return request.apply(this, terms)
    }
  }`)

test("two tabs that were offline send what they kept once, in the order of writing, one at a time", async () => {
  const tabs = [await openTab(), await openTab()]
  await context.setOffline(true)
  const ids = Array.from({ length: 8 }, (_, at) => `a${at}`)
  for (const [at, id] of ids.entries()) {
    const tab = tabs[at % 2]
    if (tab !== undefined) expect(await write(tab, id)).toEqual({ status: "queued" })
  }
  for (const tab of tabs)
    await shows(
      tab,
      ids.map((id) => `${id} queued`)
    )
  expect(platform.arrivedIds).toEqual([])
  expect(await tabs[0]?.evaluate("app.state().entries.every(({ attempts }) => attempts === 0)")).toBe(true)
  await context.setOffline(false)
  for (const tab of tabs) await shows(tab, [])
  expect([platform.arrivedIds, done(), platform.overlaps()]).toEqual([ids, ids, 0])
  expect(new Set(platform.effects.map(({ key }) => key)).size).toBe(ids.length)
})

test("a tab that is closed while offline leaves what it kept to the next one", async () => {
  const tab = await openTab()
  await context.setOffline(true)
  await write(tab, "a1")
  await tab.close()
  await context.setOffline(false)
  const next = await openTab()
  await expect.poll(done).toEqual(["a1"])
  await shows(next, [])
})

test("a reload in the middle of a write shows it as unknown in every tab; it is sent again by a person alone, with its key", async () => {
  const tab = await openTab()
  platform.set("hangs after")
  await write(tab, "a1")
  await expect.poll(done).toEqual(["a1"])
  const otherTab = await openTab()
  await write(otherTab, "a2")
  await shows(otherTab, ["a1 sending", "a2 queued"])
  platform.set("answers")
  await tab.reload()
  for (const page of [tab, otherTab]) await shows(page, ["a1 unknown", "a2 queued"])
  // Nobody sends it again: not the other tab, and not a page that is loaded later.
  await otherTab.reload()
  await write(otherTab, "b1")
  await expect.poll(done).toEqual(["a1", "b1"])
  await shows(otherTab, ["a1 unknown", "a2 queued"])
  expect(await act(otherTab, "retry")).toEqual({ status: "success" })
  for (const page of [tab, otherTab]) await shows(page, [])
  expect(done()).toEqual(["a1", "b1", "a1", "a2"])
  // The platform can tell by the key that it is the same write.
  expect(platform.effects[2]?.key).toBe(platform.effects[0]?.key)
})

test.each([
  ["after it has done the write", "dies after", ["a1"]],
  ["before it has", "dies before", []]
] as const)(
  "of a platform that dies %s, the outcome is unknown, and a person decides",
  async (_, fate, effects) => {
    const tab = await openTab()
    platform.set(fate)
    await write(tab, "a1")
    await shows(tab, ["a1 unknown"])
    expect([platform.arrivedIds, done()]).toEqual([["a1"], effects])
    platform.set("answers")
    await platform.start()
    await tab.reload()
    await shows(tab, ["a1 unknown"])
    // The person looks at the platform.
    await act(tab, effects.length > 0 ? "discard" : "retry")
    await shows(tab, [])
    expect(done()).toEqual(["a1"])
  }
)

test("a tab that is closed in the middle of a write leaves it to the person in another tab, which goes on with the rest", async () => {
  const tab = await openTab()
  platform.set("hangs after")
  await write(tab, "a1")
  await expect.poll(done).toEqual(["a1"])
  platform.set("answers")
  const otherTab = await openTab()
  await write(otherTab, "b1")
  await tab.close()
  await shows(otherTab, ["a1 unknown"])
  await expect.poll(done).toEqual(["a1", "b1"])
  await act(otherTab, "discard")
  await shows(otherTab, [])
})

test("a tab under an open alert holds the others up for some seconds, in which they say so; then they go on without it", async () => {
  // A person answers alerts of the tab in front. Under one in another tab, Chromium may stop that in front instead.
  const [otherTab, tab] = [await openTab(), await openTab()]
  await letOtherClaim(otherTab)
  platform.set("hangs after")
  await write(tab, "a1")
  await expect.poll(done).toEqual(["a1"])
  await otherTab.evaluate("claimed()")
  platform.set("answers")
  await write(otherTab, "b1")
  const dialog = tab.waitForEvent("dialog")
  await tab.evaluate("void setTimeout(() => alert('stands still'))")
  const open = await dialog
  await shows(otherTab, ["a1 unknown"])
  await expect.poll(done).toEqual(["a1", "b1"])
  expect(await otherTab.evaluate("app.heldUp()")).toContainEqual(["a1 sending", "b1 queued"])
  expect(await otherTab.evaluate("app.state().isBlocked")).toBe(false)
  await act(otherTab, "retry")
  await expect.poll(done).toEqual(["a1", "b1", "a1"])
  await open.accept()
  for (const page of [tab, otherTab]) await shows(page, [])
  expect([done(), platform.effects[2]?.key]).toEqual([["a1", "b1", "a1"], platform.effects[0]?.key])
})

test("a tab that stood still between its claim and its request sends nothing that another has sent since", async () => {
  const [otherTab, tab] = [await openTab(), await openTab()]
  await letOtherClaim(otherTab)
  await tab.evaluate(`{
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (entry) {
      if (entry.state === "sending") {
        IDBObjectStore.prototype.put = put
        // Before the outbox hears of it: within another transaction, it would hold the database up.
        const { oncomplete } = this.transaction
        this.transaction.oncomplete = (event) => { alert("stands still"); oncomplete(event) }
      }
      return put.call(this, entry)
    }
  }`)
  const dialog = tab.waitForEvent("dialog")
  await tab.evaluate("void app.write('a1')")
  const open = await dialog
  await otherTab.evaluate("claimed()")
  expect(platform.arrivedIds).toEqual([])
  await shows(otherTab, ["a1 unknown"])
  await act(otherTab, "retry")
  await expect.poll(done).toEqual(["a1"])
  await open.accept()
  await write(tab, "b1")
  for (const page of [tab, otherTab]) await shows(page, [])
  expect(platform.arrivedIds).toEqual(["a1", "b1"])
})

test("a deletion of the database that another page holds up makes a write fail, and not hang; what was kept is reported as deleted", async () => {
  const [tab, otherTab] = [await openTab(), await openTab()]
  await context.setOffline(true)
  await write(tab, "a1")
  await shows(otherTab, ["a1 queued"])
  await otherTab.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open("quartet-outbox desk")
    request.onsuccess = () => { globalThis.database = request.result; resolve() }
  })`)
  // The browser says that it is held up once every page has heard of it.
  await otherTab.evaluate(`new Promise((resolve) => {
    indexedDB.deleteDatabase("quartet-outbox desk").onblocked = () => resolve()
  })`)
  expect(await write(tab, "a2")).toEqual({ status: "error", reason: "Blocked" })
  expect(await tab.evaluate("app.state().error.reason")).toBe("Blocked")
  await otherTab.evaluate("database.close()")
  await expect.poll(() => tab.evaluate("app.state().error?.reason"), { timeout: patience }).toBe("Deleted")
  expect(await write(tab, "a3")).toEqual({ status: "queued" })
  await context.setOffline(false)
  for (const page of [tab, otherTab]) await shows(page, [])
  expect(done()).toEqual(["a3"])
})

test("while the platform is down and the browser says that it is online, a probe keeps all of it queued", async () => {
  const tab = await openTab("?probe")
  await platform.stop()
  await write(tab, "a1")
  await tab.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
  await shows(tab, ["a1 queued"])
  await platform.start()
  await tab.reload()
  await shows(tab, [])
  expect([platform.arrivedIds, done()]).toEqual([["a1"], ["a1"]])
})

test("what the platform refuses stays, and is shown after a reload", async () => {
  const tab = await openTab()
  platform.set("refuses")
  await write(tab, "a1")
  await shows(tab, ["a1 failed"])
  await tab.reload()
  await shows(tab, ["a1 failed"])
  expect(await tab.evaluate("app.state().entries[0].error._tag")).toBe("Conflict")
})

test("a file is kept with its bytes, its name and its type", async () => {
  const tab = await openTab()
  await context.setOffline(true)
  expect(await tab.evaluate("app.upload('the bytes of a file')")).toEqual({ status: "queued" })
  await tab.close()
  await context.setOffline(false)
  await openTab()
  await expect.poll(() => platform.effects.length).toBe(1)
  expect(platform.effects[0]?.body).toContain('filename="a.txt"')
  expect(platform.effects[0]?.body).toContain("Content-Type: text/plain")
  expect(platform.effects[0]?.body).toContain("the bytes of a file")
})

/** A tab with a file that somebody has chosen: a reference to the disk. */
const openWithFile = async (): Promise<{ readonly tab: Page; readonly chosen: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "outbox-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const chosen = join(folder, "plan.txt")
  await writeFile(chosen, "first content")
  // Some compare seconds: it was written long before.
  await utimes(chosen, 1, 1)
  const tab = await openTab()
  await tab.evaluate(
    "document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'chosen' }))"
  )
  // The browser's own way: playwright would hand a copy over.
  const devtools = await context.newCDPSession(tab)
  const { result } = await devtools.send("Runtime.evaluate", { expression: "chosen" })
  await devtools.send("DOM.setFileInputFiles", { files: [chosen], objectId: String(result.objectId) })
  await context.setOffline(true)
  return { tab, chosen }
}
const become = (how: "changed" | "deleted", chosen: string): Promise<void> =>
  how === "changed" ? writeFile(chosen, "saved again, and longer") : rm(chosen)

test.each(["changed", "deleted"] as const)(
  "a chosen file that is %s after it was kept is sent as it was chosen",
  async (how) => {
    const { chosen, tab } = await openWithFile()
    expect(await tab.evaluate("app.uploadChosen()")).toMatchObject({ status: "queued" })
    await become(how, chosen)
    await context.setOffline(false)
    await shows(tab, [])
    expect(platform.effects.map(({ body }) => body)).toEqual([expect.stringContaining("first content")])
    expect(platform.effects[0]?.body).toContain('filename="plan.txt"')
    expect(platform.effects[0]?.body).toContain("Content-Type: text/plain")
  }
)

test.each([
  ["changed", "known"],
  ["changed", "not known"],
  ["deleted", "known"],
  ["deleted", "not known"]
] as const)(
  "a chosen file that is %s before it is kept (its size was %s) is an InputError of its field: nothing is kept or sent",
  async (how, size) => {
    const { chosen, tab } = await openWithFile()
    if (size === "known") expect(await tab.evaluate("chosen.files[0].size")).toBe(13)
    await become(how, chosen)
    expect(await tab.evaluate("app.uploadChosen()")).toMatchObject({
      status: "error",
      tag: "InputError",
      field: "file"
    })
    await context.setOffline(false)
    await tab.reload()
    await shows(tab, [])
    expect(platform.arrivedIds).toEqual([])
  }
)

test("a probe that throws is shown while entries wait for it", async () => {
  const tab = await openTab("?broken-probe")
  expect(await write(tab, "a1")).toEqual({ status: "queued" })
  await expect
    .poll(() =>
      tab.evaluate("[app.state().status, app.state().error?.reason, app.state().error?.cause.message]")
    )
    .toEqual(["ready", "Probe", "at fault"])
  expect([await entries(tab), platform.arrivedIds]).toEqual([["a1 queued"], []])
})

test.each([
  ["has no IndexedDB", "Object.defineProperty(window, 'indexedDB', { value: undefined })", "Unsupported"],
  ["has no Web Locks", "Object.defineProperty(navigator, 'locks', { value: undefined })", "Unsupported"],
  [
    "forbids it",
    "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }",
    "Forbidden"
  ],
  [
    "has no room left",
    // As a browser ends a transaction that the quota does not allow.
    `const add = IDBObjectStore.prototype.add
    IDBObjectStore.prototype.add = function (value) {
      const request = add.call(this, value)
      const error = new DOMException("full", "QuotaExceededError")
      Object.defineProperty(this.transaction, "error", { value: error })
      this.transaction.abort()
      return request
    }`,
    "Quota"
  ],
  [
    "fails over it",
    "IDBObjectStore.prototype.add = () => { throw new DOMException('no', 'UnknownError') }",
    "Storage"
  ]
])("in a browser that %s, a write fails with a typed error, and is not sent", async (_, change, reason) => {
  await context.addInitScript(change)
  const tab = await openTab()
  expect(await write(tab, "a1")).toEqual({ status: "error", reason })
  expect(platform.arrivedIds).toEqual([])
})

test("a database that a newer page has upgraded is not touched, and said to be so", async () => {
  const tab = await openTab()
  await context.setOffline(true)
  await write(tab, "a1")
  const upgraded = await tab.evaluate(
    `new Promise((resolve, reject) => {
      const request = indexedDB.open("quartet-outbox desk", 2)
      request.onsuccess = () => { request.result.close(); resolve("upgraded") }
      request.onblocked = () => reject(new Error("blocked"))
      request.onerror = () => reject(request.error)
    })`
  )
  expect(upgraded).toBe("upgraded")
  expect(await write(tab, "a2")).toEqual({ status: "error", reason: "Newer" })
  expect(await tab.evaluate("app.state().status")).toBe("error")
  expect(platform.arrivedIds).toEqual([])
})

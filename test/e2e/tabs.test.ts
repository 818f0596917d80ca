// One session over tabs in a real browser: its locks, its channels, its storage, and what happens to tabs there.

import { accounts } from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import { Effect, Exit, Scope } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { connect } from "./browser.js"
import { bundled, path } from "./program.js"
import { patience } from "./stage.js"

/** An app in each tab: a Promise client, and a query client as React's hooks use it. */
const app = `
  import * as Tabs from ${path("adapters/tabs/index.ts")}
  import * as FetchTransport from ${path("adapters/fetch/index.ts")}
  import * as Admin from ${path("clients/admin/index.ts")}
  import * as requests from ${path("clients/admin/requests.ts")}
  import { createAdmin, signOut } from ${path("clients/promise/admin.ts")}
  import { makeQueryClient, makeRegistry } from ${path("ui/rx/index.ts")}
  import * as Layer from "effect/Layer"

  const address = { baseUrl: location.origin, projectId: ${JSON.stringify(accounts.projectId)} }
  const tabs = Tabs.make({ name: "desk" })
  const outcome = (promise) => promise.then(() => "done", (error) => error._tag + " " + (error.reason ?? ""))

  globalThis.client = (account) => {
    const admin = createAdmin({ ...address, ...(account ?? tabs.session()), sessionStore: tabs.store })
    globalThis.call = () => outcome(admin(requests.list, { limit: 1 }))
    globalThis.signOut = () => signOut(admin)
  }

  globalThis.show = () => {
    const client = makeQueryClient(
      (credentials) => Layer.provide(Admin.layer({ ...address, ...credentials }), [FetchTransport.layer, tabs.layer]),
      { tabs }
    )
    const registry = makeRegistry()
    globalThis.seen = []
    registry.subscribe(client.session, (state) => seen.push(state.identity?.admin.email ?? state.status), { immediate: true })
    Object.assign(globalThis, client.session.actions(registry))
  }
`

const account = { email: accounts.admin.email, password: accounts.admin.password }
const otherAccount = { email: accounts.viewer.email, password: accounts.viewer.password }

describe("one session over the tabs of a browser", () => {
  const scope = Effect.runSync(Scope.make())
  let sandbox: Server.Served
  let browser: Browser
  let program = ""
  let context: BrowserContext

  beforeAll(async () => {
    sandbox = await Effect.runPromise(Scope.extend(Server.serve({ port: 0, seed: 1 }), scope))
    program = await bundled(app, { minify: true })
    browser = await connect()
  }, patience)
  afterAll(async () => {
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
  beforeEach(async () => {
    sandbox.control.clear()
    context = await browser.newContext()
    context.setDefaultTimeout(patience)
    return () => context.close()
  })

  const load = async (page: Page): Promise<Page> => {
    await page.goto(sandbox.url)
    await page.evaluate(program)
    return page
  }
  const open = async (): Promise<Page> => load(await context.newPage())
  const openAll = (count: number) => Promise.all(Array.from({ length: count }, open))
  const signIns = (): number =>
    sandbox.control.log().filter(({ operation }) => operation === "auth.login").length
  const run = <A>(page: Page, expression: string): Promise<A> => page.evaluate(expression)
  const start = (page: Page, credentials: object | undefined = account) =>
    run(page, `client(${JSON.stringify(credentials)})`)
  const call = (page: Page): Promise<string> => run(page, "call()")
  const stored = (page: Page): Promise<string> => run(page, "JSON.stringify({ ...localStorage })")

  test("is opened once by tabs that begin at once, and renewed once, time and again", async () => {
    const pages = await openAll(3)
    for (const page of pages) await start(page)
    for (let round = 1; round <= 4; round++) {
      expect(await Promise.all(pages.map(call))).toEqual(["done", "done", "done"])
      expect(signIns()).toBe(round)
      sandbox.control.expireSessions()
    }
  })

  test("is taken up by a page that was reloaded, also after another tab has renewed it", async () => {
    const [first, second] = [await open(), await open()]
    await start(first)
    expect(await call(first)).toBe("done")
    await start(second, undefined)
    expect(await call(second)).toBe("done")
    sandbox.control.expireSessions()
    expect(await Promise.all([call(first), call(second), call(second)])).toEqual(["done", "done", "done"])
    expect(signIns()).toBe(2)
    await load(second)
    await start(second, undefined)
    expect(await call(second)).toBe("done")
    expect(signIns()).toBe(2)
  })

  test("is opened by the next tab where the one that opens it is closed", async () => {
    const [first, second] = [await open(), await open()]
    for (const page of [first, second]) await start(page)
    // What it sends is never answered.
    await first.route(/login/, () => undefined)
    const signInRequest = first.waitForRequest(/login/)
    const lost = call(first).catch(() => "closed")
    await signInRequest
    const next = call(second)
    const waiting = () => run(second, "navigator.locks.query().then(({ pending }) => pending.length)")
    await expect.poll(waiting).toBe(1)
    await first.close()
    expect([await lost, await next]).toEqual(["closed", "done"])
  })

  test("ends in all tabs with a sign-out, also in one that was frozen meanwhile, and nothing of it is kept", async () => {
    const pages = await openAll(3)
    for (const page of pages) {
      await start(page)
      await call(page)
    }
    const [first, second, frozen] = pages
    if (first === undefined || second === undefined || frozen === undefined) expect.unreachable()
    const lifecycle = await context.newCDPSession(frozen)
    await lifecycle.send("Page.setWebLifecycleState", { state: "frozen" })
    await run(first, "signOut()")
    await lifecycle.send("Page.setWebLifecycleState", { state: "active" })
    const before = sandbox.control.log().length
    for (const page of [second, frozen]) await expect.poll(() => call(page)).toBe("CredentialsError Missing")
    expect([sandbox.control.log().length, signIns()]).toEqual([before, 1])
    expect(await stored(first)).not.toContain("sessionId")
    expect(await call(first)).toBe("done")
    await expect.poll(() => call(second)).toBe("done")
    expect(signIns()).toBe(2)
  })

  const seen = (page: Page): Promise<string> => run(page, "seen.at(-1)")
  const signIn = (page: Page, who: object): Promise<unknown> => run(page, `signIn(${JSON.stringify(who)})`)

  test.each(["all that there is", "no BroadcastChannel", "no locks"])(
    "is shown by query clients, with %s: a sign-in, a reload, somebody else, a sign-out",
    async (what) => {
      if (what === "no BroadcastChannel") await context.addInitScript("delete globalThis.BroadcastChannel")
      if (what === "no locks")
        await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })")
      const pages = await openAll(2)
      const [first, second] = pages
      if (first === undefined || second === undefined) expect.unreachable()
      for (const page of pages) await run(page, "show()")
      const expectAll = async (state: string) => {
        for (const page of pages) await expect.poll(() => seen(page)).toBe(state)
      }
      await expectAll("signed-out")
      await signIn(first, account)
      await expectAll(account.email)
      await load(second)
      await run(second, "show()")
      await expectAll(account.email)
      expect(await run(second, "seen[0]")).toBe("signing-in")
      expect(signIns()).toBe(1)
      await signIn(second, otherAccount)
      await expectAll(otherAccount.email)
      await run(first, "signOut()")
      await expectAll("signed-out")
      expect(await stored(second)).not.toContain("sessionId")
      expect(signIns()).toBe(2)
    }
  )
})

// Sessions that a browser keeps as cookies, in a real page: what no script can read is sent where it belongs, and nothing is sent in its place.

import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@quartet/support/servers.js"
import { expect, onTestFinished, test } from "vitest"
import { connect } from "./browser.js"
import { bundled, path } from "./program.js"
import { patience } from "./stage.js"

/** What a platform heard of one call. */
interface Heard {
  readonly path: string
  readonly cookies: ReadonlyArray<string>
  readonly authorization: string | undefined
  readonly body: string
}

/** A platform whose session and refresh token are cookies that no script can read, and whose token ends when it is told to. */
const platform = async () => {
  const heard: Array<Heard> = []
  let issued = 0
  let present = ""
  const server = createServer(async (request, response) => {
    const { authorization, cookie = "" } = request.headers
    const { pathname } = new URL(request.url ?? "", "http://any.test")
    const cookies = cookie === "" ? [] : cookie.split("; ")
    const answer = (value: unknown, status = 200, setCookie: ReadonlyArray<string> = []) => {
      response.writeHead(status, { "content-type": "application/json", "set-cookie": [...setCookie] })
      response.end(JSON.stringify(value))
    }
    const open = () => {
      issued += 1
      present = `opaque-token-${issued}`
      answer({ accessToken: present, user: { _id: "a1", email: "ada@example.com" } }, 200, [
        `sid=session-${issued}; Path=/; HttpOnly; SameSite=Lax`,
        `rt=refresh-${issued}; Path=/api/auth/renew; HttpOnly; SameSite=Lax`
      ])
    }
    if (!pathname.startsWith("/api")) {
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<!doctype html><title>Desk</title>")
      return
    }
    heard.push({ path: pathname.slice(4), cookies, authorization, body: await text(request) })
    if (pathname === "/api/auth/admin/login") return open()
    if (pathname === "/api/auth/renew")
      return cookies.includes(`rt=refresh-${issued}`) ? open() : answer({ message: "no token" }, 401)
    const isKnown =
      authorization === undefined
        ? cookies.includes(`sid=session-${issued}`)
        : authorization === `Bearer ${present}`
    return isKnown ? answer({ _id: "u1" }) : answer({ message: "ended" }, 401)
  })
  const { close, url } = await listen(server)
  onTestFinished(close)
  return {
    heard,
    url,
    end: () => {
      present = "none"
    }
  }
}

const program = `
  import * as Platform from ${path("core/platform/index.ts")}
  import * as Tabs from ${path("adapters/tabs/index.ts")}
  import { createAdminClient } from ${path("clients/promise/index.ts")}
  const store = Tabs.make({ name: "desk" }).store
  globalThis.clientOf = (definition, credentials) =>
    createAdminClient({
      baseUrl: location.origin + "/api",
      projectId: "p1",
      platform: Platform.make(definition),
      logDrift: false,
      ...(credentials.password === undefined ? {} : { sessionStore: store }),
      ...credentials
    })
  globalThis.read = (client) => client.users.get({ id: "u1" }).then(({ _id }) => _id, String)
`

const account = `{ email: "ada@example.com", password: "a good password" }`
/** The same admin, of whom the page does not know the password any more. */
const forgotten = account.replace("a good password", "forgotten")

const opened = async (url: string) => {
  const [browser, code] = [await connect(), await bundled(program)]
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  /** Opens the page, or again, as a reload does: nothing of the program is left. */
  const load = async () => {
    await page.goto(url)
    await page.evaluate(code)
  }
  await load()
  return { load, page }
}

test("a refresh token in a cookie renews the session of a page, whose access token is no cookie", {
  timeout: 2 * patience
}, async () => {
  const { end, heard, url } = await platform()
  const { load, page } = await opened(url)
  const definition = `{
    token: "opaque",
    signIn: { legacy: false, admin: { sessionId: false, refreshToken: { cookie: "rt" } }, refresh: { path: "auth/renew", field: "rt" } },
    credentials: { session: false }
  }`
  await page.evaluate(`globalThis.admin = clientOf(${definition}, ${account})`)
  expect(await page.evaluate("read(admin)")).toBe("u1")
  for (let ends = 0; ends < 2; ends++) {
    end()
    expect(await page.evaluate("read(admin)")).toBe("u1")
  }
  end()
  await load()
  expect(await page.evaluate(`read(clientOf(${definition}, ${forgotten}))`)).toBe("u1")
  expect(heard.map(({ path }) => path)).toEqual([
    "/auth/admin/login",
    "/auth/user/u1",
    ...["/auth/user/u1", "/auth/renew", "/auth/user/u1"],
    ...["/auth/user/u1", "/auth/renew", "/auth/user/u1"],
    ...["/auth/user/u1", "/auth/renew", "/auth/user/u1"]
  ])
  for (const { body, cookies, path } of heard)
    if (path === "/auth/renew") {
      expect(cookies).toEqual(expect.arrayContaining([expect.stringMatching(/^rt=refresh-\d$/)]))
      expect(body).toBe("{}")
    } else if (path !== "/auth/admin/login") expect(cookies).toEqual([])
  expect(JSON.stringify(heard)).not.toContain("kept-by-the-runtime")
})

test("an admin whose session is a cookie goes on after a reload, and nobody signs in", {
  timeout: 2 * patience
}, async () => {
  const { heard, url } = await platform()
  const definition = `{
    token: "opaque",
    signIn: { legacy: false },
    credentials: { accessToken: false, session: { cookie: "sid" } }
  }`
  const { load, page } = await opened(url)
  const makes = `try { clientOf(${definition}, { sessionId: "", email: "ada@example.com" }) } catch (error) { String(error) }`
  expect(await page.evaluate(makes)).toContain("password")
  expect(await page.evaluate(`read(clientOf(${definition}, ${account}))`)).toBe("u1")
  for (const credentials of [`{ sessionId: "", accessToken: "" }`, `{ sessionId: "" }`]) {
    await load()
    expect(await page.evaluate(`read(clientOf(${definition}, ${credentials}))`)).toBe("u1")
  }
  expect(heard.map(({ authorization, cookies, path }) => [path, cookies, authorization])).toEqual([
    ["/auth/admin/login", [], undefined],
    ...Array(3).fill(["/auth/user/u1", ["sid=session-1"], undefined])
  ])
})

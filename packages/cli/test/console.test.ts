/** `quartet console` as a program of its own: it serves the page, passes the page's calls on, and lets nobody else in. */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { dirname, join } from "node:path"
import { accounts } from "@quartet/sandbox"
import * as SocketIo from "@quartet/sdk/adapters/socket"
import * as Undici from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import { eventually } from "@quartet/support/eventually.js"
import { quartet } from "@quartet/support/quartet.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { type Exchange, listen } from "@quartet/support/scripted-server.js"
import { nobody } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { beforeAll, describe, expect, it } from "vitest"

const { ended, program, run, said, start } = quartet()
const sandbox = servedSandbox()
const folder = temporaryFolder("console")

/** A page in the place of the built one: what it does in a browser is tested with the built one. */
beforeAll(() => {
  const pages = join(dirname(program()), "console")
  mkdirSync(join(pages, "assets"), { recursive: true })
  writeFileSync(
    join(pages, "index.html"),
    "<!doctype html><html><head></head><body>the console</body></html>"
  )
  writeFileSync(join(pages, "assets", "main.js"), "export {}")
})

/** Serves it with these words and variables while something is done with its address. */
const serving = async <A>(
  words: ReadonlyArray<string>,
  work: (url: string) => Promise<A>,
  env: Readonly<Record<string, string>> = {}
): Promise<A> => {
  const child = start(["console", "--port", "0", ...words], { cwd: folder, env })
  const end = ended(child)
  try {
    return await work(await said(child, / is at (http:\S+)/))
  } finally {
    child.kill("SIGTERM")
    expect(await end).toMatchObject({ code: 0, stderr: "" })
  }
}

/** The answer to a request with headers that `fetch` would not send. */
const answerTo = (url: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  new Promise<IncomingMessage>((done, fail) => {
    request(url, { headers, method }, (answer) => done(answer.resume()))
      .on("error", fail)
      .end()
  })

const statusOf = async (url: string, headers: Readonly<Record<string, string>>) =>
  (await answerTo(url, headers)).statusCode

describe("quartet console", () => {
  it("serves the page at every address, with the platform, the project and the key that the environment names, and no secret", async () => {
    const env = {
      QUARTET_PROJECT_ID: accounts.projectId,
      QUARTET_API_KEY: accounts.apiKey,
      QUARTET_PRIVATE_KEY: accounts.privateKey,
      QUARTET_PASSWORD: accounts.admin.password
    }
    const text = await serving(
      ["--base-url", sandbox().url],
      async (url) => {
        const [page, deep] = [await fetch(url), await fetch(`${url}/requests/r1`)]
        const text = await page.text()
        expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
        expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'")
        expect(await deep.text()).toBe(text)
        expect((await fetch(`${url}/assets/none.js`)).status).toBe(404)
        return text
      },
      env
    )
    const [, content = ""] = /<meta name="quartet-configuration" content="([^"]*)"/.exec(text) ?? []
    expect(JSON.parse(content.replaceAll("&quot;", '"'))).toEqual({
      baseUrl: "/platform",
      platform: sandbox().url,
      projectId: accounts.projectId,
      apiKey: accounts.apiKey
    })
    expect(text).not.toContain(accounts.privateKey)
    expect(text).not.toContain(accounts.admin.password)
  })

  /** Packages of the folder, which its modules import. */
  const install = (name: string, text: string): void => {
    const home = join(folder, "node_modules", name)
    mkdirSync(home, { recursive: true })
    writeFileSync(
      join(home, "package.json"),
      '{"type":"module","exports":{".":"./index.js","./platform":"./index.js"}}'
    )
    writeFileSync(join(home, "index.js"), text)
  }
  beforeAll(() => {
    install("@quartet/sdk", "export const make = (definition) => definition\n")
    install("effect", "export {}\n")
  })

  /** Writes a module, and gives the options that name it. */
  const value = (name: string, text: string): ReadonlyArray<string> => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    return ["--base-url", sandbox().url, "--platform", name]
  }

  it("serves the module that says how the platform differs, what it imports beside it, and what stands for the SDK", async () => {
    const entry =
      'import * as Platform from "@quartet/sdk/platform"\nimport { lists } from "./parts/lists.mjs"\nexport default Platform.make({ lists })\n'
    value("own/parts/lists.mjs", 'export const lists = { items: "data" }\n')
    value("own/other.mjs", "export {}")
    await serving(value("own/quartet.platform.mjs", `// import "effect"\n${entry}`), async (url) => {
      const page = await fetch(url)
      const text = await page.text()
      const [, map = ""] = /<script type="importmap">(.*?)<\/script>/.exec(text) ?? []
      const digest = createHash("sha256").update(map).digest("base64")
      expect(page.headers.get("content-security-policy")).toContain(`script-src 'self' 'sha256-${digest}';`)
      expect(text).toContain("/quartet.platform/quartet.platform.mjs")
      const sdk: string = JSON.parse(map).imports["@quartet/sdk/platform"]
      for (const path of [
        sdk,
        "/quartet.platform/quartet.platform.mjs",
        "/quartet.platform/parts/lists.mjs"
      ]) {
        const answer = await fetch(url + path)
        expect([answer.status, answer.headers.get("content-type")]).toEqual([
          200,
          "text/javascript; charset=utf-8"
        ])
      }
      expect((await fetch(`${url}/quartet.platform/other.mjs`)).status).toBe(404)
    })
  })

  it.each([
    ["a package", 'import "effect"\nexport default {}', "imports effect, which a page does not have"],
    [
      "a file outside its folder",
      'import "../up.mjs"\nexport default {}',
      "imports ../up.mjs, outside its folder"
    ],
    ["no module", 'export { default } from "./data.json" with { type: "json" }', "is no .js or .mjs file"],
    ["nothing, and breaks a rule", "export default { lists: { itmes: 1 } }", "platform.lists.itmes"]
  ])("refuses a module that imports %s", async (_, text, says) => {
    value("up.mjs", "export {}")
    value("refused/data.json", "{}")
    const { code, stderr } = await run(["console", ...value("refused/platform.mjs", text)], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain(says)
  })

  it("passes the calls and the chat of a client on to the platform", () =>
    serving(["--base-url", sandbox().url], (url) => {
      const client = Admin.layer({
        baseUrl: `${url}/platform`,
        projectId: accounts.projectId,
        apiKey: accounts.apiKey,
        ...accounts.admin
      })
      const talk = Effect.gen(function* () {
        const { items } = yield* Admin.conversations.list({ limit: 1 })
        const heard: Array<string | null | undefined> = []
        const chat = yield* Admin.chat.open({ onMessage: ({ text }) => void heard.push(text) })
        const id = items[0]?._id ?? ""
        yield* chat.send({ conversationId: id, text: "Through the console" })
        yield* Effect.promise(() => eventually(() => expect(heard).toContain("Through the console")))
      })
      return Effect.runPromise(
        Effect.scoped(talk).pipe(
          Effect.provide(Layer.provideMerge(client, Layer.merge(Undici.layer, SocketIo.layer)))
        )
      )
    }))

  it("sends the legacy calls to the legacy service, and says to neither from which page they come", async () => {
    const [api, legacy] = [await listen(), await listen()]
    const heard: Array<readonly [service: string, target: string, headers: object]> = []
    const play = (service: string) => (exchange: Exchange) => {
      const { headers } = exchange.response.req
      heard.push([service, exchange.target, headers])
      exchange.json({ items: [] })
    }
    api.play(play("api"))
    legacy.play(play("legacy"))
    await serving(["--base-url", `${api.url}/v9`, "--legacy-url", legacy.url], async (url) => {
      const headers = { origin: url, referer: `${url}/requests`, cookie: "a=1", "x-api-key": "k" }
      expect(await statusOf(`${url}/platform/v1/box?limit=2`, headers)).toBe(200)
      expect(await statusOf(`${url}/platform/project/p1`, headers)).toBe(200)
    })
    await Promise.all([api.close(), legacy.close()])
    expect(heard.map(([service, target]) => [service, target])).toEqual([
      ["api", "/v9/v1/box?limit=2"],
      ["legacy", "/project/p1"]
    ])
    for (const [, , headers] of heard) {
      expect(headers).toMatchObject({ "x-api-key": "k" })
      for (const name of ["origin", "referer", "cookie"]) expect(headers).not.toHaveProperty(name)
    }
  })

  /** The requests that a platform hears while the console is served for it with a module of its own. */
  const hearing = async (
    module: string,
    work: (url: string, heard: ReadonlyArray<IncomingMessage>) => Promise<void>,
    hostname = "127.0.0.1"
  ): Promise<void> => {
    const platform = await listen()
    const heard: Array<IncomingMessage> = []
    platform.play(({ json, response }) => {
      heard.push(response.req)
      response.setHeader("set-cookie", [
        "sid=s1; Domain=127.0.0.1; Path=/v1; Secure; HttpOnly; SameSite=None; Max-Age=60",
        "__Host-mark=m1; Path=/; Secure",
        "proof=p1; Expires=Wed, 01 Jan 2098 00:00:00 GMT"
      ])
      json({ items: [] })
    })
    const options = value("carried/quartet.platform.mjs", `export default ${module}`)
    const { port } = new URL(platform.url)
    await serving(
      [...options.slice(2), "--base-url", `http://${hostname}:${port}`],
      (url) => work(url, heard),
      { QUARTET_PROJECT_ID: "1" }
    ).finally(platform.close)
  }

  const cookies =
    '{ credentials: { accessToken: false, session: { cookie: "sid" }, csrf: { header: "X-Proof", cookie: "proof" } } }'

  it("has the page's browser keep the platform's cookies, and gives those alone back, with the header that proves a write", () =>
    hearing(cookies, async (url, heard) => {
      const call = `${url}/platform/v1/box`
      const set = (await answerTo(call, { cookie: "sid=guessed; other=1" })).headers["set-cookie"]
      expect(set).toEqual([
        "sid=s1; Path=/; SameSite=Strict; Max-Age=60; HttpOnly",
        "__Host-mark=m1; Path=/; SameSite=Strict; Secure",
        "proof=p1; Path=/; SameSite=Strict; Expires=Wed, 01 Jan 2098 00:00:00 GMT"
      ])
      const kept = { cookie: "other=1; sid=s1; sid=another; proof=p1" }
      await answerTo(call, kept)
      await answerTo(call, kept, "POST")
      await answerTo(`${url}/api_private/v1/chat/?EIO=4&transport=polling`, kept)
      expect(heard.map(({ headers }) => [headers.cookie, headers["x-proof"]])).toEqual([
        [undefined, undefined],
        ["sid=s1; proof=p1", undefined],
        ["sid=s1; proof=p1", "p1"],
        ["sid=s1; proof=p1", undefined]
      ])
    }))

  it("sends a project's calls to its host, and to no host that is none of the platform's", () =>
    hearing(
      '{ credentials: { project: { host: "127.0.0.{projectId}" } } }',
      async (url, heard) => {
        const call = `${url}/platform/v1/box`
        expect(await statusOf(call, { "x-quartet-host": "127.0.0.1" })).toBe(200)
        expect(await statusOf(call, {})).toBe(200)
        for (const host of ["evil.test", "127.0.0.1.evil.test", "127.0.0.1:80", "127x0.0.1"])
          expect(await statusOf(call, { "x-quartet-host": host })).toBe(400)
        expect(heard.map(({ headers }) => headers.host?.split(":")[0])).toEqual(["127.0.0.1", "localhost"])
        for (const { headers } of heard) expect(headers).not.toHaveProperty("x-quartet-host")
      },
      "localhost"
    ))

  it("answers this machine alone: no other host, and no page of another origin", () =>
    serving(["--base-url", sandbox().url], async (url) => {
      const key = { "x-api-key": accounts.apiKey }
      for (const path of ["/", "/platform/project/self", "/api_private/v1/chat/?EIO=4&transport=polling"]) {
        expect(await statusOf(url + path, { ...key, host: "evil.test" })).toBe(403)
        expect(await statusOf(url + path, { ...key, origin: "https://evil.test" })).toBe(403)
        expect(await statusOf(url + path, { ...key, origin: "http://localhost:1" })).toBe(403)
      }
    }))

  it("says that the platform cannot be reached, and stays", async () => {
    await serving(["--base-url", await nobody()], async (url) => {
      const answer = await fetch(`${url}/platform/project/self`)
      expect(answer.status).toBe(502)
      expect(await answer.json()).toEqual({
        message: "quartet console cannot reach the platform: ECONNREFUSED"
      })
      expect((await fetch(url)).status).toBe(200)
    })
  })

  it.each([
    [[], "the console needs to know the platform", "quartet console --base-url https://api.example.com"],
    [["--base-url", "api.example.com"], "--base-url must", "https://api.example.com"],
    [["--base-url", "https://me:Secr3t@api.example.com"], "--base-url must", "https://api.example.com"],
    [["--base-url", "https://a.test", "--port", "70000"], "--port must be a whole number", "--help"]
  ])("refuses %j with code 2 and what to do", async (words, says, next) => {
    const { code, stderr } = await run(["console", ...words], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain(says)
    expect(stderr).toContain(next)
    expect(stderr).not.toContain("Secr3t")
  })

  it("says that a port is taken", async () => {
    await serving(["--base-url", sandbox().url], async (url) => {
      const { port } = new URL(url)
      const { code, stderr } = await run(["console", "--port", port, "--base-url", sandbox().url], {
        cwd: folder
      })
      expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${port} is in use`)])
    })
  })
})

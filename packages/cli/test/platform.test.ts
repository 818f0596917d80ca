/** Where a command finds what is said of the platform, what it makes of a module, and that its clients speak so. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import * as Admin from "@quartet/sdk/admin/client"
import { readerOfPlatform } from "@quartet/sdk/extend"
import * as Platform from "@quartet/sdk/platform"
import * as DefaultTransport from "@quartet/sdk/transport"
import { removeFolder, root } from "@quartet/support/files.js"
import { jwt } from "@quartet/support/jwt.js"
import { quartet } from "@quartet/support/quartet.js"
import { listen } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { secretsOf } from "../mcp/calls.js"
import { find, load, read } from "../platform.js"

const { run } = quartet()
const folder = temporaryFolder("platform")
let count = 0

/** A folder with these files; a folder stands for each part of their names. */
const project = (files: Readonly<Record<string, string>>): string => {
  count += 1
  const home = join(folder, String(count))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, ".."), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return home
}

const ended = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.either(effect))

const manifest = (field: unknown) => JSON.stringify({ name: "app", quartet: field })
const said = manifest({ platform: "./quartet.platform.mjs" })

describe("what is said of the platform", () => {
  it("is nothing where nobody names a module, also beside one of the usual name", async () => {
    const home = project({ "package.json": "{}", "quartet.platform.mjs": "export default {}" })
    expect(await ended(find(Option.none(), home))).toMatchObject({ _tag: "Right", right: undefined })
  })

  it("is in the module of the nearest package.json, seen from there", async () => {
    const home = project({
      "package.json": manifest({ platform: "./other.mjs" }),
      "app/package.json": said,
      "app/src/deep/index.js": ""
    })
    expect(await ended(find(Option.none(), join(home, "app/src/deep")))).toMatchObject({
      right: { file: join("..", "..", "quartet.platform.mjs"), path: join(home, "app/quartet.platform.mjs") }
    })
  })

  it("is nothing where the nearest package.json names none, whatever one further up does", async () => {
    const home = project({ "package.json": said, "app/package.json": "{}" })
    expect(await ended(find(Option.none(), join(home, "app")))).toMatchObject({
      _tag: "Right",
      right: undefined
    })
  })

  it("is in the module that --platform names before all, without a look at package.json", async () => {
    const home = project({ "package.json": "no JSON" })
    expect(await ended(find(Option.some("mine.mjs"), home))).toMatchObject({
      right: { file: "mine.mjs", path: join(home, "mine.mjs") }
    })
  })

  it.each([
    ["no JSON", "package.json is no JSON"],
    [manifest("x"), "package.json must have an object in its field `quartet`"],
    [manifest({ platfrom: "./x.mjs" }), "package.json has an unknown field quartet.platfrom"],
    [manifest({ platform: 7 }), "package.json must name a file in its field quartet.platform"],
    [manifest({ platform: "" }), "package.json must name a file in its field quartet.platform"]
  ])("is refused where package.json is %s", async (text, message) => {
    const home = project({ "package.json": text })
    expect(await ended(find(Option.none(), home))).toMatchObject({
      left: { _tag: "Problem", message, code: 2 }
    })
  })
})

describe("a module that says how the platform differs", () => {
  const loaded = (text: string, name = "quartet.platform.mjs") =>
    ended(load({ file: name, path: join(project({ [name]: text }), name) }))

  it("may export the plain object that Platform.make takes", async () => {
    const result = await loaded('export default { lists: { items: "data" } }')
    expect(result).toMatchObject({ _tag: "Right", right: { file: "quartet.platform.mjs" } })
    expect(result._tag === "Right" && readerOfPlatform(result.right.platform)).toBeTypeOf("function")
  })

  it("exports what Platform.make answers, by the name that a program imports it by", async () => {
    // Where the packages of this repository are found by their names.
    mkdirSync(join(root, ".cache"), { recursive: true })
    const home = mkdtempSync(join(root, ".cache", "platform-"))
    onTestFinished(() => removeFolder(home))
    const path = join(home, "platform.js")
    writeFileSync(
      path,
      'import * as Platform from "@quartet/sdk/platform"\nexport default Platform.make({ dates: "seconds" })\n'
    )
    const result = await ended(load({ file: "platform.js", path }))
    expect(result._tag === "Right" && readerOfPlatform(result.right.platform)).toBeTypeOf("function")
  })

  it.each([
    ["throws", '\nthrow new TypeError("no")', "cannot be loaded: it throws a TypeError", "Run it with node"],
    ["throws a text", 'throw "no"', "cannot be loaded: it throws something else", "Run it with node"],
    ["is no JavaScript", "export default {", "cannot be loaded: it throws", "Run it with node"],
    ["exports no default", "export const platform = {}", "has no default export", "Export it as default"],
    ["exports a number", "export default 7", "exports something else", "Export it as default"],
    ["exports a function", "export default () => ({})", "exports something else", "Export it as default"],
    ["exports an instance", "export default new Date()", "exports something else", "Export it as default"],
    ["exports a list", "export default []", "exports something else", "Export it as default"]
  ])("is refused with what to do where it %s", async (_, text, words, next) => {
    expect(await loaded(text)).toMatchObject({
      left: {
        _tag: "Problem",
        message: expect.stringContaining(`quartet.platform.mjs ${words}`),
        next: expect.stringContaining(next),
        code: 2
      }
    })
  })

  it.each([
    ["throws", 'throw new Error("no hunter2-the-secret")'],
    ["throws an error of another name", 'throw Object.assign(new Error(), { name: "hunter2-the-secret" })'],
    ["has a text that ends too early", 'export default { password: ""hunter2-the-secret" }'],
    [
      "is refused by Node for an argument",
      'import { join } from "node:path"\njoin({ it: "hunter2-the-secret" })'
    ]
  ])("shows nothing of what it holds where it %s", async (_, text) => {
    const result = await loaded(text)
    expect(result).toMatchObject({
      left: { message: expect.stringContaining("cannot be loaded: it throws") }
    })
    expect(JSON.stringify(result)).not.toContain("hunter2")
  })

  it("is refused where it is not there", async () => {
    const home = project({ "package.json": "{}" })
    expect(await ended(read(Option.some("gone.mjs"), home))).toMatchObject({
      left: { message: expect.stringContaining("gone.mjs cannot be loaded: Cannot find"), code: 2 }
    })
  })
})

describe("a command", () => {
  let url = ""
  const seen: Array<string> = []
  beforeAll(async () => {
    const server = await listen(
      createServer((request, response) => {
        seen.push(`${request.method} ${request.url}`)
        response.setHeader("content-type", "application/json")
        response.end(JSON.stringify({ data: { _id: "p1", title: "Shop" } }))
      })
    )
    url = server.url
    return server.close
  })
  const value =
    'export default { entities: { unwrap: "data" }, routes: { "project.self": { path: "v2/me" } } }'
  const call = (cwd: string, ...options: ReadonlyArray<string>) =>
    run(["call", "public.project.self", ...options], {
      cwd,
      env: { QUARTET_BASE_URL: url, QUARTET_API_KEY: "key" }
    })

  it("talks to the platform as package.json says that it speaks", async () => {
    const home = project({ "package.json": said, "quartet.platform.mjs": value })
    const { code, stderr, stdout } = await call(home)
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, "", { _id: "p1", title: "Shop" }])
    expect(seen.at(-1)).toBe("GET /v2/me")
  })

  it("says in which line the module throws, and none of its words", async () => {
    const home = project({ "mine.mjs": '\nthrow new TypeError("hunter2")' })
    const { code, stderr } = await call(home, "--platform", "mine.mjs")
    expect(code).toBe(2)
    expect(stderr).toContain("mine.mjs cannot be loaded: it throws a TypeError in line 2")
    expect(stderr).not.toContain("hunter2")
  })

  it("talks to it as --platform says", async () => {
    const home = project({ "package.json": said, "mine.mjs": value })
    const { code, stdout } = await call(home, "--platform", "mine.mjs")
    expect([code, JSON.parse(stdout)]).toEqual([0, { _id: "p1", title: "Shop" }])
  })

  it.each([
    ["its sign-in", { QUARTET_EMAIL: "ada@example.com", QUARTET_PASSWORD: "a good password" }],
    [
      "the environment",
      { QUARTET_SESSION_ID: "none", QUARTET_ACCESS_TOKEN: "s1", QUARTET_COOKIES: "proof=token-1" }
    ]
  ])("writes with the cookie and the header that the platform wants, by what %s brings", async (_, env) => {
    const server = await listen(
      createServer((request, response) => {
        const isSignIn = request.url?.includes("/login")
        const isProven = request.headers["x-proof"] === "token-1"
        const isRight = isSignIn || (isProven && request.headers.cookie === "sid=s1; proof=token-1")
        if (isSignIn) response.setHeader("set-cookie", ["sid=s1; HttpOnly", "proof=token-1"])
        response.writeHead(isRight ? 200 : 403, { "content-type": "application/json" })
        response.end(JSON.stringify({ _id: "u1", user: { _id: "a1" } }))
      })
    )
    onTestFinished(server.close)
    const home = project({
      "mine.mjs": `export default {
        signIn: { legacy: false, admin: { sessionId: false } },
        token: "opaque",
        credentials: { accessToken: { cookie: "sid" }, session: false, csrf: { header: "x-proof", cookie: "proof" } }
      }`
    })
    const { code, stderr } = await run(
      [
        "call",
        "users.update",
        "--input",
        '{"id":"u1","payload":{"fullName":"Ada"}}',
        "--yes",
        "--platform",
        "mine.mjs"
      ],
      { cwd: home, env: { QUARTET_BASE_URL: server.url, QUARTET_PROJECT_ID: "p1", ...env } }
    )
    expect([code, stderr]).toEqual([0, ""])
  })

  it("hides from a model the cookies that were given to it", async () => {
    const cookie = "canary-of-the-cookie"
    const platform = Platform.make({ credentials: { csrf: { header: "x-proof", cookie: "proof" } } })
    const session = {
      projectId: "p1",
      sessionId: "s1",
      accessToken: jwt({ sub: "ada" }),
      cookies: { proof: cookie }
    }
    const admin = await Effect.runPromise(
      Effect.provide(Admin.make({ baseUrl: url, platform, ...session }), DefaultTransport.layer)
    )
    expect(secretsOf({ admin })).toEqual(expect.arrayContaining(["s1", cookie]))
  })

  it("names the variable of cookies that the platform's value does not name", async () => {
    const home = project({ "mine.mjs": value })
    const { code, stderr } = await run(
      ["call", "users.get", "--input", '{"id":"u1"}', "--platform", "mine.mjs"],
      {
        cwd: home,
        env: {
          QUARTET_BASE_URL: url,
          QUARTET_PROJECT_ID: "p1",
          QUARTET_SESSION_ID: "s1",
          QUARTET_ACCESS_TOKEN: jwt({ sub: "ada" }),
          QUARTET_COOKIES: "proof=hunter2"
        }
      }
    )
    expect(code).toBe(2)
    expect(stderr).toContain("It comes from QUARTET_COOKIES")
    expect(stderr).not.toContain("hunter2")
  })

  it("names the module whose value breaks a rule, and sends nothing", async () => {
    const home = project({ "mine.mjs": 'export default { lists: { itmes: "data" } }' })
    const before = seen.length
    const { code, stderr } = await call(home, "--platform", "mine.mjs")
    expect(code).toBe(2)
    expect(stderr).toContain("platform.lists.itmes")
    expect(stderr).toContain('did you mean "items"')
    expect(stderr).toContain("It comes from mine.mjs.")
    expect(seen).toHaveLength(before)
  })

  it("says what to do where the module imports what is not installed", async () => {
    const home = project({ "mine.mjs": 'import "@quartet/sdk/platform"\nexport default {}' })
    const { code, stderr } = await call(home, "--platform", "mine.mjs")
    expect(code).toBe(2)
    expect(stderr).toContain("mine.mjs cannot be loaded: Cannot find package '@quartet/sdk'")
    expect(stderr).toContain("or export the plain object that Platform.make takes")
  })

  it("has a sandbox speak as --platform says, and not as package.json does", async () => {
    const home = project({ "package.json": said, "quartet.platform.mjs": value })
    expect((await call(home, "--sandbox")).code).toBe(0)
    const other = await call(home, "--sandbox", "--platform", "quartet.platform.mjs")
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("not found")])
  })

  it("records the answers in the form that the SDK gives them, and refuses to learn them from the wire", async () => {
    const home = project({ "package.json": said, "quartet.platform.mjs": value, "app.har": "{}" })
    const env = { QUARTET_BASE_URL: url, QUARTET_API_KEY: "key" }
    const { code } = await run(["record", "--promise"], { cwd: home, env })
    expect(code).toBe(0)
    const { calls } = JSON.parse(readFileSync(join(home, "quartet-answers.json"), "utf8"))
    const learnt = JSON.stringify(calls["public.project.self"])
    expect(learnt).toContain('"title"')
    expect(learnt).not.toContain('"data"')
    for (const options of [
      ["--har", "app.har"],
      ["--port", "0", "--to", url]
    ]) {
      const refused = await run(["record", ...options], { cwd: home, env })
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain("quartet.platform.mjs")
    }
  })

  it("of the doctor says which module is meant, and what is wrong with it", async () => {
    const env = { QUARTET_BASE_URL: url }
    const findings = async (cwd: string) => {
      const { stdout } = await run(["doctor", "--json"], { cwd, env })
      const seen: ReadonlyArray<{ readonly check: string }> = JSON.parse(stdout).findings
      return seen.filter(({ check }) => check === "the platform's form")
    }
    expect(await findings(project({ "package.json": said, "quartet.platform.mjs": value }))).toMatchObject([
      { status: "ok", says: "quartet.platform.mjs says it" }
    ])
    expect(await findings(project({ "package.json": said }))).toMatchObject([
      { status: "failed", says: expect.stringContaining("quartet.platform.mjs cannot be loaded") }
    ])
  })
})

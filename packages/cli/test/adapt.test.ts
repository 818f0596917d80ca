// `quartet adapt`: what it writes of each dialect makes the clients work there, what it asks, and how it treats files.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as SandboxServer from "@quartet/sandbox/server"
import * as Platform from "@quartet/sdk/platform"
import { createAdminClient } from "@quartet/sdk/promise"
import { quartet } from "@quartet/support/quartet.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { collect } from "../adapt/collect.js"
import * as Module from "../adapt/module.js"
import { recognise } from "../adapt/recognition/index.js"

const { accounts } = Sandbox
const { run } = quartet()
const folder = temporaryFolder("adapt")

/** The definition that a written module holds. */
const definitionIn = (text: string): Platform.Definition => {
  const [, code = ""] = /Platform\.make\(([\s\S]*?)\)\n(?:\n\/\/|$)/.exec(text) ?? []
  return new Function(`return ${code}`)()
}

describe("of a dialect of the sandbox", () => {
  /** Titles of the requests on the first page, one of them by its id, and how many there are. */
  const look = async (
    baseUrl: string,
    platform: Platform.Platform | undefined,
    headers: Record<string, string>
  ) => {
    const client = createAdminClient({
      baseUrl,
      projectId: accounts.projectId,
      ...accounts.admin,
      headers,
      ...(platform === undefined ? {} : { platform })
    })
    const { items } = await client.requests.list({ limit: 3 })
    const [first] = items
    const one = await client.requests.get({ id: first?._id ?? "" })
    let count = 0
    for await (const _ of client.requests.list.pages({}, { limit: 30 })) count++
    return {
      titles: items.map(({ title }) => title),
      one: one.title,
      isDate: one.createdAt instanceof Date,
      count
    }
  }

  it.each(Sandbox.dialectNames)("%s what is recognised makes the clients work there", (dialect) =>
    Effect.gen(function* () {
      const { url } = yield* SandboxServer.serve({ port: 0, dialect })
      const standard = yield* SandboxServer.serve({ port: 0 })
      const headers: Record<string, string> = /^(hal|kitchen-sink)$/.test(dialect)
        ? { "x-api-version": "2" }
        : {}
      const address = { origin: new URL(url).origin, prefix: "" }
      const { exchanges, made, secrets } = yield* collect({
        api: address,
        legacy: address,
        admin: accounts.admin,
        endUser: accounts.endUsers.ana,
        secrets: { apiKey: accounts.apiKey, privateKey: accounts.privateKey, project: accounts.projectId },
        userSession: undefined,
        headers,
        paths: {},
        manner: {}
      })
      expect(made).toBeLessThanOrEqual(50)
      expect(
        exchanges.filter(({ method, purpose }) => method !== "GET" && !purpose.includes("sign-in"))
      ).toEqual([])
      const text = Module.module(recognise(exchanges, secrets))
      for (const value of [accounts.projectId, accounts.apiKey, accounts.privateKey, accounts.admin.email])
        expect(text).not.toContain(value)
      const there = yield* Effect.promise(() => look(url, Platform.make(definitionIn(text)), headers))
      expect(there).toEqual(yield* Effect.promise(() => look(standard.url, undefined, {})))
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})

/** A platform that answers with what stands here by its path, and tells what it was asked. */
const platform = (
  answer: (
    request: IncomingMessage,
    path: string
  ) => readonly [status: number, body: unknown, headers?: Record<string, string>]
) => {
  const asked: Array<string> = []
  let server: Listening
  beforeAll(async () => {
    server = await listen(
      createServer((request, response) => {
        const path = (request.url ?? "").split("?")[0] ?? ""
        asked.push(`${request.method} ${path}`)
        const [status, body, headers = {}] = answer(request, path)
        response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(JSON.stringify(body))
      })
    )
    return () => server.close()
  })
  return { asked, url: () => server.url }
}

/** A folder with the SDK, as far as a module of a platform needs it. */
const project = (): string => {
  const home = mkdtempSync(join(folder, "project-"))
  const sdk = join(home, "node_modules", "@quartet", "sdk")
  mkdirSync(sdk, { recursive: true })
  writeFileSync(
    join(sdk, "package.json"),
    JSON.stringify({ type: "module", exports: { "./platform": "./platform.js" } })
  )
  writeFileSync(join(sdk, "platform.js"), "export const make = (definition) => definition")
  return home
}

const token = [{ alg: "HS256" }, { sub: "u1", p: { orders: { list: 1 } } }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("c2lnbmF0dXJlLW9mLXRoZS10b2tlbg")
  .join(".")

/** What differs from test to test. */
let envelope = "rows"

/** A platform that was written by somebody else. */
const strange = platform((request, path) => {
  if (path === "/auth/admin/login")
    return [
      200,
      {
        token: { access: token },
        session: { id: "session-12345" },
        user: { id: 1, email: "ada@example.com" }
      }
    ]
  if (request.headers.authorization !== `Bearer ${token}`)
    return [401, { error: { message: "who are you?" } }]
  if (path.startsWith("/request-action/")) return [404, { error: { message: "it is not there" } }]
  const items = [1, 2, 3].map((id) => ({ id, title: "Water", created_at: 1_714_557_600, user_id: 7 }))
  const found = new URL(request.url ?? "", "http://localhost").searchParams
  const [page, limit] = [Number(found.get("page") ?? 1), Number(found.get("limit") ?? 3)]
  return [
    200,
    {
      result: { [envelope]: items.slice((page - 1) * limit, page * limit), count: 3 },
      extra: { other: [], more: [] }
    }
  ]
})

const env = () => ({
  QUARTET_BASE_URL: strange.url(),
  QUARTET_PROJECT_ID: "project-77",
  QUARTET_EMAIL: "ada@example.com",
  QUARTET_PASSWORD: "the-password"
})

describe("the command", () => {
  it("prints and writes a module with a reason for each line, which holds no value of the platform's", async () => {
    const cwd = project()
    const { code, stderr, stdout } = await run(["adapt"], { cwd, env: env() })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("quartet.platform.mjs: ")
    })
    const text = readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")
    expect(stdout.trimEnd()).toBe(text.trimEnd())
    expect(definitionIn(text)).toEqual({
      signIn: {
        admin: { accessToken: "token.access", sessionId: "session.id" },
        legacy: false
      },
      lists: { items: "result.rows", total: "result.count" },
      entities: { id: "id", numericIds: true, names: "snake_case" },
      dates: "seconds"
    })
    expect(text).toMatch(/\/\/ 1?\d answers of lists had their items there\.\n {4}items: "result\.rows"/)
    expect(text).toContain("// What could not be told:")
    for (const value of [token, "session-12345", "ada@example.com", "the-password", "project-77"])
      expect(text + stderr).not.toContain(value)
  })

  it("makes reads and sign-ins alone, to the one address", () => {
    expect(strange.asked.length).toBeGreaterThan(5)
    expect(strange.asked.filter((line) => !line.startsWith("GET "))).toEqual(["POST /auth/admin/login"])
  })

  it("says with --check that all is as the module says, and after a move what has moved", async () => {
    const cwd = project()
    await run(["adapt"], { cwd, env: env() })
    const before = readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")
    expect(await run(["adapt", "--check"], { cwd, env: env() })).toMatchObject({ code: 0, stdout: "" })
    envelope = "records"
    const moved = await run(["adapt", "--check"], { cwd, env: env() })
    envelope = "rows"
    expect(moved.code).toBe(1)
    expect(moved.stdout).toContain('lists.items: it is said to be "result.rows", but is "result.records"')
    // What reads that list fails for it.
    expect(moved.stdout).toContain("admin.requests.list: a client with the module fails")
    expect(moved.stderr).toContain("the platform is not as quartet.platform.mjs says, at 2 places")
    expect(readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")).toBe(before)
  })

  it("takes another way to say the same for the same, such as a function", async () => {
    const cwd = project()
    await run(["adapt"], { cwd, env: env() })
    const file = join(cwd, "quartet.platform.mjs")
    const edited = readFileSync(file, "utf8").replace(
      'items: "result.rows"',
      "items: ({ body }) => body.result.rows"
    )
    writeFileSync(file, edited)
    expect(await run(["adapt", "--check"], { cwd, env: env() })).toMatchObject({ code: 0 })
  })

  it("shows the difference before it overwrites an edited module, and does so with --yes alone", async () => {
    const cwd = project()
    const file = join(cwd, "quartet.platform.mjs")
    await run(["adapt"], { cwd, env: env() })
    const written = readFileSync(file, "utf8")
    const edited = written.replace("result.count", "result.all")
    writeFileSync(file, edited)
    const refused = await run(["adapt"], { cwd, env: env() })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("was edited: overwrite it?") })
    expect(refused.stdout).toContain('-     total: "result.all"')
    expect(refused.stdout).toContain('+     total: "result.count"')
    expect(readFileSync(file, "utf8")).toBe(edited)
    expect(await run(["adapt", "--yes"], { cwd, env: env() })).toMatchObject({ code: 0 })
    expect(readFileSync(file, "utf8")).toBe(written)
  })

  it.each([
    ["code before it", (text: string) => `/** Mine. */\nglobalThis.mine = 1\n${text}`],
    ["a line in its first comment", (text: string) => text.replace("/**\n", "/**\n * Ask Ada.\n")],
    ["words on the line of its checksum", (text: string) => text.replace("Edit it as you like", "Ask Ada")]
  ])("counts %s as an edit, and shows it", async (_, edit) => {
    const cwd = project()
    const file = join(cwd, "quartet.platform.mjs")
    await run(["adapt"], { cwd, env: env() })
    const edited = edit(readFileSync(file, "utf8"))
    writeFileSync(file, edited)
    envelope = "records"
    const refused = await run(["adapt"], { cwd, env: env() })
    envelope = "rows"
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("was edited: overwrite it?") })
    expect(refused.stdout).toMatch(/^- .*(mine|Ada)/m)
    expect(readFileSync(file, "utf8")).toBe(edited)
  })

  it("leaves a file alone that something else has written", async () => {
    const cwd = project()
    writeFileSync(join(cwd, "other.mjs"), "export const mine = 1\n")
    expect(await run(["adapt", "--output", "other.mjs"], { cwd, env: env() })).toMatchObject({ code: 2 })
    expect(readFileSync(join(cwd, "other.mjs"), "utf8")).toBe("export const mine = 1\n")
  })

  it("prints JSON for a program", async () => {
    const { stdout } = await run(["adapt", "--json"], { cwd: project(), env: env() })
    expect(JSON.parse(stdout)).toMatchObject({
      module: "quartet.platform.mjs",
      lines: expect.arrayContaining([{ at: "lists.items", reason: expect.any(String) }]),
      unseen: expect.any(Array)
    })
  })

  it("prints one document where it overwrites a module", async () => {
    const cwd = project()
    const file = join(cwd, "quartet.platform.mjs")
    await run(["adapt"], { cwd, env: env() })
    writeFileSync(file, readFileSync(file, "utf8").replace("result.count", "result.all"))
    const { code, stdout } = await run(["adapt", "--json", "--yes"], { cwd, env: env() })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      lines: expect.any(Array),
      difference: expect.arrayContaining(['+     total: "result.count"'])
    })
  })

  it("names what is missing where nothing is said of the platform", async () => {
    expect(await run(["adapt"], { cwd: project() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--base-url https://api.example.com")
    })
  })
})

/** One that lets nobody in as admin, and shows lists to whoever has the key. */
const closed = platform((request, path) => {
  const refused = { success: false, fault: { text: "who are you?", http: 401 } }
  if (path === "/auth/admin/login")
    return [200, { success: true, value: { token: "opaque-token-0123456789" } }]
  if (request.headers.authorization !== "ApiKey key-1234567") return [200, refused]
  if (path === "/project/self") return [200, { success: true, value: { uuid: "p1" } }]
  if (path.startsWith("/auth/")) return [200, refused]
  const [, one] = /([ab]1)$/.exec(path) ?? []
  if (one !== undefined) return [200, { success: true, value: { uuid: one, createdMs: 1_714_557_600_000 } }]
  const entries = ["a1", "b1"].map((uuid) => ({ uuid, createdMs: 1_714_557_600_000 }))
  return [200, { success: true, payload: { entries, matched: 2 } }]
})

describe("a platform whose admins cannot be", () => {
  it("is learned by the credentials that it accepts, and states nothing of those that it refused with 200", async () => {
    const cwd = project()
    const { code } = await run(["adapt"], {
      cwd,
      env: { ...env(), QUARTET_BASE_URL: closed.url(), QUARTET_API_KEY: "key-1234567" }
    })
    expect(code).toBe(0)
    const text = readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")
    const { errors, ...found } = definitionIn(text)
    expect(found).toEqual({
      signIn: { admin: { accessToken: "value.token" } },
      credentials: { apiKey: { header: "authorization", scheme: "ApiKey" } },
      lists: { items: "payload.entries", total: "payload.matched" },
      entities: { unwrap: "value", id: "uuid" },
      dates: "milliseconds"
    })
    expect(errors).toMatchObject({ message: "fault.text", status: expect.any(Function) })
    expect(text).toContain("credentials.accessToken: no request with the access token was accepted")
    expect(text).not.toMatch(/is sent as the SDK sends it|is named by/)
  })
})

/** One whose headers nobody guesses. */
const odd = platform((request, path) => {
  if (path === "/auth/admin/login")
    return [200, { token: "opaque-token-0123456789", user: { _id: "u1", email: "ada@example.com" } }]
  if (path === "/auth/login") return [200, { pass: { key: "pass-0123456789" } }]
  const { headers } = request
  if (headers["x-odd-token"] !== "opaque-token-0123456789" || headers["x-odd-pass"] !== "pass-0123456789")
    return [401, { message: "who are you?" }]
  if (headers["x-odd-place"] !== "project-77") return [400, { message: "which place do you mean?" }]
  const [, one] = /(i[12])$/.exec(path) ?? []
  if (one !== undefined) return [200, { value: { uuid: one } }]
  if (path.includes("/request-action/")) return [404, { message: "it is not there" }]
  return [200, { payload: { entries: [{ uuid: "i1" }, { uuid: "i2" }], matched: 2 } }]
})

/** One that changes under a module: what has changed is said by a word. */
let change = ""
const moving = platform((request, path) => {
  const { headers } = request
  const url = new URL(request.url ?? "", "http://localhost")
  const isSignIn = path === "/auth/admin/login"
  if (isSignIn && change === "another sign-in") return [401, { message: "who are you?" }]
  if (isSignIn)
    return [
      200,
      {
        accessToken: token,
        sessionId: "session-12345",
        user: { id: 1, email: "ada@example.com" },
        [change === "another place of the refresh token" ? "renewal" : "rt"]: "refresh-token-12345"
      }
    ]
  const isAdmin = headers.authorization === `Bearer ${token}`
  const isVisitor = headers[change === "another key header" ? "x-visitor" : "api-key"] === "key-1234567"
  if (!isAdmin && !isVisitor) return [401, { message: "who are you?" }]
  const prefix = change === "another prefix" ? "/t/project-77/" : "/p/project-77/"
  if (!isVisitor && !path.startsWith(prefix)) return [404, { message: "unknown address" }]
  if (path.endsWith("/project/self")) return [200, { id: change === "ids of text" ? "1" : 1, name: "One" }]
  const things = Array.from({ length: 6 }, (_, n) => ({
    id: change === "ids of text" ? `${n + 1}` : n + 1,
    title: "Water",
    createdAt:
      change === "dates of another form" ? "Tue, 14 Nov 2023 08:00:00 GMT" : "2023-11-14T08:00:00.000Z"
  }))
  const one = things.find(({ id }) => path.endsWith(`/${id}`))
  if (one !== undefined) return [200, one]
  if (/\/\d+$/.test(path)) return [404, { message: "it is not there" }]
  if (path.endsWith("/item") && change === "no items") return [404, { message: "unknown address" }]
  const base = change === "another first offset" ? 0 : 1
  const start = Number(url.searchParams.get("start") ?? base) - base
  return [
    200,
    { things: things.slice(start, start + Number(url.searchParams.get("max") ?? 4)) },
    { [change === "another header of the total" ? "x-sum" : "x-total"]: "6" }
  ]
})

describe("--check", () => {
  const said = `import * as Platform from "@quartet/sdk/platform"
export default Platform.make({
  signIn: { legacy: false, admin: { refreshToken: "rt" } },
  credentials: { apiKey: { header: "api-key" }, project: { path: "p/{projectId}" } },
  lists: { items: "things", total: { header: "x-total" }, page: { by: "offset", parameter: "start", first: 1, limit: "max" } },
  entities: { id: "id", numericIds: true, wrap: "thing" }
})
`
  const check = async (what: string, ...options: ReadonlyArray<string>) => {
    const cwd = project()
    writeFileSync(join(cwd, "quartet.platform.mjs"), said)
    change = what
    const before = moving.asked.length
    const ended = await run(["adapt", "--check", ...options], {
      cwd,
      env: { ...env(), QUARTET_BASE_URL: moving.url(), QUARTET_API_KEY: "key-1234567" }
    })
    change = ""
    return { ...ended, asked: moving.asked.slice(before) }
  }

  it("passes where a client with the module works, and says what was not checked", async () => {
    const { asked, code, stderr, stdout } = await check("")
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toContain("not checked: entities.wrap: no read shows it")
    expect(stderr).toContain("not checked: the private client: QUARTET_PRIVATE_KEY is not set")
    expect(stderr).toContain("not all of it was tried")
    expect(asked.filter((line) => !line.startsWith("GET ") && line !== "POST /auth/admin/login")).toEqual([])
  })

  it.each([
    ["another sign-in", "signIn.admin: the platform refuses the sign-in of an admin (HTTP 401)"],
    [
      "another key header",
      "public.project.self: a client with the module fails: the platform does not accept"
    ],
    ["another prefix", "admin.requests.list: a client with the module fails: not found (HTTP 404)"],
    ["another header of the total", "lists.total: it is said to be"],
    ["ids of text", "entities.numericIds: it is said to be true"],
    ["dates of another form", "which is no date as the module reads it"],
    ["another place of the refresh token", 'signIn.admin.refreshToken: it is said to be "rt"'],
    ["another first offset", "lists.page: admin."]
  ])("fails after a move to %s", async (what, words) => {
    const { code, stderr, stdout } = await check(what)
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(words) })
    expect(stderr).toContain("the platform is not as quartet.platform.mjs says")
  })

  it("does not mind a list that the platform does not have, and says so", async () => {
    const { code, stderr } = await check("no items")
    expect(code).toBe(0)
    expect(stderr).toContain("not checked: admin.items.list: not found (HTTP 404)")
  })

  it("prints one document of JSON, in which nothing is unseen that the module says", async () => {
    const { stdout } = await check("", "--json")
    const { moved: changes, unchecked, unseen } = JSON.parse(stdout)
    expect(changes).toEqual([])
    expect(unchecked).toContain("entities.wrap: no read shows it")
    expect(
      unseen.filter((text: string) => /^(entities\.wrap|lists\.page|credentials\.apiKey)\b/.test(text))
    ).toEqual([])
  })
})

describe("a module that somebody has corrected", () => {
  const said = `import * as Platform from "@quartet/sdk/platform"
export default Platform.make({
  signIn: { legacy: { sessionId: "pass.key" } },
  credentials: {
    accessToken: { header: "X-Odd-Token" },
    session: { header: "X-Odd-Pass" },
    project: { header: "X-Odd-Place" }
  },
  lists: { parameters: "repeat" }
})
`
  const withModule = () => {
    const cwd = project()
    writeFileSync(join(cwd, "quartet.platform.mjs"), said)
    return { cwd, env: { ...env(), QUARTET_BASE_URL: odd.url() } }
  }

  it("is what the platform is asked by, so that more is learned, and what it says stays", async () => {
    const where = withModule()
    expect(await run(["adapt", "--yes"], where)).toMatchObject({ code: 0 })
    const text = readFileSync(join(where.cwd, "quartet.platform.mjs"), "utf8")
    expect(definitionIn(text)).toMatchObject({
      signIn: { admin: { accessToken: "token" }, legacy: { sessionId: "pass.key" } },
      credentials: {
        accessToken: { header: "X-Odd-Token" },
        session: { header: "X-Odd-Pass" },
        project: { header: "X-Odd-Place" }
      },
      lists: { items: "payload.entries", total: "payload.matched", parameters: "repeat" },
      entities: { unwrap: "value", id: "uuid" }
    })
    expect(await run(["adapt", "--check"], where)).toMatchObject({ code: 0, stdout: "" })
  })

  it("is not said to be wrong, only to leave out what was learned", async () => {
    const { stdout } = await run(["adapt", "--check"], withModule())
    expect(stdout).not.toMatch(/it is said to be/)
    expect(stdout).toContain("lists.items: nothing is said of it")
  })
})

describe("a module that is right by what it imports", () => {
  const where = () => {
    const cwd = project()
    writeFileSync(
      join(cwd, "base.mjs"),
      `const names = { items: "entries" }
export const definition = {
  signIn: { legacy: { sessionId: "pass.key" } },
  credentials: {
    accessToken: { header: "X-Odd-Token" },
    session: { header: "X-Odd-Pass" },
    project: { header: "X-Odd-Place" }
  },
  lists: { items: ({ body }) => body.payload[names.items] }
}
`
    )
    writeFileSync(
      join(cwd, "quartet.platform.mjs"),
      `import * as Platform from "@quartet/sdk/platform"
import { definition } from "./base.mjs"
export default Platform.make(definition)
`
    )
    return { cwd, env: { ...env(), QUARTET_BASE_URL: odd.url() } }
  }

  it("is not written anew, even with --yes, and what is learned is printed", async () => {
    const given = where()
    const file = join(given.cwd, "quartet.platform.mjs")
    const before = readFileSync(file, "utf8")
    const { code, stderr, stdout } = await run(["adapt", "--yes"], given)
    expect(code).not.toBe(0)
    expect(stderr).toContain("nothing is written: what quartet.platform.mjs says of lists.items by hand")
    expect(stdout).toContain('entities.unwrap: nothing is said of it, but it is "value"')
    expect(readFileSync(file, "utf8")).toBe(before)
  })

  it("stays as it is where it says all that is recognised", async () => {
    const given = where()
    const base = join(given.cwd, "base.mjs")
    const text = readFileSync(base, "utf8").replace(
      "lists: {",
      `signIn: { admin: { accessToken: "token" }, legacy: { sessionId: "pass.key" } },
  token: { kind: "opaque" },
  entities: { unwrap: "value", id: "uuid" },
  lists: { total: "payload.matched",`
    )
    writeFileSync(base, text)
    const { stdout } = await run(["adapt", "--check"], given)
    expect(stdout).toBe("")
    const { code, stderr } = await run(["adapt", "--yes"], given)
    expect(code).toBe(0)
    expect(stderr).toContain("says all that was recognised, and stays as it is")
  })
})

describe("a module that clients refuse", () => {
  it.each([["--check"], ["--yes"]])("is refused by adapt %s, which names the field", async (option) => {
    const cwd = project()
    const file = join(cwd, "quartet.platform.mjs")
    const text = `import * as Platform from "@quartet/sdk/platform"
export default Platform.make({
  credentials: { accessToken: { header: "authorization" }, session: { header: "authorization" } }
})
`
    writeFileSync(file, text)
    const { code, stderr } = await run(["adapt", option], { cwd, env: env() })
    expect(code).toBe(1)
    expect(stderr).toContain("clients refuse quartet.platform.mjs: credentials.session must not stand where")
    expect(readFileSync(file, "utf8")).toBe(text)
  })
})

/** An address that answers everything with a page. */
const site = platform(() => [200, "<!doctype html><title>App</title>", { "content-type": "text/html" }])

describe("an address that is no platform", () => {
  it("answers all with one page, of which nothing is written", async () => {
    const cwd = project()
    const answer = await run(["adapt"], { cwd, env: { ...env(), QUARTET_BASE_URL: site.url() } })
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was recognised") })
    expect(existsSync(join(cwd, "quartet.platform.mjs"))).toBe(false)
  })
})

const locked = platform((_, path) =>
  path === "/auth/admin/login"
    ? [401, { message: "the password of ada@example.com is wrong" }]
    : [401, { message: "no" }]
)
/** One whose admins sign in by other names of fields, and that shows lists to whoever has the key. */
const other = platform((request, path) => {
  if (path === "/auth/admin/login") return [401, { message: "no" }]
  if (!request.url?.includes("app_key=key-1234567")) return [401, { message: "app_key is missing" }]
  return [200, { entries: [{ _id: "a1" }, { _id: "b1" }], matched: 2 }]
})

describe("a platform that refuses the sign-in", () => {
  it("is learned by the other credentials, and the fields of the sign-in are named as what it may come from", async () => {
    const cwd = project()
    const { code, stderr } = await run(["adapt"], {
      cwd,
      env: { ...env(), QUARTET_BASE_URL: other.url(), QUARTET_API_KEY: "key-1234567" }
    })
    expect(code).toBe(0)
    expect(stderr).toContain("signIn.fields")
    const text = readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")
    expect(definitionIn(text)).toMatchObject({ credentials: { apiKey: { query: "app_key" } } })
    expect(text).toContain("signIn.admin: the sign-in was refused with HTTP 401")
    expect(other.asked.filter((each) => each.startsWith("POST"))).toEqual(["POST /auth/admin/login"])
  })
})

const moved = platform(() => [302, {}, { location: strange.url() }])

describe("a platform that does not answer as it should", () => {
  it("that refuses the sign-in ends it with the code of credentials, and is not asked again", async () => {
    const answer = await run(["adapt"], { cwd: project(), env: { ...env(), QUARTET_BASE_URL: locked.url() } })
    expect(answer).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("refuses the sign-in of the admin (HTTP 401)")
    })
    expect(locked.asked).toEqual(["POST /auth/admin/login"])
  })

  it("that redirects is not followed", async () => {
    const before = strange.asked.length
    const answer = await run(["adapt"], { cwd: project(), env: { ...env(), QUARTET_BASE_URL: moved.url() } })
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining("HTTP 302") })
    expect(strange.asked.length).toBe(before)
  })
})

describe("a HAR", () => {
  const entry = (
    method: string,
    path: string,
    body: unknown,
    sent: Record<string, string> = {},
    input?: unknown,
    status = 200
  ) => ({
    request: {
      method,
      url: `https://api.example.com${path}`,
      headers: Object.entries(sent).map(([name, value]) => ({ name, value })),
      ...(input === undefined ? {} : { postData: { text: JSON.stringify(input) } })
    },
    response: { status, headers: [], content: { text: JSON.stringify(body) } }
  })
  const auth = { authorization: `Token ${token}` }
  const items = ["a1b2", "c3d4", "e5f6"].map((id) => ({ id, title: "Water" }))
  const har = JSON.stringify({
    log: {
      entries: [
        entry(
          "POST",
          "/auth/admin/login",
          { data: { jwt: token, refresh_token: "refresh-12345" } },
          {},
          { login: "ada@example.com", password: "the-password" }
        ),
        entry(
          "POST",
          "/auth/token/refresh",
          { data: { jwt: token } },
          {},
          { refresh_token: "refresh-12345" }
        ),
        entry("GET", "/request-action", { records: { list: items, other: [] }, found: 3 }, auth),
        entry("GET", "/request-action/a1b2", { data: items[0] }, auth),
        entry("PUT", "/request-action/a1b2", { data: items[0] }, auth, { request: { title: "Gas" } }),
        entry("GET", "/request-action/none", { fault: { text: "it is not there" } }, auth, undefined, 404),
        {
          request: { method: "GET", url: "https://cdn.example.net/app.js", headers: [] },
          response: { status: 200 }
        }
      ]
    }
  })

  it("says the same without asking anybody, and shows what reads do not: refreshing and writes", async () => {
    const cwd = project()
    writeFileSync(join(cwd, "app.har"), har)
    const { code, stderr } = await run(["adapt", "--har", "app.har"], { cwd })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("app.har: 5 requests")
    })
    const text = readFileSync(join(cwd, "quartet.platform.mjs"), "utf8")
    expect(definitionIn(text)).toMatchObject({
      signIn: {
        fields: { email: "login" },
        admin: { accessToken: "data.jwt", refreshToken: "data.refresh_token" },
        refresh: { path: "auth/token/refresh", field: "refresh_token" }
      },
      credentials: { accessToken: { header: "authorization", scheme: "Token" } },
      lists: { items: "records.list", total: "found" },
      entities: { unwrap: "data", wrap: "request", id: "id" },
      errors: { message: "fault.text" }
    })
    for (const value of [token, "refresh-12345", "ada@example.com", "the-password", "a1b2", "Gas"])
      expect(text).not.toContain(value)
  })

  it.each([
    ["that is none", "{}", "is no HAR"],
    ["of other calls", JSON.stringify({ log: { entries: [] } }), "nothing was recognised"]
  ])("%s is refused", async (_, text, message) => {
    const cwd = project()
    writeFileSync(join(cwd, "app.har"), text)
    const { code, stderr } = await run(["adapt", "--har", "app.har"], { cwd })
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})

/** What a value says, and what is then on the wire: choices that no dialect of the sandbox makes. */
import { text } from "node:stream/consumers"
import * as Platform from "@quartet/sdk/platform"
import {
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient,
  request
} from "@quartet/sdk/promise"
import { describe, expect, onTestFinished, test } from "vitest"
import { account, adminOf, failureOf, serve, token } from "./served.js"

const opened = { accessToken: token("ada"), sessionId: "s1" }
const signIn = { legacy: false } satisfies Platform.SignIn

/** All pages of a list, by the ids of its items. */
const idsOf = async (pages: AsyncIterable<{ readonly _id: string }>): Promise<Array<string>> => {
  const ids: Array<string> = []
  for await (const { _id } of pages) ids.push(_id)
  return ids
}

describe("a page", () => {
  const things = Array.from({ length: 5 }, (_, index) => ({ _id: String(index + 1) }))

  test("is asked for by the number of its first item, from 1", async () => {
    const server = await serve(({ target }, json) => {
      if (target.startsWith("/auth/admin")) return json(opened)
      const { searchParams } = new URL(target, "http://any")
      const start = Number(searchParams.get("start") ?? 1)
      return json({ rows: things.slice(start - 1, start + 1), count: things.length })
    })
    const { admin } = adminOf(server.url, {
      signIn,
      lists: {
        items: "rows",
        total: "count",
        page: { by: "offset", parameter: "start", first: 1, limit: "max" }
      }
    })
    expect(await idsOf(admin.users.list.pages({ limit: 2 }))).toEqual(["1", "2", "3", "4", "5"])
    expect(server.heard.slice(1).map(({ target }) => target)).toEqual([
      "/auth/user?projectId=p1&max=2",
      "/auth/user?projectId=p1&start=3&max=2",
      "/auth/user?projectId=p1&start=5&max=2"
    ])
  })

  test("whose numbers stand in an object of their own, as JSON:API has them, is no drift", async () => {
    const server = await serve(({ target }, json) =>
      json(
        target.startsWith("/auth/admin")
          ? opened
          : { data: things, meta: { count: 5, page: { cursor: null, total: 5 } } }
      )
    )
    const drift: Array<unknown> = []
    const { admin } = adminOf(
      server.url,
      { signIn, lists: { items: "data", total: "meta.page.total" } },
      { onDrift: (found: unknown) => drift.push(found) }
    )
    expect((await admin.users.list()).paging.total).toBe(5)
    expect(drift).toEqual([])
  })

  test("of a search stands in its query where the value says so", async () => {
    const server = await serve(({ body, target }, json) => {
      const { searchParams } = new URL(target, "http://any")
      const start = Number(searchParams.get("after") ?? 0)
      expect(JSON.parse(body)).toEqual({ text: "flat" })
      const next = start + 2 < things.length ? String(start + 2) : null
      return json({ items: things.slice(start, start + 2), next })
    })
    const visitor = createPublicClient({
      baseUrl: server.url,
      apiKey: "key-1",
      logDrift: false,
      platform: Platform.make({
        lists: { next: "next", page: { by: "cursor", parameter: "after" }, searches: "query" }
      })
    })
    onTestFinished(() => visitor.close())
    const found = visitor.items.search.pages({ payload: { text: "flat", limit: 2 } })
    expect(await idsOf(found)).toEqual(["1", "2", "3", "4", "5"])
    expect(server.heard.map(({ target }) => target)).toEqual([
      "/ecommerce/item/search?limit=2",
      "/ecommerce/item/search?after=2&limit=2",
      "/ecommerce/item/search?after=4&limit=2"
    ])
  })

  test("that a link names is asked for by what the link says, in whatever way it escapes it", async () => {
    const server = await serve(({ target }, json) => {
      if (target.startsWith("/auth/admin")) return json(opened)
      return new URL(target, "http://any").searchParams.get("after") === "a b&c"
        ? json([things[1]])
        : json([things[0]], 200, { link: `</auth/user?after=a+b%26c&flag&projectId=other>; rel="next"` })
    })
    const { admin } = adminOf(server.url, { signIn, lists: { page: { by: "link" } } })
    expect(await idsOf(admin.users.list.pages({}))).toEqual(["1", "2"])
    expect(server.heard.at(-1)?.target).toBe("/auth/user?after=a%20b%26c&flag=&projectId=p1")
  })
})

test.each([[{}], [{ lists: { items: "data.users" } }], [{ entities: { unwrap: "json:api" } }]])(
  "errors are no items of a list, by the value %j",
  async (definition) => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { data: null, errors: [{ id: "e1" }] })
    )
    const { admin } = adminOf(server.url, { signIn, ...definition })
    const page = await admin.users.list({}).catch((error: unknown) => error)
    expect(page).not.toMatchObject({ items: [{ id: "e1" }] })
  }
)

describe("a date", () => {
  /** Days as 29.11.2026. */
  const days: Platform.DateForm = {
    read: (value) => {
      const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(String(value)) ?? []
      return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`)
    },
    write: (date) => date.toISOString().slice(0, 10).split("-").reverse().join(".")
  }

  test.each<[string, NonNullable<Platform.Definition["dates"]>]>([
    ["of all fields", days],
    ["of single fields", { startDate: days, endDate: days }]
  ])("%s is read and written by the functions of the value", async (_, dates) => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin")
        ? json(opened)
        : json([{ _id: "1", startDate: "29.11.2026", endDate: "soon", note: "29.11.2026" }])
    )
    const { admin } = adminOf(server.url, { signIn, dates })
    const { items } = await admin.intranet.holidayReport({})
    expect(items[0]).toMatchObject({
      startDate: new Date("2026-11-29"),
      endDate: "soon",
      note: "29.11.2026"
    })
    const user = createEndUserClient({
      baseUrl: server.url,
      apiKey: "key-1",
      sessionId: "session-1",
      logDrift: false,
      platform: Platform.make({ dates })
    })
    onTestFinished(() => user.close())
    await user.intranet.holidayCheck({ startDate: new Date("2026-11-29"), endDate: "2026-12-01" })
    expect(server.heard.at(-1)?.target).toBe(
      "/intranet/holiday/check?startDate=29.11.2026&endDate=01.12.2026"
    )
  })
})

describe("a body of JSON:API", () => {
  test.each([
    [undefined, "users"],
    [{ users: "person" }, "person"]
  ])("has the type that the value %j gives its group", async (types, type) => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin") ? json(opened) : json({ data: { type, id: "u1", attributes: {} } })
    )
    const { admin } = adminOf(server.url, {
      signIn,
      entities: { unwrap: "json:api", wrap: "json:api", ...(types === undefined ? {} : { types }) }
    })
    await admin.users.update({ id: "u1", payload: { fullName: "Ada" } })
    expect(JSON.parse(server.heard.at(-1)?.body ?? "")).toEqual({
      data: { type, id: "u1", attributes: { fullName: "Ada" } }
    })
  })
})

describe("a credential", () => {
  test("of each client may stand in the same header, with a scheme or a form of its own, and is shown nowhere", async () => {
    const platform = Platform.make({
      signIn: { legacy: false, admin: { sessionId: false } },
      credentials: {
        accessToken: { header: "authorization", write: (value) => `Token token="${value}"` },
        privateKey: { header: "authorization", write: (key) => `Basic ${btoa(`${key}:`)}` },
        apiKey: { header: "x-key" },
        endUserSession: { header: "authorization", scheme: "Session" }
      }
    })
    const server = await serve(({ headers, target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json({ accessToken: opened.accessToken })
        : json({ message: `no ${headers.authorization}` }, 400)
    )
    const common = { baseUrl: server.url, platform, logDrift: false }
    const clients = {
      admin: createAdminClient({ ...account, ...common, permissions: "off" }),
      private: createPrivateClient({ ...common, privateKey: "the-private-key" }),
      user: createEndUserClient({ ...common, apiKey: "key-1", sessionId: "session-1" })
    }
    onTestFinished(async () => void (await Promise.all(Object.values(clients).map((one) => one.close()))))
    const failures = [
      await failureOf(clients.admin.users.get({ id: "u1" })),
      await failureOf(clients.private.items.list({})),
      await failureOf(clients.user.boxes.list({}))
    ]
    expect(server.heard.slice(1).map(({ headers }) => headers.authorization)).toEqual([
      `Token token="${opened.accessToken}"`,
      `Basic ${btoa("the-private-key:")}`,
      "Session session-1"
    ])
    for (const secret of [opened.accessToken, btoa("the-private-key:"), "session-1"])
      expect(failures.map(String).join(" ")).not.toContain(secret)
  })

  test.each<readonly [string, string, () => unknown]>([
    ["throws", "threw a TypeError", () => Reflect.apply(Number.prototype.toFixed, "", [])],
    ["answers nothing", "answered what no header can hold", () => undefined],
    ["answers a Promise", "answered a Promise", () => Promise.resolve("key")],
    ["answers a letter of another script", "answered what no header can hold", () => "é"]
  ])("whose function %s for it is not left out: nothing is sent", async (_, did, wrong) => {
    const server = await serve((_, json) => json(opened))
    const write = (value: string): string => (value === "credential" ? value : (wrong() as string))
    const client = createPrivateClient({
      baseUrl: server.url,
      privateKey: "k1",
      platform: Platform.make({ credentials: { privateKey: { header: "authorization", write } } })
    })
    onTestFinished(() => client.close())
    expect(await failureOf(client.items.list({}))).toMatchObject({
      _tag: "InputError",
      field: "platform.credentials.privateKey.write",
      rule: `must write the credential: it ${did}`
    })
    expect(server.heard).toEqual([])
  })

  test.each<readonly [string, () => string]>([
    ["text", () => "the-proof-of-it"],
    ["a function", () => "the-proof-of-it"]
  ])("that proves where a write comes from, as %s, is shown by nobody", async (kind, value) => {
    const server = await serve(({ headers, target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json(opened)
        : json({ message: `no ${headers["x-csrf"]}` }, 403)
    )
    const csrf = { header: "X-CSRF", value: kind === "text" ? value() : value }
    const { admin } = adminOf(server.url, { signIn, credentials: { csrf } })
    const error = await failureOf(admin.users.update({ id: "u1", payload: { fullName: "Ada" } }))
    expect(server.heard[1]?.headers["x-csrf"]).toBe("the-proof-of-it")
    expect(JSON.stringify(error) + String(error)).not.toContain("the-proof-of-it")
  })

  test("that proves where a write comes from is sent beside the cookie that it repeats, which any port of the host may have set", async () => {
    const legacy = await serve((_, json) =>
      json({ sessionId: "s1" }, 200, { "set-cookie": "csrf=the-proof%3D%3D; Path=/" })
    )
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { _id: "u1" })
    )
    const { admin } = adminOf(
      server.url,
      { credentials: { csrf: { header: "X-CSRF", cookie: "csrf" } } },
      { legacyUrl: legacy.url }
    )
    await admin.users.update({ id: "u1", payload: { fullName: "Ada" } })
    await admin.users.get({ id: "u1" })
    const [, write, read] = server.heard
    // Frameworks write it percent-encoded, and take the header without that.
    expect(write?.headers).toMatchObject({ cookie: "csrf=the-proof%3D%3D", "x-csrf": "the-proof==" })
    expect(read?.headers).toMatchObject({ cookie: "csrf=the-proof%3D%3D" })
    expect(read?.headers).not.toHaveProperty("x-csrf")
  })
})

describe("a call", () => {
  test("is sent by the platform's method, and by its own where that is said of it", async () => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { _id: "u1" })
    )
    const { admin } = adminOf(server.url, {
      signIn,
      methods: { PUT: "PATCH" },
      routes: { "roles.update": { method: "POST" } }
    })
    await admin.users.update({ id: "u1", payload: { fullName: "Ada" } })
    await admin.roles.update({ id: "r1", payload: { name: "Editors" } })
    await admin.users.get({ id: "u1" })
    expect(server.heard.slice(1).map(({ method }) => method)).toEqual(["PATCH", "POST", "GET"])
  })

  test("may have a list that differs from all others", async () => {
    const server = await serve(({ target }, json) => {
      if (target.startsWith("/auth/admin/login")) return json(opened)
      const { searchParams } = new URL(target, "http://any")
      if (target.startsWith("/auth/user"))
        return json({
          data: [{ _id: searchParams.get("after") ?? "1" }],
          next: searchParams.has("after") ? null : "2"
        })
      const page = Number(searchParams.get("p") ?? 0)
      return json({ rows: [{ _id: String(page) }], pages: 3 })
    })
    const { admin } = adminOf(server.url, {
      signIn,
      lists: { items: "data", next: "next", page: { by: "cursor", parameter: "after" } },
      routes: {
        "roles.list": {
          lists: {
            items: "rows",
            next: ({ body }) => Number(Object(body).rows[0]._id) + 1 < Object(body).pages,
            page: { by: "page", parameter: "p", first: 0 }
          }
        }
      }
    })
    expect(await idsOf(admin.users.list.pages({}))).toEqual(["1", "2"])
    expect(await idsOf(admin.roles.list.pages({}))).toEqual(["0", "1", "2"])
  })

  test("sends in the query what the path of its route leaves out", async () => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { _id: "u1" })
    )
    const { admin } = adminOf(server.url, { signIn, routes: { "users.get": { path: "user" } } })
    await admin.users.get({ id: "u1" })
    expect(server.heard[1]?.target).toBe("/user?id=u1&projectId=p1")
  })

  test("that is a write stays one, whatever method it is sent by: it is not repeated, and may have been done", async () => {
    const server = await serve(({ hangUp, target }, json) =>
      target.startsWith("/auth/admin/login") ? json(opened) : hangUp()
    )
    const { admin } = adminOf(server.url, { signIn, methods: { DELETE: "GET" } })
    expect(await failureOf(admin.users.delete({ id: "u1" }))).toMatchObject({ _tag: "OutcomeUnknown" })
    expect(server.heard.slice(1).map(({ method }) => method)).toEqual(["GET"])
  })

  test.each<readonly [string, Platform.ProjectPlace | false]>([
    ["a header", { header: "x-project" }],
    ["the path", { path: "p/{projectId}" }],
    ["nowhere", false]
  ])("that is said by hand names no other project where that stands in %s", async (_, project) => {
    const server = await serve((_, json) => json(opened))
    const { admin } = adminOf(server.url, { signIn, credentials: { project } })
    const call = (projectId: string) =>
      request(admin, { method: "DELETE", path: "auth/user/u1", query: { projectId } })
    expect(await failureOf(call("another"))).toMatchObject({ _tag: "InputError", field: "query.projectId" })
    expect(server.heard).toEqual([])
    await call(account.projectId)
    expect(server.heard[1]?.target).not.toContain("projectId")
  })

  test("that is said by hand may name another project where the platform reads it in the query", async () => {
    const server = await serve((_, json) => json(opened))
    const { admin } = adminOf(server.url, { signIn, credentials: { project: { query: "prj" } } })
    await request(admin, { method: "GET", path: "auth/user", query: { projectId: "another" } })
    await request(admin, { method: "GET", path: "auth/user" })
    expect(server.heard.slice(1).map(({ target }) => target)).toEqual([
      "/auth/user?prj=another",
      "/auth/user?prj=p1"
    ])
  })

  test("has each value of a list once, or is refused", async () => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { items: [] })
    )
    const { admin } = adminOf(server.url, { signIn, lists: { parameters: { joinedBy: "|" } } })
    await admin.users.list({ query: { tag: ["a", "b"] } })
    expect(server.heard[1]?.target).toBe("/auth/user?tag=a%7Cb&projectId=p1")
    expect(await failureOf(admin.users.list({ query: { tag: ["a|b", "c"] } }))).toMatchObject({
      _tag: "InputError",
      field: "query.tag",
      rule: 'must have no "|" in a value: the platform takes its lists apart there'
    })
    expect(server.heard).toHaveLength(2)
  })
})

describe("JSON", () => {
  const typesOf = async (definition: Platform.Definition) => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { data: null })
    )
    const { admin } = adminOf(server.url, { signIn, ...definition })
    await failureOf(
      admin.users.update({ id: "u1", payload: { fullName: "Ada" } }).then(() => Promise.reject())
    )
    return [server.heard[1]?.headers.accept, server.heard[1]?.headers["content-type"]]
  }

  test("is called what the platform calls it", async () => {
    expect(await typesOf({})).toEqual(["application/json", "application/json"])
    expect(await typesOf({ entities: { wrap: "json:api", unwrap: "json:api" } })).toEqual([
      "application/vnd.api+json, application/json;q=0.9",
      "application/vnd.api+json"
    ])
    const headers = { Accept: "application/vnd.shop.v2+json", "X-Version": "2" }
    expect(await typesOf({ credentials: { headers } })).toEqual([
      "application/vnd.shop.v2+json",
      "application/json"
    ])
  })
})

describe("an error with a status of success, in place of a download", () => {
  const json = "application/json; charset=utf-8"
  const bodyStatus: Platform.Errors = { status: ({ body }) => (Object(body).ok === false ? 409 : undefined) }
  const downloadOf = async (
    errors: Platform.Errors,
    type: string,
    body: string,
    more: Readonly<Record<string, string>> = {}
  ) => {
    const server = await serve(({ target }, answer, response) => {
      if (target.startsWith("/auth/admin/login")) return answer(opened)
      response.writeHead(200, { "content-type": type, ...more })
      for (let at = 0; at < body.length; at += 40_000) response.write(body.slice(at, at + 40_000))
      response.end()
    })
    const { admin } = adminOf(server.url, { signIn, errors })
    return text(admin.files.download({ id: "f1" }))
  }

  test.each<readonly [string, Platform.Errors, string, string, Readonly<Record<string, string>>]>([
    ["its body", bodyStatus, json, '{"ok":false,"message":"it is locked"}', {}],
    [
      "a header",
      { status: ({ header }) => (header("x-result") === "error" ? 409 : undefined) },
      "text/plain",
      "no file",
      { "x-result": "error" }
    ]
  ])("is that error, as %s says", async (_, errors, type, body, more) => {
    expect(await failureOf(downloadOf(errors, type, body, more))).toMatchObject({ _tag: "Conflict" })
  })

  test("is looked for no longer than the call waits: the connection is given up with it", async () => {
    let isClosed = false
    const server = await serve(({ target }, answer, response) => {
      if (target.startsWith("/auth/admin/login")) return answer(opened)
      response.on("close", () => {
        isClosed = true
      })
      response.writeHead(200, { "content-type": json, "content-length": "20" })
      response.write('{"ok":')
    })
    const { admin } = adminOf(server.url, { signIn, errors: bodyStatus })
    const leaving = new AbortController()
    const download = failureOf(text(admin.files.download({ id: "f1" }, { signal: leaving.signal })))
    await expect.poll(() => server.heard.length).toBe(2)
    leaving.abort()
    await download
    await expect.poll(() => isClosed).toBe(true)
  })

  test("does not hold up a file of JSON that comes bit by bit", async () => {
    let more: () => void = () => undefined
    const server = await serve(({ target }, answer, response) => {
      if (target.startsWith("/auth/admin/login")) return answer(opened)
      response.writeHead(200, { "content-type": json })
      response.write('{"ok":')
      more = () => void response.end("true}")
    })
    const { admin } = adminOf(server.url, { signIn, errors: bodyStatus })
    const chunks: Array<string> = []
    for await (const chunk of admin.files.download({ id: "f1" })) {
      chunks.push(new TextDecoder().decode(chunk))
      more()
    }
    expect(chunks).toEqual(['{"ok":', "true}"])
  })

  test.each([
    ["JSON", json, '{"ok":true}'],
    ["a long file of JSON", json, JSON.stringify({ text: "a".repeat(200_000), ok: false })],
    ["another file", "text/csv", '{"ok":false}'],
    ["an empty file", json, ""]
  ])("is not %s, which comes as it is", async (_, type, body) => {
    expect(await downloadOf(bodyStatus, type, body)).toBe(body)
  })
})

describe("what was read", () => {
  test("is sent again under the platform's names, ids as numbers and dates as its own", async () => {
    const stored = {
      id: 9,
      full_name: "Ada",
      created_at: 1_700_000_000,
      updated_at: 1_700_000_060,
      own_field: { createdBy: "a form" }
    }
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : stored)
    )
    const { admin } = adminOf(server.url, {
      signIn,
      dates: "seconds",
      entities: { id: "id", names: "snake_case", numericIds: true }
    })
    const user = await admin.users.get({ id: "9" })
    await admin.users.update({ id: user._id, payload: { ...user, fullName: "Grace" } })
    expect(JSON.parse(server.heard[2]?.body ?? "")).toEqual({ ...stored, full_name: "Grace" })
  })
})

test("the id of a thing of JSON:API stands beside its attributes alone", async () => {
  const server = await serve(({ target }, json) =>
    json(
      target.startsWith("/auth/admin/login")
        ? opened
        : { data: { type: "users", id: "u1", attributes: { fullName: "Ada" } } }
    )
  )
  const { admin } = adminOf(server.url, { signIn, entities: { unwrap: "json:api", wrap: "json:api" } })
  const user = await admin.users.get({ id: "u1" })
  await admin.users.update({ id: user._id, payload: { ...user, fullName: "Grace" } })
  expect(JSON.parse(server.heard[2]?.body ?? "")).toEqual({
    data: { type: "users", id: "u1", attributes: { fullName: "Grace" } }
  })
})

describe("a list that a function finds", () => {
  test("does not stand beside its items again", async () => {
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : { people: [{ _id: "u1" }], asOf: "today" })
    )
    const { admin } = adminOf(server.url, { signIn, lists: { items: ({ body }) => Object(body).people } })
    const { items, paging } = await admin.users.list({})
    expect([items.map(({ _id }) => _id), paging]).toEqual([["u1"], { asOf: "today" }])
  })
})

describe("a function that throws", () => {
  const fails = (): never => {
    throw new TypeError("the words of the-secret-of-it")
  }

  test.each<[field: string, definition: Platform.Definition]>([
    ["lists.items", { lists: { items: fails } }],
    ["lists.next", { lists: { next: fails } }],
    ["dates.read", { dates: { read: fails, write: () => "" } }]
  ])("in %s leaves an answer as it came, and drift says which one it was", async (field, definition) => {
    const drifts: Array<unknown> = []
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : [{ _id: "u1", createdAt: "soon" }])
    )
    const onDrift = (drift: unknown): void => void drifts.push(drift)
    const { admin } = adminOf(server.url, { signIn, ...definition }, { onDrift })
    expect(await admin.users.list({})).toMatchObject({ items: [{ _id: "u1", createdAt: "soon" }] })
    expect(drifts).toContainEqual({
      operation: "users.list",
      path: "",
      expected: `what ${field} of the platform answers`,
      came: "a function that threw a TypeError"
    })
  })

  test("in errors leaves the words that the SDK finds, and says so in them", async () => {
    const server = await serve(({ target }, json) =>
      target.startsWith("/auth/admin/login")
        ? json(opened)
        : json({ message: "it is locked", code: "locked" }, 409)
    )
    const { admin } = adminOf(server.url, { signIn, errors: { message: fails, code: "code" } })
    expect(await failureOf(admin.users.get({ id: "u1" }))).toMatchObject({
      _tag: "Conflict",
      serverCode: "locked",
      serverMessage: "it is locked (errors.message of the platform threw a TypeError)"
    })
  })

  test.each<[did: string, items: () => unknown]>([
    ["a Promise", async () => []],
    ["a Promise", () => Promise.reject(new Error("no"))],
    ["object", () => new Map([["u1", {}]])],
    ["text", () => "u1"]
  ])("or answers %s in place of a list counts as one that fails, and ends no process", async (did, items) => {
    const drifts: Array<unknown> = []
    const server = await serve(({ target }, json) =>
      json(target.startsWith("/auth/admin/login") ? opened : [{ _id: "u1" }])
    )
    const onDrift = (drift: { readonly came: string }): void => void drifts.push(drift.came)
    const { admin } = adminOf(server.url, { signIn, lists: { items } }, { onDrift })
    expect(await admin.users.list({})).toMatchObject({ items: [{ _id: "u1" }] })
    expect(drifts).toContain(`a function that answered ${did}`)
  })
})

test("of an opaque token, a client that is given a session says what it needs, and works with that", async () => {
  const server = await serve((_, json) => json({ _id: "u1" }))
  const config = {
    baseUrl: server.url,
    projectId: "p1",
    sessionId: "s1",
    accessToken: "an-opaque-token",
    platform: Platform.make({ token: { kind: "opaque", permissions: "rights" } })
  }
  expect(() => createAdminClient(config)).toThrow('pass permissions: "off", or email and password')
  const admin = createAdminClient({ ...config, permissions: "off" })
  onTestFinished(() => admin.close())
  expect(await admin.users.get({ id: "u1" })).toMatchObject({ _id: "u1" })
})

test("a refresh token may be a number", async () => {
  let isOld = true
  const server = await serve(({ headers, target }, json) => {
    if (target.startsWith("/auth/admin/login"))
      return json({ accessToken: token("ada"), sessionId: "s1", user: { _id: "a1" }, refreshToken: 42 })
    if (target.startsWith("/auth/renew")) {
      isOld = false
      return json({ accessToken: token("anew"), sessionId: "s1" })
    }
    isOld || headers.authorization !== `Bearer ${token("anew")}`
      ? json({ message: "ended" }, 401)
      : json({ _id: "u1" })
  })
  const { admin } = adminOf(
    server.url,
    { signIn: { legacy: false, refresh: { path: "auth/renew" } } },
    { signInCooldown: 0 }
  )
  expect(await admin.users.get({ id: "u1" })).toMatchObject({ _id: "u1" })
  expect(JSON.parse(server.heard.find(({ target }) => target === "/auth/renew")?.body ?? "")).toEqual({
    refreshToken: "42"
  })
})

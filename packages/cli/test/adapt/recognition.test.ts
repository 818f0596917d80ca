// What is recognised of answers: the lines of the definition, what needs none, and what cannot be told.
import { describe, expect, it } from "vitest"
import { bodyOf } from "../../adapt/ask.js"
import { type Exchange, recognise, type Secrets } from "../../adapt/recognition/index.js"
import { isCode } from "../../adapt/recognition/line.js"
import { adminSignIn, jwt, legacySignIn, list, refusal, rows, thing, userSignIn } from "./exchanges.js"

/** The lines of one part of the definition, by where they stand. */
const linesOf = (part: string, exchanges: ReadonlyArray<Exchange>, secrets?: Secrets) =>
  Object.fromEntries(
    recognise(exchanges, secrets).lines.flatMap(({ at, value }) =>
      at === part || at.startsWith(`${part}.`) ? [[at, value]] : []
    )
  )

const ids = ["a1b2", "c3d4", "e5f6"]
const three = rows(...ids)

describe("the items of lists", () => {
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    ["a bare list", [list(three)], {}],
    ["the SDK's own envelope", [list({ items: three, paging: { total: 3 } })], {}],
    ["data and meta", [list({ data: three, meta: { total: 3 } })], {}],
    [
      "rows and a count",
      [list({ result: { rows: three, count: 3 } })],
      { "lists.items": "result.rows", "lists.total": "result.count" }
    ],
    [
      "a list of HAL, by any name",
      [
        list({ _embedded: { requests: three }, total: 3 }),
        list({ _embedded: { users: three }, total: 3 }, { call: "users.list", path: "/auth/user" })
      ],
      { "lists.items": "_embedded.*", "lists.total": "total" }
    ],
    [
      "two lists, of which the first has the items",
      [
        list({ requests: three, warnings: [] }),
        list({ users: three, warnings: [] }, { call: "users.list", path: "/auth/user" })
      ],
      { "lists.items": "*" }
    ],
    [
      "a map of things by their ids, whatever lists they hold",
      [list({ items: { a1b2: { _id: "a1b2", comments: three }, c3d4: { _id: "c3d4", comments: [] } } })],
      { "lists.items": "items" }
    ],
    [
      "edges with nodes",
      [list({ edges: three.map((node) => ({ node, cursor: node._id })), totalCount: 3 })],
      { "lists.item": "node", "lists.total": "totalCount" }
    ],
    [
      "a total in a header",
      [list(three, { headers: { "x-total-count": "3" } })],
      { "lists.total": { header: "x-total-count" } }
    ],
    [
      "a total in a range",
      [list(three, { headers: { "content-range": "items 0-2/57" } })],
      { "lists.total": { code: expect.stringContaining("content-range") } }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("lists", exchanges)).toEqual(lines)
  })

  it("are left out, with words, where lists have them in different places", () => {
    const exchanges = [
      list({ a: { b: three, c: three } }),
      list({ d: { e: { f: three, g: three } } }, { call: "users.list" })
    ]
    const { lines, unseen } = recognise(exchanges)
    expect(lines.filter(({ at }) => at === "lists.items")).toEqual([])
    expect(unseen.join("\n")).toContain("lists.items: lists hold their items in different places")
  })
})

describe("what is said of totals", () => {
  const users = { call: "users.list", path: "/auth/user" }
  it.each<[string, ReadonlyArray<Exchange>, string]>([
    ["none has one", [list({ items: three })], "no answer has the number of all items"],
    [
      "some have one",
      [list({ items: three, total: 3 }), list({ items: three }, users)],
      "1 of 2 answers of lists had the number of all items, the others had none"
    ],
    [
      "they stand in different places",
      [list({ items: three, total: 3 }), list({ items: three, meta: { count: 3 } }, users)],
      "in different places (`total`, `meta.count`)"
    ]
  ])("where %s", (_, exchanges, said) => {
    expect(recognise(exchanges).unseen.join("\n")).toContain(`lists.total: `)
    expect(recognise(exchanges).unseen.join("\n")).toContain(said)
  })

  it("is nothing of a number that counts the items of a page", () => {
    const exchanges = [
      list({ data: { rows: three, count: 3 } }),
      list({ data: { rows: three.slice(0, 1), count: 1 } }, { query: { limit: "1" } })
    ]
    expect(linesOf("lists.total", exchanges)).toEqual({})
  })

  it("is that no read was accepted, where none was", () => {
    expect(recognise([list({}, { status: 403 })]).unseen.join("\n")).toContain(
      "lists: no read of a list was accepted"
    )
  })
})

/** The pages of one list, of an item each, by the query that asks for them. */
const pages = (
  ...all: ReadonlyArray<readonly [query: Record<string, string>, body: unknown, given?: Partial<Exchange>]>
) => all.map(([query, body, given]) => list(body, { query, ...given }))

describe("how pages are asked for", () => {
  const [a, b] = [rows("a1b2"), rows("c3d4")]
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    [
      "page and limit from 1 need no line",
      [
        ...pages([{}, three], [{ limit: "1", page: "1" }, a], [{ limit: "1", page: "2" }, b]),
        refusal(400, {}, { query: { limit: "1", page: "0" } })
      ],
      {}
    ],
    [
      "other names, and a first page of 0",
      pages(
        [{}, three],
        [{ pageSize: "1", pageNumber: "0" }, a],
        [{ pageSize: "1", pageNumber: "1" }, b],
        [{ pageSize: "1", pageNumber: "2" }, rows("e5f6")]
      ),
      { "lists.page": { by: "page", parameter: "pageNumber", limit: "pageSize", first: 0 } }
    ],
    [
      "a page 0 that is page 1 is no first page",
      pages(
        [{}, three],
        [{ limit: "1", p: "0" }, a],
        [{ limit: "1", p: "1" }, a],
        [{ limit: "1", p: "2" }, b]
      ),
      { "lists.page": { by: "page", parameter: "p" } }
    ],
    [
      "brackets",
      pages(
        [{}, three],
        [{ "page[size]": "1", "page[number]": "1" }, a],
        [{ "page[size]": "1", "page[number]": "2" }, b]
      ),
      { "lists.page": { by: "page", parameter: "page[number]", limit: "page[size]" } }
    ],
    [
      "an offset",
      pages([{}, three], [{ take: "1" }, a], [{ take: "1", skip: "1" }, b]),
      { "lists.page": { by: "offset", parameter: "skip", limit: "take" } }
    ],
    [
      "a cursor that the page before it has answered",
      pages(
        [{}, { data: three, nextCursor: null }],
        [{ limit: "1" }, { data: a, nextCursor: "b3BhcXVl" }],
        [
          { limit: "1", after: "b3BhcXVl" },
          { data: b, nextCursor: "bW9yZQ" }
        ]
      ),
      { "lists.page": { by: "cursor", parameter: "after" }, "lists.next": "nextCursor" }
    ],
    [
      "the address of the next page",
      [list({ items: a, links: { next: "/request-action?after=b3BhcXVl" } })],
      { "lists.page": { by: "link" }, "lists.next": "links.next" }
    ],
    [
      "a header with the address of the next page",
      [list(a, { headers: { link: '</request-action?after=b3BhcXVl>; rel="next"' } })],
      { "lists.page": { by: "link" }, "lists.next": { header: "link" } }
    ]
  ])("%s", (_, exchanges, lines) => {
    const all = linesOf("lists", exchanges)
    expect({ ...all, ...lines }).toEqual(all)
    expect(Object.keys(all).filter((at) => at === "lists.page")).toEqual(Object.keys(lines).slice(0, 1))
  })

  it("is left out, with words, where no parameter leads on", () => {
    const exchanges = pages([{}, three], [{ page: "2" }, three])
    expect(linesOf("lists", exchanges)).toEqual({})
    expect(recognise(exchanges).unseen.join("\n")).toContain("lists.page: no parameter was seen to lead")
  })
})

describe("things", () => {
  const named = { id: 7, created_at: 1_700_000_000, user_id: 3, is_private: false }
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    ["as they are need no line", [list(three), thing("a1b2", three[0])], {}],
    ["in an envelope", [list(three), thing("a1b2", { data: three[0] })], { "entities.unwrap": "data" }],
    [
      "of JSON:API",
      [
        list({ data: ids.map((id) => ({ type: "requests", id, attributes: { title: "t" } })) }),
        thing("a1b2", { data: { type: "requests", id: "a1b2", attributes: { title: "t" } } })
      ],
      { "entities.unwrap": "json:api", "entities.id": "id" }
    ],
    [
      "whose type says that writes are of JSON:API too",
      [
        list(
          { data: ids.map((id) => ({ type: "requests", id, attributes: {} })) },
          { headers: { "content-type": "application/vnd.api+json" } }
        )
      ],
      { "entities.unwrap": "json:api", "entities.wrap": "json:api", "entities.id": "id" }
    ],
    [
      "with numbers for ids and other names",
      [list([named, { ...named, id: 8 }])],
      { "entities.id": "id", "entities.numericIds": true, "entities.names": "snake_case" }
    ],
    [
      "in PascalCase",
      [list([{ Id: "a1b2", CreatedAt: "x", UserId: "c3d4" }])],
      { "entities.id": "Id", "entities.names": "PascalCase" }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("entities", exchanges)).toEqual(lines)
  })

  it("are said to be elsewhere where a list has their ids and they are not found", () => {
    const { unseen } = recognise([list(three), thing("a1b2", {}, { status: 404 })])
    expect(unseen.join("\n")).toContain("routes: requests.get was not found though a list has its id")
  })

  it("are said to be elsewhere, or nowhere, where other lists were found", () => {
    const { unseen } = recognise([list(three), list({}, { call: "users.list", status: 404 })])
    expect(unseen).toContain(
      "routes: users.list was answered with 404, so it is at another path, or there is none"
    )
  })
})

describe("a read of one's own", () => {
  it("shows what lists do not, where nobody may read any", () => {
    const self = { uuid: "a1b2c3", created_at: 1_700_000_000, is_private: false, public_key: "x" }
    const exchanges = [
      refusal(401, { message: "who are you?" }, { purpose: "list" }),
      refusal(200, { ok: true, value: self }, { call: "project.self", path: "/project/self" })
    ]
    expect(linesOf("entities", exchanges)).toMatchObject({
      "entities.unwrap": "value",
      "entities.id": "uuid"
    })
    expect(linesOf("dates", exchanges)).toEqual({ dates: "seconds" })
  })
})

describe("dates", () => {
  const dated = (...values: ReadonlyArray<object>) => [
    list(values.map((value, at) => ({ _id: ids[at], ...value })))
  ]
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    ["of ISO need no line", dated({ createdAt: "2024-05-01T10:00:00Z" }), {}],
    ["in seconds", dated({ createdAt: 1_714_557_600, updatedAt: 1_714_557_601 }), { dates: "seconds" }],
    ["in milliseconds", dated({ createdAt: 1_714_557_600_000 }), { dates: "milliseconds" }],
    [
      "whose names say what they count",
      dated({ createdMs: 1_714_557_600_000, changedAt: "2024-05-01T10:00:00Z" }),
      { dates: { createdMs: "milliseconds" } }
    ],
    [
      "of both kinds, field by field",
      dated({ createdAt: 1_714_557_600, updatedAt: "2024-05-01T10:00:00Z" }),
      { dates: { createdAt: "seconds" } }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("dates", exchanges)).toEqual(lines)
  })

  it.each<[string, object, string, string]>([
    [
      "of a name that does not say so",
      { createdAt: "2024-05-01T10:00:00Z", seen: 1_714_557_600 },
      "the dates in `createdAt` are ISO texts",
      "`seen` may count seconds since 1970, which its name does not say"
    ],
    [
      "of another form",
      { createdAt: "2024-05-01T10:00:00Z", updatedAt: "01.05.2024 10:00" },
      "the dates in `createdAt` are ISO texts",
      "texts of another form in `updatedAt`: write { read, write }"
    ]
  ])("%s are told of, and not said to be what they are not", (_, value, fit, unseen) => {
    const found = recognise(dated(value))
    expect(found.lines.filter(({ at }) => at === "dates")).toEqual([])
    expect(found.fits).toContain(fit)
    expect(found.unseen).toContain(`dates: ${unseen}`)
  })

  it("are no numbers that count something else", () => {
    expect(linesOf("dates", dated({ createdAt: "2024-05-01T10:00:00Z", price: 1_714_557_600 }))).toEqual({})
  })
})

describe("errors", () => {
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    ["of the SDK's form", [refusal(404, { message: "it is not there" })], {}],
    ["in an envelope", [refusal(404, { error: { code: "absent", message: "it is not there" } })], {}],
    [
      "of RFC 9457",
      [refusal(404, { type: "about:blank", title: "Not Found", detail: "it is not there" })],
      {}
    ],
    ["of plain text", [refusal(404, "it is not there")], {}],
    [
      "by other names",
      [refusal(404, { fault: { text: "it is not there", errorCode: "absent", traceId: "trace-7" } })],
      {
        "errors.message": "fault.text",
        "errors.code": "fault.errorCode",
        "errors.requestId": "fault.traceId"
      }
    ],
    [
      "by names that nothing else has",
      [
        refusal(401, { fault: { no: 4017, words: "Say who you are", trace: "tr-1a2b3c4d" } }),
        refusal(404, { fault: { no: 4041, words: "No user 55", trace: "tr-5e6f7a8b" } })
      ],
      { "errors.message": "fault.words", "errors.code": "fault.no", "errors.requestId": "fault.trace" }
    ],
    [
      "with a word where the message is looked for",
      [refusal(401, { error: "invalid_token", error_description: "the token is over" })],
      { "errors.message": "error_description", "errors.code": "error" }
    ],
    [
      "that have the texts of each field",
      [refusal(400, { message: "it is wrong", errors: { title: ["it is too long"] } })],
      { "errors.field": { code: expect.stringContaining("Object.keys(body?.errors") } }
    ],
    [
      "that point to a field",
      [
        refusal(422, {
          errors: [{ code: "long", title: "Too long", source: { pointer: "/data/attributes/title" } }]
        })
      ],
      { "errors.field": { code: expect.stringContaining("pointer") } }
    ],
    [
      "under another header",
      [refusal(404, { message: "it is not there" }, { headers: { "x-amz-request-id": "r-1" } })],
      { "errors.requestId": { header: "x-amz-request-id" } }
    ],
    [
      "with a status of success",
      [refusal(200, { success: false, status: 404, message: "it is not there" })],
      { "errors.status": { code: expect.stringContaining("body.status") } }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("errors", exchanges)).toEqual(lines)
  })
})

it("names the words of an error that may be its message", () => {
  const { lines, unseen } = recognise([refusal(404, { fault: { words: "No such user", hint: "Ask again" } })])
  expect(lines.map(({ at }) => at)).not.toContain("errors.message")
  expect(unseen.join("\n")).toContain(
    "errors.message: which words of an error say what is wrong; it may be `fault.words`, `fault.hint`"
  )
})

describe("the code of an error", () => {
  const coded = { fault: { text: "it is not there", errorCode: "absent" } }
  it.each<[string, ReadonlyArray<Exchange>, string]>([
    ["one", [refusal(404, coded)], "the one error had a code of its own there"],
    ["all", [refusal(404, coded), refusal(404, coded)], "each of 2 errors had a code of its own there"],
    [
      "some",
      [refusal(404, coded), refusal(401, { fault: { text: "who are you?" } })],
      "1 of 2 errors had a code of its own there"
    ]
  ])("is said to be that of %s", (_, exchanges, reason) => {
    expect(recognise(exchanges).lines).toContainEqual({ at: "errors.code", value: "fault.errorCode", reason })
  })

  it("is none where only the status is a number of its own", () => {
    const { unseen } = recognise([refusal(404, { fault: { text: "it is not there", code: 404 } })])
    expect(unseen).toContain("errors.code: no error had a code beside its status and its words")
  })

  it("stands beside the path that leads to the field", () => {
    const errors = [{ message: "it is too long", path: ["title"], extensions: { code: "LONG" } }]
    expect(linesOf("errors", [refusal(422, { errors })])).toMatchObject({ "errors.field": "errors.0.path.0" })
  })
})

const claims = { sub: "u1b2c3", email: "ada@example.com", name: "Ada", p: { orders: { list: 1 } } }
const user = { _id: "u1b2c3", email: "ada@example.com", fullName: "Ada" }

describe("sign-ins", () => {
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    [
      "of the SDK's form",
      [adminSignIn({ accessToken: jwt(claims), user }), legacySignIn({ sessionId: "session-1234" })],
      {}
    ],
    [
      "in an envelope, with one sign-in for both services",
      [
        adminSignIn({
          data: {
            token: { access: jwt(claims), refresh: "refresh-token-1" },
            session: { id: "session-1234" },
            account: user
          }
        })
      ],
      {
        "signIn.admin.accessToken": "data.token.access",
        "signIn.admin.refreshToken": "data.token.refresh",
        "signIn.admin.sessionId": "data.session.id",
        "signIn.admin.user": "data.account",
        "signIn.legacy": false
      }
    ],
    [
      "with the token in a header",
      [adminSignIn({ user }, { headers: { "x-auth-token": jwt(claims) } })],
      { "signIn.admin.accessToken": { header: "x-auth-token" } }
    ],
    [
      "with a cookie alone",
      [adminSignIn({ user }, { cookies: { app_session: "session-1234", "XSRF-TOKEN": "csrf-1" } })],
      { "signIn.admin.sessionId": { cookie: "app_session" }, "signIn.legacy": false }
    ],
    [
      "with names of their own",
      [
        adminSignIn(
          { accessToken: jwt(claims), user, sessionId: "session-1234" },
          { input: { username: "ada@example.com", pass: "the-password" } }
        )
      ],
      { "signIn.fields": { email: "username", password: "pass" }, "signIn.legacy": false }
    ],
    [
      "of end users",
      [userSignIn({ session: { key: "session-1234" }, account: user })],
      {
        "signIn.endUser.sessionId": "session.key",
        "signIn.endUser.user": "account"
      }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("signIn", exchanges)).toEqual(lines)
  })

  it("need no line for what stands where the envelope of things is", () => {
    const exchanges = [
      adminSignIn({ data: { access_token: jwt(claims), user } }),
      list([{ _id: "a1b2", created_at: "x", user_id: "y" }]),
      thing("a1b2", { data: { _id: "a1b2" } })
    ]
    expect(linesOf("signIn", exchanges)).toEqual({})
    expect(linesOf("entities", exchanges)).toEqual({
      "entities.unwrap": "data",
      "entities.names": "snake_case"
    })
  })
})

describe("tokens", () => {
  const signedIn = (given: object, who: unknown = user) => [
    adminSignIn({ accessToken: jwt(given), user: who })
  ]
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    ["of the SDK's form", signedIn(claims), {}],
    ["with a number for who it is", signedIn({ ...claims, sub: 7 }), {}],
    [
      "with other claims and words for levels",
      signedIn({
        uid: "u1b2c3",
        email: "ada@example.com",
        display_name: "Ada",
        acl: { orders: { list: "view", edit: "owner" } }
      }),
      {
        "token.subject": "uid",
        "token.name": "display_name",
        "token.permissions": "acl",
        "token.levels": { view: 1, owner: 9 }
      }
    ],
    [
      "with grants in words",
      signedIn({ ...claims, p: undefined, scope: "orders:list:read users:list:admin" }),
      {
        "token.permissions": { code: expect.stringContaining("claims.scope") },
        "token.levels": { none: 0, read: 1, write: 3, admin: 9 }
      }
    ],
    [
      "that are opaque",
      [
        adminSignIn({
          accessToken: "at_0123456789abcdef",
          user: { id: 7, email: "ada@example.com", full_name: "Ada" }
        })
      ],
      { "token.kind": "opaque" }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("token", exchanges)).toEqual(lines)
  })

  it("whose levels cannot be told are told of in words", () => {
    const { lines, unseen } = recognise(signedIn({ ...claims, p: { orders: { list: 5 } } }))
    expect(lines.filter(({ at }) => at === "token.levels")).toEqual([])
    expect(unseen.join("\n")).toContain("token.levels: the levels of its grants are none that the SDK knows")
  })
})

describe("credentials", () => {
  const secrets = { apiKey: "key-123456", project: "project-77" }
  const token = jwt(claims)
  const signedIn = [adminSignIn({ accessToken: token, user }), legacySignIn({ sessionId: "session-1234" })]
  const asked = (
    sent: Record<string, string>,
    query: Record<string, string> = {},
    path = "/request-action"
  ) => [...signedIn, list(three, { sent, query, path })]
  it.each<[string, ReadonlyArray<Exchange>, object]>([
    [
      "as the SDK sends them",
      asked(
        { authorization: `Bearer ${token}`, "x-session-id": "session-1234", "x-api-key": "key-123456" },
        { projectId: "project-77" }
      ),
      {}
    ],
    [
      "by other headers and schemes",
      asked({
        authorization: `Token ${token}`,
        "x-session": "session-1234",
        "x-client-key": "key-123456",
        "x-project": "project-77"
      }),
      {
        "credentials.accessToken": { header: "authorization", scheme: "Token" },
        "credentials.session": { header: "x-session" },
        "credentials.apiKey": { header: "x-client-key" },
        "credentials.project": { header: "x-project" }
      }
    ],
    [
      "in a cookie, the query and the path",
      asked(
        { cookie: `lang=en; sid=session-1234`, "x-auth-token": token },
        { api_key: "key-123456" },
        "/tenants/project-77/request-action"
      ),
      {
        "credentials.accessToken": { header: "x-auth-token" },
        "credentials.session": { cookie: "sid" },
        "credentials.apiKey": { query: "api_key" },
        "credentials.project": { path: "tenants/{projectId}" }
      }
    ],
    [
      "a project that nothing names",
      asked({ authorization: `Bearer ${token}`, "x-session-id": "session-1234", "x-api-key": "key-123456" }),
      { "credentials.project": false }
    ]
  ])("%s", (_, exchanges, lines) => {
    expect(linesOf("credentials", exchanges, secrets)).toEqual(lines)
  })

  it("in the host of the new service name the project there", () => {
    const sent = { authorization: `Bearer ${token}`, host: "shop-7.api.example.com" }
    expect(linesOf("credentials.project", asked(sent), { project: "shop-7" })).toEqual({
      "credentials.project": { host: "{projectId}.api.example.com" }
    })
    const local = { authorization: `Bearer ${token}`, host: "127.0.0.1" }
    expect(linesOf("credentials.project", asked(local), { project: "1" })).toEqual({
      "credentials.project": false
    })
  })

  it("that reads do without show nothing of what carries them", () => {
    const exchanges = [
      ...asked({ authorization: `Bearer ${token}`, "x-odd": "session-1234" }),
      list(three, { sent: { authorization: `Bearer ${token}` } })
    ]
    expect(linesOf("credentials.session", exchanges, secrets)).toEqual({})
    expect(recognise(exchanges, secrets).unseen.join("\n")).toContain(
      "credentials.session: what carries the session id, since reads were accepted without it"
    )
  })

  it("that went in several ways at once show none of them", () => {
    const both = asked({ authorization: `Bearer ${token}`, "x-auth-token": token })
    expect(linesOf("credentials.accessToken", both, secrets)).toEqual({})
    expect(recognise(both, secrets).unseen.join("\n")).toContain("credentials.accessToken: no request")
  })
})

describe("an access token that nothing calls so", () => {
  it("is the only text of an admin's sign-in that may be one", () => {
    const body = { session: { opaque: "opaque-0123456789" }, user: { _id: "u1", email: "ada@example.com" } }
    expect(linesOf("signIn.admin", [adminSignIn(body)])).toEqual({
      "signIn.admin.accessToken": "session.opaque"
    })
  })

  it("is told of where several may be it, and the token is not said to be opaque", () => {
    const { lines, unseen } = recognise([
      adminSignIn({ session: { one: "opaque-0123456789", two: "opaque-9876543210" }, user })
    ])
    expect(lines.filter(({ at }) => /accessToken|^token/.test(at))).toEqual([])
    expect(unseen.join("\n")).toContain(
      "signIn.admin.accessToken: the answer does not show the access token; it may be"
    )
  })
})

it("takes no resource of JSON:API for who signed in that is none", () => {
  const attributes = { accessToken: "opaque-0123456789", sessionId: "session-1234" }
  const { unseen } = recognise([adminSignIn({ data: { type: "session", id: "s1", attributes } })])
  expect(unseen).toContain("signIn.admin.user: the answer does not show who signed in")
})

describe("a session id that nothing calls so", () => {
  const token = jwt(claims)
  const admin = adminSignIn({ accessToken: token, user })
  const accepted = list(three, { sent: { authorization: `Bearer ${token}` } })
  const session = "credentials.session"
  const of = (exchanges: ReadonlyArray<Exchange>) => {
    const { lines, unseen } = recognise(exchanges)
    return { lines: Object.fromEntries(lines.map(({ at, value }) => [at, value])), text: unseen.join("\n") }
  }

  it("is the only text of a sign-in that may be one", () => {
    const answer = { ok: true, value: { ticket: { key: "ses_0123456789" }, who: user } }
    const { lines } = of([admin, legacySignIn(answer), userSignIn(answer)])
    expect(lines).toMatchObject({
      "signIn.legacy.sessionId": "value.ticket.key",
      "signIn.endUser.sessionId": "value.ticket.key"
    })
    expect(lines).not.toHaveProperty([session])
  })

  it("is told of where several may be it, and is not said to be none", () => {
    const answer = { ticket: { key: "ses_0123456789", id: "tick-0123456789" } }
    const { lines, text } = of([admin, legacySignIn(answer), accepted])
    expect(lines).not.toHaveProperty(["signIn.legacy.sessionId"])
    expect(lines).not.toHaveProperty([session])
    expect(text).toContain("it may be `ticket.key`, `ticket.id`")
  })

  it("is said to be none where reads were accepted without it alone", () => {
    const legacy = legacySignIn({ ok: true })
    const refused = refusal(401, { message: "who are you?" }, { sent: accepted.sent, purpose: "list" })
    expect(of([admin, legacy, accepted]).lines).toMatchObject({ [session]: false })
    expect(of([admin, legacy, refused]).lines).not.toHaveProperty([session])
    expect(of([admin, legacy, refused]).text).toContain(session)
  })

  it("is all that is sent where reads were accepted without a token alone", () => {
    const cookie = adminSignIn({ user }, { cookies: { sid: "session-1234" } })
    const read = (status: number) => list(three, { status, sent: { cookie: "sid=session-1234" } })
    expect(of([cookie, read(200)]).lines).toMatchObject({ "credentials.accessToken": false })
    expect(of([cookie, read(401)]).lines).not.toHaveProperty(["credentials.accessToken"])
  })
})

describe("refusals with a status of success", () => {
  const said = (fault: object) => ({ success: false, fault: { reason: "who are you", ...fault } })
  const signedIn = [adminSignIn({ accessToken: jwt(claims), user })]
  const secrets = { apiKey: "key-123456", project: "project-77" }
  const sent = { authorization: `Bearer ${jwt(claims)}`, "x-api-key": "key-123456" }
  const query = { projectId: "project-77" }
  const probes = (...bodies: ReadonlyArray<unknown>) =>
    ["requests.list", "users.list"].map((call, at) =>
      list(bodies[at % bodies.length], { call, sent, query, path: `/${call}` })
    )

  it.each<[string, unknown]>([
    ["a flag", { success: false }],
    ["another flag", { ok: false, info: "no" }],
    ["an object of the error", { error: { text: "no" } }],
    ["a fault", { fault: { text: "no" } }],
    ["a list of errors", { errors: [{ title: "no" }] }],
    ["a status beside words", { status: 401, message: "who are you" }],
    ["a word for the status", { status: "error", message: "who are you" }],
    ["one body for all", { verdict: "none of yours" }],
    ["one text for all", "Please sign in"]
  ])("by %s show nothing of credentials and the project", (_, body) => {
    const { fits, lines } = recognise([...signedIn, ...probes(body)], secrets)
    expect(fits.filter((text) => /is sent as|is named by/.test(text))).toEqual([])
    expect(lines.filter(({ at }) => /^(credentials|lists|entities)/.test(at))).toEqual([])
  })

  it.each<[string, unknown]>([
    ["an empty list", { items: [], errors: [], success: true }],
    ["a list beside warnings", { items: three, errors: [{ title: "one is left out" }] }],
    [
      "a list of payments of which one failed",
      { items: [{ _id: "a1b2", status: "failed", error: { text: "no" } }] }
    ]
  ])("are told from %s", (_, body) => {
    const { fits } = recognise([...signedIn, ...probes(body)], secrets)
    expect(fits).toContain("the project is named by `projectId`")
  })

  it("are no things of the ids that were asked for, however alike", () => {
    const alike = ["requests.get", "items.get"].map((call) => thing("a1", { value: { _id: "a1" } }, { call }))
    expect(linesOf("entities", alike)).toEqual({ "entities.unwrap": "value" })
  })

  it.each<[string, unknown, string]>([
    ["a number", said({ http: 404 }), "fault.http"],
    ["a text", { errors: [{ status: "404", title: "it is not there" }] }, "errors.0.status"]
  ])("say their status by %s, which a line reads", (_, body, path) => {
    const { lines } = recognise([refusal(200, body), list(three)])
    const line = lines.find(({ at }) => at === "errors.status")
    expect(line?.reason).toContain(`\`${path}\``)
    const value = line?.value
    const code = typeof value === "object" && isCode(value) ? value.code : ""
    const status = new Function(`return ${code}`)()
    expect([status({ body }), status({ body: three }), status({ body: undefined })]).toEqual([
      404,
      undefined,
      undefined
    ])
  })

  it("that hold no status are told of in words", () => {
    const { lines, unseen } = recognise([refusal(200, said({}))])
    expect(lines.filter(({ at }) => at === "errors.status")).toEqual([])
    expect(unseen.join("\n")).toContain("errors.status: errors come with a status of success")
  })
})

it("what is written holds no id, credential or address of e-mail, whatever names a platform has", () => {
  const exchanges = [
    adminSignIn({ "session-1234": { accessToken: jwt(claims) }, user }),
    list({ [ids[0] ?? ""]: { rows: three, count: 3 } }),
    refusal(400, { "ada@example.com": { text: "it is not there" } })
  ]
  const { fits, lines, unseen } = recognise(exchanges, { apiKey: "key-123456" })
  const text = JSON.stringify([fits, lines, unseen])
  for (const value of [...ids, "session-1234", "ada@example.com", "the-password", "key-123456", jwt(claims)])
    expect(text).not.toContain(value)
})

describe("an id", () => {
  const users = [1, 2].map((n) => ({
    name: `n${n}`,
    handle: `h${n}0`,
    "user-id": 200 + n,
    "created-at": "2026"
  }))

  it("is what the answers to reads by it prove", () => {
    const read = thing("h10", { user: { name: "n1", handle: "h10", "user-id": 201 } })
    expect(linesOf("entities.id", [list({ users }), read])).toEqual({ "entities.id": "handle" })
  })

  it("is no field that the SDK knows, in whatever style, and not guessed", () => {
    const { lines, unseen } = recognise([list({ users })])
    expect(lines.filter(({ at }) => at === "entities.id")).toEqual([])
    expect(unseen.join("\n")).toContain("entities.id: no field of things is called as ids are")
  })

  it("beyond what JavaScript counts is known by its digits", () => {
    const one = '{ "ref": 9007199254741003, "name": "n" }'
    const read = thing("9007199254741003", undefined, bodyOf(`{ "user": ${one} }`))
    const all = list(undefined, bodyOf(`{ "users": [${one}] }`))
    expect(linesOf("entities", [all, read])).toMatchObject({
      "entities.id": "ref",
      "entities.numericIds": true
    })
  })
})

describe("dates as databases write them", () => {
  it("have a line with two functions, which name their zone as a guess", () => {
    const answers = [list({ things: [{ _id: "a1", createdAt: "2026-10-01 09:00:00" }] })]
    const { lines, unseen } = recognise(answers)
    const dates = lines.find(({ at }) => at === "dates")?.value
    const { read, write } = new Function(`return ${codeOf(dates)}`)()
    expect(read("2026-10-01 09:00:00")).toEqual(new Date("2026-10-01T09:00:00Z"))
    expect(read("hello")).toBeUndefined()
    expect(write(new Date("2026-10-01T09:00:00Z"))).toBe("2026-10-01 09:00:00")
    expect(unseen.join("\n")).toContain("dates: the time zone of the texts")
  })

  const codeOf = (value: unknown): string =>
    `{ ${Object.entries(Object(value))
      .map(([name, inner]) => `${name}: ${Object(inner).code}`)
      .join(", ")} }`
})

describe("what wraps things by the name of their kind", () => {
  it("is told of as such, and what differs has no line", () => {
    const { lines, unseen } = recognise([
      thing("a1", { user: { _id: "a1" } }, { call: "users.get", path: "/auth/user/a1" }),
      thing("b1", { role: { _id: "b1" } }, { call: "roles.get", path: "/auth/role/b1" })
    ])
    expect(lines.filter(({ at }) => at === "entities.unwrap")).toEqual([])
    expect(unseen.join("\n")).toMatch(
      /entities.unwrap: `user`, `role` are names of kinds of things.*write a function/
    )
  })

  it("is no wrapper where a call has a field of that name", () => {
    const write = list({}, { purpose: "write", call: "users.create", method: "POST", path: "/auth/user" })
    expect(recognise([{ ...write, input: { user: { fullName: "Ann" } } }]).lines).toContainEqual(
      expect.objectContaining({ at: "entities.wrap", value: "user" })
    )
    expect(recognise([{ ...write, input: { fullName: "Ann" } }]).fits).toContain(
      "bodies of writes are not wrapped"
    )
  })

  it("is not said to be unseen where the project was read", () => {
    const self = list(
      { project: { ref: 1, name: "n" } },
      { purpose: "other", call: "project.self", path: "/project/self" }
    )
    expect(recognise([self]).unseen.join("\n")).not.toContain("no single thing was read")
  })
})

describe("writes beside a cookie", () => {
  it("show the header that repeats another cookie", () => {
    const write = list(
      {},
      {
        purpose: "write",
        call: "users.create",
        method: "POST",
        sent: {
          cookie: "sid=s-0123456; seen=1; crumb=crumb-0123456",
          "x-crumb": "crumb-0123456",
          "x-once": "k1"
        }
      }
    )
    expect(linesOf("credentials", [write], { sessionId: "s-0123456" })).toMatchObject({
      "credentials.csrf": { header: "x-crumb", cookie: "crumb" },
      "credentials.idempotencyKey": "x-once"
    })
  })
})

describe("how lists are asked for", () => {
  const ids = (...all: ReadonlyArray<string>) => ({ things: rows(...all) })

  it("is by brackets or repeated parameters where they are seen, and else not known", () => {
    expect(linesOf("lists.parameters", [list(ids("a1"), { query: { "status-in[]": "a" } })])).toEqual({
      "lists.parameters": "brackets"
    })
    expect(
      linesOf("lists.parameters", [list(ids("a1"), { query: { status: "a" }, repeated: ["status"] })])
    ).toEqual({ "lists.parameters": "repeat" })
    expect(recognise([list(ids("a1"))]).unseen.join("\n")).toContain("lists.parameters:")
  })

  it("names a parameter that takes the last id of a page, and one that limits it", () => {
    const { lines, unseen } = recognise([
      list(ids("aa1", "aa2"), { query: { count: "2" } }),
      list(ids("aa3", "aa4"), { query: { count: "2", "starting-after": "aa2" } })
    ])
    expect(lines.filter(({ at }) => at === "lists.page")).toEqual([])
    expect(unseen.join("\n")).toContain('parameter: "starting-after", limit: "count"')
  })

  it("says where offsets begin, or that it was not seen", () => {
    const all = list(ids("a1", "b1", "c1"))
    const from = (offset: string, ...left: ReadonlyArray<string>) => list(ids(...left), { query: { offset } })
    expect(linesOf("lists.page", [all, from("1", "a1", "b1", "c1"), from("2", "b1", "c1")])).toEqual({
      "lists.page": { by: "offset", first: 1 }
    })
    expect(recognise([all, from("1", "b1", "c1")]).unseen.join("\n")).not.toContain("lists.page.first")
    expect(recognise([all, from("2", "c1")]).unseen.join("\n")).toContain("lists.page.first")
  })
})

describe("the project", () => {
  it("is in the path where it stands there, whatever header all requests have", () => {
    const token = jwt({ sub: "u1" })
    const sent = { authorization: `Bearer ${token}`, "x-org": "project-77" }
    expect(
      linesOf(
        "credentials.project",
        [list({ things: rows("a1") }, { sent, path: "/org/project-77/request-action" })],
        { accessToken: token, project: "project-77" }
      )
    ).toEqual({ "credentials.project": { path: "org/{projectId}" } })
  })
})

describe("a sign-in that is refused", () => {
  it("names its fields as what it may come from", () => {
    expect(recognise([adminSignIn({ message: "no" }, { status: 422 })]).unseen.join("\n")).toMatch(
      /signIn.admin: the sign-in was refused with HTTP 422: .*signIn.fields/
    )
  })
})

describe("numbers that JavaScript cannot hold", () => {
  const answer = (path: string, text: string, given: object = {}): Exchange =>
    list(undefined, { path, ...bodyOf(text), ...given })
  it("are ids all the same, and differ from their neighbours", () => {
    const { lines } = recognise([
      answer(
        "/request-action",
        '{"items":[{"id":9007199254741001},{"id":9007199254741002},{"id":9007199254741003}]}'
      )
    ])
    expect(lines).toContainEqual(expect.objectContaining({ at: "entities.id", value: "id" }))
    expect(lines).toContainEqual(expect.objectContaining({ at: "entities.numericIds", value: true }))
  })

  it("are no texts of digits, which stay texts", () => {
    const { lines } = recognise([
      answer("/request-action", '{"items":[{"id":"9007199254741001"},{"id":"9007199254741002"}]}')
    ])
    expect(lines.map(({ at }) => at)).not.toContain("entities.numericIds")
  })
})

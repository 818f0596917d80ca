// What a HAR shows: whose sign-in it is where both services have the same route for it, renewals, projects in hosts, and other routes.
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { exchangesIn, type Known, lackingIn } from "../../adapt/har.js"
import { recognise, type Secrets } from "../../adapt/recognition/index.js"

interface Made {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly input?: unknown
  readonly status?: number
  readonly body?: unknown
  readonly setCookie?: string
  /** Headers of the answer. */
  readonly answered?: Readonly<Record<string, string>>
}

const har = (...requests: ReadonlyArray<Made>): string =>
  JSON.stringify({
    log: {
      entries: requests.map(
        ({
          answered = {},
          body = {},
          headers = {},
          input,
          method = "GET",
          setCookie,
          status = 200,
          url
        }) => ({
          request: {
            method,
            url,
            headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
            ...(input === undefined ? {} : { postData: { text: JSON.stringify(input) } })
          },
          response: {
            status,
            headers: [
              ...Object.entries(answered).map(([name, value]) => ({ name, value })),
              ...(setCookie === undefined ? [] : [{ name: "set-cookie", value: setCookie }])
            ],
            content: { text: JSON.stringify(body) }
          }
        })
      )
    }
  })

const unknownPlatform: Known = { api: undefined, legacy: undefined }

const exchanges = (text: string, known: Known = unknownPlatform) =>
  Either.getOrThrow(exchangesIn(text, known))

const recognised = (requests: ReadonlyArray<Made>, secrets: Secrets = {}, known: Partial<Known> = {}) => {
  const found = recognise(
    exchanges(har(...requests), { ...unknownPlatform, project: secrets.project, ...known }),
    secrets
  )
  return {
    lines: Object.fromEntries(found.lines.map(({ at, value }) => [at, value])),
    unseen: found.unseen.join("\n"),
    text: JSON.stringify(found)
  }
}

it.each([
  ["sign-in of an end user", "a key's header", { "x-api-key": "key-123456" }],
  ["sign-in of an end user", "a key under authorization", { authorization: "ApiKey key-123456" }],
  ["legacy sign-in of an admin", "no key", {}]
])("a %s has %s", (purpose, _, headers) => {
  const text = har({ method: "POST", url: "https://api.example.com/auth/login", headers, input: {} })
  expect(exchanges(text).map((each) => each.purpose)).toEqual([purpose])
})

const token = "token-0123456789"
const renewal = "renewal-0123456789"
const auth = { authorization: `Bearer ${token}` }
const signIn: Made = {
  method: "POST",
  url: "https://api.example.com/auth/admin/login",
  input: { email: "ada@example.com", password: "the-password" },
  body: { accessToken: token, again: renewal, user: { _id: "u1", email: "ada@example.com" } }
}
const things = [
  { _id: "a1b2c3", title: "Water" },
  { _id: "d4e5f6", title: "Gas" }
]
const list = (url: string, headers: Readonly<Record<string, string>> = auth): Made => ({
  url,
  headers,
  body: { items: things, paging: { total: 2 } }
})

describe("a renewal of a session", () => {
  it.each([
    ["auth/refresh", { refreshToken: renewal }, { path: "auth/refresh" }],
    ["token/renew", { key: renewal }, { path: "token/renew", field: "key" }],
    ["v2/sessions", { again: renewal }, { path: "v2/sessions", field: "again" }]
  ])("at %s is known by what it sends and answers", (path, input, refresh) => {
    const { lines, text } = recognised([
      signIn,
      {
        method: "POST",
        url: `https://api.example.com/${path}`,
        input,
        body: { accessToken: "token-9876543210" }
      },
      list("https://api.example.com/request-action")
    ])
    expect(lines["signIn.refresh"]).toEqual(refresh)
    expect(lines["signIn.admin.refreshToken"]).toBe("again")
    for (const value of [token, renewal, "token-9876543210"]) expect(text).not.toContain(value)
  })

  it("says where all parts of its answer stand, if one stands elsewhere", () => {
    const { lines } = recognised([
      signIn,
      {
        method: "POST",
        url: "https://api.example.com/auth/refresh",
        input: { again: renewal },
        body: { session: { accessToken: "token-9876543210" }, refreshToken: "renewal-9876543210" }
      }
    ])
    expect(lines["signIn.refresh"]).toEqual({
      path: "auth/refresh",
      field: "again",
      answer: { accessToken: "session.accessToken", refreshToken: "refreshToken" }
    })
  })

  it("of an end user, and a write that answers a token, are none", () => {
    const { lines } = recognised([
      signIn,
      {
        method: "POST",
        url: "https://api.example.com/auth/login",
        headers: { "x-api-key": "key-123456" },
        input: {},
        body: { sessionId: "session-0123456789", refreshToken: "renewal-of-a-user" }
      },
      {
        method: "POST",
        url: "https://api.example.com/auth/refresh",
        input: { refreshToken: "renewal-of-a-user" },
        body: { accessToken: "token-9876543210" }
      },
      {
        method: "POST",
        url: "https://api.example.com/v2/keys",
        input: { name: "a key for a shop" },
        body: { token: "token-9876543210" }
      }
    ])
    expect(lines).not.toHaveProperty("signIn.refresh")
  })
})

describe("a project in the host", () => {
  const known = { api: { origin: "https://api.example.com", prefix: "" } }

  it.each([
    ["of the address that was given", known],
    ["of an address that only the HAR says", {}]
  ])("is recognised below or beside the host %s", (_, more) => {
    const { lines } = recognised(
      [signIn, list("https://shop-7.api.example.com/request-action")],
      { project: "shop-7" },
      more
    )
    expect(lines["credentials.project"]).toEqual({ host: "{projectId}.api.example.com" })
  })

  it("of somebody else is none of the platform's", () => {
    const text = har(signIn, list("https://shop-8.api.example.com/request-action"))
    expect(
      exchanges(text, { ...unknownPlatform, ...known, project: "shop-7" }).map(({ call }) => call)
    ).toEqual(["auth.login"])
  })
})

describe("a route that differs", () => {
  it("is said where another method did what a call does", () => {
    const { lines } = recognised([
      signIn,
      list("https://api.example.com/request-action"),
      {
        method: "PATCH",
        url: "https://api.example.com/request-action/a1b2c3",
        headers: auth,
        input: { data: { title: "Gas" } }
      }
    ])
    expect(lines).toMatchObject({
      "routes.requests.update": { method: "PATCH" },
      "entities.wrap": "data"
    })
  })

  it("is told of where a path is none that the SDK knows, with the call that it may be of and without its data", () => {
    const { lines, text, unseen } = recognised([
      signIn,
      list("https://api.example.com/request-action"),
      {
        method: "PATCH",
        url: "https://api.example.com/v2/tickets/a1b2c3",
        headers: auth,
        input: { title: "Gas" }
      },
      { url: "https://api.example.com/v2/orders", headers: auth },
      {
        method: "POST",
        url: "https://api.example.com/session/new",
        input: { login: "ada", password: "pw-123456" }
      },
      { url: "https://api.example.com/app/Water", headers: auth }
    ])
    expect(lines).not.toHaveProperty("routes")
    expect(unseen).toContain(
      "routes: PATCH `v2/tickets/{id}` is no route that the SDK knows; it may be that of requests.update"
    )
    expect(unseen).toContain(
      "routes: POST `session/new` is no route that the SDK knows; it may be that of auth.login"
    )
    expect(unseen).toContain("routes: GET `app/{id}` is no route that the SDK knows")
    expect(text).not.toMatch(/a1b2c3|pw-123456|Water/)
  })

  it("is that of its call once the module says so", () => {
    const routes = {
      "requests.update": { method: "PATCH", path: "v2/tickets/{id}" },
      "auth.login": { path: "session/new" }
    }
    const found = exchanges(
      har(
        { ...signIn, url: "https://api.example.com/session/new" },
        { ...signIn, url: "https://api.example.com/session/new", headers: { "x-api-key": "key-123456" } },
        {
          method: "PATCH",
          url: "https://api.example.com/v2/tickets/a1b2c3",
          headers: auth,
          input: { title: "Gas" }
        }
      ),
      { ...unknownPlatform, routes }
    )
    expect(found.map(({ call, purpose }) => [call, purpose])).toEqual([
      ["auth.login", "sign-in of an admin"],
      ["auth.login", "sign-in of an end user"],
      ["requests.update", "write"]
    ])
  })
})

it("names the header that repeats a cookie in writes", () => {
  const session = {
    ...signIn,
    body: { user: { _id: "u1", email: "ada@example.com" } },
    setCookie: "sid=session-0123456789"
  }
  const cookie = { cookie: "sid=session-0123456789; csrf=guard-0123456789" }
  const { lines } = recognised([
    session,
    list("https://api.example.com/request-action", cookie),
    {
      method: "PUT",
      url: "https://api.example.com/request-action/a1b2c3",
      headers: { ...cookie, "x-csrf-token": "guard-0123456789" },
      input: { title: "Gas" }
    }
  ])
  expect(lines["credentials.csrf"]).toEqual({ header: "x-csrf-token", cookie: "csrf" })
})

describe("a session of a browser before two services", () => {
  const types = { "content-type": "application/json", accept: "application/json" }
  const answered = { ...types, "access-control-allow-origin": "https://app.example.com" }
  const guard = "guard-0123456789"
  const session = "portal-0123456789"
  const admin: Made = {
    ...signIn,
    headers: types,
    answered,
    body: { token, user: { _id: "u1", email: "ada@example.com" } },
    setCookie: `XSRF-TOKEN=${guard}; Path=/`
  }
  const legacy: Made = {
    method: "POST",
    url: "https://old.example.com/auth/login",
    headers: types,
    answered,
    input: { email: "ada@example.com", password: "the-password" },
    body: { outcome: "in" },
    setCookie: `portal_sid=${session}; HttpOnly`
  }
  const sent = {
    ...auth,
    ...types,
    origin: "https://app.example.com",
    cookie: `XSRF-TOKEN=${guard}; portal_sid=${session}`,
    "x-xsrf-token": guard
  }
  const read = list("https://api.example.com/request-action", sent)
  const write: Made = {
    method: "PUT",
    url: "https://api.example.com/request-action/a1b2c3",
    headers: { ...sent, "x-once": "k1" },
    input: { title: "Gas" }
  }
  const both: Partial<Known> = {
    api: { origin: "https://api.example.com", prefix: "" },
    legacy: { origin: "https://old.example.com", prefix: "" }
  }
  const apiAlone: Partial<Known> = { api: { origin: "https://api.example.com", prefix: "" } }

  it("is that of the legacy service's sign-in, which is not said to be none", () => {
    const visit = list("https://api.example.com/v1/box?app_key=key-123456", { cookie: sent.cookie })
    const scheme = { ...read, headers: { ...sent, authorization: `Token ${token}` } }
    const { lines, text } = recognised(
      [
        admin,
        legacy,
        scheme,
        visit,
        { ...write, headers: { ...write.headers, authorization: `Token ${token}` } }
      ],
      {},
      both
    )
    expect(lines).toMatchObject({
      "credentials.accessToken": { header: "authorization", scheme: "Token" },
      "signIn.legacy.sessionId": { cookie: "portal_sid" },
      "credentials.session": { cookie: "portal_sid" },
      "credentials.csrf": { header: "x-xsrf-token", cookie: "XSRF-TOKEN" }
    })
    expect(lines).not.toHaveProperty("signIn.legacy")
    expect(lines).not.toHaveProperty(["signIn.admin.sessionId"])
    expect(text).not.toContain("accepted without it")
  })

  it.each<[string, ReadonlyArray<Made>]>([
    ["writes that were accepted", [admin, read, write]],
    ["writes that were refused", [admin, read, { ...write, status: 403 }]]
  ])("is no header of HTTP's, no cookie that a header repeats, and not left out, with %s", (_, requests) => {
    const { lines, text, unseen } = recognised(requests, {}, apiAlone)
    for (const at of ["signIn.legacy", "signIn.admin.sessionId", "credentials.session"])
      expect(lines).not.toHaveProperty([at])
    expect(unseen).toContain("signIn.legacy: no sign-in of the legacy service was seen")
    expect(text).not.toMatch(/content-type|accepted without/)
  })

  it("is no cookie of another name that a header repeats either", () => {
    const { lines } = recognised(
      [
        { ...admin, setCookie: `crumb=${guard}` },
        list("https://api.example.com/request-action", {
          ...auth,
          cookie: `crumb=${guard}`,
          "x-crumb": guard
        })
      ],
      {},
      apiAlone
    )
    expect(lines).not.toHaveProperty(["signIn.legacy"])
    expect(lines).not.toHaveProperty(["signIn.admin.sessionId"])
  })

  it("is what an answer of the admin's own sign-in holds only where requests sent it", () => {
    const named = { ...admin, body: { accessToken: token, sessionId: session } }
    const sends = list("https://api.example.com/request-action", { ...auth, "x-session-id": session })
    expect(recognised([named, sends], {}, apiAlone).lines["signIn.legacy"]).toBe(false)
    const without = list("https://api.example.com/request-action")
    expect(recognised([named, without], {}, apiAlone).lines).not.toHaveProperty(["signIn.legacy"])
    const other = { ...legacy, body: { sessionId: "other-0123456789" } }
    expect(recognised([named, other, sends], {}, both).lines).not.toHaveProperty(["signIn.legacy"])
  })

  it("says of writes that were refused that they were", () => {
    const { unseen } = recognised([admin, legacy, read, { ...write, status: 403 }], {}, both)
    for (const at of ["credentials.csrf", "entities.wrap", "credentials.idempotencyKey"])
      expect(unseen).toMatch(new RegExp(`${at}: .* since each that was made was refused`))
    expect(unseen).not.toMatch(/(csrf|wrap|idempotencyKey): .* since none was/)
  })
})

describe("what carries a token", () => {
  const base = "https://api.example.com"
  const second = "token-9876543210"
  it.each<[string, Made]>([
    [
      "a renewed session",
      {
        method: "POST",
        url: `${base}/auth/refresh`,
        input: { refreshToken: renewal },
        body: { accessToken: second }
      }
    ],
    [
      "a second sign-in",
      { ...signIn, body: { accessToken: second, user: { _id: "u1", email: "ada@example.com" } } }
    ]
  ])("is known of %s too", (_, renewed) => {
    const session = { "x-ses": "session-0123456789" }
    const { lines, text, unseen } = recognised([
      { ...signIn, body: { ...Object(signIn.body), sessionId: "session-0123456789" } },
      list(`${base}/request-action`, { "x-tok": token, ...session }),
      renewed,
      list(`${base}/auth/user`, { "x-tok": second, ...session })
    ])
    expect(lines["credentials.accessToken"]).toEqual({ header: "x-tok" })
    expect(unseen).not.toContain("credentials.accessToken")
    for (const value of [token, second]) expect(text).not.toContain(value)
  })

  it("is read of lists of cookies, where a tool keeps them apart from headers", () => {
    const text = JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: "POST",
              url: `${base}/auth/admin/login`,
              postData: { text: JSON.stringify(signIn.input) }
            },
            response: { status: 200, cookies: [{ name: "tok", value: token }], content: { text: "{}" } }
          },
          {
            request: {
              method: "GET",
              url: `${base}/request-action`,
              cookies: [{ name: "tok", value: token }]
            },
            response: { status: 200, content: { text: JSON.stringify({ items: things }) } }
          }
        ]
      }
    })
    const [signedIn, read] = exchanges(text)
    expect(signedIn?.cookies).toEqual({ tok: token })
    expect(read?.sent.cookie).toBe(`tok=${token}`)
  })
})

describe("what a recording lacks", () => {
  const url = "https://api.example.com/request-action"
  it("is said: contents, and credentials", () => {
    const bare = exchanges(har({ url })).map(({ body: _, ...each }) => ({ ...each, body: undefined }))
    expect(lackingIn(bare)).toEqual([
      "no answer of a read has content: save the HAR with content",
      expect.stringContaining("sanitized")
    ])
    const [empty] = bare
    const [full] = exchanges(har(list(url)))
    expect(lackingIn([empty, full].flatMap((each) => each ?? []))).toEqual([
      "1 of 2 answers of reads have no content: save the HAR with content"
    ])
  })

  it("is nothing where both are there, the token in a header of any name", () => {
    expect(lackingIn(exchanges(har(list(url))))).toEqual([])
    expect(lackingIn(exchanges(har(signIn, list(url, { "x-access": `JWT ${token}` }))))).toEqual([])
    for (const sent of [{ "x-app": "web" }, { "x-again": renewal }])
      expect(lackingIn(exchanges(har(signIn, list(url, sent))))).toHaveLength(1)
  })
})

describe("pages by a parameter of another name", () => {
  const url = (query: string) => `https://api.example.com/request-action?${query}`
  const page = (query: string, ...ids: ReadonlyArray<string>): Made => ({
    url: url(query),
    headers: auth,
    body: { items: ids.map((id) => ({ _id: id })) }
  })
  it.each<[string, ReadonlyArray<Made>, object | undefined]>([
    [
      "numbers that follow each other",
      [page("pg=0&num=2", "a1", "b2"), page("pg=1&num=2", "c3", "d4"), page("pg=2&num=2", "e5")],
      { by: "page", parameter: "pg", first: 0 }
    ],
    [
      "numbers that count the items",
      [page("beg=0", "a1", "b2"), page("beg=2", "c3", "d4"), page("beg=4", "e5")],
      { by: "offset", parameter: "beg" }
    ],
    ["a filter", [page("shop=1", "a1", "b2"), page("shop=2", "c3"), page("shop=3", "e5", "f6")], undefined],
    ["two numbers alone", [page("shop=1", "a1", "b2"), page("shop=2", "c3", "d4")], undefined]
  ])("%s", (_, pages, expected) => {
    const found = recognised([signIn, ...pages]).lines["lists.page"]
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

describe("paths of no known call", () => {
  it.each([
    ["v2/reset/SecretWordOfHers/confirm", "SecretWord"],
    ["tenant/acme-corp/settings", "acme"],
    ["who/JohnDoeSmith/card", "John"]
  ])("are written by their shape alone: %s", (path, secret) => {
    const { text, unseen } = recognised([
      signIn,
      list("https://api.example.com/request-action"),
      { url: `https://api.example.com/${path}`, headers: auth }
    ])
    expect(unseen).toContain("is no route that the SDK knows")
    expect(text).not.toContain(secret)
  })
})

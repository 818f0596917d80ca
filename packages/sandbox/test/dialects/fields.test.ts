/** Things, fields, ids and dates in dialects, by bare requests: what is sent, and what is taken. */
import { expect } from "@effect/vitest"
import { served } from "@quartet/support/clients.js"
import { Effect } from "effect"
import { accounts } from "../../index.js"
import { ask, at, key, listAt, project, textAt, twoSignIns } from "./wire.js"

const box = { type: "QUIZ_RESULT", data: { score: 3, takenAt: "2025-01-02T03:04:05.000Z" } }

served.with({ dialect: { things: "data" } })(
  "one thing stands under data, a body stands alone",
  function* ({ url }) {
    const made = yield* ask(url, "/v1/box", { method: "POST", headers: key, body: box })
    expect([made.status, Object.keys(Object(made.body)), at(made.body, "data.type")]).toEqual([
      201,
      ["data"],
      "QUIZ_RESULT"
    ])
    const read = yield* ask(url, `/v1/box/${textAt(made.body, "data._id")}`, { headers: key })
    expect(read.body).toEqual(made.body)
  }
)

served.with({ dialect: "json-api" })(
  "JSON:API has resources, with attributes and relationships, and takes them as bodies",
  function* ({ url }) {
    const attributes = { ...box, userId: null }
    const made = yield* ask(url, "/v1/box", {
      method: "POST",
      headers: key,
      body: { data: { type: "boxes", attributes } }
    })
    expect([made.status, made.headers.get("content-type")]).toEqual([201, "application/vnd.api+json"])
    expect(made.body).toMatchObject({
      data: { type: "boxes", attributes: box, relationships: { user: { data: null } } }
    })
    expect(at(made.body, "data.attributes")).not.toHaveProperty("userId")
    expect(at(made.body, "data.attributes")).not.toHaveProperty("id")
    const bare = yield* ask(url, "/v1/box", { method: "POST", headers: key, body: box })
    expect([bare.status, at(bare.body, "errors.0.source.pointer")]).toEqual([400, "/data/attributes/data"])
    const search = yield* ask(url, "/ecommerce/item/search", {
      method: "POST",
      headers: key,
      body: { type: "apartment", "page[size]": 1 }
    })
    expect(at(search.body, "data.0")).toMatchObject({
      type: "items",
      attributes: { type: "apartment" },
      relationships: { user: { data: { type: "users" } } }
    })
  }
)

served.with({ dialect: "json-api" })("a relationship in a body is the field of its id", function* ({ url }) {
  const headers = yield* twoSignIns(url, "data.attributes.accessToken", "data.attributes.sessionId")
  const users = yield* ask(url, `/auth/user?${project}&page[size]=1`, { headers })
  const id = textAt(users.body, "data.0.id")
  const body = {
    data: {
      type: "requests",
      attributes: { type: "HELP", title: "A key" },
      relationships: { user: { data: { type: "users", id } } }
    }
  }
  const made = yield* ask(url, `/request-action?${project}`, { method: "POST", headers, body })
  expect([made.status, at(made.body, "data.relationships.user.data")]).toEqual([201, { type: "users", id }])
})

served.with({ dialect: { names: "snake", idField: "id" } })(
  "declared fields are in snake_case both ways, and nobody's own are",
  function* ({ url }) {
    const own = { type: "QUIZ_RESULT", data: { camelCase: 1, snake_case: 2 } }
    const made = yield* ask(url, "/v1/box", { method: "POST", headers: key, body: own })
    expect(made.body).toMatchObject(own)
    expect(Object.keys(Object(made.body)).sort()).toEqual([
      "created_at",
      "data",
      "id",
      "type",
      "updated_at",
      "user_id"
    ])
    const headers = yield* twoSignIns(url, "access_token", "session_id")
    const send = (body: object) => ask(url, `/request-action?${project}`, { method: "POST", headers, body })
    const user = yield* ask(url, `/auth/user?${project}&limit=1`, { headers })
    const user_id = textAt(user.body, "items.0.id")
    const request = yield* send({ type: "HELP", title: "A key", user_id })
    expect([request.status, at(request.body, "user_id")]).toEqual([201, user_id])
    const camel = yield* send({ type: "HELP", title: "A key", userId: user_id })
    expect([camel.status, at(camel.body, "error.message")]).toEqual([
      400,
      'the field "userId" is not a field (did you mean "user_id"?)'
    ])
  }
)

served.with({ dialect: { names: "snake", parameters: "brackets" } })(
  "parameters are in snake_case, and a list's are in brackets",
  function* ({ url }) {
    const headers = yield* twoSignIns(url, "access_token", "session_id")
    const list = (query: string) => ask(url, `/request-action?${project}&limit=100&${query}`, { headers })
    const both = yield* list("status_in[]=pending&status_in[]=approved&sort=-created_at")
    const statuses = new Set(listAt(both.body, "items").map((row) => at(row, "status")))
    expect([...statuses].every((status) => status === "pending" || status === "approved")).toBe(true)
    expect(statuses.size).toBeGreaterThan(0)
    const times = listAt(both.body, "items").map((row) => textAt(row, "created_at"))
    expect(times).toEqual([...times].sort().reverse())
    expect((yield* list("statusIn[]=pending")).text).toContain('did you mean \\"status_in\\"?')
    expect((yield* list("status_in=pending")).text).toContain("its parameter is status_in[]")
    expect((yield* list("status_in[]=pending,approved")).text).toContain(
      "each value has a parameter of its own"
    )
  }
)

/** The digits of the first number under a name in a text of JSON. */
const digitsOf = (text: string, name: string): string => new RegExp(`"${name}":(\\d+)`).exec(text)?.[1] ?? ""

/** All ids of things in a text of JSON, as digits. */
const allDigits = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{"id":(\d+)/g)].map(([, digits = ""]) => digits)

served.with({ dialect: { ids: "numbers", idField: "id" } })(
  "ids are whole numbers, some of them larger than JavaScript holds, and are found again by them",
  function* ({ url }) {
    const list = yield* ask(url, "/v1/box?limit=100", { headers: key })
    const ids = allDigits(list.text)
    expect([ids.length, new Set(ids).size]).toEqual([16, 16])
    const large = ids.filter((digits) => !Number.isSafeInteger(Number(digits)))
    expect(large.length).toBeGreaterThan(3)
    expect(large.some((digits) => String(Number(digits)) !== digits)).toBe(true)
    for (const digits of ids.slice(0, 6)) {
      const { status, text } = yield* ask(url, `/v1/box/${digits}`, { headers: key })
      expect([status, digitsOf(text, "id")]).toEqual([200, digits])
    }
    expect((yield* ask(url, "/v1/box/1", { headers: key })).status).toBe(404)
  }
)

served.with({ dialect: { ids: "numbers", idField: "id" } })(
  "ids in bodies, lists and filters are numbers, and the project's is text",
  function* ({ url }) {
    const headers = yield* twoSignIns(url)
    const users = yield* ask(url, `/auth/user?${project}&limit=6`, { headers })
    const large = allDigits(users.text).find((digits) => !Number.isSafeInteger(Number(digits))) ?? ""
    const send = (userId: string) =>
      ask(url, `/request-action?${project}`, {
        method: "POST",
        headers,
        body: `{"type":"HELP","title":"The only key","userId":${userId}}`
      })
    const made = yield* send(large)
    expect([made.status, digitsOf(made.text, "userId")]).toEqual([201, large])
    const text = yield* send(`"${large}"`)
    expect([text.status, at(text.body, "error.message")]).toEqual([
      400,
      'the field "userId" must be a whole number'
    ])
    const found = yield* ask(url, `/request-action?${project}&inUserIds=${large}`, { headers })
    const owners = new Set([...found.text.matchAll(/"userId":(\d+)/g)].map(([, digits]) => digits))
    expect([found.text.includes("The only key"), owners]).toEqual([true, new Set([large])])
    const roles = digitsOf((yield* ask(url, `/auth/role?${project}&limit=1`, { headers })).text, "id")
    const admin = yield* ask(url, `/auth/admin?${project}`, {
      method: "POST",
      headers,
      body: `{"email":"new@quartet.test","password":"of-their-own","roles":[${roles}]}`
    })
    expect(admin.text).toContain(`"roles":[${roles}]`)
    const own = yield* ask(url, `/project/${accounts.projectId}`, { headers })
    expect(at(own.body, "id")).toBe(accounts.projectId)
  }
)

for (const { dates, of } of [
  { dates: "seconds", of: (time: number) => Math.floor(time / 1000) },
  { dates: "milliseconds", of: (time: number) => time }
] as const)
  served.with({ dialect: { dates } })(
    `declared times are ${dates} since 1970 both ways, and those of nobody's fields are not`,
    function* ({ url }) {
      const made = yield* ask(url, "/v1/box", { method: "POST", headers: key, body: box })
      expect(Number.isInteger(at(made.body, "createdAt"))).toBe(true)
      expect(at(made.body, "data")).toEqual(box.data)
      const login = yield* ask(url, "/auth/login", {
        method: "POST",
        headers: key,
        body: accounts.endUsers.ana
      })
      const headers = { ...key, "x-session-id": textAt(login.body, "sessionId") }
      const events = yield* ask(url, "/event?limit=1", { headers })
      const change = (startsAt: unknown) =>
        ask(url, `/event/${textAt(events.body, "items.0._id")}`, {
          method: "PUT",
          headers,
          body: { startsAt }
        })
      const time = of(Date.parse("2025-01-02T03:04:05Z"))
      expect(at((yield* change(time)).body, "startsAt")).toBe(time)
      const text = yield* change("2025-01-02T03:04:05Z")
      expect([text.status, at(text.body, "error.field")]).toEqual([400, "startsAt"])
      const check = (query: string) => ask(url, `/intranet/holiday/check?${query}`, { headers })
      const day = of(86_400_000)
      expect((yield* check(`startDate=${time}&endDate=${time + 3 * day}`)).status).toBe(200)
      expect((yield* check("startDate=2025-01-02T00:00:00Z&endDate=2025-01-03T00:00:00Z")).status).toBe(400)
    }
  )

served.with({ dialect: "snake" })("all of it at once, in one platform", function* ({ url }) {
  const login = yield* ask(url, "/auth/admin/login", { method: "POST", body: accounts.admin })
  const legacy = yield* ask(url, "/auth/login", { method: "POST", body: accounts.admin })
  const headers = {
    authorization: `Bearer ${textAt(login.body, "data.access_token")}`,
    "x-session-id": textAt(legacy.body, "data.session_id")
  }
  const list = yield* ask(
    url,
    `/request-action?project=${accounts.projectId}&status_in=pending&status_in=approved&offset=1&limit=2`,
    { headers }
  )
  expect(list.status).toBe(200)
  const [row] = listAt(list.body, "data")
  expect(Object.keys(Object(row))).toEqual(expect.arrayContaining(["id", "created_at", "user_id"]))
  expect([typeof at(row, "id"), typeof at(row, "created_at"), typeof at(row, "user_id")]).toEqual([
    "number",
    "number",
    "number"
  ])
  const answers = yield* Effect.all([
    ask(url, `/request-action?projectId=${accounts.projectId}`, { headers }),
    ask(url, "/request-action", { headers })
  ])
  expect(answers.map(({ status }) => status)).toEqual([400, 400])
})

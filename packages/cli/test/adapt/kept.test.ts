// What somebody has said of a platform: it is checked fairly, and stays beside what is recognised.
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { moved } from "../../adapt/check.js"
import { withKept } from "../../adapt/kept.js"
import { type Exchange, recognise } from "../../adapt/recognition/index.js"
import { lostIn, takenOf, untaken } from "../../adapt/taken.js"
import { toldBy } from "../../adapt/told.js"
import { adminSignIn, jwt, legacySignIn, list, refusal, rows, thing } from "./exchanges.js"

const token = jwt({ sub: "u1b2c3" })
const user = { uuid: "u1b2c3", mail: "ada@example.com", grants: [{ on: "orders", can: { list: 1 } }] }
const sent = { "x-auth-token": token, "x-odd": "odd-0123456789", "x-tenant": "project-77" }
const secrets = { project: "project-77", privateKey: undefined }

/** A platform of another kind. */
const exchanges: ReadonlyArray<Exchange> = [
  adminSignIn({ value: { token, who: user } }),
  legacySignIn({ value: { a: { key: "odd-0123456789", id: "other-0123456789" } } }),
  list({ payload: { entries: rows("a1b2", "c3d4"), matched: 2 } }, { sent, path: "/request-action" }),
  thing("a1b2", { value: { _id: "a1b2" } }, { sent }),
  refusal(200, { success: false, fault: { reason: "it is not there", http: 404 } }, { sent })
]

/** All of it, as somebody who knows it says it. */
const definition = {
  signIn: {
    fields: { email: "email" },
    admin: { accessToken: "value.token", sessionId: false, user: "value.who", expiresIn: () => 60 },
    legacy: { sessionId: ({ body }: { body: { value: { a: { key: string } } } }) => body.value.a.key }
  },
  token: { email: "mail", permissions: ({ sub }: { sub: string }) => ({ [sub]: { list: 1 } }) },
  credentials: {
    accessToken: { header: "X-Auth-Token" },
    session: { header: "X-Odd", on: "api" },
    privateKey: { header: "x-server-secret" },
    project: { header: "X-Tenant" },
    idempotencyKey: "x-request-token"
  },
  lists: { items: "payload.entries", total: "payload.matched", parameters: { joinedBy: "|" } },
  entities: { unwrap: "value", fields: { email: "mail" } },
  errors: {
    message: "fault.reason",
    status: ({ body }: { body: { fault?: { http: number } } }) => body.fault?.http
  },
  routes: { "users.update": { method: "PATCH" } },
  downloads: { redirectTo: ["files.example.com"] }
}

const seen = toldBy({}, definition).look(exchanges)
const found = recognise(seen, secrets)
const movedAt = (said: object, now: ReadonlyArray<Exchange> = exchanges) => {
  const looked = toldBy({}, said).look(now)
  return moved(said, recognise(looked, secrets), looked).map(({ at }) => at)
}

describe("a module", () => {
  it("that is right passes, whatever of it answers cannot show", () => {
    expect(movedAt(definition)).toEqual([])
  })

  it.each<[string, object]>([
    [
      "signIn.admin.user",
      { signIn: { ...definition.signIn, admin: { accessToken: "value.token", user: "who" } } }
    ],
    ["credentials.session", { credentials: { ...definition.credentials, session: { header: "x-other" } } }],
    ["lists.items", { lists: { ...definition.lists, items: "payload.rows" } }],
    ["entities.unwrap", { entities: { ...definition.entities, unwrap: "data" } }],
    ["errors.status", { errors: { message: "fault.reason", status: () => 500 } }]
  ])("that is wrong at %s does not", (at, wrong) => {
    expect(movedAt({ ...definition, ...wrong })).toContain(at)
  })

  it("says which text of a sign-in is the session, and what else is said of a session by requests that carried it", () => {
    expect(seen.find(({ purpose }) => purpose.startsWith("legacy"))?.holds).toEqual({
      sessionId: "odd-0123456789"
    })
    const [, legacy] = toldBy({}, undefined).look(exchanges)
    expect(legacy?.holds).toEqual({ sessionId: "odd-0123456789" })
    expect(recognise(exchanges, secrets).lines).toContainEqual(
      expect.objectContaining({ at: "signIn.legacy.sessionId", value: "value.a.key" })
    )
  })
})

describe("what is kept", () => {
  const kept = withKept(found, definition, movedAt(definition))
  const at = (place: string) => kept.lines.find((line) => line.at === place)?.value

  it("is all that nothing speaks against, as it was said", () => {
    expect(Object.fromEntries(kept.lines.map(({ at: place, value }) => [place, value]))).toMatchObject({
      "signIn.fields": { email: "email" },
      "signIn.admin.sessionId": false,
      "credentials.session": { header: "X-Odd", on: "api" },
      "credentials.privateKey": { header: "x-server-secret" },
      "credentials.idempotencyKey": "x-request-token",
      "lists.parameters": { joinedBy: "|" },
      "entities.fields": { email: "mail" },
      "routes.users.update": { method: "PATCH" },
      downloads: { redirectTo: { code: '["files.example.com"]' } }
    })
    expect(kept.unwritten).toContain("signIn.admin.expiresIn")
  })

  it("stands beside what is learned since", () => {
    const { lines } = withKept(found, { lists: { parameters: "repeat" } }, [])
    expect(lines.map((line) => line.at)).toEqual([...found.lines.map((line) => line.at), "lists.parameters"])
    expect(at("lists.items")).toBe("payload.entries")
  })

  it("is what was found where answers speak against what was said", () => {
    const wrong = { lists: { items: "payload.rows" } }
    const { lines } = withKept(found, wrong, ["lists.items"])
    expect(lines.filter((line) => line.at === "lists.items")).toEqual(
      found.lines.filter((line) => line.at === "lists.items")
    )
  })

  it("is no function that somebody has written, which may need something else of the module, and is told of", () => {
    const said = { token: { subject: (user: { uuid: string }) => prefix + user.uuid } }
    const { lines, unseen } = withKept(found, said, [])
    expect(lines.map((line) => line.at)).not.toContain("token.subject")
    expect(unseen.join("\n")).toContain("token.subject: what is said of it by hand")
  })
})

const prefix = "u-"

describe("what is said by hand and works", () => {
  /** Things that say whose they are, before a platform that names the project in the path and in a header besides. */
  const things = [1, 2, 3].map((n) => ({
    ref: 100 + n,
    "user-id": 200 + n,
    "created-at": "2026-10-01 09:00:00",
    "is-active": true
  }))
  const both = { ...sent, "x-org": "project-77" }
  const seenSo: ReadonlyArray<Exchange> = [
    adminSignIn({ token, user: { ref: 1, email: "ada@example.com" } }),
    list({ things }, { sent: both, path: "/org/project-77/request-action" })
  ]
  const dates = { read: (text: string) => new Date(text), write: (date: Date) => date.toISOString() }
  const right = {
    credentials: {
      accessToken: { header: "x-auth-token" },
      project: { path: "org/{projectId}" },
      headers: { "x-org": "project-77" }
    },
    entities: { id: "ref", names: "kebab-case" },
    dates
  }

  it.each<[string, object]>([
    ["a form of dates by functions", right],
    ["forms of dates by fields", { ...right, dates: { "created-at": dates } }],
    [
      "a header for the project, where it was sent too",
      { ...right, credentials: { project: { header: "x-org" } } }
    ],
    ["a function of the path", { ...right, entities: { ...right.entities, unwrap: (body: object) => body } }],
    ["a cursor that was not tried", { ...right, lists: { next: () => undefined, page: { by: "cursor" } } }],
    ["a token that is taken for opaque", { ...right, token: "opaque" }]
  ])("stays, with %s", (_, said) => {
    const now = recognise(seenSo, secrets)
    expect(moved(said, now, seenSo, secrets).filter(({ isNew }) => !isNew)).toEqual([])
  })

  it.each<[string, string, ReadonlyArray<Exchange>]>([
    ["another field of the SDK's", "user-id", []],
    [
      "a field that reads by ids do not fit",
      "is-active",
      [thing("102", { thing: things[1] }, { sent: both })]
    ]
  ])("is no id where it is %s", (_, id, more) => {
    const all = [...seenSo, ...more]
    const said = { entities: { id, names: "kebab-case" } }
    const changes = moved(said, recognise(all, secrets), all, secrets)
    expect(changes.filter(({ isNew }) => !isNew).map(({ at }) => at)).toEqual(["entities.id"])
  })

  it("has moved where requests by its own line were refused, and those by another accepted", () => {
    const said = { credentials: { session: { header: "x-old" }, project: { query: "tenant" } } }
    const now = recognise(exchanges, secrets)
    const all = moved(said, now, toldBy({}, said).look(exchanges), {
      ...secrets,
      sessionId: "odd-0123456789"
    })
    expect(all.filter(({ isNew }) => !isNew).map(({ at }) => at)).toEqual([
      "credentials.session",
      "credentials.project"
    ])
  })

  it("is shown with its functions as such", () => {
    const now = { lines: [{ at: "dates", value: "seconds", reason: "so" }], fits: [], unseen: [] }
    const epoch = list({ things: [{ _id: "a1", createdAt: 1_714_557_600 }] })
    const [only] = moved({ dates: { createdAt: "milliseconds", other: { read: dates.read } } }, now, [epoch])
    expect(only?.says).toContain('{ createdAt: "milliseconds", other: { read: a function } }')
  })

  it("is not told of as unseen, also where it is a part of a line", () => {
    const unseen = ["lists.page.first: whether offsets begin at 0 or 1 was not seen; 0 is assumed"]
    const now = { lines: [], fits: [], unseen }
    expect(withKept(now, { lists: { page: { by: "offset", first: 1 } } }, []).unseen).toEqual([])
    expect(withKept(now, { lists: { page: { by: "offset" } } }, []).unseen).toEqual(unseen)
  })

  it("keeps the warning that nothing it sends was accepted", () => {
    const refused = [refusal(401, {}, { purpose: "list", sent })]
    const said = { credentials: { accessToken: { header: "x-auth-token" } } }
    const { lines, unseen } = withKept(recognise(refused, { accessToken: token }), said, [])
    expect(lines.find(({ at }) => at === "credentials.accessToken")?.reason).toContain(
      "nothing that was sent so was accepted"
    )
    expect(unseen).toContain("credentials.accessToken: no request with the access token was accepted")
  })
})

describe("what clients take", () => {
  it("is written, and what they refuse is told of", () => {
    const page = { at: "lists.page", value: { by: "cursor" }, reason: "so" }
    const items = { at: "lists.items", value: "rows", reason: "so" }
    const taken = Either.getOrThrow(takenOf({ lines: [items, page], fits: [], unseen: [] }))
    expect(taken.lines).toEqual([items])
    expect(taken.unseen.join()).toContain("lists.next: what was recognised of it is not written")
  })

  it("is checked as clients do it", () => {
    const header = { header: "authorization" }
    expect(untaken({ credentials: { accessToken: header, session: header } })).toMatchObject({
      at: "credentials.session"
    })
    expect(untaken({ credentials: { accessToken: header, privateKey: header } })).toBeUndefined()
  })
})

describe("a module that takes another's place", () => {
  it.each<[string, object, object, ReadonlyArray<string>]>([
    ["says as much", { lists: { items: "rows" } }, { lists: { items: "rows", total: "all" } }, []],
    ["says less", { lists: { items: "rows" }, dates: "seconds" }, { lists: { items: "rows" } }, ["dates"]],
    [
      "does otherwise",
      { lists: { items: ({ body }: { body: { payload: object } }) => body.payload } },
      { lists: { items: () => undefined } },
      ["lists.items"]
    ],
    ["answers what is no JSON", { errors: { code: () => 1n } }, { errors: { code: () => 1n } }, []]
  ])("%s", (_, before, after, lost) => {
    expect(lostIn(before, after, [], exchanges)).toEqual(lost)
  })
})

describe("what is said of credentials", () => {
  it.each([
    [
      { header: "X-Key", scheme: "Key" },
      { headers: { "x-key": "Key secret" }, query: {} }
    ],
    [{ query: "key" }, { headers: {}, query: { key: "secret" } }],
    [{ cookie: "sid" }, { headers: { cookie: "sid=secret" }, query: {} }],
    [
      { header: "x-key", on: "legacy" },
      { headers: {}, query: {} }
    ],
    [false, { headers: {}, query: {} }]
  ])("%j is how requests carry them", (session, carried) => {
    expect(toldBy({}, { credentials: { session } }).manner.session?.("secret")).toEqual(carried)
  })

  it("names the host of a project", () => {
    const { project } = toldBy(
      {},
      { credentials: { project: { host: "{projectId}.api.example.com" } } }
    ).manner
    expect(project?.host?.("shop-7")).toBe("shop-7.api.example.com")
  })

  it("goes before the options of the clients", () => {
    const options = { headerNames: { sessionId: "X-One" }, headers: { a: "1" } }
    expect(toldBy(options, undefined).manner.session?.("secret").headers).toEqual({ "x-one": "secret" })
    const told = toldBy(options, { credentials: { session: { header: "x-two" }, headers: { b: "2" } } })
    expect(told.manner.session?.("secret").headers).toEqual({ "x-two": "secret" })
    expect(told.headers).toEqual({ a: "1", b: "2" })
  })
})

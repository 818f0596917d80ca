// What somebody has said of a platform: it is checked fairly, and stays beside what is recognised.
import { describe, expect, it } from "vitest"
import { moved } from "../../adapt/check.js"
import { withKept } from "../../adapt/kept.js"
import { type Exchange, recognise } from "../../adapt/recognition/index.js"
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
  const kept = withKept(found, definition, movedAt(definition), "")
  const at = (place: string) => kept.lines.find((line) => line.at === place)?.value

  it("is all that nothing speaks against, as it was said", () => {
    expect(Object.fromEntries(kept.lines.map(({ at: place, value }) => [place, value]))).toMatchObject({
      "signIn.fields": { email: "email" },
      "signIn.admin.sessionId": false,
      "signIn.admin.expiresIn": { code: String(definition.signIn.admin.expiresIn) },
      "credentials.session": { header: "X-Odd", on: "api" },
      "credentials.privateKey": { header: "x-server-secret" },
      "credentials.idempotencyKey": "x-request-token",
      "lists.parameters": { joinedBy: "|" },
      "entities.fields": { email: "mail" },
      "routes.users.update": { method: "PATCH" },
      downloads: { redirectTo: { code: '["files.example.com"]' } }
    })
  })

  it("stands beside what is learned since", () => {
    const { lines } = withKept(found, { lists: { parameters: "repeat" } }, [], "")
    expect(lines.map((line) => line.at)).toEqual([...found.lines.map((line) => line.at), "lists.parameters"])
    expect(at("lists.items")).toBe("payload.entries")
  })

  it("is what was found where answers speak against what was said", () => {
    const wrong = { lists: { items: "payload.rows" } }
    const { lines } = withKept(found, wrong, ["lists.items"], "")
    expect(lines.filter((line) => line.at === "lists.items")).toEqual(
      found.lines.filter((line) => line.at === "lists.items")
    )
  })

  it("is no function that needs something else of the module, which is told of", () => {
    const said = { token: { subject: (user: { uuid: string }) => prefix + user.uuid } }
    const { lines, unseen } = withKept(found, said, [], 'const prefix = "u-"\nexport default {}')
    expect(lines.map((line) => line.at)).not.toContain("token.subject")
    expect(unseen.join("\n")).toContain("token.subject: what is said of it by hand")
  })
})

const prefix = "u-"

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

// What the Promise clients offer besides the platform's calls: values on demand, sign-in and sign-out, typed
// collections, and what is held locally.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient,
  Errors,
  type SharedByAdmins,
  signInEndUser
} from "../../clients/promise/index.js"
import type { StoredSession } from "../../core/ports/session-store.js"
import { tokenOf } from "../wire/platform.js"
import { type Exchange, listen, type Server } from "./server.js"

let server: Server

beforeAll(async () => {
  server = await listen()
})

afterAll(() => server.close())

const login = { email: "ada@example.com", password: "secret-1" }
const targets = () => server.exchanges.map(({ method, target }) => `${method} ${target}`)

const ada = { _id: "admin-1", fullName: "Ada", since: "2024-05-01T10:00:00.000Z" }

/** Plays both of an admin's sign-ins, and answers anything else with a project. */
const playAdmin = ({ json, target }: Exchange): void => {
  if (target === "/auth/admin/login") json({ accessToken: tokenOf("admin-1"), user: ada })
  else if (target === "/auth/login") json({ sessionId: "session-1" })
  else json({ _id: "p1", name: "House" })
}

const admin = (extra: SharedByAdmins = {}) =>
  createAdminClient({ baseUrl: server.url, projectId: "p1", ...login, ...extra })

describe("on demand", () => {
  test("the admin is read from the token, after a sign-in where there was none", async () => {
    server.play(playAdmin)
    expect(await admin().onDemand.me()).toMatchObject({ _id: "admin-1", permissions: { "*": { "*": 9 } } })
    expect([...targets()].sort()).toEqual(["POST /auth/admin/login", "POST /auth/login"])
  })

  test("the user whom the sign-in described is kept with its session: asking again sends nothing", async () => {
    server.play(playAdmin)
    const { user } = admin().onDemand
    expect(await user()).toEqual({ ...ada, since: new Date(ada.since) })
    expect(await user()).toEqual({ ...ada, since: new Date(ada.since) })
    expect([...targets()].sort()).toEqual(["POST /auth/admin/login", "POST /auth/login"])
  })

  test("where a session was given, the user is read from the token alone, and nothing is sent", async () => {
    server.play(playAdmin)
    const session = { sessionId: "session-1", accessToken: tokenOf("admin-1") }
    const { me, user } = createAdminClient({ baseUrl: server.url, projectId: "p1", ...session }).onDemand
    expect(await me()).toMatchObject({ _id: "admin-1" })
    expect(await user()).toBeUndefined()
    expect(targets()).toEqual([])
  })

  test("the project is read once, however many ask, until it is invalidated", async () => {
    server.play(playAdmin)
    const { project } = createPublicClient({ baseUrl: server.url, apiKey: "key-1" }).onDemand
    const [one, other] = await Promise.all([project.get(), project.get()])
    expect(one).toEqual({ _id: "p1", name: "House" })
    expect(other).toBe(one)
    expect(await project.get()).toBe(one)
    expect(targets()).toEqual(["GET /project/self"])
    await project.invalidate()
    await project.get()
    expect(targets()).toHaveLength(2)
  })

  test("each client reads its own", async () => {
    server.play(playAdmin)
    const make = () => createPrivateClient({ baseUrl: server.url, privateKey: "key-1" })
    await Promise.all([make().onDemand.project.get(), make().onDemand.project.get()])
    expect(targets()).toHaveLength(2)
  })

  test("one who asks may leave by a signal; the others get the value", async () => {
    server.play(() => undefined)
    const { me } = createEndUserClient({
      baseUrl: server.url,
      apiKey: "key-1",
      sessionId: "session-1"
    }).onDemand
    const controller = new AbortController()
    const first = me.get({ signal: controller.signal })
    const second = me.get()
    const exchange = await server.exchange(0)
    controller.abort(new Error("not needed"))
    await expect(first).rejects.toThrow("not needed")
    exchange.json({ _id: "u1" })
    expect(await second).toEqual({ _id: "u1" })
    expect(targets()).toHaveLength(1)
  })

  test("a failure is not kept", async () => {
    const { project } = createPublicClient({ baseUrl: server.url, apiKey: "key-1" }).onDemand
    server.play(({ json }) => json({}, 404))
    await expect(project.get()).rejects.toBeInstanceOf(Errors.NotFound)
    server.play(playAdmin)
    expect(await project.get()).toMatchObject({ _id: "p1" })
  })
})

describe("an admin's session", () => {
  test("is given up by signing out: the next call signs in anew", async () => {
    server.play(playAdmin)
    const client = admin()
    await client.projects.get({ id: "p1" })
    await client.session.signOut()
    await client.projects.get({ id: "p1" })
    expect(targets().filter((target) => target.startsWith("POST"))).toHaveLength(4)
  })

  test("is kept in the store that is given, and taken from there by the next client", async () => {
    server.play(playAdmin)
    const kept = new Map<string, StoredSession>()
    const sessionStore = {
      load: (key: string) => Effect.sync(() => Option.fromNullable(kept.get(key))),
      save: (key: string, session: StoredSession) => Effect.sync(() => void kept.set(key, session)),
      clear: (key: string) => Effect.sync(() => void kept.delete(key))
    }
    await admin({ sessionStore }).projects.get({ id: "p1" })
    expect([...kept.values()]).toEqual([
      {
        accessToken: tokenOf("admin-1"),
        sessionId: "session-1",
        user: { ...ada, since: new Date(ada.since) }
      }
    ])
    const next = admin({ sessionStore })
    await next.projects.get({ id: "p1" })
    expect(targets().filter((target) => target.startsWith("POST"))).toHaveLength(2)
    await next.session.signOut()
    expect(kept.size).toBe(0)
  })
})

describe("an end user's sign-in", () => {
  test("makes the client of whoever signed in", async () => {
    server.play(({ json, target }) => json(target === "/auth/login" ? { sessionId: "s-1" } : { _id: "u1" }))
    const client = await signInEndUser({ baseUrl: server.url, apiKey: "key-1", ...login })
    expect(await client.auth.self()).toEqual({ _id: "u1" })
    const [signIn, self] = server.exchanges.map(({ response }) => response.req.headers)
    expect(signIn).toMatchObject({ "x-api-key": "key-1" })
    expect(signIn).not.toHaveProperty("x-session-id")
    expect(self).toMatchObject({ "x-api-key": "key-1", "x-session-id": "s-1" })
    expect(server.exchanges[0]?.body).toBe(JSON.stringify(login))
  })

  test("rejects where the platform refuses, or opens no session", async () => {
    const config = { baseUrl: server.url, apiKey: "key-1", ...login }
    server.play(({ json }) => json({}, 401))
    await expect(signInEndUser(config)).rejects.toBeInstanceOf(Errors.Unauthenticated)
    server.play(({ json }) => json({}))
    await expect(signInEndUser(config)).rejects.toMatchObject({ tag: "CredentialsError", reason: "Rejected" })
  })

  test("is cancelled by a signal", async () => {
    server.play(() => undefined)
    const controller = new AbortController()
    const signIn = signInEndUser(
      { baseUrl: server.url, apiKey: "key-1", ...login },
      { signal: controller.signal }
    )
    const { over } = await server.exchange(0)
    controller.abort()
    await expect(signIn).rejects.toMatchObject({ name: "AbortError" })
    expect(await over).toBe(false)
  })
})

describe("a collection of content", () => {
  const News = Schema.Struct({ _id: Schema.String, title: Schema.String, views: Schema.Number })
  const collection = () =>
    createPublicClient({ baseUrl: server.url, apiKey: "key-1" }).content.collection("news", News)
  const entry = { _id: "n1", title: "Größe", views: 7 }

  test("is listed by filters and sorts on its fields, and answers its type", async () => {
    server.play(({ json }) => json([entry]))
    const news = collection()
    const { items } = await news.list({
      filter: [news.where("views", ">=", 5)],
      sort: [news.orderBy("title", "desc")]
    })
    const views: ReadonlyArray<number> = items.map((item) => item.views)
    expect(views).toEqual([7])
    expect(targets()).toEqual(["GET /v3/cms/content/api/news?p.views=%3E%3D%7C5%7CNUMERIC&o.title=desc"])
  })

  test("gives its pages and its entries", async () => {
    server.play(({ json, target }) => json(target.includes("page=") ? [entry] : entry))
    const titles: Array<string> = []
    for await (const { title } of collection().list.pages({}, { limit: 5 })) titles.push(title)
    expect(titles).toEqual(["Größe"])
    expect(await collection().get({ id: "n1" })).toEqual(entry)
  })

  test("rejects an entry that is not of its type", async () => {
    server.play(({ json }) => json({ ...entry, views: "many" }))
    await expect(collection().get({ id: "n1" })).rejects.toMatchObject({ tag: "AnswerError", field: "views" })
  })
})

describe("onboarding", () => {
  test("is read, completed and accepted, and sends nothing", async () => {
    server.play(playAdmin)
    const { onboarding } = admin()
    const [task] = await onboarding.tasks()
    expect(await onboarding.complete(task?.id ?? "")).toMatchObject({ isCompleted: true })
    expect(await onboarding.tasks()).toMatchObject([{ isCompleted: true }])
    const [document] = await onboarding.documents()
    const before = Date.now()
    const accepted = await onboarding.accept(document?.id ?? "", "ada@example.com")
    expect(accepted).toMatchObject({ isAccepted: true, acceptedBy: "ada@example.com" })
    expect(accepted.acceptedAt?.getTime()).toBeGreaterThanOrEqual(before)
    expect((await onboarding.billing()).map(({ price }) => price)).toEqual([0.35, 0.004, 100])
    expect(await onboarding.stats()).toMatchObject({ currentBillAmount: { amount: 7.11, currency: "USD" } })
    expect(server.exchanges).toEqual([])
  })

  test("rejects an id that is not known with a real Error", async () => {
    const unknown = admin().onboarding.complete("nothing")
    await expect(unknown).rejects.toBeInstanceOf(Errors.UnknownId)
    await expect(unknown).rejects.toMatchObject({ tag: "UnknownId", kind: "task", id: "nothing" })
  })

  test("tells its present state and every later one, until the client is closed", async () => {
    const client = admin()
    const changes = client.onboarding.changes()[Symbol.asyncIterator]()
    expect((await changes.next()).value).toMatchObject({ tasks: [{ isCompleted: false }] })
    const next = changes.next()
    await client.onboarding.complete("billing-onboarding")
    expect((await next).value).toMatchObject({ tasks: [{ isCompleted: true }] })
    const last = changes.next()
    await Promise.all([client.close(), expect(last).rejects.toMatchObject({ name: "AbortError" })])
  })

  test("is each client's own, and may begin with the caller's", async () => {
    const first = admin()
    const stats = await first.onboarding.stats()
    const own = { tasks: [], documents: [], billing: [], stats: { ...stats, userCount: 9 } }
    expect(await admin({ onboarding: own }).onboarding.stats()).toMatchObject({ userCount: 9 })
    await first.onboarding.complete("billing-onboarding")
    expect(await admin().onboarding.tasks()).toMatchObject([{ isCompleted: false }])
  })
})

test("topics and categories are for the configured projects only", () => {
  const { tenants } = admin()
  const configured = { topicsProjectId: "p1" }
  expect(tenants.topicsOf(configured, "p1")).toContain("General")
  expect(tenants.topicsOf(configured, "p2")).toEqual([])
})

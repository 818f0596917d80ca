// Promise clients sign in and out: an admin's session is kept and given up, an end user's makes a client.
import { Effect, Option } from "effect"
import { describe, expect, test } from "vitest"
import {
  createAdminClient,
  createEndUserClient,
  createPublicClient,
  Errors,
  signInEndUser
} from "../../clients/promise/index.js"
import type { StoredSession } from "../../core/ports/session-store.js"
import { tokenOf } from "../wire/platform.js"
import { ada, login, playAdmin, serve } from "./served.js"

const { admin, server, targets } = await serve()

describe("an admin's session", () => {
  test("is given up by signing out: the next call signs in anew", async () => {
    server.play(playAdmin)
    const client = admin()
    await client.projects.get({ id: "p1" })
    await client.session.signOut()
    await client.projects.get({ id: "p1" })
    expect(targets().filter((target) => target.startsWith("POST"))).toHaveLength(4)
  })

  test("is had as the credentials of another client, without a store", async () => {
    server.play(playAdmin)
    const client = admin()
    const session = await client.onDemand.session()
    expect(session).toEqual({ sessionId: "session-1", accessToken: tokenOf("admin-1") })
    expect(await client.onDemand.session()).toEqual(session)
    const another = createAdminClient({ baseUrl: server.url, projectId: "p1", ...session })
    await another.projects.get({ id: "p1" })
    const signIns = targets().filter((target) => target.startsWith("POST"))
    expect(signIns).toHaveLength(2)
    expect(signIns.join(" ")).not.toContain("projectId")
    expect(server.exchanges.at(-1)?.response.req.headers).toMatchObject({ "x-session-id": "session-1" })
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
  // Spec 1.5
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

  test.each([1_000_001, 0])("takes a session id that is a number: %s", async (sessionId) => {
    server.play(({ json, target }) => json(target === "/auth/login" ? { sessionId } : { _id: "u1" }))
    const drifts: Array<unknown> = []
    const config = { baseUrl: server.url, apiKey: "key-1", answers: "strict", ...login } as const
    const client = await signInEndUser({ ...config, onDrift: (drift) => drifts.push(drift) })
    await client.auth.self()
    const answer = await createPublicClient({ baseUrl: server.url, apiKey: "key-1" }).auth.login(login)
    await createEndUserClient({ ...config, sessionId: answer.sessionId ?? "" }).auth.self()
    const ids = server.exchanges.map(({ response }) => response.req.headers["x-session-id"])
    expect(ids).toEqual([undefined, String(sessionId), undefined, String(sessionId)])
    expect(drifts).toEqual([])
  })

  describe.each(["tolerant", "strict"] as const)("and an admin's, read %s,", (answers) => {
    const ends = async (work: Promise<unknown>) => {
      const error: unknown = await work.then(
        () => "done",
        (cause: unknown) => cause
      )
      return error instanceof Errors.CredentialsError ? { reason: error.reason, advice: error.advice } : error
    }
    /** How both kinds of sign-in end for a session id, and which id each call after them sends. */
    const both = async (sessionId: string) => {
      server.play(({ response, target }) => {
        response.setHeader("content-type", "application/json")
        if (target === "/auth/admin/login")
          return response.end(JSON.stringify({ accessToken: tokenOf("a"), user: {} }))
        return response.end(target === "/auth/login" ? `{"sessionId":${sessionId}}` : '{"_id":"u1"}')
      })
      const admins = await ends(
        createAdminClient({ baseUrl: server.url, projectId: "p1", answers, ...login }).projects.get({
          id: "p1"
        })
      )
      const users = await ends(
        signInEndUser({ baseUrl: server.url, apiKey: "key-1", answers, ...login }).then((client) =>
          client.auth.self()
        )
      )
      const ids = server.exchanges.flatMap(({ response }) => response.req.headers["x-session-id"] ?? [])
      return { admins, users, ids }
    }

    test.each(["1.5", "9007199254740992", "1e20", '""', '" "'])(
      "refuse a session id of %s with one error",
      async (id) => {
        const { admins, ids, users } = await both(id)
        expect(admins).toEqual({ reason: "Rejected", advice: expect.stringContaining("opened no session") })
        expect(users).toEqual(admins)
        expect(ids).toEqual([])
      }
    )

    test.each<readonly [string, string]>([
      ["0", "0"],
      ["9007199254740991", "9007199254740991"],
      ['"s-1"', "s-1"],
      // Read tolerantly, whole numbers beyond ±2⁵³ are texts of their digits.
      ...(answers === "tolerant" ? [["9007199254740993", "9007199254740993"] as const] : [])
    ])("take a session id of %s", async (id, sent) => {
      expect((await both(id)).ids).toEqual([sent, sent])
    })
  })

  test("rejects where the platform refuses, or opens no session", async () => {
    const config = { baseUrl: server.url, apiKey: "key-1", ...login }
    server.play(({ json }) => json({}, 401))
    await expect(signInEndUser(config)).rejects.toBeInstanceOf(Errors.Unauthenticated)
    for (const sessionId of [undefined, null, "", true, {}]) {
      server.play(({ json }) => json({ sessionId }))
      await expect(signInEndUser(config)).rejects.toMatchObject({
        tag: "CredentialsError",
        reason: "Rejected"
      })
    }
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

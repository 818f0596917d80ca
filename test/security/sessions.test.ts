// Sessions over the real sandbox, on real sockets: what the unit tests promise on a test clock holds on the wire.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Sandbox from "../../adapters/sandbox/index.js"
import * as SandboxServer from "../../adapters/sandbox/server/index.js"
import * as Admin from "../../clients/admin/index.js"
import { SessionStore, type StoredSession } from "../../core/ports/session-store.js"
import { ways } from "../support/transports.js"

const { accounts } = Sandbox

/** Short enough for a test to wait it out. */
const signInCooldown = 20

const layer = (baseUrl: string, account: { email: string; password: string } = accounts.admin) =>
  Admin.layer({
    baseUrl,
    projectId: accounts.projectId,
    signInCooldown,
    // A thousand calls at once take their time where other work is done beside them.
    policy: { deadline: 60_000 },
    ...account
  })

const signIns = ({ control }: Pick<Sandbox.Sandbox, "control">) => ({
  api: control.log().filter(({ path }) => path === "/auth/admin/login").length,
  legacy: control.log().filter(({ path }) => path === "/auth/login").length
})

const storeIn = (sessions: Map<string, StoredSession>) =>
  Layer.succeed(SessionStore, {
    load: (key) => Effect.sync(() => Option.fromNullable(sessions.get(key))),
    save: (key, session) => Effect.sync(() => void sessions.set(key, session)),
    clear: (key) => Effect.sync(() => void sessions.delete(key))
  })

describe.each(ways.slice(0, 2))("over $name", (way) => {
  const program = <A, E>(
    use: (served: SandboxServer.Served) => Effect.Effect<A, E, Layer.Layer.Success<typeof way.layer>>
  ) => Effect.flatMap(SandboxServer.serve({ port: 0 }), use).pipe(Effect.provide(way.layer))

  it.scopedLive(
    "1,000 calls at once without a session lead to 1 sign-in",
    () =>
      program((served) =>
        Effect.gen(function* () {
          yield* Effect.all(
            Array.from({ length: 1_000 }, () => Admin.requests.list({ limit: 1 })),
            { concurrency: "unbounded" }
          ).pipe(Effect.provide(layer(served.url)))
          expect(signIns(served)).toEqual({ api: 1, legacy: 1 })
        })
      ),
    60_000
  )

  it.scopedLive(
    "1,000 concurrent 401s lead to 1 sign-in, and no call is sent more than twice",
    () =>
      program((served) =>
        Effect.gen(function* () {
          yield* Admin.requests.list({ limit: 1 })
          yield* Effect.sleep(signInCooldown * 2)
          served.control.expireSessions()
          served.control.clear()
          // Slow enough for all to be sent before the first refusal is back.
          served.control.setLatency(300)
          const exits = yield* Effect.all(
            Array.from({ length: 1_000 }, () => Effect.exit(Admin.requests.list({ limit: 1 }))),
            { concurrency: "unbounded" }
          )
          expect(exits.filter(Exit.isFailure)).toEqual([])
          expect(signIns(served)).toEqual({ api: 1, legacy: 1 })
          const calls = served.control.log().filter(({ path }) => path === "/request-action")
          expect(calls.filter(({ status }) => status === 200)).toHaveLength(1_000)
          expect(calls.length).toBeLessThanOrEqual(2_000)
          expect(calls.filter(({ status }) => status === 401).length).toBeGreaterThan(0)
        }).pipe(Effect.provide(layer(served.url)))
      ),
    60_000
  )

  it.scopedLive("a restarted client with the same store signs in 0 times", () =>
    program((served) =>
      Effect.gen(function* () {
        const sessions = new Map<string, StoredSession>()
        const run = Admin.requests
          .list({ limit: 1 })
          .pipe(Effect.provide(Layer.provide(layer(served.url), storeIn(sessions))))
        yield* run
        served.control.clear()
        yield* Effect.replicateEffect(run, 3)
        expect(signIns(served)).toEqual({ api: 0, legacy: 0 })
        expect(served.control.log()).toHaveLength(3)
      })
    )
  )

  it.scopedLive(
    "a wrong password is asked about once within the cooldown, however many calls there are",
    () =>
      program((served) =>
        Effect.gen(function* () {
          const errors = yield* Effect.all(
            Array.from({ length: 100 }, () => Effect.flip(Admin.requests.list({}))),
            { concurrency: "unbounded" }
          ).pipe(Effect.provide(layer(served.url, { ...accounts.admin, password: "wrong" })))
          expect(new Set(errors.map(({ _tag }) => _tag))).toEqual(new Set(["CredentialsError"]))
          expect(signIns(served).api).toBe(1)
          expect(served.control.log().some(({ path }) => path === "/request-action")).toBe(false)
        })
      )
  )

  it.scopedLive("sign-in calls carry no credentials besides their input", () =>
    program((served) =>
      Effect.gen(function* () {
        yield* Admin.requests.list({ limit: 1 })
        yield* Effect.sleep(signInCooldown * 2)
        served.control.expireSessions()
        yield* Admin.requests.list({ limit: 1 })
        const logins = served.control.log().filter(({ path }) => path.endsWith("/login"))
        expect(logins).toHaveLength(4)
        for (const { audience, query } of logins) expect([audience, query]).toEqual([undefined, ""])
      }).pipe(Effect.provide(layer(served.url)))
    )
  )
})

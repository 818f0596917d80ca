// The table of what a call can fail with, row by row: each tag is provoked on one real call of each kind and audience, over
// HTTP. What the table excludes cannot be provoked so, and whatever comes instead stands in it.

import { Input } from "@quartet/sdk"
import { type Exchange, listen, silent } from "@quartet/support/scripted-server.js"
import { nobody } from "@quartet/support/servers.js"
import { openTransport } from "@quartet/support/transports.js"
import { Effect, Exit, Scope } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { Admin, type CallOptions, EndUser, Errors, Private, Public, Transport } from "../../clients/index.js"
import { type Audience, type Kind, kindOf } from "../../core/kernel/operation/operation.js"
import { login } from "../promise/served.js"
import { tokenOf } from "./platform.js"

type Tag = Errors.CallError["_tag"]

const server = await listen()
const away = await nobody()
afterAll(() => server.close())

const session = { sessionId: "session-1", accessToken: tokenOf("admin-1") }

interface Config {
  readonly baseUrl: string
  /** An admin's e-mail and password in place of a session. */
  readonly isSigningIn: boolean
}

/** A call with its client: from a configuration and options to its end. */
interface Subject {
  readonly audience: Audience
  readonly kind: Kind
  readonly name: string
  readonly call: (
    config: Config,
    options: CallOptions
  ) => Effect.Effect<unknown, Errors.CallError, Transport | Scope.Scope>
}

const ofAdmins = (
  kind: Kind,
  bound: typeof Admin.requests.get | typeof Admin.requests.markSeen | typeof Admin.auth.login,
  call: (options: CallOptions) => Effect.Effect<unknown, Errors.CallError, Admin.Client>
): Subject => ({
  audience: "admin",
  kind,
  name: bound.operation.name,
  call: ({ baseUrl, isSigningIn }, options) =>
    Effect.flatMap(Admin.make({ baseUrl, projectId: "p1", ...(isSigningIn ? login : session) }), (client) =>
      Effect.provideService(call(options), Admin.Client, client)
    )
})

const key = { apiKey: "key-1" }

const ofVisitors = (
  kind: Kind,
  name: string,
  call: (options: CallOptions) => Effect.Effect<unknown, Errors.CallError, Public.Client>
): Subject => ({
  audience: "public",
  kind,
  name,
  call: ({ baseUrl }, options) =>
    Effect.flatMap(Public.make({ baseUrl, ...key }), (client) =>
      Effect.provideService(call(options), Public.Client, client)
    )
})

const ofServers = (
  kind: Kind,
  name: string,
  call: (options: CallOptions) => Effect.Effect<unknown, Errors.CallError, Private.Client>
): Subject => ({
  audience: "private",
  kind,
  name,
  call: ({ baseUrl }, options) =>
    Effect.flatMap(Private.make({ baseUrl, privateKey: "private-1" }), (client) =>
      Effect.provideService(call(options), Private.Client, client)
    )
})

const ofEndUsers = (
  kind: Kind,
  name: string,
  call: (options: CallOptions) => Effect.Effect<unknown, Errors.CallError, EndUser.Client>
): Subject => ({
  audience: "endUser",
  kind,
  name,
  call: ({ baseUrl }, options) =>
    Effect.flatMap(EndUser.make({ baseUrl, ...key, sessionId: "session-1" }), (client) =>
      Effect.provideService(call(options), EndUser.Client, client)
    )
})

const subjects: ReadonlyArray<Subject> = [
  ofAdmins("read", Admin.requests.get, (options) => Admin.requests.get({ id: "r1" }, options)),
  ofAdmins("write", Admin.requests.markSeen, (options) =>
    Admin.requests.markSeen({ id: "r1", version: 1 }, options)
  ),
  ofAdmins("signIn", Admin.auth.login, (options) => Admin.auth.login(login, options)),
  ofVisitors("read", "items.get", (options) => Public.items.get({ id: "i1" }, options)),
  ofVisitors("write", "auth.signup", (options) => Public.auth.signup({ payload: Input.raw({}) }, options)),
  ofServers("read", "payments.get", (options) => Private.payments.get({ id: "p1" }, options)),
  ofServers("write", "payments.payWithLink", (options) =>
    Private.payments.payWithLink({ payload: Input.raw({}) }, options)
  ),
  ofEndUsers("read", "auth.self", (options) => EndUser.auth.self({}, options)),
  ofEndUsers("write", "auth.update", (options) => EndUser.auth.update({ payload: {} }, options))
]

const once: CallOptions = { policy: { attempts: 1 } }

const answering =
  (status: number) =>
  ({ json }: Exchange): void =>
    json({ message: "no" }, status, { location: "/elsewhere" })

/** What provokes a tag: what the server does, and how the call is made. */
interface Provocation {
  readonly play: (exchange: Exchange) => void
  readonly options?: CallOptions
  readonly config?: Partial<Config>
  /** The only connection is taken, so nothing of the call leaves. */
  readonly isQueued?: true
}

const provocations: Readonly<Record<Tag, Provocation>> = {
  InputError: { play: answering(500), options: { policy: { attempts: 0 } } },
  CredentialsError: { play: answering(401), config: { isSigningIn: true } },
  PermissionDenied: { play: answering(403) },
  Unauthenticated: { play: answering(401) },
  NotFound: { play: answering(404) },
  Conflict: { play: answering(409) },
  Rejected: { play: answering(422) },
  RateLimited: { play: answering(429) },
  ServerFault: { play: answering(500) },
  NetworkError: { play: silent, config: { baseUrl: away } },
  DeadlineExceeded: { play: silent, options: { policy: { attempts: 1, deadline: 100 } }, isQueued: true },
  AnswerError: { play: answering(301) },
  OutcomeUnknown: { play: ({ response }) => response.destroy() }
}

const failing = async ({ call }: Subject, { config, isQueued, options = once, play }: Provocation) => {
  const { close, transport } = openTransport("undici", 1)
  const scope = Effect.runSync(Scope.make())
  server.play(play)
  const run = (effect: ReturnType<Subject["call"]>) =>
    Effect.runPromise(
      Effect.flip(effect).pipe(
        Effect.provideService(Transport, transport),
        Effect.provideService(Scope.Scope, scope)
      )
    )
  const at = { baseUrl: server.url, isSigningIn: false, ...config }
  const waiting = isQueued === true ? run(call(at, once)).catch(() => undefined) : undefined
  if (isQueued === true) await server.exchange(0)
  const error = await run(call(at, options))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await close()
  await waiting
  return error
}

const canFail = (tag: Tag, { audience, kind }: Pick<Subject, "audience" | "kind">): boolean => {
  const audiences: ReadonlyArray<Audience> = Errors.failures[tag][kind]
  return audiences.includes(audience)
}

describe.each(subjects)("$name of $audience, a $kind,", (subject) => {
  test.each(Object.entries(provocations) as ReadonlyArray<[Tag, Provocation]>)(
    "%s",
    async (tag, provocation) => {
      const error = await failing(subject, provocation)
      expect(error._tag === tag).toBe(canFail(tag, subject))
      expect(canFail(error._tag, subject)).toBe(true)
    }
  )
})

test("each kind that an audience has is tried, and is what its declaration says", async () => {
  const { operations } = await import("../../core/catalogue.js")
  const all = operations.flatMap((operation) => {
    const declared = operation.declaration()
    return declared.audiences.map((audience) => `${audience} ${kindOf(declared)} ${operation.name}`)
  })
  for (const { audience, kind, name } of subjects) expect(all).toContain(`${audience} ${kind} ${name}`)
  const pairs = new Set(all.map((line) => line.replace(/ [^ ]*$/, "")))
  expect(new Set(subjects.map(({ audience, kind }) => `${audience} ${kind}`))).toEqual(pairs)
})

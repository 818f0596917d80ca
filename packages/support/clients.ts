/** A served sandbox, the four real clients on it over real HTTP, and bare requests where a client would not let one through. */
import { expect } from "@effect/vitest"
import * as Sandbox from "@quartet/sandbox"
import * as SandboxServer from "@quartet/sandbox/server"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { Transport } from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import { Effect, Layer, type Scope } from "effect"
import { live } from "./effect.js"
import { listening } from "./listed.js"

const { accounts } = Sandbox

interface Account {
  readonly email: string
  readonly password: string
}

/** One attempt a call, so that a failure is seen as it is. */
const policy = { attempts: 1 }

export const adminLayer = (baseUrl: string, account: Account = accounts.admin) =>
  Admin.layer({
    baseUrl,
    projectId: accounts.projectId,
    apiKey: accounts.apiKey,
    permissions: "off",
    policy,
    ...account
  })

const publicLayer = (baseUrl: string) => Public.layer({ baseUrl, apiKey: accounts.apiKey, policy })

const privateLayer = (baseUrl: string) => Private.layer({ baseUrl, privateKey: accounts.privateKey, policy })

/** An end user's client, from a real sign-in. */
const endUserLayer = (baseUrl: string, account: Account) =>
  Layer.unwrapEffect(
    Effect.map(Public.auth.login(account), ({ sessionId }) =>
      EndUser.layer({ baseUrl, apiKey: accounts.apiKey, sessionId: sessionId ?? "", policy })
    ).pipe(Effect.provide(publicLayer(baseUrl)))
  )

/** All four clients; the end user is Ana. */
export const everyone = (baseUrl: string) =>
  Layer.mergeAll(
    adminLayer(baseUrl),
    publicLayer(baseUrl),
    privateLayer(baseUrl),
    endUserLayer(baseUrl, accounts.endUsers.ana)
  )

/** Runs a part of a program as Beka. */
export const asBeka =
  (baseUrl: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, endUserLayer(baseUrl, accounts.endUsers.beka))

type Everyone = Admin.Client | Public.Client | Private.Client | EndUser.Client

/**
 * Tests that have a sandbox of their own, and what is supplied from its address. The sandbox has its routes from the same
 * declarations as the clients; so each request is held to the platform's own list too.
 */
const tests = <R>(
  supply: (url: string) => Layer.Layer<R, unknown, Transport>,
  options: SandboxServer.ServeOptions = {}
) =>
  live.within<[SandboxServer.Served], R | Transport | Scope.Scope>((use) => {
    const complaints: Array<string> = []
    const listed = Layer.effect(
      Transport,
      Effect.map(Transport, (transport) => listening(transport, complaints))
    )
    return SandboxServer.serve({ port: 0, ...options }).pipe(
      Effect.flatMap((sandbox) => Effect.provide(use(sandbox), supply(sandbox.url))),
      Effect.tap(() => expect(complaints).toEqual([])),
      Effect.provide(Layer.provide(listed, UndiciTransport.layer))
    )
  })

/** Tests against a fresh served sandbox. */
export const served = Object.assign(
  tests(() => Layer.empty),
  { with: (options: SandboxServer.ServeOptions) => tests(() => Layer.empty, options) }
)

/** Tests that all four clients tell against a fresh served sandbox. */
export const story = tests<Everyone>(everyone)

/** A bare answer. */
export interface Bare {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is JSON. */
  readonly json: {
    readonly error?: { readonly code: string; readonly message: string; readonly field?: string }
    readonly [field: string]: unknown
  }
}

/** A bare request, with no client in between. */
export const bare = (url: string, init: RequestInit = {}): Effect.Effect<Bare> =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
  })

/** A bare POST of JSON, as text or as a value. */
export const post = (url: string, body: string | object, headers: Record<string, string> = {}) =>
  bare(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

/** Headers of a signed-in admin, from the two bare sign-ins. */
export const adminHeaders = (
  url: string,
  account: Account = accounts.admin
): Effect.Effect<{ readonly authorization: string; readonly "x-session-id": string }> =>
  Effect.gen(function* () {
    const login = yield* post(`${url}/auth/admin/login`, account)
    const legacy = yield* post(`${url}/auth/login`, account)
    return {
      authorization: `Bearer ${String(login.json.accessToken)}`,
      "x-session-id": String(legacy.json.sessionId)
    }
  })

/** Expects that a call answers something that has all of this. */
export const answers = <A, E, R>(call: Effect.Effect<A, E, R>, expected: object): Effect.Effect<void, E, R> =>
  Effect.map(call, (answer) => expect(answer).toMatchObject(expected))

/** Expects that a call fails with this tag. */
export const refused = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  _tag: string,
  more: object = {}
): Effect.Effect<void, A, R> =>
  Effect.map(Effect.flip(call), (error) => expect(error).toMatchObject({ _tag, ...more }))

/** Expects that the platform rejects a call, and names this field. */
export const rejected = <A, E, R>(call: Effect.Effect<A, E, R>, field: string) =>
  refused(call, "Rejected", { field })

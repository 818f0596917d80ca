/** Failures that no server is needed for, or that come about on a way of their own: the rest of the closed union. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import { json } from "../../support/fake-transport.js"
import { admin, broken, byAdmin, byVisitor, chat, never, over, refusing, signedIn } from "./callers.js"
import { type Canary, canaries } from "./canaries.js"
import { baseUrl } from "./subjects.js"

const { accessToken, apiKey, email, password, powerless, privateKey, sessionId } = canaries

/** One way to fail: everything that the caller gave is a canary. */
export interface Quiet {
  readonly name: string
  readonly tag: string
  readonly canaries: ReadonlyArray<Canary>
  readonly run: Effect.Effect<unknown, unknown>
}

const bad: unknown = { password: password.value, list: [Number.NaN] }

export const quiet: ReadonlyArray<Quiet> = [
  {
    name: "no credentials",
    tag: "CredentialsError.Missing",
    canaries: [email, sessionId],
    run: over(
      Admin.make({
        ...admin,
        email: email.value,
        sessionId: sessionId.value
      } as unknown as Admin.ClientConfig),
      never
    )
  },
  {
    name: "a malformed session id",
    tag: "CredentialsError.Malformed",
    canaries: [sessionId, accessToken],
    run: over(
      Admin.make({ ...admin, sessionId: sessionId.value + broken, accessToken: accessToken.value }),
      never
    )
  },
  {
    name: "a malformed token",
    tag: "CredentialsError.Malformed",
    canaries: [sessionId, accessToken],
    run: over(
      Admin.make({
        ...admin,
        sessionId: sessionId.value,
        accessToken: Redacted.make(accessToken.value.replaceAll(".", ""))
      }),
      never
    )
  },
  {
    name: "a malformed API key",
    tag: "CredentialsError.Malformed",
    canaries: [apiKey],
    run: over(Public.make({ baseUrl, apiKey: apiKey.value + broken }), never)
  },
  {
    name: "a malformed private key",
    tag: "CredentialsError.Malformed",
    canaries: [privateKey],
    run: over(Private.make({ baseUrl, privateKey: Redacted.make(broken + privateKey.value) }), never)
  },
  {
    name: "a malformed session of an end user",
    tag: "CredentialsError.Malformed",
    canaries: [apiKey, sessionId],
    run: over(EndUser.make({ baseUrl, apiKey: apiKey.value, sessionId: `${sessionId.value} ` }), never)
  },
  {
    name: "a base URL with a password",
    tag: "InputError",
    canaries: [password],
    run: over(
      Public.make({
        baseUrl: `https://u:${encodeURIComponent(password.value)}@api.example.test`,
        apiKey: "k-1"
      }),
      never
    )
  },
  {
    name: "a base URL with a key in its query",
    tag: "InputError",
    canaries: [apiKey],
    run: over(
      Public.make({ baseUrl: `${baseUrl}/?key=${encodeURIComponent(apiKey.value)}`, apiKey: "k-1" }),
      never
    )
  },
  {
    name: "a header's name that is a key",
    tag: "InputError",
    canaries: [apiKey],
    run: over(Public.make({ baseUrl, apiKey: "k-1", headerNames: { apiKey: apiKey.value } }), never)
  },
  ...[400, 401, 403, 404, 422].map(
    (status): Quiet => ({
      name: `a sign-in refused with ${status}`,
      tag: "CredentialsError.Rejected",
      canaries: [email, password],
      run: byAdmin(Admin.users.get({ id: "1" }), signedIn, refusing(status))
    })
  ),
  ...[409, 429, 500].map(
    (status): Quiet => ({
      name: `a sign-in that fails with ${status}`,
      tag: { 409: "Conflict", 429: "RateLimited", 500: "ServerFault" }[status] ?? "",
      canaries: [email, password],
      run: byAdmin(Admin.users.get({ id: "1" }), signedIn, refusing(status))
    })
  ),
  {
    name: "a sign-in within the cooldown",
    tag: "CredentialsError.Cooldown",
    canaries: [email, password],
    run: byAdmin(
      Effect.zipRight(Effect.ignore(Admin.users.get({ id: "1" })), Admin.users.get({ id: "1" })),
      signedIn,
      refusing(500)
    )
  },
  {
    name: "a token that grants nothing",
    tag: "PermissionDenied.Grant",
    canaries: [sessionId, powerless],
    run: byAdmin(Admin.users.get({ id: "1" }), { sessionId: sessionId.value, accessToken: powerless.value })
  },
  {
    name: "a payload that cannot be said",
    tag: "InputError",
    canaries: [apiKey, password],
    run: byVisitor(Public.auth.signup({ payload: bad }))
  },
  {
    name: "a password that is none",
    tag: "InputError",
    canaries: [apiKey, password],
    run: byVisitor(Public.auth.login({ email: "", password: [password.value] as unknown as string }))
  },
  {
    name: "a field too many",
    tag: "InputError",
    canaries: [password],
    run: byVisitor(Public.auth.login({ email: "a", password: "b", more: password.value } as never))
  },
  {
    name: "half of a surrogate pair in a path",
    tag: "InputError",
    canaries: [password],
    run: byVisitor(Public.boxes.get({ id: `${password.value}\ud800` }))
  },
  {
    name: "an idempotency key that is a password",
    tag: "InputError",
    canaries: [password],
    run: byVisitor(Public.boxes.get({ id: "1" }, { idempotencyKey: `${password.value}${broken}` }))
  },
  {
    name: "a page twice",
    tag: "AnswerError.Paging",
    canaries: [apiKey],
    run: byVisitor(Stream.runDrain(pages(Public.boxes.list, {}, { limit: 1 })), () =>
      json(200, { items: [{ _id: apiKey.value }], message: apiKey.value })
    )
  },
  {
    name: "a getter that throws what it holds",
    tag: "InputError",
    canaries: [password],
    run: byVisitor(
      Public.boxes.create({
        payload: {
          get a(): never {
            throw new Error(password.value)
          }
        }
      })
    )
  },
  {
    name: "a toJSON that throws what it holds",
    tag: "InputError",
    canaries: [password],
    run: byVisitor(
      Public.boxes.create({
        payload: {
          toJSON: () => {
            throw new Error(password.value)
          }
        }
      })
    )
  },
  {
    name: "a chat that is refused",
    tag: "ChatError.Refused",
    canaries: [apiKey, sessionId, accessToken, email, password],
    run: chat("Refused")
  },
  {
    name: "a chat that cannot be reached",
    tag: "ChatError.Unreachable",
    canaries: [apiKey, sessionId, accessToken, email, password],
    run: chat("Unreachable")
  }
]

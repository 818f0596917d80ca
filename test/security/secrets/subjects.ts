/** The clients, with a canary in every field that holds a credential, and a call of each kind. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallError, CredentialsError, InputError } from "../../../core/kernel/errors/errors.js"
import { type Outcome, type Request, type Service, Transport } from "../../../core/ports/transport.js"
import { json } from "../../support/fake-transport.js"
import { type Canary, canaries } from "./canaries.js"

/** One client and one of its calls. */
export interface Subject {
  readonly name: string
  readonly canaries: ReadonlyArray<Canary>
  /** The client itself, and its call as an effect that is ready to run. */
  readonly make: (
    transport: Service
  ) => Effect.Effect<
    { readonly client: unknown; readonly call: Effect.Effect<unknown, CallError> },
    CredentialsError | InputError
  >
}

export const baseUrl = "https://api.example.test"
const policy = { attempts: 1, deadline: 5 }
const {
  accessToken,
  apiKey,
  cardCvv,
  cardPin,
  code,
  email,
  key,
  listed,
  newPassword,
  oldPassword,
  password,
  privateKey,
  sessionId,
  userOtp
} = canaries

const subject = <Id, S>(
  name: string,
  found: ReadonlyArray<Canary>,
  tag: import("effect/Context").Tag<Id, S>,
  made: Effect.Effect<S, CredentialsError | InputError, Transport>,
  call: Effect.Effect<unknown, CallError, Id>
): Subject => ({
  name,
  canaries: found,
  make: (transport) =>
    Effect.map(Effect.provideService(made, Transport, transport), (client) => ({
      client,
      call: Effect.provideService(call, tag, client)
    }))
})

const common = { baseUrl, projectId: "project-1", policy }
const withPassword = Admin.make({
  ...common,
  email: email.value,
  password: password.value,
  apiKey: apiKey.value
})
const withSession = Admin.make({
  ...common,
  sessionId: Redacted.make(sessionId.value),
  accessToken: Redacted.make(accessToken.value),
  apiKey: Redacted.make(apiKey.value)
})
const byPassword = [email, password, apiKey, sessionId, accessToken]
const bySession = [sessionId, accessToken, apiKey]

export const subjects: ReadonlyArray<Subject> = [
  subject("admin by password, a read", byPassword, Admin.Client, withPassword, Admin.users.get({ id: "1" })),
  subject(
    "admin by password, a write",
    byPassword,
    Admin.Client,
    withPassword,
    Admin.users.create({ payload: { password: newPassword.value } })
  ),
  subject("admin by session, a read", bySession, Admin.Client, withSession, Admin.requests.get({ id: "1" })),
  subject(
    "admin by session, a write",
    bySession,
    Admin.Client,
    withSession,
    Admin.payments.refund({ id: "1", payload: {} })
  ),
  subject(
    "visitor, a sign-in",
    [apiKey, password],
    Public.Client,
    Public.make({ baseUrl, policy, apiKey: apiKey.value }),
    Public.auth.login({ email: "a@b.test", password: password.value })
  ),
  subject(
    "visitor, a sign-up",
    [apiKey, password],
    Public.Client,
    Public.make({ baseUrl, policy, apiKey: apiKey.value }),
    Public.auth.signup({ payload: { account: { password: password.value } } })
  ),
  subject(
    "visitor, a sign-up with codes and keys",
    [apiKey, code, key, cardPin, cardCvv, userOtp, listed],
    Public.Client,
    Public.make({ baseUrl, policy, apiKey: apiKey.value }),
    Public.auth.signup({
      payload: {
        code: code.value,
        key: key.value,
        card: { cardPin: cardPin.value, cardCvv: cardCvv.value },
        userOtp: userOtp.value,
        tokens: [listed.value],
        credentials: [{ note: listed.value }],
        document: JSON.stringify({ verificationCode: code.value, licenseKey: key.value })
      }
    })
  ),
  subject(
    "visitor, a read",
    [apiKey],
    Public.Client,
    Public.make({ baseUrl, policy, apiKey: apiKey.value }),
    Public.boxes.get({ id: "1" })
  ),
  subject(
    "server, a read",
    [privateKey],
    Private.Client,
    Private.make({ baseUrl, policy, privateKey: privateKey.value }),
    Private.project.self()
  ),
  subject(
    "server, a write",
    [privateKey],
    Private.Client,
    Private.make({ baseUrl, policy, privateKey: Redacted.make(privateKey.value) }),
    Private.notifications.sendSms({ to: "1", body: "x" })
  ),
  subject(
    "end user, a read",
    [apiKey, sessionId],
    EndUser.Client,
    EndUser.make({ baseUrl, policy, apiKey: apiKey.value, sessionId: sessionId.value }),
    EndUser.auth.self()
  ),
  subject(
    "end user, a new password",
    [apiKey, sessionId, oldPassword, newPassword],
    EndUser.Client,
    EndUser.make({ baseUrl, policy, apiKey: apiKey.value, sessionId: sessionId.value }),
    EndUser.auth.updatePassword({ oldPassword: oldPassword.value, newPassword: newPassword.value })
  )
]

const isSignIn = ({ path }: Request): boolean => path === "/auth/admin/login" || path === "/auth/login"

/** A platform that signs admins in, and answers all else as it is told. */
export const platform = (answer: (request: Request) => Outcome | "waits"): Service => ({
  start: (request, settle) => {
    const isAdmins = isSignIn(request) && request.headers["x-api-key"] === undefined
    const outcome = isAdmins
      ? json(200, { accessToken: accessToken.value, user: {}, sessionId: sessionId.value })
      : answer(request)
    if (outcome !== "waits") settle(outcome)
    return () => undefined
  }
})

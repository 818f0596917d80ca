/** The clients, with a canary in every field that holds a credential, and a call of each kind. */

import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import {
  type CallError,
  type CredentialsError,
  type InputError,
  type Outcome,
  type Policy,
  type Request,
  type TransportService as Service,
  Transport
} from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import { type Context, Effect, Redacted } from "effect"
import { json } from "../fake-transport.js"
import { type Canary, canaries } from "./canaries.js"

/** Where a client calls, and how it behaves. */
export interface Settings {
  readonly baseUrl: string
  readonly policy: Partial<Policy>
  readonly logDrift: boolean
}

/** One client and one of its calls. */
export interface Subject {
  readonly name: string
  readonly canaries: ReadonlyArray<Canary>
  /** The client itself, and its call, ready to run. The id is sent with the call. */
  readonly make: (
    transport: Service,
    settings: Settings,
    id: string
  ) => Effect.Effect<
    { readonly client: unknown; readonly call: Effect.Effect<unknown, CallError> },
    CredentialsError | InputError
  >
}

const c = canaries
type Made<S> = (settings: Settings, id: string) => Effect.Effect<S, CredentialsError | InputError, Transport>

const on =
  <Id, S>(tag: Context.Tag<Id, S>, canaries: ReadonlyArray<Canary>, makeClient: Made<S>) =>
  (
    name: string,
    call: (id: string) => Effect.Effect<unknown, CallError, Id>,
    more: ReadonlyArray<Canary> = []
  ): Subject => ({
    name,
    canaries: [...canaries, ...more],
    make: (transport, settings, id) =>
      Effect.map(Effect.provideService(makeClient(settings, id), Transport, transport), (client) => ({
        client,
        call: Effect.provideService(call(id), tag, client)
      }))
  })

const { accessToken, apiKey, email, newPassword, oldPassword, password, privateKey, sessionId } = canaries
const admin = { projectId: "project-1", signInCooldown: 0 }
const signedIn = on(Admin.Client, [password, apiKey, sessionId, accessToken], (settings) =>
  Admin.make({ ...settings, ...admin, email: email.value, password: password.value, apiKey: apiKey.value })
)
const signingIn = on(Admin.Client, [password, sessionId, accessToken], (settings, id) =>
  Admin.make({ ...settings, ...admin, email: `${id}@x.test`, password: password.value })
)
const withSession = on(Admin.Client, [sessionId, accessToken, apiKey], (settings) =>
  Admin.make({
    ...settings,
    ...admin,
    sessionId: Redacted.make(sessionId.value),
    accessToken: Redacted.make(accessToken.value),
    apiKey: Redacted.make(apiKey.value)
  })
)
const visitor = on(Public.Client, [apiKey], (settings) => Public.make({ ...settings, apiKey: apiKey.value }))
const server = on(Private.Client, [privateKey], (settings) =>
  Private.make({ ...settings, privateKey: Redacted.make(privateKey.value) })
)
const endUser = on(EndUser.Client, [apiKey, sessionId], (settings) =>
  EndUser.make({ ...settings, apiKey: apiKey.value, sessionId: sessionId.value })
)

export const subjects: ReadonlyArray<Subject> = [
  signedIn("admin by password, a read", (id) => Admin.users.get({ id })),
  signedIn("admin by password, a write", (id) =>
    Admin.users.create({ payload: Input.raw({ password: newPassword.value, note: id }) })
  ),
  signingIn("admin, a sign-in", () => Admin.requests.get({ id: "plain" })),
  withSession("admin by session, a read", (id) => Admin.requests.get({ id })),
  withSession("admin by session, a write", (id) => Admin.payments.refund({ id, payload: {} })),
  visitor("visitor, a read", (id) => Public.boxes.get({ id })),
  visitor("visitor, a sign-in", (id) => Public.auth.login({ email: id, password: password.value }), [
    password
  ]),
  visitor(
    "visitor, a sign-up",
    (id) => Public.auth.signup({ payload: Input.raw({ note: id, account: { password: password.value } }) }),
    [password]
  ),
  visitor(
    "visitor, a sign-up with codes and keys",
    (id) =>
      Public.auth.signup({
        payload: Input.raw({
          note: id,
          code: c.code.value,
          key: c.key.value,
          card: { cardPin: c.cardPin.value, cardCvv: c.cardCvv.value },
          userOtp: c.userOtp.value,
          tokens: [c.listed.value],
          credentials: [{ note: c.listed.value }],
          document: JSON.stringify({ verificationCode: c.code.value, licenseKey: c.key.value })
        })
      }),
    [c.code, c.key, c.cardPin, c.cardCvv, c.userOtp, c.listed]
  ),
  server("server, a read", (id) => Private.payments.get({ id })),
  server("server, a write", (id) => Private.notifications.sendSms({ to: "1", body: id })),
  endUser("end user, a read", (id) => EndUser.boxes.get({ id })),
  endUser("end user, a write", (id) => EndUser.boxes.update({ id, payload: { a: 1 } })),
  endUser(
    "end user, a new password",
    // The password is sent as it is: the server may repeat it by itself.
    (idempotencyKey) =>
      EndUser.auth.updatePassword(
        { oldPassword: oldPassword.value, newPassword: newPassword.value },
        { idempotencyKey }
      ),
    [oldPassword, newPassword]
  )
]

export const baseUrl = "https://api.example.test"
export const local: Settings = { baseUrl, policy: { attempts: 1, deadline: 5 }, logDrift: false }

const isSignIn = ({ path }: Request): boolean => path === "/auth/admin/login" || path === "/auth/login"

/** A platform that signs admins in, and answers all else as it is told; undefined for never. */
export const platform = (answer: (request: Request) => Outcome | undefined): Service => ({
  start: (request, settle) => {
    const isAdmins = isSignIn(request) && request.headers["x-api-key"] === undefined
    const outcome = isAdmins
      ? json(200, { accessToken: accessToken.value, user: {}, sessionId: sessionId.value })
      : answer(request)
    if (outcome !== undefined) settle(outcome)
    return () => undefined
  }
})

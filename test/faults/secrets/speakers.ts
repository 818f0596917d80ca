/** Clients whose every credential is a canary, and calls of theirs that the spilling server answers by number. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { Transport } from "../../../core/ports/transport.js"
import { quiet, type Way } from "../clients.js"
import { type Canary, canary, password, token } from "./canaries.js"
import { issued, issuedSession } from "./server.js"

type Call = Effect.Effect<unknown, CallError>

/** A client that holds canaries. */
export interface Speaker {
  readonly name: string
  readonly canaries: ReadonlyArray<Canary>
  /** The client itself; a look at it must show nothing. */
  readonly client: unknown
  /** Calls that are answered by a number. */
  readonly calls: ReadonlyArray<(number: number) => Call>
}

const policy = { attempts: 2, pause: 1, deadline: 400, longestRetryAfter: 50 }
const projectId = "the-project"
const apiKey = canary("apiKey")
const privateKey = canary("privateKey")
const sessionId = canary("sessionId")
const accessToken = token("accessToken")
const adminPassword = password("password")
const signInPassword = password("signInPassword")
const oldPassword = password("oldPassword")
const newPassword = password("newPassword")

const id = (number: number): string => `qt-leak-${number}`

/** The clients over one transport. */
export const speakersOf = (way: Way, baseUrl: string): ReadonlyArray<Speaker> => {
  const over = <A, E>(made: Effect.Effect<A, E, Transport>): A =>
    Effect.runSync(Effect.provideService(made, Transport, way.service))
  const common = { baseUrl, ...quiet, policy }
  const ofAdmin = { ...common, projectId, apiKey: apiKey.text, signInCooldown: 0 }
  const asAdmin = <A>(admin: Admin.Service, call: Effect.Effect<A, CallError, Admin.Client>): Call =>
    Effect.provideService(call, Admin.Client, admin)

  const signedIn = over(Admin.make({ ...ofAdmin, email: "admin@x.test", password: adminPassword.text }))
  const given = over(Admin.make({ ...ofAdmin, sessionId: sessionId.text, accessToken: accessToken.text }))
  const visitor = over(Public.make({ ...common, apiKey: apiKey.text }))
  const server = over(Private.make({ ...common, privateKey: privateKey.text }))
  const endUser = over(EndUser.make({ ...common, apiKey: apiKey.text, sessionId: sessionId.text }))

  const asVisitor = <A>(call: Effect.Effect<A, CallError, Public.Client>): Call =>
    Effect.provideService(call, Public.Client, visitor)
  const asServer = <A>(call: Effect.Effect<A, CallError, Private.Client>): Call =>
    Effect.provideService(call, Private.Client, server)
  const asEndUser = <A>(call: Effect.Effect<A, CallError, EndUser.Client>): Call =>
    Effect.provideService(call, EndUser.Client, endUser)
  const requests = (admin: Admin.Service): Speaker["calls"] => [
    (number) => asAdmin(admin, Admin.requests.get({ id: id(number) })),
    (number) => asAdmin(admin, Admin.requests.update({ id: id(number), payload: { status: "pending" } }))
  ]

  return [
    {
      name: "admin who signs in",
      canaries: [adminPassword, ...issued, issuedSession, apiKey],
      client: signedIn,
      calls: requests(signedIn)
    },
    {
      name: "admin with a session",
      canaries: [sessionId, accessToken, apiKey],
      client: given,
      calls: requests(given)
    },
    {
      name: "sign-in of an admin",
      canaries: [signInPassword, ...issued, issuedSession],
      client: undefined,
      calls: [
        (number) => {
          const email = `${id(number)}@x.test`
          const fresh = over(Admin.make({ ...ofAdmin, email, password: signInPassword.text }))
          return asAdmin(fresh, Admin.requests.get({ id: "plain" }))
        }
      ]
    },
    {
      name: "visitor",
      canaries: [apiKey, signInPassword],
      client: visitor,
      calls: [
        (number) => asVisitor(Public.boxes.get({ id: id(number) })),
        (number) => asVisitor(Public.boxes.update({ id: id(number), payload: { a: 1 } })),
        (number) => asVisitor(Public.auth.login({ email: id(number), password: signInPassword.text }))
      ]
    },
    {
      name: "server",
      canaries: [privateKey],
      client: server,
      calls: [
        (number) => asServer(Private.payments.get({ id: id(number) })),
        (number) => asServer(Private.payments.payWithLink({ payload: { amount: 1, note: id(number) } }))
      ]
    },
    {
      name: "end user",
      canaries: [apiKey, sessionId, oldPassword, newPassword],
      client: endUser,
      calls: [
        (number) => asEndUser(EndUser.boxes.get({ id: id(number) })),
        (number) => asEndUser(EndUser.boxes.update({ id: id(number), payload: { a: 1 } })),
        (number) =>
          asEndUser(
            EndUser.auth.updatePassword({
              oldPassword: oldPassword.text,
              newPassword: `${newPassword.text} ${id(number)}`
            })
          )
      ]
    }
  ]
}

/** An admin whose first token is refused while a call that was sent with it is still on its way. */
export const overtaken = (
  way: Way,
  baseUrl: string
): { readonly canaries: ReadonlyArray<Canary>; readonly call: Effect.Effect<never, unknown> } => {
  const admin = Effect.runSync(
    Effect.provideService(
      Admin.make({
        baseUrl,
        projectId,
        email: "admin@x.test",
        password: adminPassword.text,
        signInCooldown: 0,
        policy: { attempts: 1, deadline: 2_000 }
      }),
      Transport,
      way.service
    )
  )
  const get = (name: string): Effect.Effect<unknown, unknown> =>
    Effect.provideService(Admin.requests.get({ id: name }), Admin.Client, admin)
  // The sign-in first, then both calls with its token: the quick one is refused and renews it.
  const call = Effect.zipRight(
    Effect.ignore(Effect.clockWith(admin.session.getCredentials)),
    Effect.map(
      Effect.all([Effect.flip(get("qt-slow-1")), get("plain")], { concurrency: 2 }),
      ([error]) => error
    )
  )
  return { canaries: [adminPassword, ...issued, issuedSession], call: Effect.flatMap(call, Effect.fail) }
}

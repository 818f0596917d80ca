/** The four query clients of the console. Each is made once from its client's layer, independent of the others. */

import { makeQueryClient, type Session } from "@quartet/react"
import * as Tabs from "@quartet/sdk/adapters/tabs"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { onDrift } from "../wire/drifts.js"
import { transport } from "../wire/log.js"
import { cell, registry } from "./cells.js"
import { apiKey, baseUrl, type Person, permissions, persons, privateKey, projectId } from "./config.js"
import * as Drafts from "./drafts.js"
import { notLoaded } from "./explain.js"
import { back } from "./network.js"
import { type Spoken, socketQuery, spoken } from "./platform.js"
import { forgetRows } from "./recent.js"

const tabsOf = (name: Person): Tabs.Tabs => Tabs.make({ name, isShared: () => registry.get(isShared) })

/**
 * Sessions that outlive the page, so that a reload needs no password: in this tab or, where the user wants it, in this
 * browser. Then all its tabs share one: a sign-in or a sign-out in one of them holds in all. Only the tab that signed in
 * knows the password, so it alone renews the session; the others take up what it has kept.
 */
const tabs: Readonly<Record<Person, Tabs.Tabs>> = { admin: tabsOf("admin"), endUser: tabsOf("endUser") }

/** Whether sign-ins in this tab are for all tabs of the browser. */
export const isShared = cell(persons.some((audience) => tabs[audience].isShared()))

for (const audience of persons)
  tabs[audience].subscribe((session) =>
    session === undefined ? Drafts.forget(audience) : registry.set(isShared, true)
  )

/**
 * The chat's connection, whose code comes with the first sign-in. Its credentials are not in the address, which browsers
 * print in their console, unless the platform is said to read them there. The sandbox reads the token from either.
 */
const socket = Layer.unwrapEffect(
  Effect.gen(function* () {
    const query = yield* socketQuery
    const { layerWith } = yield* Effect.tryPromise({
      try: () => import("@quartet/sdk/adapters/socket"),
      catch: notLoaded
    })
    return layerWith({ query })
  })
)

/** A client's layer, which is made with what is said of the platform. */
const speaking = <A, E, R>(make: (spoken: Spoken) => Layer.Layer<A, E, R>) =>
  Layer.unwrapEffect(Effect.map(spoken, make))

const adminLayer = (credentials: Admin.AdminCredentials) =>
  Layer.mergeAll(
    Layer.provide(
      speaking((spoken) =>
        Admin.layer({
          baseUrl,
          projectId,
          apiKey,
          onDrift: onDrift("admin"),
          ...(permissions === "default" ? {} : { permissions }),
          ...spoken,
          ...credentials
        })
      ),
      [transport("admin"), tabs.admin.layer]
    ),
    socket
  )

/** Administrators, who sign in by password, or by a kept session. */
export const admin = makeQueryClient(adminLayer, { tabs: tabs.admin, reconnect: back })

/** Visitors, who do not sign in. */
export const visitor = makeQueryClient(
  Layer.provide(
    speaking((spoken) => Public.layer({ baseUrl, apiKey, onDrift: onDrift("public"), ...spoken })),
    transport("public")
  ),
  { reconnect: back }
)

/** What one signs in with. */
export interface Account {
  readonly email: string
  readonly password: string
}

const endUserConfig = { baseUrl, apiKey, onDrift: onDrift("endUser") }

const endUserLayer = (credentials: Tabs.TabSession | Account) => {
  if ("sessionId" in credentials) {
    const { sessionId } = credentials
    return Layer.provide(
      speaking((spoken) => EndUser.layer({ ...endUserConfig, ...spoken, sessionId })),
      transport("endUser")
    )
  }
  const signIn = Effect.provide(
    Public.auth.login(credentials),
    speaking((spoken) => Public.layer({ ...endUserConfig, ...spoken }))
  )
  const signedIn = Effect.map(signIn, (answer) => {
    // A client without a session says that it has none.
    const sessionId = answer.sessionId ?? ""
    tabs.endUser.keep({ sessionId })
    return speaking((spoken) => EndUser.layer({ ...endUserConfig, ...spoken, sessionId }))
  })
  return Layer.provide(Layer.unwrapEffect(signedIn), transport("endUser"))
}

/** End users, who sign in with e-mail and password through the public client, or by a kept session. */
export const endUser = makeQueryClient(endUserLayer, { tabs: tabs.endUser, reconnect: back })

/** The sessions of those who sign in. */
export const sessions: Readonly<Record<Person, Session<Tabs.TabSession | Account, unknown>>> = {
  admin: admin.session,
  endUser: endUser.session
}

/** Signs out, and forgets the drafts, which a session that ended by itself leaves. */
export const signOut = async (audience: Person): Promise<void> => {
  Drafts.forget(audience)
  forgetRows()
  await sessions[audience].actions(registry).signOut()
}

/** Programs on a server. The key is the sandbox's; a real one must never get into a browser. */
export const server = makeQueryClient(
  Layer.provide(
    speaking((spoken) =>
      Private.layer({ baseUrl, privateKey, allowBrowser: true, onDrift: onDrift("private"), ...spoken })
    ),
    transport("private")
  ),
  { reconnect: back }
)

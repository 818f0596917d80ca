/** Sign-in on both services, sign-up, and the end user's own account. */

import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Effect from "effect/Effect"
import { type Handler, handle, handleOpen } from "../platform/handler.js"
import { conflict, invalid, type Refusal, unauthenticated } from "../platform/refusal.js"
import * as Token from "../platform/token.js"
import { type Admin, User } from "../state/entities.js"
import { changed, created, fieldsOf, textOf } from "../state/rows.js"
import { lifetime } from "../state/sessions.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"
import type { Table } from "../state/table.js"

interface Account {
  readonly _id: string
  readonly email: string
}

const wrongLogin = (): Refusal => unauthenticated("the e-mail or the password is wrong")

/** The account that an e-mail and a password belong to. */
const verify = <A extends Account>(
  state: State,
  accounts: Table<A>,
  { email, password }: { readonly email: string; readonly password: string }
): Effect.Effect<A, Refusal> => {
  const account = accounts.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase())
  return account !== undefined && state.passwords.get(account._id) === password
    ? Effect.succeed(account)
    : Effect.fail(wrongLogin())
}

/** The permission map of an admin: for each resource and action the highest level that their roles hold. */
const grantsOf = (state: State, admin: Admin): Token.Grants => {
  const grants: Record<string, Record<string, number>> = {}
  for (const roleId of admin.roles) {
    for (const id of state.roles.peek(roleId)?.permissions ?? []) {
      const permission = state.permissions.peek(id)
      if (permission === undefined) continue
      const { action, level, resource } = permission
      const actions = grants[resource] ?? {}
      grants[resource] = actions
      actions[action] = Math.max(actions[action] ?? 0, level)
    }
  }
  return grants
}

/** An e-mail that no other account has. */
export const freeEmail = (
  accounts: Pick<Table<Account>, "find">,
  email: string,
  own?: string
): Effect.Effect<void, Refusal> => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return Effect.fail(invalid("email", "must be an e-mail address"))
  const owner = accounts.find(
    (account) => account._id !== own && account.email.toLowerCase() === email.toLowerCase()
  )
  return owner === undefined ? Effect.void : Effect.fail(conflict("the e-mail belongs to another account"))
}

/** The defaults of a new end user. */
export const newUser = { fullName: "", interests: [], type: "resident", status: "active" } as const

const openSession = (state: State, user: User, now: Date): string => {
  const sessionId = state.random.id()
  state.sessions.users.set(sessionId, { owner: user._id, expires: now.getTime() + lifetime })
  return sessionId
}

/** The fields of an account without secrets. */
export const withoutPassword = (
  fields: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "password"))

export const auth: ReadonlyArray<Handler> = [
  handleOpen(Auth.adminLogin, ({ input, now, state }) =>
    Effect.map(verify(state, state.admins, input), (admin) => {
      const jti = state.random.id()
      state.sessions.tokens.set(jti, admin._id)
      const claims: Token.Claims = {
        sub: admin._id,
        email: admin.email,
        name: admin.fullName,
        p: grantsOf(state, admin),
        jti,
        iat: Math.floor(now.getTime() / 1000),
        exp: Math.floor((now.getTime() + lifetime) / 1000)
      }
      return { accessToken: Token.sign(claims, state.seed), user: admin }
    })
  ),

  handleOpen(Auth.legacyLogin, ({ input, now, state }) =>
    Effect.map(verify(state, state.admins, input), (admin) => {
      const sessionId = state.random.id()
      state.sessions.admins.set(sessionId, { owner: admin._id, expires: now.getTime() + lifetime })
      return { sessionId }
    })
  ),

  handle(Auth.login, ({ input, now, state }) =>
    Effect.map(verify(state, state.users, input), (user) => ({
      sessionId: openSession(state, user, now),
      user
    }))
  ),

  handle(Auth.signup, ({ input, now, state }) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(input.payload)
      const email = yield* textOf(fields, "email")
      const password = yield* textOf(fields, "password")
      yield* freeEmail(state.users, email)
      const user = yield* created(
        User,
        { now, state },
        { defaults: newUser, values: withoutPassword(fields) }
      )
      state.users.put(user)
      state.passwords.set(user._id, password)
      return { sessionId: openSession(state, user, now), user }
    })
  ),

  handle(Auth.self, ({ caller }) => Effect.succeed(caller.user)),

  handle(Auth.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(input.payload)
      if (fields.email !== undefined)
        yield* freeEmail(state.users, yield* textOf(fields, "email"), caller.user._id)
      const user = yield* changed(subjects.auth, caller.user, now, withoutPassword(fields))
      return state.users.put(user)
    })
  ),

  handle(Auth.updatePassword, ({ caller, input, state }) =>
    Effect.gen(function* () {
      if (state.passwords.get(caller.user._id) !== input.oldPassword)
        return yield* invalid("oldPassword", "is wrong")
      state.passwords.set(caller.user._id, input.newPassword)
      return undefined
    })
  )
]

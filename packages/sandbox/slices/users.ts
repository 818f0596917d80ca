/** End users, admins and admins' preferences, managed by admins. */

import * as Admins from "@quartet/sdk/extend/operations/admins"
import * as Preferences from "@quartet/sdk/extend/operations/preferences"
import * as Users from "@quartet/sdk/extend/operations/users"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, invalid, notFound, type Refusal } from "../platform/refusal.js"
import { Admin, User } from "../state/entities.js"
import { changed, created, fieldsOf, textOf } from "../state/rows.js"
import { newest, paged, select } from "../state/select.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"
import { freeEmail, newUser, withoutPassword } from "./auth.js"

/** Sets an account's password, if the body holds one. */
const keepPassword = (
  state: State,
  id: string,
  fields: Readonly<Record<string, unknown>>
): Effect.Effect<void, Refusal> =>
  fields.password === undefined
    ? Effect.void
    : Effect.map(textOf(fields, "password"), (password) => {
        state.passwords.set(id, password)
      })

const checkRoles = (state: State, roles: ReadonlyArray<string>): Effect.Effect<void, Refusal> =>
  roles.every((id) => state.roles.peek(id) !== undefined)
    ? Effect.void
    : Effect.fail(invalid("roles", "holds an id that is not a role's"))

/** Removes all data of an end user. */
const forget = (state: State, id: string): void => {
  state.sessions.end(id)
  state.passwords.delete(id)
  for (const relations of [state.follows, state.blocks])
    relations.drop((relation) => relation.from === id || relation.to === id)
}

export const users: ReadonlyArray<Handler> = [
  handle(Users.list, ({ input, state }) => select(newest(state.users.all()), input)),

  handle(
    Users.create,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const fields = yield* fieldsOf(input.payload)
        yield* freeEmail(state.users, yield* textOf(fields, "email"))
        const values = withoutPassword(fields)
        const user = yield* created(User, { now, state }, { defaults: newUser, values })
        yield* keepPassword(state, user._id, fields)
        return state.users.put(user)
      }),
    { status: 201 }
  ),

  handle(Users.get, ({ input, state }) => state.users.get(input.id)),

  handle(Users.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.users.get(input.id)
      const fields = yield* fieldsOf(input.payload)
      if (fields.email !== undefined)
        yield* freeEmail(state.users, yield* textOf(fields, "email"), before._id)
      const user = yield* changed(subjects.users, before, now, withoutPassword(fields))
      yield* keepPassword(state, user._id, fields)
      return state.users.put(user)
    })
  ),

  handle(Users.remove, ({ input, state }) =>
    Effect.map(state.users.remove(input.id), ({ _id }) => forget(state, _id))
  )
]

export const admins: ReadonlyArray<Handler> = [
  handle(Admins.list, ({ input, state }) => select(state.admins.all(), input)),

  handle(
    Admins.create,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const fields = yield* fieldsOf(input.payload)
        yield* freeEmail(state.admins, yield* textOf(fields, "email"))
        const defaults = { fullName: "", roles: [] }
        const admin = yield* created(Admin, { now, state }, { defaults, values: withoutPassword(fields) })
        yield* checkRoles(state, admin.roles)
        yield* keepPassword(state, admin._id, fields)
        return state.admins.put(admin)
      }),
    { status: 201 }
  ),

  handle(Admins.get, ({ input, state }) => state.admins.get(input.id)),

  handle(Admins.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.admins.get(input.id)
      const fields = yield* fieldsOf(input.payload)
      if (fields.email !== undefined)
        yield* freeEmail(state.admins, yield* textOf(fields, "email"), before._id)
      const admin = yield* changed(subjects.admins, before, now, withoutPassword(fields))
      yield* checkRoles(state, admin.roles)
      yield* keepPassword(state, admin._id, fields)
      return state.admins.put(admin)
    })
  ),

  handle(Admins.remove, ({ caller, input, state }) =>
    Effect.gen(function* () {
      if (input.id === caller.admin._id) return yield* conflict("an admin cannot delete their own account")
      const { _id } = yield* state.admins.remove(input.id)
      state.sessions.end(_id)
      state.passwords.delete(_id)
      state.preferences.drop((preference) => preference.adminId === _id)
      return undefined
    })
  )
]

const keyOf = (adminId: string, key: string): string => `${adminId}/${key}`

export const preferences: ReadonlyArray<Handler> = [
  handle(
    Preferences.list,
    ({ caller, state }) => {
      const ownPreferences = state.preferences.filter((preference) => preference.adminId === caller.admin._id)
      return paged(
        ownPreferences.map(({ key, updatedAt, value }) => ({ key, updatedAt, value })),
        { limit: 500 }
      )
    },
    { bare: true }
  ),

  handle(Preferences.get, ({ caller, input, state }) => {
    const preference = state.preferences.peek(keyOf(caller.admin._id, input.key))
    if (preference === undefined) return Effect.fail(notFound("the preference"))
    return Effect.succeed({ key: preference.key, value: preference.value, updatedAt: preference.updatedAt })
  }),

  handle(Preferences.set, ({ caller, input, now, state }) => {
    const { key } = input
    const adminId = caller.admin._id
    state.preferences.put({ _id: keyOf(adminId, key), adminId, key, value: input.payload, updatedAt: now })
    return Effect.succeed({ key, value: input.payload, updatedAt: now })
  })
]

/**
 * Roles and the permissions that they hold. A change counts from the next sign-in, because tokens hold the permissions.
 */

import * as Permissions from "@quartet/sdk/extend/operations/permissions"
import * as Roles from "@quartet/sdk/extend/operations/roles"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, invalid, notFound, type Refusal } from "../platform/refusal.js"
import { Role } from "../state/entities.js"
import { changed, created, fieldsOf } from "../state/rows.js"
import { select } from "../state/select.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"

const checkPermissions = (state: State, { permissions }: Role): Effect.Effect<void, Refusal> =>
  permissions.every((id) => state.permissions.peek(id) !== undefined)
    ? Effect.void
    : Effect.fail(invalid("permissions", "holds an id that is not a permission's"))

export const roles: ReadonlyArray<Handler> = [
  handle(Roles.list, ({ input, state }) => select(state.roles.all(), input)),

  handle(
    Roles.create,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const values = yield* fieldsOf(input.payload)
        const role = yield* created(Role, { now, state }, { defaults: { permissions: [] }, values })
        yield* checkPermissions(state, role)
        return state.roles.put(role)
      }),
    { status: 201 }
  ),

  handle(Roles.get, ({ input, state }) => state.roles.get(input.id)),

  handle(Roles.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.roles.get(input.id)
      const role = yield* changed(subjects.roles, before, now, yield* fieldsOf(input.payload))
      yield* checkPermissions(state, role)
      return state.roles.put(role)
    })
  ),

  handle(Roles.remove, ({ input, state }) =>
    Effect.gen(function* () {
      yield* state.roles.get(input.id)
      const holder = state.admins.find((admin) => admin.roles.includes(input.id))
      if (holder !== undefined) return yield* conflict(`the role is held by ${holder.email}`)
      yield* state.roles.remove(input.id)
      return undefined
    })
  ),

  handle(Roles.addPermission, ({ input, now, state }) =>
    Effect.gen(function* () {
      const { _id } = yield* state.permissions.get(input.permissionId)
      return yield* state.roles.change(input.id, (role) => ({
        ...role,
        permissions: [...new Set([...role.permissions, _id])],
        updatedAt: now
      }))
    })
  ),

  handle(Roles.removePermission, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.roles.get(input.id)
      if (!before.permissions.includes(input.permissionId))
        return yield* notFound("the permission of the role")
      const permissions = before.permissions.filter((id) => id !== input.permissionId)
      return state.roles.put({ ...before, permissions, updatedAt: now })
    })
  )
]

export const permissions: ReadonlyArray<Handler> = [
  handle(Permissions.list, ({ input, state }) => select(state.permissions.all(), input)),
  handle(Permissions.get, ({ input, state }) => state.permissions.get(input.id))
]

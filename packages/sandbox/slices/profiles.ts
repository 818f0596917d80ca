/** Profiles of the shop, with follows and blocks. A blocked user does not find the blocker. */

import * as Profiles from "@quartet/sdk/extend/operations/profiles"
import * as Effect from "effect/Effect"
import type { EndUserCaller } from "../platform/caller.js"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, type Refusal } from "../platform/refusal.js"
import type { Relation, User } from "../state/entities.js"
import { changed, fieldsOf, optionalFieldsOf, textOf } from "../state/rows.js"
import { paged, select } from "../state/select.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"
import type { Table } from "../state/table.js"

/** The public fields of a profile. */
const basic = ({ _id, about, city, fullName, interests, status, type }: User) => ({
  _id,
  fullName,
  city: city ?? null,
  about: about ?? null,
  interests,
  type,
  status
})

/** A profile with its figures. */
const full = (state: State, user: User) => ({
  ...user,
  followers: state.follows.filter(({ to }) => to === user._id).length,
  followings: state.follows.filter(({ from }) => from === user._id).length,
  items: state.items.filter(({ userId }) => userId === user._id).length,
  orders: state.orders.filter(({ userId }) => userId === user._id).length
})

const idOf = (from: string, to: string): string => `${from}.${to}`

/** A profile that does not block the caller. */
const visibleProfile = (state: State, { user }: EndUserCaller, id: string): Effect.Effect<User, Refusal> =>
  state.users.get(id, () => state.blocks.peek(idOf(id, user._id)) === undefined)

/** Makes a relation from the caller to another; an existing one stays unchanged. */
const relate = (
  {
    caller,
    input,
    now,
    state
  }: {
    readonly caller: EndUserCaller
    readonly input: { readonly id: string }
    readonly now: Date
    readonly state: State
  },
  relations: Table<Relation>
): Effect.Effect<Relation, Refusal> =>
  Effect.gen(function* () {
    const from = caller.user._id
    const { _id: to } = yield* visibleProfile(state, caller, input.id)
    if (from === to) return yield* conflict("nobody follows or blocks themselves")
    const _id = idOf(from, to)
    return relations.peek(_id) ?? relations.put({ _id, from, to, createdAt: now })
  })

/** One page of the profiles at the other end of relations. */
const connections = (
  state: State,
  caller: EndUserCaller,
  input: { readonly id: string; readonly page?: number | undefined; readonly limit?: number | undefined },
  end: "from" | "to"
) =>
  Effect.gen(function* () {
    const { _id } = yield* visibleProfile(state, caller, input.id)
    const relations = state.follows.filter((relation) => relation[end === "from" ? "to" : "from"] === _id)
    const profiles = relations.flatMap((relation) => state.users.peek(relation[end]) ?? []).map(basic)
    const { limit, page } = input
    return yield* paged(profiles, { limit, page })
  })

export const profiles: ReadonlyArray<Handler> = [
  handle(Profiles.adminSearch, ({ input, state }) => select(state.users.all(), input)),

  handle(Profiles.adminGet, ({ input, state }) =>
    Effect.map(state.users.get(input.id), (user) => full(state, user))
  ),

  handle(Profiles.adminGetBasic, ({ input, state }) => Effect.map(state.users.get(input.id), basic)),

  handle(Profiles.adminUpdate, ({ input, now, state }) =>
    Effect.gen(function* () {
      const { id, ...fields } = yield* fieldsOf(input.payload)
      const name = fields._id === undefined && id !== undefined ? "id" : "_id"
      const before = yield* state.users.get(yield* textOf({ id, ...fields }, name))
      return state.users.put(yield* changed(subjects.profiles, before, now, fields))
    })
  ),

  handle(Profiles.get, ({ caller }) => Effect.succeed(basic(caller.user))),

  handle(Profiles.getFull, ({ caller, state }) => Effect.succeed(full(state, caller.user))),

  handle(Profiles.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(input.payload)
      return state.users.put(yield* changed(subjects.profile, caller.user, now, fields))
    })
  ),

  handle(Profiles.search, ({ caller, input, state }) =>
    Effect.flatMap(optionalFieldsOf(input.payload), (fields) => {
      const visible = state.users.filter(
        ({ _id }) => state.blocks.peek(idOf(_id, caller.user._id)) === undefined
      )
      return select(visible.map(basic), fields)
    })
  ),

  handle(Profiles.follow, (call) =>
    Effect.gen(function* () {
      const { caller, input, state } = call
      if (state.blocks.peek(idOf(caller.user._id, input.id)) !== undefined)
        return yield* conflict("a blocked profile cannot be followed")
      return yield* relate(call, state.follows)
    })
  ),

  handle(Profiles.unfollow, ({ caller, input, state }) =>
    Effect.asVoid(state.follows.remove(idOf(caller.user._id, input.id)))
  ),

  handle(Profiles.followers, ({ caller, input, state }) => connections(state, caller, input, "from")),

  handle(Profiles.followings, ({ caller, input, state }) => connections(state, caller, input, "to")),

  handle(Profiles.block, (call) =>
    Effect.map(relate(call, call.state.blocks), (block) => {
      // Neither follows the other any longer.
      call.state.follows.drop(
        ({ from, to }) => (from === block.from && to === block.to) || (from === block.to && to === block.from)
      )
      return block
    })
  ),

  handle(Profiles.unblock, ({ caller, input, state }) =>
    Effect.asVoid(state.blocks.remove(idOf(caller.user._id, input.id)))
  ),

  handle(Profiles.isBlocked, ({ caller, input, state }) =>
    Effect.map(state.users.get(input.id), ({ _id }) => ({
      isBlocked: state.blocks.peek(idOf(caller.user._id, _id)) !== undefined
    }))
  )
]

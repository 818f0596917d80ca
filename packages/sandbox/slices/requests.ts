/** Request actions: filed by end users, answered by admins. Every change raises the version. */

import { statuses } from "@quartet/sdk/extend/models/requests"
import * as Requests from "@quartet/sdk/extend/operations/requests"
import * as Effect from "effect/Effect"
import type { AdminCaller, EndUserCaller } from "../platform/caller.js"
import { type Call, type Handler, handle } from "../platform/handler.js"
import { conflict, invalid, type Refusal } from "../platform/refusal.js"
import { Request } from "../state/entities.js"
import { changed, created, fieldsOf, optionalFieldsOf, textOf } from "../state/rows.js"
import { adminAuthor, userAuthor } from "../state/seed-desk.js"
import { newest, select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

type Caller = AdminCaller | EndUserCaller

/** The visible requests: all for an admin, their own for an end user. */
const isVisible =
  (caller: Caller) =>
  ({ userId }: Request): boolean =>
    caller.audience === "admin" || userId === caller.user._id

/** Statuses that an end user may set; the others are the admins'. */
const ofUser = new Set<string>(["user_accepted", "user_rejected", "archived"])

const checkStatus = (status: unknown, caller: Caller): Effect.Effect<void, Refusal> => {
  if (status === undefined) return Effect.void
  if (!statuses.some((known) => known === status))
    return Effect.fail(invalid("status", `must be one of ${statuses.join(", ")}`))
  return caller.audience === "admin" || ofUser.has(String(status))
    ? Effect.void
    : Effect.fail(invalid("status", `must be one of ${[...ofUser].join(", ")} for an end user`))
}

/** A changed request with the next version; the side that changes it has seen it. */
const raise = (request: Request, caller: Caller): Request => {
  const version = request.version + 1
  return {
    ...request,
    version,
    ...(caller.audience === "admin" ? { seenByAdmin: version } : { seenByUser: version })
  }
}

/** Changes the status on behalf of the end user. */
const answer = (
  { caller, now, state }: Pick<Call<unknown, EndUserCaller>, "caller" | "now" | "state">,
  id: string,
  status: string,
  fields: Readonly<Record<string, unknown>>
): Effect.Effect<Request, Refusal> =>
  Effect.gen(function* () {
    const before = yield* state.requests.get(id, isVisible(caller))
    if (before.status === "archived") return yield* conflict("an archived request takes no answer")
    const request = yield* changed(subjects.requests, before, now, {
      ...fields,
      status,
      version: before.version
    })
    return state.requests.put(raise(request, caller))
  })

export const requests: ReadonlyArray<Handler> = [
  handle(
    Requests.create,
    ({ caller, input, now, state }) =>
      Effect.gen(function* () {
        const fields = yield* fieldsOf(input.payload)
        const userId = caller.audience === "admin" ? yield* textOf(fields, "userId") : caller.user._id
        if (state.users.peek(userId) === undefined) return yield* invalid("userId", "is not an end user")
        const seen =
          caller.audience === "admin" ? { seenByAdmin: 1, seenByUser: 0 } : { seenByAdmin: 0, seenByUser: 1 }
        const fixed = { userId, status: "pending", version: 1, comments: [], ...seen }
        const defaults = { title: "" }
        return state.requests.put(
          yield* created(Request, { now, state }, { defaults, values: fields, fixed })
        )
      }),
    { status: 201 }
  ),

  handle(Requests.list, ({ caller, input, state }) =>
    select(newest(state.requests.filter(isVisible(caller))), input)
  ),

  handle(Requests.get, ({ caller, input, state }) => state.requests.get(input.id, isVisible(caller))),

  handle(Requests.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.requests.get(input.id, isVisible(caller))
      const fields = yield* fieldsOf(input.payload)
      yield* checkStatus(fields.status, caller)
      if (fields.version !== undefined && fields.version !== before.version)
        return yield* conflict(`the request is at version ${before.version}`)
      const request = yield* changed(subjects.requests, before, now, { ...fields, version: before.version })
      return state.requests.put(raise(request, caller))
    })
  ),

  handle(Requests.remove, ({ caller, input, state }) =>
    Effect.asVoid(state.requests.remove(input.id, isVisible(caller)))
  ),

  handle(Requests.addComment, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.requests.get(input.id, isVisible(caller))
      const fields = yield* fieldsOf(input.payload)
      const comment = {
        ...fields,
        _id: state.random.id(),
        text: yield* textOf(fields, "text"),
        author: caller.audience === "admin" ? adminAuthor(caller.admin) : userAuthor(caller.user),
        createdAt: now
      }
      const request = { ...before, comments: [...before.comments, comment], updatedAt: now }
      return state.requests.put(raise(request, caller))
    })
  ),

  handle(Requests.markSeen, ({ caller, input, state }) =>
    Effect.gen(function* () {
      const before = yield* state.requests.get(input.id, isVisible(caller))
      if (input.version !== before.version)
        return yield* conflict(`the request is at version ${before.version}, not ${input.version}`)
      const seen =
        caller.audience === "admin" ? { seenByAdmin: input.version } : { seenByUser: input.version }
      return state.requests.put({ ...before, ...seen })
    })
  ),

  handle(Requests.review, (call) =>
    Effect.gen(function* () {
      const review = yield* optionalFieldsOf(call.input.payload)
      const request = yield* answer(call, call.input.id, "reviewed", {})
      return call.state.requests.put({ ...request, review })
    })
  ),

  handle(Requests.confirm, (call) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(call.input.payload)
      const id = yield* textOf(fields, fields.id === undefined && fields._id !== undefined ? "_id" : "id")
      const isAccepted = fields.accepted !== false
      const { accepted, id: _, _id, status, ...rest } = fields
      return yield* answer(call, id, isAccepted ? "user_accepted" : "user_rejected", rest)
    })
  )
]

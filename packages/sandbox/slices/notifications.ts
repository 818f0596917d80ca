/** Notifications: sent by admins and programs, read by their receivers. */

import { channels, Sending } from "@quartet/sdk/extend/models/notifications"
import * as Notifications from "@quartet/sdk/extend/operations/notifications"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { invalid, type Refusal } from "../platform/refusal.js"
import { Notification } from "../state/entities.js"
import { created, fieldsOf, type RowContext, row } from "../state/rows.js"
import { newest, select } from "../state/select.js"
import type { State } from "../state/state.js"

type Fields = Readonly<Record<string, unknown>>

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")

/** The receivers of a body: `userIds`, `userId`, or everyone with `toAll: true`. */
const receivers = (fields: Fields, state: State): Effect.Effect<ReadonlyArray<string>, Refusal> => {
  if (fields.toAll === true) return Effect.succeed(state.users.all().map((user) => user._id))
  const name = fields.userId === undefined ? "userIds" : "userId"
  const receiverIds = name === "userId" ? [fields.userId] : fields.userIds
  if (receiverIds === undefined)
    return Effect.fail(invalid("userIds", "is required (or userId, or toAll: true)"))
  if (!isTexts(receiverIds)) return Effect.fail(invalid(name, "must be ids of end users"))
  const unknown = receiverIds.find((id) => state.users.peek(id) === undefined)
  return unknown === undefined
    ? Effect.succeed(receiverIds)
    : Effect.fail(invalid(name, "holds an id that is not an end user's"))
}

/** Sends a body to its receivers over a channel. */
const send = (
  payload: unknown,
  { now, state }: RowContext,
  channelOf: (fields: Fields) => Effect.Effect<string, Refusal>
): Effect.Effect<{ readonly sent: number; readonly ids: ReadonlyArray<string> }, Refusal> =>
  Effect.gen(function* () {
    const fields = yield* fieldsOf(payload)
    const channel = yield* channelOf(fields)
    const to = yield* receivers(fields, state)
    yield* row(Sending, fields)
    if (fields.title === undefined && fields.body === undefined)
      return yield* invalid("title", "must be a title or a text")
    const { toAll, userId: _, userIds, ...values } = fields
    const copies = yield* Effect.forEach(to, (userId) =>
      created(Notification, { now, state }, { values, fixed: { userId, channel, seen: false, seenAt: null } })
    )
    for (const notification of copies) state.notifications.put(notification)
    return { sent: copies.length, ids: copies.map((notification) => notification._id) }
  })

const anyChannel = ({ channel = "IN_APP" }: Fields): Effect.Effect<string, Refusal> =>
  typeof channel === "string" && channels.some((known) => known === channel)
    ? Effect.succeed(channel)
    : Effect.fail(invalid("channel", `must be one of ${channels.join(", ")}`))

export const notifications: ReadonlyArray<Handler> = [
  handle(Notifications.send, ({ input, now, state }) => send(input.payload, { now, state }, anyChannel), {
    status: 201
  }),

  handle(
    Notifications.sendInApp,
    ({ input, now, state }) => send(input.payload, { now, state }, () => Effect.succeed("IN_APP")),
    { status: 201 }
  ),

  handle(
    Notifications.sendSms,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        if (!/^\+?\d{6,15}$/.test(input.to)) return yield* invalid("to", "must be a telephone number")
        const receiver = state.users.find((user) => user.phone === input.to)
        const fixed = { channel: "SMS", seen: false, seenAt: null, userId: receiver?._id ?? null }
        const values = { to: input.to, body: input.body }
        const sms = state.notifications.put(yield* created(Notification, { now, state }, { values, fixed }))
        return { _id: sms._id, to: input.to, parts: Math.ceil(input.body.length / 160) }
      }),
    { status: 201 }
  ),

  handle(
    Notifications.pushToUsers,
    ({ input, now, state }) => send(input.payload, { now, state }, () => Effect.succeed("PUSH")),
    { status: 201 }
  ),

  handle(Notifications.markSeen, ({ caller, input, now, state }) =>
    state.notifications.change(
      input.id,
      (notification) => ({ ...notification, seen: true, seenAt: notification.seenAt ?? now, updatedAt: now }),
      ({ userId }) => userId === caller.user._id
    )
  ),

  handle(Notifications.list, ({ caller, input, state }) =>
    select(newest(state.notifications.filter(({ userId }) => userId === caller.user._id)), input)
  )
]

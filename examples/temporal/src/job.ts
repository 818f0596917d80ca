/** What is done: a notification to each user. */
import * as Fleet from "@quartet/fleet"
import { Admin, pages } from "@quartet/sdk"
import { Effect, Option, Schema, Stream } from "effect"

export const announce = Fleet.job("announce", {
  input: Schema.Struct({ id: Schema.String, text: Schema.String }),
  key: ({ id }) => id,
  source: () => Stream.map(pages(Admin.users.list, {}), (user) => user._id),
  each: (userId, { idempotencyKey, input }) =>
    Admin.notifications.send({ payload: { userId, body: input.text } }, { idempotencyKey }),
  // The platform performs what comes with one key once: what may have been sent is sent with it again.
  onUnknown: () => Effect.succeed(Option.none())
})

/** A job whose runs are kept in a file, with items from a CSV. */
import { rmSync } from "node:fs"
import * as Fleet from "@quartet/fleet"
import * as Csv from "@quartet/fleet/csv"
import { Admin } from "@quartet/sdk"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Platform } from "./platform.js"

const Row = Schema.Struct({ body: Schema.String })
const file = Stream.make(new TextEncoder().encode("body\nopen\nclosed\n"))

const announce = Fleet.job("announce", {
  input: Schema.Struct({ id: Schema.String, userId: Schema.String }),
  key: ({ id }) => id,
  source: () => Csv.rows(Row)(file),
  each: ({ body }, { idempotencyKey, input }) =>
    Admin.notifications.send({ payload: { userId: input.userId, body } }, { idempotencyKey }),
  onUnknown: () => Effect.succeed(Option.none())
})

export const sample = async (platform: Platform): Promise<string> => {
  const store = "fleet-sample.db"
  const fleet = Fleet.layer({ jobs: [announce], store: `file:${store}`, clients: Admin.layer(platform) })
  const program = Effect.gen(function* () {
    const { items } = yield* Effect.provide(Admin.users.list({ limit: 1 }), Admin.layer(platform))
    const run = yield* announce.start({ id: "1", userId: items[0]?._id ?? "" })
    yield* Stream.runDrain(run.progress)
    return yield* run.status
  })
  const { done, state } = await Effect.runPromise(
    program.pipe(Effect.provide(fleet), Effect.provide(Transport.layer))
  )
  rmSync(store)
  return `${state}: ${done}`
}

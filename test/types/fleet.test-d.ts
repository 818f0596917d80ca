// What a fleet's job may be: an answer that can be lost is asked about, and the layer needs what the jobs do.

import * as Fleet from "@quartet/fleet"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { expectTypeOf } from "vitest"
import type { Errors } from "../../clients/index.js"

class Database extends Context.Tag("Database")<Database, string>() {}
class Mailer extends Context.Tag("Mailer")<Mailer, string>() {}
declare const write: Effect.Effect<void, Errors.OutcomeUnknown>

const base = {
  input: Schema.Struct({ file: Schema.String }),
  key: ({ file }: { readonly file: string }) => file,
  source: () => Stream.make(1, 2)
}

const needy = Fleet.job("needy", { ...base, each: () => Effect.asVoid(Effect.zip(Database, Mailer)) })
expectTypeOf(needy).toEqualTypeOf<Fleet.Job<{ readonly file: string }, Database | Mailer>>()

Fleet.job("asks", { ...base, each: () => write, onUnknown: () => Effect.succeedNone })

// @ts-expect-error: an answer can be lost, and nobody is asked
Fleet.job("forgets", { ...base, each: () => write })

// @ts-expect-error: the source's items are numbers
Fleet.job("texts", { ...base, each: (item: string) => Effect.succeed(item) })

// @ts-expect-error: the key is a text
Fleet.job("keys", { ...base, key: () => 1, each: () => Effect.void })

// @ts-expect-error: an input without its file
needy.start({})

expectTypeOf(Fleet.layer({ jobs: [needy], store: "file:a.db" })).toExtend<
  Layer.Layer<Fleet.Fleet, unknown, Database | Mailer>
>()

// @ts-expect-error: a layer needs what its jobs do
export const bare: Layer.Layer<Fleet.Fleet, unknown> = Fleet.layer({ jobs: [needy], store: "file:a.db" })

export const provided: Layer.Layer<Fleet.Fleet, unknown, Mailer> = Fleet.layer({
  jobs: [needy],
  store: "file:a.db",
  clients: Layer.succeed(Database, "here")
})

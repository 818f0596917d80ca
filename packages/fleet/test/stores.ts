/** The databases over which a fleet's adapters are tested. */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Client from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { layer } from "../store/store.js"

export { file, type Store } from "@quartet/support/database.js"

/** One more client of a database, as another runner has. */
export const client = (url: string): Effect.Effect<SqlClient, never, Scope.Scope> =>
  Effect.map(Effect.orDie(Layer.build(layer(url))), (context) => Context.get(context, Client.SqlClient))

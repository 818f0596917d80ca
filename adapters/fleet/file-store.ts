/**
 * A store in a file, by `@effect/sql-libsql`. Its driver fails at once where another process, or another connection, writes; and it opens a
 * connection for each transaction, which it never closes. So there are two connections, one of them for transactions, and who finds the file
 * busy tries again.
 */

import type { SqlClient } from "@effect/sql/SqlClient"
import * as LibsqlClient from "@effect/sql-libsql/LibsqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hasProperty } from "effect/Predicate"
import { codeOf } from "../http/node-errors.js"

/** libsql's own client. */
type Client = Extract<LibsqlClient.LibsqlClientConfig, { readonly liveClient: unknown }>["liveClient"]
type Statement = Parameters<Client["execute"]>[0]

/** Milliseconds between two attempts, and in all. */
const pause = 15
const patience = 20_000

const retried = async <A>(work: () => Promise<A>): Promise<A> => {
  const end = performance.now() + patience
  for (;;)
    try {
      return await work()
    } catch (cause) {
      if (!codeOf(cause).startsWith("SQLITE_BUSY") || performance.now() > end) throw cause
      await new Promise((done) => setTimeout(done, pause * (0.5 + Math.random())))
    }
}

/** One client of two. A transaction has the second one to itself: `@effect/sql` begins one at a time. */
const joined = (statements: Client, transactions: Client): Client => {
  const inside = (sql: string) => retried(() => transactions.execute(sql))
  const own = {
    execute: (statement: Statement) => retried(() => statements.execute(statement)),
    transaction: async () => {
      await inside("BEGIN IMMEDIATE")
      return {
        execute: (statement: Statement) => transactions.execute(statement),
        commit: () => inside("COMMIT"),
        rollback: () => inside("ROLLBACK")
      }
    }
  }
  // Of all that a client of libsql can do, `@effect/sql-libsql` asks for these.
  return own as never
}

/** The client that `@effect/sql-libsql` has made; closed with the scope. */
const made = (url: string) =>
  Effect.map(Layer.build(Layer.fresh(LibsqlClient.layer({ url, intMode: "bigint" }))), (context) => {
    const client: unknown = Context.get(context, LibsqlClient.LibsqlClient)
    // It stands beside the client, undeclared; a version without it is no version that the package takes.
    return (hasProperty(client, "sdk") ? client.sdk : undefined) as Client
  })

/** Makes a client of the file. */
export const layer = (url: string): Layer.Layer<SqlClient> =>
  Layer.unwrapScoped(
    Effect.zipWith(made(url), made(url), (statements, transactions) =>
      LibsqlClient.layer({ liveClient: joined(statements, transactions) })
    )
  )

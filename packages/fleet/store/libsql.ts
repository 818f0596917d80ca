/**
 * SQLite by `libsql`, for a Node whose own is not finished. A connection that is closed is asked nothing: some questions to it end the process.
 * And what it has prepared holds its files until that is collected, so closing it collects garbage.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import Libsql from "libsql"
import type { Database, Rows } from "./file-store.js"

/** Collects garbage: by a function that V8 shows to a new context while it is asked to. */
const collect = (): void => {
  if (globalThis.gc !== undefined) return globalThis.gc()
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  if (typeof gc === "function") gc()
}

/** The next turn of the event loop: what was collected is finalised by then. */
const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** What SQLite takes of JavaScript's values. */
const bound = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1n : 0n
  return value instanceof Date ? BigInt(value.getTime()) : value
}

/** Opens a file. */
export const open = (path: string): Database => {
  const database = new Libsql(path)
  return {
    isInTransaction: () => database.open && database.inTransaction,
    exec: (text) => {
      database.exec(text)
    },
    run: (text, params, isList) => {
      const statement = database.prepare(text).safeIntegers(true)
      const values = params.map(bound)
      if (!statement.reader) {
        statement.run(values)
        return []
      }
      // Rows are what a statement that reads answers; libsql does not say so.
      return (isList ? statement.raw(true) : statement).all(values) as Rows
    },
    close: Effect.suspend(() => {
      database.close()
      if (database.memory) return Effect.void
      // Other engines of JavaScript collect when they like.
      return Effect.zipRight(Effect.ignore(Effect.try(collect)), nextTurn)
    })
  }
}

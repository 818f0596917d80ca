/** SQLite as Node has it, from 24 on: nothing need be installed for it. */

import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import type { Database, Rows } from "./file-store.js"

/** What is used of `node:sqlite`. The types of Node 20, which this is written against, do not know it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string
  ) => {
    readonly isOpen: boolean
    readonly isTransaction: boolean
    exec(text: string): void
    prepare(text: string): {
      all(...values: ReadonlyArray<unknown>): ReadonlyArray<unknown>
      setReadBigInts(enabled: boolean): void
      setReturnArrays(enabled: boolean): void
    }
    close(): void
  }
}

/** Whether this process has it, finished: Node 22 has it too, and warns of it. */
export const isThere = (): boolean =>
  Number.parseInt(process.versions.node, 10) >= 24 && process.getBuiltinModule("node:sqlite") !== undefined

/** The names that libsql, as SQLite itself, has for what went wrong. */
const names: Readonly<Record<number, string>> = {
  3: "PERM",
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  19: "CONSTRAINT",
  26: "NOTADB"
}

/** A failure of SQLite, with its name as the code. */
const named = (cause: unknown): unknown => {
  if (!(cause instanceof Error && hasProperty(cause, "errcode"))) return cause
  // The upper bits of a number say more of the same.
  const name = names[Number(cause.errcode) & 0xff]
  return Object.assign(cause, { code: name === undefined ? "SQLITE_ERROR" : `SQLITE_${name}` })
}

const attempt = <A>(work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    throw named(cause)
  }
}

/** What SQLite takes of JavaScript's values. Node would keep every number as a fraction. */
const bound = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1n : 0n
  if (value instanceof Date) return BigInt(value.getTime())
  return Number.isSafeInteger(value) ? BigInt(Number(value)) : value
}

/** Opens a file. */
export const open = (path: string): Database => {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as NodeSqlite
  const database = attempt(() => new DatabaseSync(path))
  return {
    isInTransaction: () => database.isOpen && database.isTransaction,
    exec: (text) => attempt(() => database.exec(text)),
    run: (text, params, isList) =>
      attempt(() => {
        const statement = database.prepare(text)
        statement.setReadBigInts(true)
        statement.setReturnArrays(isList)
        // Rows are what a statement answers: none where it reads nothing.
        return statement.all(...params.map(bound)) as Rows
      }),
    close: Effect.sync(() => database.close())
  }
}

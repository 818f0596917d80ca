/** A PostgreSQL for the tests of a file, and an empty database of it for each that asks. */
import { randomUUID } from "node:crypto"
import { patient } from "@quartet/support/patience.js"
import { open, type Postgres } from "@quartet/support/postgres.js"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"

let server: Postgres | undefined
beforeAll(async () => {
  server = await open()
}, patient(60_000))
afterAll(() => server?.stop())

/** A database that nobody has used: its address, and a way to ask it. */
export const ownDatabase = Effect.promise(async () => {
  if (server === undefined) throw new Error("PostgreSQL does not run")
  const { query, url } = server
  const name = `fleet_${randomUUID().replaceAll("-", "")}`
  await query(`CREATE DATABASE ${name}`)
  const address = new URL(url)
  address.pathname = `/${name}`
  return { url: address.href, query: (sql: string) => query(sql, name) }
})

/** The address of a database that nobody has used. */
export const database = Effect.map(ownDatabase, ({ url }) => url)

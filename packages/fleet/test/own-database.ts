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

/** The address of a database that nobody has used. */
export const database = Effect.promise(async () => {
  if (server === undefined) throw new Error("PostgreSQL does not run")
  const name = `fleet_${randomUUID().replaceAll("-", "")}`
  await server.query(`CREATE DATABASE ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
})

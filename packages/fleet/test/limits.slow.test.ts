// The limits and the shared sessions of a fleet over PostgreSQL: a database of its own for each test.
import { randomUUID } from "node:crypto"
import { patient } from "@quartet/support/patience.js"
import { open, type Postgres } from "@quartet/support/postgres.js"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { limits } from "./limits.js"
import { sessions } from "./sessions.js"

let server: Postgres | undefined
beforeAll(async () => {
  server = await open()
}, patient(60_000))
afterAll(() => server?.stop())

const database = Effect.promise(async () => {
  if (server === undefined) throw new Error("PostgreSQL does not run")
  const name = `fleet_${randomUUID().replaceAll("-", "")}`
  await server.query(`CREATE DATABASE ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
})

limits("PostgreSQL", database)
sessions("PostgreSQL", database)

/** Jobs on platforms that speak other dialects: one that was interrupted goes on where it stopped, does nothing twice, and ends as on the sandbox as it is. */
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as Server from "@quartet/sandbox/server"
import * as Undici from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import type * as AdminClient from "@quartet/sdk/admin/client"
import { Transport, type TransportService } from "@quartet/sdk/extend"
import * as Platform from "@quartet/sdk/platform"
import { definitionOf } from "@quartet/support/platforms.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { beforeAll, expect, test } from "vitest"
import * as Fleet from "../jobs/index.js"

const folder = temporaryFolder("dialects")

/** Users of one answer. */
const pageSize = 7

const exportUsers = Fleet.exportJob("exportUsers", {
  list: Admin.users.list,
  input: { query: { sort: "createdAt" } },
  columns: ["email", "fullName"],
  limit: pageSize,
  page: 10,
  lanes: 1
})
const greet = Fleet.notifyUsers({
  payload: (userId, { campaign }) => ({ userId, title: campaign }),
  onUnknown: Fleet.sendAgain,
  page: 10,
  lanes: 1
})

/** A transport that holds the n-th call of an operation until it is let go. */
const holding = (operation: string, at: number) => {
  const transport = Undici.make()
  let count = 0
  let go = (): void => undefined
  let reach = (): void => undefined
  const reached = new Promise<void>((done) => {
    reach = done
  })
  const service: TransportService = {
    start: (request, settle) => {
      if (request.operation === operation) count += 1
      if (request.operation !== operation || count !== at) return transport.start(request, settle)
      let abandon: ReturnType<TransportService["start"]> = () => false
      go = () => {
        abandon = transport.start(request, settle)
      }
      reach()
      return () => abandon()
    }
  }
  return { service, reached, go: () => go() }
}

const configOf = (baseUrl: string, dialect: Sandbox.DialectName): AdminClient.ClientConfig => {
  const { admin, projectId } = Sandbox.accounts
  const platform = Platform.make(definitionOf(Sandbox.dialectOf(dialect)))
  return { baseUrl, projectId, ...admin, platform }
}

/** Runs a job: in a process that is told to end while the n-th call of an operation is under way, and then in another one. */
const runTwice = <I>(
  baseUrl: string,
  dialect: Sandbox.DialectName,
  job: Fleet.Job<I, Admin.Client>,
  input: I,
  [operation, at]: readonly [operation: string, at: number]
) =>
  Effect.promise(async () => {
    const clients = Admin.layer(configOf(baseUrl, dialect))
    const store = `file:${join(folder, `${randomUUID()}.db`)}`
    const begin = (transport: TransportService) => {
      const fleet = Fleet.layer({ jobs: [job], store, clients })
      return ManagedRuntime.make(Layer.provide(fleet, Layer.succeed(Transport, transport)))
    }
    const held = holding(operation, at)
    const first = begin(held.service)
    const { id } = await first.runPromise(job.start(input))
    await held.reached
    const isOver = first.dispose()
    held.go()
    await isOver
    const second = begin(Undici.make())
    const states = Effect.gen(function* () {
      const run = yield* Effect.flatMap(Fleet.Fleet, (fleet) => fleet.run(id))
      return { before: yield* run.status, after: yield* run.wait }
    })
    return second.runPromise(states).finally(() => second.dispose())
  })

/** Users of the sandbox. */
const users = 60

/** What both jobs make of a platform. */
const resultsIn = (dialect: Sandbox.DialectName) =>
  Effect.gen(function* () {
    const { control, url } = yield* Server.serve({ port: 0, seed: 1, dialect })
    const file = join(folder, `${dialect}.csv`)
    const exported = yield* runTwice(url, dialect, exportUsers, { file }, ["users.list", 5])
    const queries = control
      .log()
      .flatMap(({ operation, query }) => (operation === "users.list" ? [query] : []))
    const notified = yield* runTwice(url, dialect, greet, { campaign: "spring" }, ["notifications.send", 25])
    const sent = control.state.notifications.all().filter(({ title }) => title === "spring")
    return {
      states: [exported, notified].map(({ after, before }) => [
        before.state,
        after.state,
        after.done,
        after.error
      ]),
      rows: existsSync(file) ? readFileSync(file, "utf8").trim().split("\r\n") : [],
      queries,
      receivers: sent.map(({ userId }) => userId)
    }
  }).pipe(Effect.scoped, Effect.runPromise)

let usual: ReadonlyArray<string>
beforeAll(async () => {
  usual = (await resultsIn("standard")).rows
})

test.each(Sandbox.dialectNames)(
  "an interrupted job on a platform that speaks %s goes on where it stopped, and does nothing twice",
  async (dialect) => {
    const { queries, receivers, rows, states } = await resultsIn(dialect)
    const well = ["running", "done", users, undefined]
    expect(states).toEqual([well, well])
    expect(rows).toEqual(usual)
    expect(rows).toHaveLength(users + 1)
    // The pages before the one at which it stopped are read once. Besides them it asks for one row, to count them all.
    const pages = queries.filter((query) => query.includes(`=${pageSize}`))
    const [first, second] = pages
    expect(pages.filter((query) => query === first || query === second)).toHaveLength(2)
    expect(receivers).toHaveLength(users)
    expect(new Set(receivers).size).toBe(users)
  }
)

test("an export whose cursor the platform knows no longer reads the list again, and leaves out what it had", async () => {
  const { transport } = await Effect.runPromise(Sandbox.make({ seed: 1, dialect: "edges" }))
  let known = true
  const forgetful: TransportService = {
    start: (request, settle) => {
      if (known || !request.path.includes("after=")) return transport.start(request, settle)
      known = true
      settle({ _tag: "Answered", status: 410, header: () => undefined, body: new Uint8Array() })
      return () => undefined
    }
  }
  const clients = Layer.provide(
    Admin.layer(configOf("http://sandbox.test", "edges")),
    Layer.succeed(Transport, forgetful)
  )
  const read = (skip: number) => {
    const sourced = exportUsers.definition.source({ file: join(folder, "forgotten.csv") }, skip)
    const items = "from" in sourced ? sourced.items : sourced
    return Effect.runPromise(
      Stream.runCollect(items as Stream.Stream<{ readonly email: string }, unknown, Admin.Client>).pipe(
        Effect.map((all) => Chunk.toReadonlyArray(all).map(({ email }) => email)),
        Effect.provide(clients)
      )
    )
  }
  const all = await read(0)
  expect(all).toHaveLength(users)
  known = false
  expect(await read(30)).toEqual(all.slice(30))
})

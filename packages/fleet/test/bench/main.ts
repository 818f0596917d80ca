/**
 * What a fleet costs: the items that one process does in a second over a file and over PostgreSQL, beside a plain loop over the same
 * calls with the same concurrency against the same server. `node packages/support/run.mjs packages/fleet/test/bench/main.ts [rounds] [milliseconds]`, the
 * latter being what the server takes for an answer
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { accounts } from "@quartet/sandbox"
import * as Transport from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import { runProgram } from "@quartet/support/command-line.js"
import { claims, jwt } from "@quartet/support/jwt.js"
import * as Postgres from "@quartet/support/postgres.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import * as Fleet from "../../jobs/index.js"

const count = 8000
const lanes = 4
const concurrency = 4

/** Items and lanes of a run that several processes share. */
const shared = 32_000
const sharedLanes = 16

const serve = async (milliseconds: number): Promise<void> => {
  let keys = new Set<unknown>()
  process.on("message", () => {
    process.send?.(keys.size)
    keys = new Set()
  })
  const { url } = await listen(
    createServer((request, response) => {
      request.resume().once("end", () => {
        const isSignIn = request.url?.includes("/auth/") === true
        if (!isSignIn) keys.add(request.headers["idempotency-key"])
        const body = isSignIn ? { accessToken: jwt(claims), sessionId: "s", user: {} } : { sent: 1 }
        const answer = (): void => {
          response.writeHead(200, { "content-type": "application/json" })
          response.end(JSON.stringify(body))
        }
        if (milliseconds === 0) answer()
        else setTimeout(answer, milliseconds)
      })
    })
  )
  process.once("disconnect", () => process.exit(0))
  process.send?.(url)
}

/** Items a second, from the first one's begin to the last one's end. */
const clocked = () => {
  let first = 0
  let last = 0
  return {
    work: <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        first ||= performance.now()
        return Effect.tap(call, () => {
          last = performance.now()
        })
      }),
    rate: () => (count / (last - first)) * 1000
  }
}

const send = (item: number, idempotencyKey: string) =>
  Admin.notifications.send({ payload: { userId: "u", title: `notice ${item}` } }, { idempotencyKey })

const plain = async (clients: Layer.Layer<Admin.Client, unknown>): Promise<number> => {
  const clock = clocked()
  const all = Effect.forEach(
    Array.from({ length: count }, (_, item) => item),
    (item) => clock.work(send(item, `plain-${item}`)),
    { concurrency: lanes * concurrency, discard: true }
  )
  await Effect.runPromise(Effect.provide(all, clients))
  return clock.rate()
}

const fleet = async (store: string, key: string, baseUrl: string): Promise<number> => {
  const clock = clocked()
  const job = Fleet.job("bench", {
    ...{ lanes, concurrency, page: 1000 },
    input: Schema.String,
    key: (input) => input,
    source: () => Stream.range(0, count - 1),
    item: Schema.Number,
    each: (item, { idempotencyKey }) => clock.work(send(item, idempotencyKey)),
    onUnknown: () => Effect.succeed(Option.none())
  })
  const layer = Fleet.layer({ jobs: [job], store, clients: adminOf(baseUrl) }).pipe(
    Layer.provide(Transport.layer)
  )
  const done = Effect.gen(function* () {
    const context = yield* Layer.build(layer)
    const run = yield* Effect.provide(job.start(key), context)
    const end = yield* run.wait
    if (end.done !== count) throw new Error(`${end.done} of ${count} were done: ${end.error}`)
  })
  await Effect.runPromise(Effect.scoped(done))
  return clock.rate()
}

const sharedJob = Fleet.job("shared", {
  ...{ lanes: sharedLanes, concurrency, page: 500 },
  input: Schema.String,
  key: (input) => input,
  source: () => Stream.range(0, shared - 1),
  item: Schema.Number,
  each: (item, { idempotencyKey }) => send(item, idempotencyKey),
  onUnknown: () => Effect.succeed(Option.none())
})

/** One process of several: it is ready before the run begins, and ends with it. */
const runner = async (store: string, baseUrl: string): Promise<void> => {
  const layer = Fleet.layer({ jobs: [sharedJob], store, clients: adminOf(baseUrl) }).pipe(
    Layer.provide(Transport.layer)
  )
  const work = Effect.gen(function* () {
    const context = yield* Layer.build(layer)
    process.send?.("ready")
    const [key] = yield* Effect.promise(() => once(process, "message"))
    yield* Effect.provide(
      Effect.flatMap(sharedJob.start(String(key)), ({ wait }) => wait),
      context
    )
  })
  await Effect.runPromise(Effect.scoped(work))
  process.exit(0)
}

/** Items a second of a run that so many processes share. */
const together = async (processes: number, store: string, key: string, baseUrl: string): Promise<number> => {
  const children = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), ["runner", store, baseUrl], { execArgv: [] })
  )
  const ended = Promise.all(children.map((child) => once(child, "exit")))
  await Promise.all(children.map((child) => once(child, "message")))
  // The cluster shares its shards anew where runners come.
  await sleep(5000)
  for (const child of children) child.send(key)
  await ended
  const status = Effect.gen(function* () {
    const [run] = yield* sharedJob.runs
    return yield* run === undefined ? Effect.dieMessage("there is no run") : run.status
  })
  const { done, endedAt, startedAt } = await Effect.runPromise(
    Effect.provide(status, Fleet.layerClient({ store }))
  )
  if (done !== shared || endedAt === undefined) throw new Error(`${done} of ${shared} were done`)
  return (shared / (endedAt.getTime() - startedAt.getTime())) * 1000
}

const adminOf = (baseUrl: string) =>
  Admin.layer({ baseUrl, projectId: accounts.projectId, ...accounts.admin, logDrift: false })

const spread = (values: ReadonlyArray<number>): string => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return `${at(0.5).toFixed(2)} (${at(0).toFixed(2)} to ${at(1).toFixed(2)})`
}

/** What PostgreSQL has written and committed since it began. It counts a commit up to a second late. */
const written = async (postgres: Postgres.Postgres): Promise<ReadonlyArray<number>> => {
  await sleep(1500)
  const tables = await postgres.query(
    "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn || ' ' || sum(xact_commit) FROM pg_stat_database"
  )
  return tables.trim().split(" ").map(Number)
}

const main = async (): Promise<number> => {
  const rounds = Number(process.argv[2] ?? 7)
  const server = fork(fileURLToPath(import.meta.url), ["serve", process.argv[3] ?? "0"], { execArgv: [] })
  const [url] = await once(server, "message")
  const baseUrl = String(url)
  const postgres = await Postgres.open()
  const folder = await mkdtemp(join(tmpdir(), "quartet-bench-"))
  const direct = adminOf(baseUrl).pipe(Layer.provide(Transport.layer))
  /** A rate counts where the server has seen every item. */
  const seen = async (rate: number): Promise<number> => {
    server.send("how many")
    const [keys] = await once(server, "message")
    if (keys !== count) throw new Error(`the server saw ${keys} of ${count} items`)
    return rate
  }
  try {
    const results = { file: [] as Array<number>, postgres: [] as Array<number> }
    const costs = { file: [] as Array<number>, postgres: [] as Array<number> }
    const loops: Array<number> = []
    const before: Array<number> = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const base = await seen(await plain(direct))
      const rates = {
        file: await seen(await fleet(`file:${join(folder, "fleet.db")}`, `round ${round}`, baseUrl)),
        postgres: await seen(await fleet(postgres.url, `round ${round}`, baseUrl))
      }
      if (round === 0) {
        before.push(...(await written(postgres)))
        continue
      }
      loops.push(base)
      for (const store of ["file", "postgres"] as const) {
        results[store].push(rates[store] / base)
        costs[store].push(1e6 / rates[store] - 1e6 / base)
      }
    }
    console.log(
      `plain loop: ${spread(loops)} items a second, ${lanes * concurrency} at once, ${rounds} rounds of ${count}`
    )
    for (const store of ["file", "postgres"] as const)
      console.log(
        `${store}: ${spread(results[store])} of it; ${spread(costs[store])} ms more for 1,000 items`
      )
    const [bytes, commits] = (await written(postgres)).map(
      (value, index) => (value - (before[index] ?? 0)) / ((rounds * count) / 1000)
    )
    console.log(
      `PostgreSQL: ${bytes?.toFixed(0)} B of log and ${commits?.toFixed(0)} commits for 1,000 items`
    )
    const alone: Array<number> = []
    const four: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      alone.push(await together(1, postgres.url, `alone ${round}`, baseUrl))
      four.push(await together(4, postgres.url, `four ${round}`, baseUrl))
    }
    const gains = four.map((rate, round) => rate / (alone[round] ?? 0))
    console.log(
      `one process with ${sharedLanes} lanes: ${spread(alone)} items a second; four: ${spread(gains)} of it`
    )
    return 0
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    server.disconnect()
  }
}

const [, , part, first = "", second = ""] = process.argv
if (part === "serve") await serve(Number(first))
else if (part === "runner") await runner(first, second)
else runProgram("bench", main)

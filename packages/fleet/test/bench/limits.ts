/**
 * How much of a limit is used, and whether it holds: one and four processes that always have something to send, over a file and over
 * PostgreSQL. `node packages/support/run.mjs packages/fleet/test/bench/limits.ts [perSecond] [seconds]` prints for each the part of the
 * limit that came to the server, the most requests in any second, and by how much the ways of requests from their process to the server
 * differed.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Undici from "@quartet/sdk/adapters/undici"
import { Transport } from "@quartet/sdk/extend"
import { runProgram } from "@quartet/support/command-line.js"
import * as Postgres from "@quartet/support/postgres.js"
import { listen } from "@quartet/support/servers.js"
import { Context, Effect, Layer } from "effect"
import { make } from "../../store/limits.js"
import { layer } from "../../store/store.js"

/** Requests of each process that wait or are under way. */
const callers = 32

/** The time of all processes of this machine, in milliseconds. */
const time = (): number => performance.timeOrigin + performance.now()

/** A request at the server: when it was sent and when it came. */
interface Arrival {
  readonly sent: number
  readonly at: number
}

const serve = async (): Promise<void> => {
  let arrivals: Array<Arrival> = []
  process.on("message", () => {
    process.send?.(arrivals)
    arrivals = []
  })
  const { url } = await listen(
    createServer((request, response) => {
      arrivals.push({ sent: Number(request.headers["x-sent"]), at: time() })
      response.end("{}")
    })
  )
  process.once("disconnect", () => process.exit(0))
  process.send?.(url)
}

/** One process, which sends as much as the limit lets it until it is stopped. */
const send = async (store: string, origin: string, perSecond: number): Promise<void> => {
  const work = Effect.gen(function* () {
    const sql = Context.get(yield* Layer.build(layer(store)), SqlClient.SqlClient)
    const limiter = yield* make(sql, `runner ${process.pid}`, { perSecond })
    const undici = Context.get(yield* Layer.build(Undici.layer), Transport)
    const transport = limiter.transport(
      {
        start: (request, settle) =>
          undici.start({ ...request, headers: { ...request.headers, "x-sent": String(time()) } }, settle)
      },
      () => false
    )
    const exchange = Effect.async<void>((resume) => {
      transport.start(
        {
          operation: "things.list",
          method: "GET",
          origin,
          path: "/things",
          headers: {},
          body: undefined,
          answer: "bytes",
          maxBytes: 1_000,
          attempt: 1,
          onUpload: undefined
        },
        () => resume(Effect.void)
      )
    })
    process.send?.("ready")
    yield* Effect.all(
      Array.from({ length: callers }, () => Effect.forever(exchange)),
      { concurrency: "unbounded" }
    )
  })
  process.once("disconnect", () => process.exit(0))
  await Effect.runPromise(Effect.scoped(work))
}

/** The most requests that came within any second. */
const mostWithin = (arrivals: ReadonlyArray<Arrival>): number => {
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b)
  let from = 0
  let most = 0
  for (const [place, at] of times.entries()) {
    while (at - (times[from] ?? at) >= 1_000) from += 1
    most = Math.max(most, place - from + 1)
  }
  return most
}

const asked = async (server: ChildProcess): Promise<ReadonlyArray<Arrival>> => {
  const answer = once(server, "message")
  server.send("arrivals")
  const [arrivals] = await answer
  return arrivals
}

const main = async (): Promise<number> => {
  const perSecond = Number(process.argv[2] ?? 200)
  const seconds = Number(process.argv[3] ?? 10)
  const self = fileURLToPath(import.meta.url)
  const server = fork(self, ["serve"], { execArgv: [] })
  const [url] = await once(server, "message")
  const postgres = await Postgres.open()
  const folder = await mkdtemp(join(tmpdir(), "quartet-limits-"))
  try {
    for (const store of [`file:${join(folder, "fleet.db")}`, postgres.url])
      for (const processes of [1, 4]) {
        const children = Array.from({ length: processes }, () =>
          fork(self, ["send", store, String(url), String(perSecond)], { execArgv: [] })
        )
        const ended = Promise.all(children.map((child) => once(child, "exit")))
        await Promise.all(children.map((child) => once(child, "message")))
        // The first requests load code and connect.
        await sleep(2_000)
        await asked(server)
        const begin = time()
        await sleep(seconds * 1_000)
        const arrivals = await asked(server)
        const used = arrivals.length / ((time() - begin) / 1_000) / perSecond
        for (const child of children) child.disconnect()
        await ended
        const ways = arrivals.map(({ at, sent }) => at - sent)
        const differ = Math.max(...ways) - Math.min(...ways)
        console.log(
          `${store.startsWith("file:") ? "a file" : "PostgreSQL"}, processes: ${processes}: ${(100 * used).toFixed(1)} % of ${perSecond} a second are used; at most ${mostWithin(arrivals)} come in a second; ways differ by ${differ.toFixed(0)} ms`
        )
      }
    return 0
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    server.disconnect()
  }
}

const [, , part, first = "", second = "", third = ""] = process.argv
if (part === "serve") await serve()
else if (part === "send") await send(first, second, Number(third))
else runProgram("limits", main)

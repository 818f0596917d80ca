/**
 * What a fleet costs, against a server of another process. `node packages/support/run.mjs packages/fleet/test/bench/main.ts` and
 *
 * - `[rounds] [milliseconds] [rows]`: an import of a CSV file by the library and by the command line, over a file and over PostgreSQL, beside a
 *   plain loop over the same calls with as many of them at once; the milliseconds are what the server takes for an answer;
 * - `processes [rounds] [milliseconds]`: a run that one process works on, and four;
 * - `memory [rows] …`: the peak of the memory of an import by the command line, for each number of rows.
 */
import { execFileSync, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdirSync, mkdtempSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { accounts } from "@quartet/sandbox"
import * as Transport from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import { runProgram } from "@quartet/support/command-line.js"
import { root } from "@quartet/support/files.js"
import { claims, jwt } from "@quartet/support/jwt.js"
import * as Postgres from "@quartet/support/postgres.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import * as Fleet from "../../jobs/index.js"

/** Calls at once, of an import and of the plain loop: four pages with 16 of each. */
const atOnce = { lanes: 4, concurrency: 16 }
const inFlight = atOnce.lanes * atOnce.concurrency

/** Items and lanes of a run that several processes share. */
const shared = 32_000
const sharedLanes = 16
const sharedConcurrency = 4

/** The server. Asked for it, it says how many items it has seen since then, and in how many milliseconds from the first to the last. */
const serve = async (milliseconds: number): Promise<void> => {
  let keys = new Set<unknown>()
  let first = 0
  let last = 0
  process.on("message", () => {
    process.send?.([keys.size, last - first])
    keys = new Set()
  })
  const { url } = await listen(
    createServer((request, response) => {
      request.resume().once("end", () => {
        const isSignIn = request.url?.includes("/auth/") === true
        if (!isSignIn) {
          if (keys.size === 0) first = performance.now()
          keys.add(request.headers["idempotency-key"])
        }
        const body = isSignIn ? { accessToken: jwt(claims), sessionId: "s", user: {} } : { _id: "e" }
        const answer = (): void => {
          last = performance.now()
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

const shoe = (row: number) => ({ sku: `sku-${row}`, title: `Shoe number ${row}`, price: "129.50" })

const create = (row: number, idempotencyKey: string) =>
  Admin.entities.create({ kind: "shoe", payload: shoe(row) }, { idempotencyKey })

/** Writes so many rows. */
const writeRows = (file: string, count: number): Promise<void> => {
  const lines = function* () {
    yield "sku,title,price\n"
    for (let row = 0; row < count; row++) yield `${Object.values(shoe(row)).join(",")}\n`
  }
  return pipeline(Readable.from(lines()), createWriteStream(file))
}

const plain = (clients: Layer.Layer<Admin.Client, unknown>, count: number): Promise<void> =>
  Effect.forEach(
    Array.from({ length: count }, (_, row) => row),
    (row) => create(row, `plain-${row}`),
    { concurrency: inFlight, discard: true }
  ).pipe(Effect.provide(clients), Effect.runPromise)

const importShoes = Fleet.importEntities({ kind: "shoe", ...atOnce })

/** An import by the library. */
const library = (store: string, file: string, key: string, baseUrl: string): Promise<void> => {
  const layer = Fleet.layer({ jobs: [importShoes], store, clients: adminOf(baseUrl) }).pipe(
    Layer.provide(Transport.layer)
  )
  return Effect.gen(function* () {
    const run = yield* importShoes.start({ file, key })
    const end = yield* run.wait
    if (end.state !== "done") throw new Error(`the import is ${end.state}: ${end.error}`)
  }).pipe(Effect.provide(layer), Effect.runPromise)
}

/** Has a program say at its end how much memory it has had at most. */
const atExit = `data:text/javascript,${encodeURIComponent(
  'import { readFileSync } from "node:fs"; process.on("exit", () => process.stderr.write(readFileSync("/proc/self/status", "utf8")))'
)}`

/** The command line, bundled as it is published. */
const bundle = (): string => {
  mkdirSync(join(root, ".cache"), { recursive: true })
  const home = mkdtempSync(join(root, ".cache", "quartet-"))
  execFileSync(process.execPath, [join(root, "tools", "bundle.mjs"), home])
  return home
}

/** An import by the command line. Answers its peak of memory, in MB. */
const commandLine = async (
  home: string,
  store: string,
  file: string,
  key: string,
  baseUrl: string
): Promise<number> => {
  const words = ["--to", "entities.create", "--input", '{"kind": "shoe"}', "--in-flight", String(inFlight)]
  const child = spawn(
    process.execPath,
    [
      ...["--import", atExit, join(home, "main.js"), "job", "run", "import", "--file", file],
      ...[...words, "--key", key, "--yes"]
    ],
    {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        QUARTET_BASE_URL: baseUrl,
        QUARTET_PROJECT_ID: accounts.projectId,
        QUARTET_EMAIL: accounts.admin.email,
        QUARTET_PASSWORD: accounts.admin.password,
        QUARTET_FLEET_STORE: store
      },
      stdio: ["ignore", "ignore", "pipe"]
    }
  )
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")])
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(said)?.[1]
  if (code !== 0 || peak === undefined) throw new Error(`the command line ended with ${code}: ${said}`)
  return Number(peak) / 1024
}

const sharedJob = Fleet.job("shared", {
  ...{ lanes: sharedLanes, concurrency: sharedConcurrency, page: 500 },
  input: Schema.String,
  key: (input) => input,
  source: () => Stream.range(0, shared - 1),
  item: Schema.Number,
  each: (item, { idempotencyKey }) => create(item, idempotencyKey),
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
  // Each of them has said by then that it is there, and so has its share.
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

/** A server of its own process, and what it has seen of a work, in items a second. */
const open = async (milliseconds: string) => {
  const server = fork(fileURLToPath(import.meta.url), ["serve", milliseconds], { execArgv: [] })
  const [url] = await once(server, "message")
  const rate = async (work: Promise<unknown>, count: number): Promise<number> => {
    await work
    server.send("how many")
    const [[keys, took]] = await once(server, "message")
    if (keys !== count) throw new Error(`the server saw ${keys} of ${count} items`)
    return (count / took) * 1000
  }
  return { baseUrl: String(url), close: () => server.disconnect(), rate }
}

/** The ratios of imports to a plain loop. */
const imports = async (rounds: number, milliseconds: string, count: number): Promise<void> => {
  const { baseUrl, close, rate } = await open(milliseconds)
  const postgres = await Postgres.open()
  const folder = await mkdtemp(join(tmpdir(), "quartet-bench-"))
  const home = bundle()
  const direct = adminOf(baseUrl).pipe(Layer.provide(Transport.layer))
  const file = join(folder, "shoes.csv")
  const stores = { file: `file:${join(folder, "fleet.db")}`, PostgreSQL: postgres.url }
  try {
    await writeRows(file, count)
    const loops: Array<number> = []
    const ratios = new Map<string, Array<number>>()
    const before: Array<number> = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, store] of Object.entries(stores)) {
        // Each is compared with a loop of the same minute.
        const base = await rate(plain(direct, count), count)
        const rates = {
          library: await rate(library(store, file, `library ${round}`, baseUrl), count),
          "command line": await rate(commandLine(home, store, file, `shell ${round}`, baseUrl), count)
        }
        if (round === 0) continue
        loops.push(base)
        for (const [by, rate] of Object.entries(rates)) {
          const key = `${by}, ${name}`
          ratios.set(key, [...(ratios.get(key) ?? []), rate / base])
        }
      }
      if (round === 0) before.push(...(await written(postgres)))
    }
    console.log(
      `plain loop: ${spread(loops)} items a second, ${inFlight} at once, ${rounds} rounds of ${count} rows, ${milliseconds} ms for an answer`
    )
    for (const [name, values] of ratios) console.log(`import by ${name}: ${spread(values)} of it`)
    const [bytes, commits] = (await written(postgres)).map(
      (value, index) => (value - (before[index] ?? 0)) / ((2 * rounds * count) / 1000)
    )
    console.log(
      `PostgreSQL: ${bytes?.toFixed(0)} B of log and ${commits?.toFixed(0)} commits for 1,000 items`
    )
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
    close()
  }
}

/** One process beside four. */
const processes = async (rounds: number, milliseconds: string): Promise<void> => {
  const { baseUrl, close } = await open(milliseconds)
  const postgres = await Postgres.open()
  try {
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
  } finally {
    await postgres.stop()
    close()
  }
}

/** The peak of the memory of imports. */
const memory = async (counts: ReadonlyArray<number>): Promise<void> => {
  const { baseUrl, close, rate } = await open("0")
  const folder = await mkdtemp(join(tmpdir(), "quartet-bench-"))
  const home = bundle()
  try {
    for (const count of counts) {
      const file = join(folder, `${count}.csv`)
      await writeRows(file, count)
      const peak = commandLine(home, `file:${join(folder, "fleet.db")}`, file, "memory", baseUrl)
      await rate(peak, count)
      console.log(`import of ${count} rows by the command line: at most ${(await peak).toFixed(0)} MB`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(home, { recursive: true, force: true })
    close()
  }
}

const main = async (): Promise<number> => {
  const [, , what = "3", ...options] = process.argv
  if (what === "memory") await memory(options.map(Number))
  else if (what === "processes") await processes(Number(options[0] ?? 3), options[1] ?? "0")
  else await imports(Number(what), options[0] ?? "0", Number(options[1] ?? 20_000))
  return 0
}

const [, , part, first = "", second = ""] = process.argv
if (part === "serve") await serve(Number(first))
else if (part === "runner") await runner(first, second)
else runProgram("bench", main)

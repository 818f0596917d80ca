/**
 * Four runners work through two jobs over PostgreSQL, while they are killed, stopped and replaced, and the store fails. The same with engines
 * that deliver the pages, at a tenth.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Fleet from "@quartet/fleet"
import type { Engine } from "@quartet/support/engines.js"
import { patient } from "@quartet/support/patience.js"
import * as Postgres from "@quartet/support/postgres.js"
import * as Redis from "@quartet/support/redis.js"
import { Effect, ManagedRuntime, Stream } from "effect"
import * as Crew from "../fleet/crew.js"
import { csv, idOf, type JobName, make, type Shape } from "../fleet/jobs.js"
import { reconcile, resumed, Seen } from "../fleet/ledger.js"
import type { FaultSchedule } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped } from "../tally.js"

interface Size extends Shape {
  readonly notices: number
  readonly rows: number
  readonly perSecond: number | undefined
  /** Seconds from one harm to the next. */
  readonly pause: number
  /** How much is done to it at most. */
  readonly harms: number
  /** Seconds after which what has not ended is stuck. */
  readonly limit: number
}

const runners = 4

/** Longer than a lease: somebody else has the lanes of the one that wakes up. */
const stopSeconds = 13

const full: Size = {
  ...{ notices: 1_000_000, rows: 200_000, page: 1000, lanes: 8, concurrency: 8 },
  ...{ perSecond: undefined, pause: 10, harms: Number.POSITIVE_INFINITY, limit: 4 * 3600 }
}
const quick: Size = {
  ...{ notices: 3000, rows: 1000, page: 100, lanes: 4, concurrency: 4 },
  ...{ perSecond: 130, pause: 4, harms: 6, limit: 90 }
}

/**
 * Milliseconds that a call may take. What a slow machine does later than that, and after `onUnknown` has looked, is done twice where keys are
 * forgotten: that is not promised.
 */
const deadline = patient(3_000)

const tenth: Size = { ...full, notices: 100_000, rows: 20_000 }

/** Lost answers, resets, failing gateways and delays. A corrupted answer may still be one, which HTTP cannot tell. */
const faults = (seed: number): FaultSchedule => ({
  seed,
  rate: 0.06,
  weights: {
    ...{ "reset-before": 3, "reset-after": 4, "reset-mid": 2, truncate: 2, stall: 0.2 },
    ...{ "server-error": 3, "too-many": 1, latency: 4, dribble: 2 }
  },
  exempt: "/auth/",
  asksNothing: true,
  hidesKeys: "/entity/"
})

/** What is done to the fleet, in turn, until it has ended. */
type Harm = "kill" | "stop" | "restart" | "cut" | "replace"
const first: ReadonlyArray<Harm> = ["kill", "stop", "cut", "restart", "replace"]
const further: ReadonlyArray<Harm> = ["kill", "stop", "replace", "cut"]

/** An engine that is started for a scenario, beside PostgreSQL. */
const engines = {
  none: { name: "", open: async () => ({ engine: { kind: "none" } as const }) },
  "pg-boss": {
    name: " with pg-boss",
    open: async (url: string) => ({ engine: { kind: "pg-boss", url } as const })
  },
  BullMQ: {
    name: " with BullMQ",
    open: async () => {
      const redis = await Redis.open()
      return { engine: { kind: "BullMQ", port: redis.port } as const, redis }
    }
  }
}

const fleetOver = (name: string, kind: Engine["kind"], largest: Size) =>
  scenario<Size>(name, {
    sizes: { full: largest, quick },
    title: ({ notices, rows }) =>
      `Fleet${engines[kind].name}: ${grouped(notices)} notifications and ${grouped(rows)} rows by ${runners} runners that are killed, stopped and replaced`,
    // It judges by itself what is stuck.
    limit: ({ limit }) => limit + 600,
    must: "every item done once: none lost, twice or stuck, and every unknown outcome reconciled",
    run: async ({ far, seed, size }) => {
      const { concurrency, harms, lanes, limit, page, pause, perSecond } = size
      const shape = { page, lanes, concurrency }
      const counts: Readonly<Record<JobName, number>> = { notices: size.notices, rows: size.rows }
      const postgres = await Postgres.open()
      const opened: { readonly engine: Engine; readonly redis?: Awaited<ReturnType<typeof Redis.open>> } =
        await engines[kind].open(postgres.url)
      const { engine, redis } = opened
      const folder = await mkdtemp(join(tmpdir(), "quartet-fleet-"))
      await far.start(seed)
      const users = await far.users()
      const proxy = await far.openProxy(faults(seed))
      const file = join(folder, "rows.csv")
      await writeFile(file, csv(size.rows))
      const crew = Crew.make(folder, {
        ...{ engine, store: postgres.url, baseUrl: proxy.url, shape, perSecond, deadline }
      })
      const harmed = { kill: 0, stop: 0, restart: 0, cut: 0, replace: 0, connections: 0, late: 0 }
      const seen = new Seen()
      const look = async (): Promise<void> =>
        seen.take(await far.takeEntries(proxy.id), await far.takeReceived())
      const runtime = ManagedRuntime.make(Fleet.layerClient({ store: postgres.url }))
      try {
        for (let count = 0; count < runners; count++) crew.start()
        const jobs = make(shape, () => undefined)
        const runs = await runtime.runPromise(
          Effect.all([
            jobs.notices.start({ audience: "all", count: size.notices, users }),
            jobs.rows.start({ file })
          ])
        )
        const began = performance.now()
        const seconds = (): number => (performance.now() - began) / 1000
        const status = () => runtime.runPromise(Effect.all(runs.map((run) => run.status)))
        let isOver = false
        let last = await status()

        /** One that has pages now, so that it is hit in the middle of its pages. */
        const busy = (): Crew.Runner | undefined => {
          const names = last.flatMap((progress) => progress.pages.map(({ runner }) => runner))
          const able = crew
            .working()
            .filter(
              ({ name, fates }) => !fates.has("stopped") && names.some((of) => of.startsWith(`${name}-`))
            )
          const times = (worker: Crew.Runner) => names.filter((of) => of.startsWith(`${worker.name}-`)).length
          return [...able].sort((a, b) => times(b) - times(a))[0]
        }
        const asleep: Array<Promise<void>> = []
        const hurt = async (harm: Harm): Promise<void> => {
          if (harm === "restart") await Promise.all([postgres.restart(), redis?.restart()])
          else if (harm === "cut") harmed.connections += await postgres.cut()
          else {
            let runner = busy()
            while (runner === undefined && !isOver) {
              await sleep(100)
              runner = busy()
            }
            if (runner === undefined) return
            if (harm === "stop") {
              crew.stop(runner)
              asleep.push(
                sleep(stopSeconds * 1000).then(() => {
                  crew.proceed(runner)
                  runner.fates.delete("stopped")
                  runner.fates.add("woken")
                })
              )
            } else if (harm === "kill") {
              await crew.kill(runner)
              crew.start()
            } else {
              crew.start()
              if (!(await crew.replace(runner))) harmed.late += 1
            }
          }
          harmed[harm] += 1
        }
        const harming = (async () => {
          for (let count = 0; !isOver && count < harms; count++) {
            const until = seconds() + pause
            while (!isOver && seconds() < until) await sleep(100)
            const harm = first[count] ?? further[(count - first.length) % further.length]
            if (!isOver && harm !== undefined) await hurt(harm)
          }
          await Promise.all(asleep)
        })()
        const isEnd = () =>
          last.every(({ state }) => state === "done" || state === "paused") || crew.working().length === 0
        while (seconds() < limit && !isEnd()) {
          await sleep(500)
          await look()
          last = await status()
        }
        const took = seconds()
        isOver = true
        await harming
        await look()

        const findings: Array<Finding> = []
        const items: Array<Finding> = []
        const tell = (call: string, what: string, isSo = true): void =>
          void (isSo && findings.push({ call, what }))
        const noted = crew.journal()
        /** What was done with an item: a late request shows as one that the same or another runner asked about before it was sent again. */
        const historyOf = (call: string): string =>
          noted
            .filter(({ item, job }) => idOf(job, item) === call)
            .map(({ event, runner }) => `${runner.name} ${event}`)
            .join(", ")
        const sums = { lost: 0, twice: 0, stuck: 0, unknown: 0, failed: 0 }
        for (const [index, job] of (["notices", "rows"] as const).entries()) {
          const effects = new Map(await far.effects(job === "notices" ? "notices" : "entities"))
          const problems = reconcile({ job, count: counts[job], effects, performed: seen.performed[job] })
          items.push(
            ...problems.findings
              .slice(0, 25)
              .map(({ call, what }) => ({ call, what: `${what} (${historyOf(call)})` })),
            ...problems.findings.slice(25)
          )
          sums.lost += problems.lost
          sums.twice += problems.twice
          const end = last[index]
          if (end === undefined) continue
          sums.unknown += end.unknown
          sums.failed += end.failed
          if (end.state !== "done") sums.stuck += 1
          tell(
            job,
            `is ${end.state} after ${took.toFixed(0)} s: ${end.error ?? "no error"}, ${JSON.stringify(end.pages)}`,
            end.state !== "done"
          )
          tell(job, `says that ${end.done} of ${counts[job]} items are done`, end.done !== counts[job])
        }
        const pages = resumed(noted, page)
        const lostRunners = crew.all().filter(({ fates }) => fates.has("lost"))
        for (const { end, name } of lostRunners) tell(name, `ended by itself: ${end}`)
        for (const run of runs)
          for (const { error, item, state, tag } of await runtime.runPromise(Stream.runCollect(run.failures)))
            tell(`${run.job} ${item}`, `${state}: ${tag}, ${error}`)
        for (const harm of first) tell(harm, "was not done to the fleet", harmed[harm] === 0)
        tell("SIGTERM", `did not end ${harmed.late} runners in time`, harmed.late > 0)
        // What must have been in the way for this to prove anything.
        const floors = {
          "pages that another runner went on with": pages.resumed,
          "pages of killed runners that another one went on with": pages.afterKill,
          "pages of stopped runners that another one went on with": pages.afterStop,
          "lost answers": seen.lost,
          "writes that the platform knew by their keys": seen.replayed,
          "items found done": pages.found,
          "items found not done": pages.absent,
          "connections that were cut": harmed.connections
        }
        for (const [what, count] of Object.entries(floors)) tell(what, "there were none", count === 0)
        const rate = (size.notices + size.rows) / took
        return {
          got: `${grouped(size.notices + size.rows)} items in ${took.toFixed(0)} s; `,
          none: sums,
          findings: [...findings, ...items],
          details: [
            `${harmed.kill} runners killed, ${harmed.stop} stopped for ${stopSeconds} s, ${harmed.replace} replaced; the store restarted ${harmed.restart} times, ${harmed.connections} connections cut`,
            Object.entries(floors)
              .map(([what, count]) => `${grouped(count)} ${what}`)
              .join(", "),
            `${grouped(seen.requests)} requests, ${grouped(seen.hit)} of them hit by a fault; ${rate.toFixed(0)} items/s`,
            ...(findings.length + items.length > 0 ? crew.said().slice(-40) : [])
          ],
          figures: { ...floors, ...harmed, requests: seen.requests, hit: seen.hit, seconds: took, rate }
        }
      } finally {
        await crew.end()
        await runtime.dispose()
        await redis?.stop()
        await postgres.stop()
        await rm(folder, { recursive: true, force: true })
      }
    }
  })

export const fleet = fleetOver("fleet", "none", full)
export const fleetOverPgBoss = fleetOver("fleet-pg-boss", "pg-boss", tenth)
export const fleetOverBullmq = fleetOver("fleet-bullmq", "BullMQ", tenth)

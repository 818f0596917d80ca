// What the limits of a fleet promise, over any store. Several limiters on one database stand for several runners.
import { createServer } from "node:http"
import * as RateLimiter from "@effect/experimental/RateLimiter"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import type { Outcome, Request, TransportService as Service } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import { aWhile, eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { listen } from "@quartet/support/servers.js"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { describe, expect } from "vitest"
import { type Limits, make, tables } from "../store/limits.js"
import { numberOf } from "../store/store.js"
import { movable } from "./clocks.js"
import { client, type Store } from "./stores.js"

const request = (attempt = 1, origin = "http://platform.test"): Request => ({
  operation: "things.list",
  method: "GET",
  origin,
  path: "/things",
  headers: {},
  body: undefined,
  answer: "bytes",
  maxBytes: 1_000,
  attempt,
  onUpload: undefined
})

const never = (): boolean => false

/** One exchange, which is abandoned where it is interrupted. */
const exchange = (transport: Service, sent: Request): Effect.Effect<Outcome> =>
  Effect.async((resume) => {
    const abandon = transport.start(sent, (outcome) => resume(Effect.succeed(outcome)))
    return Effect.sync(() => void abandon())
  })

/** One more runner on a database. */
const runner = (url: string, limits?: Limits) =>
  Effect.gen(function* () {
    const sql = yield* client(url)
    return { sql, limiter: yield* make(sql, "runner", limits) }
  })

const runners = (url: string, count: number, limits: Limits) =>
  Effect.all(Array.from({ length: count }, () => runner(url, limits)))

const look = (what: () => void): Effect.Effect<void> => Effect.promise(() => eventually(what))
const pass = (milliseconds: number): Effect.Effect<void> => Effect.promise(() => aWhile(milliseconds))

/** A platform that answers at once, and the moments at which requests were sent to it. */
const dated = () => {
  const times: Array<number> = []
  const platform = Fake.make(() => {
    times.push(performance.now())
    return Fake.json(200, {})
  })
  return { platform, times }
}

/** What is measured may be less than a pause by what the clocks of the store and of this process round. */
const rounding = 10

/** Waits until all runners have looked at the limits of all, which each does after it has said its own. */
const allLook = (sql: SqlClient) =>
  Effect.gen(function* () {
    // One that is about to look may have said its own before.
    for (let times = 0; times < 2; times += 1) {
      const said = yield* sql`SELECT MAX(lease_until) AS last FROM quartet_limits`
      yield* Effect.repeat(
        Effect.zipRight(pass(50), sql`SELECT MIN(lease_until) AS first FROM quartet_limits`),
        { until: ([row]) => numberOf(row?.first) > numberOf(said[0]?.last) }
      )
    }
  })

/** The most of some times that lie within any span of so many milliseconds. */
const mostWithin = (span: number, times: ReadonlyArray<number>): number =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + span).length))

/** By how many milliseconds a turn may be missed, and the ways of two requests may differ, so that no second has more than the limit. */
const [late, allowed] = [40, 50]

/** The most requests of a second, where the ways from the limiter to the server took so many milliseconds. */
const explained = (perSecond: number, ways: ReadonlyArray<number>): number =>
  Math.ceil((perSecond * (1_000 + late + Math.max(...ways) - Math.min(...ways))) / (1_000 + allowed))

/** A transport that notes how long each request is on its way to a server, by its path. */
const timed = (sent: Map<string, number>): Service => {
  const transport = FetchTransport.make()
  return {
    start: (request, settle) => {
      const path = `/things/${sent.size}`
      sent.set(path, performance.now())
      return transport.start({ ...request, path }, settle)
    }
  }
}

/** A server that notes when requests come; `answer` says what it answers to each of them. */
const server = (answer: (place: number) => { readonly status: number; readonly retryAfter?: number }) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const times: Array<number> = []
      const sent = new Map<string, number>()
      const ways: Array<number> = []
      const http = createServer(({ url }, response) => {
        times.push(performance.now())
        ways.push(performance.now() - (sent.get(url ?? "") ?? 0))
        const { retryAfter, status } = answer(times.length - 1)
        response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
        response.end("{}")
      })
      return { times, ways, transport: timed(sent), ...(await listen(http)) }
    }),
    ({ close }) => Effect.promise(close)
  )

/** Runs until the test ends: callers that always have something to send. */
const busy = (transport: Service, callers: number, origin?: string) =>
  Effect.forkScoped(
    Effect.all(
      Array.from({ length: callers }, () => Effect.forever(exchange(transport, request(1, origin)))),
      { concurrency: "unbounded" }
    )
  )

export const limits = (name: string, store: Store): void => {
  /** Limiters of one fresh database. */
  const on = live.within<[string], Scope.Scope>((use) => Effect.flatMap(store, use))

  describe(`limits over ${name}`, () => {
    describe("requests a second", () => {
      on("never come to more at the server in any second, from all runners together", function* (url) {
        const perSecond = 40
        const { times, transport, url: origin, ways } = yield* server(() => ({ status: 200 }))
        // The first request of a process waits for what it loads.
        yield* exchange(transport, request(1, origin))
        times.length = ways.length = 0
        for (const { limiter } of yield* runners(url, 4, { perSecond }))
          yield* busy(limiter.transport(transport, never), 10, origin)
        // A slow machine sends less: as long as it takes for more than a second's requests.
        yield* Effect.repeat(pass(3_000), { until: () => times.length > perSecond })
        expect(explained(perSecond, [5, 15])).toBe(perSecond)
        expect(mostWithin(1_000, times)).toBeLessThanOrEqual(explained(perSecond, ways))
      })

      on("are all used by one runner that has much to do", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 400 })
        const platform = Fake.make([Fake.json(200, {})])
        yield* busy(limiter.transport(platform.service, never), 20)
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(600))
      })

      on("go in the order in which they were asked for", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 200 })
        const platform = Fake.make([Fake.json(200, {})])
        const transport = limiter.transport(platform.service, never)
        const paths = Array.from({ length: 30 }, (_, at) => `/things/${at}`)
        yield* Effect.all(
          paths.map((path) => exchange(transport, { ...request(), path })),
          { concurrency: "unbounded" }
        )
        expect(platform.requests().map(({ path }) => path)).toEqual(paths)
      })

      on("do not come in a burst after this process was stopped", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 100 })
        const { platform, times } = dated()
        yield* busy(limiter.transport(platform.service, never), 50)
        yield* look(() => expect(times.length).toBeGreaterThan(20))
        const stopped = performance.now()
        while (performance.now() - stopped < 700) {}
        const woken = performance.now()
        yield* look(() => expect(times.filter((time) => time > woken).length).toBeGreaterThan(30))
        // Eleven milliseconds apart: at most what the longest lateness allows.
        expect(mostWithin(20, times)).toBeLessThan(12)
        expect(mostWithin(1_000, times)).toBeLessThanOrEqual(100)
      })

      on("do not use a turn that a sleep of the machine has made old", function* (url) {
        const { clock, move } = movable()
        const platform = Fake.make([Fake.json(200, {})])
        const { limiter, sql } = yield* Effect.withClock(runner(url, { perSecond: 12 }), clock)
        const transport = limiter.transport(platform.service, never)
        const row = Effect.map(
          sql`SELECT first_at, next_at FROM quartet_rates WHERE name = 'requests'`,
          ([rate]) => ({ first: numberOf(rate?.first_at), next: numberOf(rate?.next_at) })
        )
        yield* exchange(transport, request())
        const { first, next } = yield* row
        // Two turns were reserved: the other one is due in a moment.
        expect(next - first).toBeGreaterThan(150_000)
        const second = yield* Effect.fork(exchange(transport, request()))
        yield* Effect.yieldNow()
        expect(platform.exchanges.length).toBe(1)
        move({ wall: 60_000 })
        yield* Fiber.join(second)
        expect((yield* row).next).toBeGreaterThan(next)
      })

      on("are not sent while the store does not answer, and are abandoned as not sent", function* (url) {
        const { limiter, sql } = yield* runner(url, { perSecond: 50 })
        const platform = Fake.make([Fake.json(200, {})])
        const transport = limiter.transport(platform.service, never)
        yield* sql`ALTER TABLE quartet_rates RENAME TO quartet_gone`
        const outcomes: Array<Outcome> = []
        const abandon = transport.start(request(), (outcome) => outcomes.push(outcome))
        const waiting = yield* Effect.fork(exchange(transport, request()))
        yield* pass(150)
        expect(platform.exchanges).toEqual([])
        expect(abandon()).toBe(false)
        yield* sql`ALTER TABLE quartet_gone RENAME TO quartet_rates`
        expect(yield* Fiber.join(waiting)).toMatchObject({ status: 200 })
        expect([platform.exchanges.length, outcomes.length]).toEqual([1, 0])
      })
    })

    describe("a pause", () => {
      on("that one runner is asked for stops all of them, for as long", function* (url) {
        const {
          times,
          transport,
          url: origin,
          ways
        } = yield* server((place) => (place === 30 ? { status: 429, retryAfter: 3 } : { status: 200 }))
        for (const { limiter } of yield* runners(url, 4, { perSecond: 100 }))
          yield* busy(limiter.transport(transport, never), 4, origin)
        yield* look(() => expect(times.length).toBeGreaterThan(80))
        const at = times[30] ?? 0
        // What was reserved already may go within a tenth of a second and what the answer takes: long, on a busy machine.
        const between = times.filter((time) => time > at + 1_500 && time < at + 2_980)
        expect(between).toEqual([])
        expect(mostWithin(1_000, times)).toBeLessThanOrEqual(explained(100, ways))
      })

      on("holds also where no rate is limited", function* (url) {
        const [first, second] = yield* runners(url, 2, {})
        const { platform, times } = dated()
        const transport = second!.limiter.transport(platform.service, never)
        yield* exchange(transport, request())
        const from = performance.now()
        yield* first!.limiter.pause(1_500)
        yield* pass(600)
        expect(yield* exchange(transport, request())).toMatchObject({ status: 200 })
        expect(times[1]).toBeGreaterThan(from + 1_500 - rounding)
      })

      on.each([
        [503, "2", true],
        [429, "0", false],
        [429, "soon", false],
        [500, "2", false]
      ] as const)("after %j", function* ([status, retryAfter, isPaused], url) {
        const { limiter, sql } = yield* runner(url, { perSecond: 100 })
        const platform = Fake.make([Fake.json(status, {}, { "retry-after": retryAfter })])
        const next = Effect.map(
          sql`SELECT next_at FROM quartet_rates WHERE name = 'requests'`,
          ([row]) => numberOf(row?.next_at) / 1_000
        )
        const before = Date.now()
        yield* exchange(limiter.transport(platform.service, never), request())
        const end = before + 2_000 - rounding
        if (isPaused) {
          yield* Effect.repeat(Effect.zipRight(pass(10), next), { until: (next) => next > end })
          return
        }
        yield* pass(100)
        // Turns are reserved for a tenth of a second.
        expect(yield* next).toBeLessThan(Date.now() + 500)
      })

      on("lasts at most five minutes, whatever the platform asks for", function* (url) {
        const { limiter, sql } = yield* runner(url, { perSecond: 100 })
        yield* limiter.pause(1e12)
        const [row] = yield* sql`SELECT next_at FROM quartet_rates WHERE name = 'requests'`
        expect(numberOf(row?.next_at) / 1_000).toBeLessThan(Date.now() + 310_000)
      })
    })

    describe("that runners were given differently", () => {
      on("hold by the lowest, which each says once", function* (url) {
        const messages: Array<string> = []
        const logger = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void messages.push(String(message)))
        )
        const { platform, times } = dated()
        const given: ReadonlyArray<Limits> = [{ perSecond: 400 }, {}]
        for (const limits of given) {
          const { limiter } = yield* Effect.provide(runner(url, limits), logger)
          yield* busy(limiter.transport(platform.service, never), 4)
        }
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(400))
        const slow = yield* Scope.make()
        const { sql } = yield* Scope.extend(
          Effect.provide(runner(url, { perSecond: 5, inFlight: 2 }), logger),
          slow
        )
        yield* allLook(sql)
        expect(messages.length).toBe(3)
        for (const message of messages) expect(message).toContain("the lowest hold: perSecond ")
        const sent = platform.exchanges.length
        yield* pass(2_000)
        // Ten, and one at each end: the clocks of three runners differ.
        expect(mostWithin(2_000, times.slice(sent))).toBeLessThanOrEqual(12)
        // Once it has ended, the others go on as they may.
        yield* Scope.close(slow, Exit.void)
        yield* Effect.promise(() =>
          eventually(() => expect(platform.exchanges.length).toBeGreaterThan(sent + 400), 12_000)
        )
        expect(messages.length).toBe(3)
      })
    })

    describe("with a store whose clock is set back by an hour", () => {
      const hour = 3_600_000
      const setBack = (sql: SqlClient) =>
        sql`UPDATE quartet_rates SET first_at = first_at + ${hour * 1_000}, next_at = next_at + ${hour * 1_000} WHERE next_at > 0`

      on("requests go on", function* (url) {
        const { limiter, sql } = yield* runner(url, { perSecond: 20 })
        const platform = Fake.make([Fake.json(200, {})])
        yield* busy(limiter.transport(platform.service, never), 2)
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(5))
        yield* setBack(sql)
        const sent = platform.exchanges.length
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(sent + 20))
      })

      on.each<Limits>([{ perSecond: 20 }, {}])(
        "a pause lasts as long as was meant: %j",
        function* (given, url) {
          const [first, second] = yield* runners(url, 2, given)
          const from = performance.now()
          yield* first!.limiter.pause(1_500)
          yield* setBack(first!.sql)
          const { platform, times } = dated()
          const transport = second!.limiter.transport(platform.service, never)
          expect(yield* exchange(transport, request())).toMatchObject({ status: 200 })
          expect(times[0]).toBeGreaterThan(from + 1_500 - rounding)
        }
      )

      on("a pause that begins then holds", function* (url) {
        const [first, second] = yield* runners(url, 2, { perSecond: 20 })
        const { platform, times } = dated()
        const transport = second!.limiter.transport(platform.service, never)
        yield* exchange(transport, request())
        yield* setBack(first!.sql)
        const from = performance.now()
        yield* first!.limiter.pause(2_000)
        yield* pass(500)
        expect(yield* exchange(transport, request())).toMatchObject({ status: 200 })
        expect(times[1]).toBeGreaterThan(from + 2_000 - rounding)
      })

      on("places of runners that died come back with the end of a lease", function* (url) {
        const { limiter, sql } = yield* runner(url, { inFlight: 2 })
        const later = Date.now() + hour
        yield* sql`UPDATE quartet_places SET owner = 'dead', lease_until = ${later}`
        yield* sql`INSERT INTO quartet_sharers (owner, lease_until) VALUES ('dead', ${later})`
        const waiting = yield* Effect.fork(limiter.run(Effect.succeed("served")))
        yield* pass(1_000)
        expect(waiting.unsafePoll()).toBeNull()
        expect(yield* Fiber.join(waiting)).toBe("served")
      })
    })

    describe("with a store whose clock is set forward", () => {
      on("requests and pauses go on", function* (url) {
        const { limiter, sql } = yield* runner(url, { perSecond: 20 })
        const platform = Fake.make([Fake.json(200, {})])
        yield* limiter.pause(600)
        yield* busy(limiter.transport(platform.service, never), 2)
        yield* sql`UPDATE quartet_rates SET first_at = 1, next_at = 2`
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(20))
      })

      on("places of others are not taken before they had time to renew them", function* (url) {
        const { clock, move } = movable()
        const { limiter, sql } = yield* Effect.withClock(runner(url, { inFlight: 2 }), clock)
        const holders = yield* Effect.all([1, 2].map(() => Effect.fork(limiter.run(Effect.never))))
        const beat = Effect.map(sql`SELECT MAX(lease_until) AS until FROM quartet_sharers`, ([row]) =>
          numberOf(row?.until)
        )
        const begun = yield* Effect.repeat(Effect.zipRight(pass(20), beat), { until: (until) => until > 0 })
        yield* pass(100)
        // As if the store's clock had gone on for longer than this process's: by it each lease has ended.
        move({ monotonic: -1_000 })
        yield* sql`UPDATE quartet_places SET owner = 'alive', lease_until = 1`
        yield* Effect.repeat(Effect.zipRight(pass(20), beat), { until: (until) => until > begun })
        yield* pass(100)
        yield* Fiber.interruptAll(holders)
        const waiting = yield* Effect.fork(limiter.run(Effect.succeed("served")))
        yield* pass(2_000)
        expect(waiting.unsafePoll()).toBeNull()
      })
    })

    describe("retries", () => {
      on("have a budget of their own, and others overtake them", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 200, retriesPerSecond: 2 })
        const platform = Fake.make([Fake.json(200, {})])
        const transport = limiter.transport(platform.service, never)
        const from = performance.now()
        const retries = Array.from({ length: 20 }, () => exchange(transport, request(2)))
        yield* Effect.forkScoped(Effect.all(retries, { concurrency: "unbounded" }))
        yield* pass(50)
        const others = Array.from({ length: 60 }, () => exchange(transport, request(1)))
        yield* Effect.all(others, { concurrency: "unbounded" })
        yield* pass(400)
        const again = platform.requests().filter(({ attempt }) => attempt > 1)
        expect(again.length).toBeGreaterThan(0)
        expect(again.length).toBeLessThan((2 * (performance.now() - from)) / 1_000 + 3.5)
      })

      on("of all runners share a tenth of the rate where nothing else is said", function* (url) {
        const platform = Fake.make([Fake.json(200, {})])
        const from = performance.now()
        for (const { limiter } of yield* runners(url, 3, { perSecond: 100 })) {
          const transport = limiter.transport(platform.service, never)
          yield* Effect.forkScoped(Effect.forever(exchange(transport, request(2))))
        }
        yield* Effect.repeat(pass(1_500), { until: () => platform.exchanges.length > 3 })
        expect(platform.exchanges.length).toBeLessThan((10 * (performance.now() - from)) / 1_000 + 6)
      })
    })

    describe("places in flight", () => {
      on("are never more than all runners together may have, and all are used", function* (url) {
        const platform = Fake.make(["waits"])
        for (const { limiter } of yield* runners(url, 3, { inFlight: 7 })) {
          const transport = limiter.transport(platform.service, never)
          yield* busy(transport, 10)
        }
        let most = 0
        // On a slow machine it takes longer until all are used.
        for (let turn = 0; turn < 40 || most < 7; turn += 1) {
          yield* pass(50)
          most = Math.max(most, platform.count("open"))
          for (const pending of platform.exchanges.filter(({ state }) => state === "open").slice(0, 2))
            pending.settle(Fake.json(200, {}))
        }
        expect(most).toBe(7)
      })

      on("come to each runner, also where there are more runners than places", function* (url) {
        const served = new Set<number>()
        for (const [at, { limiter }] of (yield* runners(url, 3, { inFlight: 2 })).entries())
          yield* Effect.forkScoped(
            Effect.forever(
              limiter.run(
                Effect.zipRight(
                  Effect.sync(() => served.add(at)),
                  Effect.sleep(20)
                )
              )
            )
          )
        yield* Effect.promise(() => eventually(() => expect(served.size).toBe(3), 12_000))
      })

      on("of a runner that died come back with the end of its lease", function* (url) {
        const dead = yield* Scope.make()
        const gone = yield* Scope.extend(runner(url, { inFlight: 2 }), dead)
        yield* Effect.forkIn(gone.limiter.run(Effect.never), dead)
        const { limiter, sql } = yield* runner(url, { inFlight: 2 })
        const count = Effect.map(sql`SELECT count(*) AS n FROM quartet_places WHERE owner <> ''`, ([row]) =>
          numberOf(row?.n)
        )
        while ((yield* count) < 2) yield* pass(10)
        // As if it had died long ago: all that it wrote is there, and nothing renews it.
        yield* sql`UPDATE quartet_places SET owner = 'dead'`
        yield* sql`DELETE FROM quartet_sharers`
        yield* Scope.close(dead, Exit.void)
        const waiting = yield* Effect.fork(limiter.run(Effect.succeed("served")))
        yield* pass(500)
        expect(waiting.unsafePoll()).toBeNull()
        yield* sql`UPDATE quartet_places SET lease_until = 1`
        expect(yield* Fiber.join(waiting)).toBe("served")
      })

      on("are not used by a runner that slept longer than its lease", function* (url) {
        const { clock, move } = movable()
        const { limiter, sql } = yield* Effect.withClock(runner(url, { inFlight: 3 }), clock)
        yield* limiter.run(Effect.void)
        yield* sql`UPDATE quartet_places SET owner = 'another', lease_until = lease_until + 60000`
        move({ wall: 20_000 })
        const waiting = yield* Effect.fork(limiter.run(Effect.succeed("served")))
        yield* pass(300)
        expect(waiting.unsafePoll()).toBeNull()
        yield* sql`UPDATE quartet_places SET lease_until = 0`
        expect(yield* Fiber.join(waiting)).toBe("served")
      })

      on("are given back when a runner ends, and when work is interrupted", function* (url) {
        const scope = yield* Scope.make()
        const { limiter } = yield* Scope.extend(runner(url, { inFlight: 1 }), scope)
        const holder = yield* Effect.fork(limiter.run(Effect.never))
        yield* pass(200)
        const next = yield* Effect.fork(limiter.run(Effect.succeed("next")))
        yield* Fiber.interrupt(holder)
        expect(yield* Fiber.join(next)).toBe("next")
        yield* Scope.close(scope, Exit.void)
        const second = yield* runner(url, { inFlight: 1 })
        const [row] = yield* second.sql`SELECT owner FROM quartet_places`
        expect(row?.owner).toBe("")
      })

      on("hold an exchange until it is settled or abandoned", function* (url) {
        const { limiter } = yield* runner(url, { inFlight: 1 })
        const platform = Fake.make(["waits"])
        const transport = limiter.transport(platform.service, never)
        const abandons = [1, 2, 3].map(() => transport.start(request(), () => undefined))
        yield* look(() => expect(platform.exchanges.length).toBe(1))
        expect(abandons[1]?.()).toBe(false)
        abandons[0]?.()
        yield* look(() => expect(platform.exchanges.map(({ state }) => state)).toEqual(["abandoned", "open"]))
        platform.at(1).settle(Fake.json(200, {}))
        yield* exchange(transport, request()).pipe(Effect.fork)
        yield* look(() => expect(platform.exchanges.length).toBe(3))
      })
    })

    describe("a fence", () => {
      on("is asked right before an exchange is sent, and ends it as not sent", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 100, inFlight: 1 })
        const platform = Fake.make(["waits"])
        let isFenced = false
        const transport = limiter.transport(platform.service, () => isFenced)
        const first = yield* Effect.fork(exchange(transport, request()))
        yield* look(() => expect(platform.exchanges.length).toBe(1))
        const second = yield* Effect.fork(exchange(transport, request()))
        yield* pass(20)
        isFenced = true
        platform.at(0).settle(Fake.json(200, {}))
        expect(yield* Fiber.join(first)).toMatchObject({ status: 200 })
        expect(yield* Fiber.join(second)).toMatchObject({ _tag: "Failed", reason: "Refused", sent: false })
        expect(platform.exchanges.length).toBe(1)
        // Its place is free again.
        isFenced = false
        yield* Effect.fork(exchange(transport, request()))
        yield* look(() => expect(platform.exchanges.length).toBe(2))
      })
    })

    describe("a transport", () => {
      on("fails what it cannot begin as not sent, and goes on", function* (url) {
        const { limiter } = yield* runner(url, { inFlight: 1 })
        const broken: Service = {
          start: () => {
            throw new Error("no file")
          }
        }
        const transport = limiter.transport(broken, never)
        for (let turn = 0; turn < 2; turn += 1)
          expect(yield* exchange(transport, request())).toMatchObject({ _tag: "Failed", sent: false })
      })

      on("keeps its way to send streams, limited, and has none where there was none", function* (url) {
        const { limiter } = yield* runner(url, { perSecond: 100 })
        const platform = Fake.make([Fake.json(200, {})])
        expect(limiter.transport(platform.service, never).stream).toBeUndefined()
        const streaming: Service = { ...platform.service, stream: platform.service.start as never }
        const isAsked = yield* Deferred.make<void>()
        const transport = limiter.transport(streaming, () => {
          Deferred.unsafeDone(isAsked, Exit.void)
          return false
        })
        transport.stream?.(request(), () => undefined)
        yield* Deferred.await(isAsked)
        yield* look(() => expect(platform.exchanges.length).toBe(1))
      })

      on("refuses what waits when its runner ends", function* (url) {
        const scope = yield* Scope.make()
        const { limiter, sql } = yield* Scope.extend(runner(url, { perSecond: 10 }), scope)
        yield* limiter.pause(60_000)
        expect(yield* sql`SELECT name FROM quartet_rates ORDER BY name`).toHaveLength(2)
        const transport = limiter.transport(Fake.make([Fake.json(200, {})]).service, never)
        const waiting = yield* Effect.fork(exchange(transport, request()))
        yield* pass(20)
        yield* Scope.close(scope, Exit.void)
        expect(yield* Fiber.join(waiting)).toMatchObject({ _tag: "Failed", reason: "Refused", sent: false })
        expect(yield* exchange(transport, request())).toMatchObject({ _tag: "Failed", sent: false })
      })
    })

    describe("a rate limiter of the program's own", () => {
      const limiterOf = Effect.map(
        Layer.build(Layer.provide(RateLimiter.layer, RateLimiter.layerStoreMemory)),
        (context) => Context.get(context, RateLimiter.RateLimiter)
      )

      on("counts the requests of all runners", function* (url) {
        const perSecond = 40
        const rateLimiter = yield* limiterOf
        const { platform, times } = dated()
        for (const { limiter } of yield* runners(url, 2, { perSecond, rateLimiter }))
          yield* busy(limiter.transport(platform.service, never), 10)
        yield* Effect.repeat(pass(2_500), { until: () => times.length > perSecond })
        expect(mostWithin(1_000, times)).toBeLessThanOrEqual(perSecond)
      })

      on("leaves pauses to the store", function* (url) {
        const rateLimiter = yield* limiterOf
        const [first, second] = yield* runners(url, 2, { perSecond: 100, rateLimiter })
        const { platform, times } = dated()
        yield* busy(second!.limiter.transport(platform.service, never), 2)
        yield* look(() => expect(platform.exchanges.length).toBeGreaterThan(5))
        const from = performance.now()
        yield* first!.limiter.pause(2_000)
        const told = performance.now()
        const afterwards = () => times.filter((time) => time > from + 2_000 - rounding)
        yield* look(() => expect(afterwards().length).toBeGreaterThan(5))
        // The other one looks within half a second.
        const between = times.filter((time) => time > told + 700 && time <= from + 2_000 - rounding)
        expect(between).toEqual([])
      })
    })

    on.each([
      [{ perSecond: 0 }, "limits.perSecond"],
      [{ perSecond: Number.NaN }, "limits.perSecond"],
      [{ retriesPerSecond: -1 }, "limits.retriesPerSecond"],
      [{ inFlight: 1.5 }, "limits.inFlight"],
      [{ rateLimiter: {} }, "limits.rateLimiter"],
      [{ perSecond: 1, rateLimiter: {} }, "limits.rateLimiter"],
      [{ perSecnd: 1 }, "limits.perSecnd"]
    ])("%j is refused with the name of what is wrong", function* ([invalidLimits, field], url) {
      const sql = yield* client(url)
      const refused = yield* Effect.flip(make(sql, "runner", invalidLimits as Limits))
      expect(refused).toMatchObject({ _tag: "InputError", field })
      expect(tables.length).toBeGreaterThan(0)
    })
  })
}

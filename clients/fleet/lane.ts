/** A lane of a run: takes its pages one after the other, and does what the job says for their items. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { numberOf } from "../../adapters/fleet/store.js"
import type { Crew } from "./crew.js"
import type { Definition, ItemContext } from "./definition.js"
import { keyOf } from "./identity.js"
import { insistent, Lease, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { type Failed, isEnded, Page } from "./page.js"
import { Stop } from "./stop.js"
import type { Row } from "./tables.js"
import { grace, longestPause, look, renewal, shortestPause } from "./times.js"
import { type Described, describe, verdictOf } from "./verdict.js"

/** A run as its lanes know it. */
export interface Known {
  readonly id: string
  readonly salt: string
  /** Decoded. */
  readonly input: unknown
  readonly lanes: number
}

/** A lane at work. */
export interface Shift {
  readonly crew: Crew
  readonly job: Definition<never>
  readonly run: Known
  readonly lease: Lease
  /** Given when the run is no longer running, or this runner ends. */
  readonly stop: Stop
}

/** Milliseconds before the n-th further attempt: doubled each time, and not the same for all. */
export const pauseOf = (count: number): Effect.Effect<number> =>
  Effect.sync(() => Math.min(longestPause, shortestPause * 2 ** count) * (0.75 + Math.random() / 2))

/** Sleeps, unless the lane is to stop. */
const rest = ({ stop }: Shift, milliseconds: number): Effect.Effect<void> =>
  Effect.raceFirst(Effect.sleep(milliseconds), stop.given)

/** Waits for what is out of reach, and says so to who watches the run. */
export const waitFor = (shift: Shift, { error, tag }: Described, milliseconds: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    shift.lease.tell(`${tag}: ${error}`)
    yield* Metrics.laneWaited(shift.job.name)
    yield* rest(shift, milliseconds)
    shift.lease.tell(undefined)
  })

/** The run pauses itself: nothing more of it can succeed, or too much has failed. */
export const pauseRun = (
  { crew: { sql }, lease: { run }, stop }: Omit<Shift, "run">,
  error: string
): Effect.Effect<void, Lost> =>
  Effect.gen(function* () {
    yield* insistent(
      sql`UPDATE quartet_runs SET state = 'paused', error = ${error} WHERE id = ${run} AND state = 'running'`
    )
    yield* Effect.logWarning(`the run ${run} has paused itself: ${error}`)
    yield* stop.set
  })

/** Does what is asked while the lease is this process's. One that is out of date may come back: nobody else may have taken it. */
const leased = (shift: Shift): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    while (!shift.stop.isSet && !shift.lease.isValid()) yield* rest(shift, 100)
    return !shift.stop.isSet
  })

const retrySoon = /*#__PURE__*/ Schedule.spaced(look)

/** The work of one page whose items have their own. */
class PageWork {
  /** Items below may be sent: it stands in the store that they may have been. */
  private marked = 0
  private cursor = 0
  private isMarking = false
  private readonly failed: Array<Failed> = []
  private readonly begun = new Set<number>()
  /** Items that may have been done by an earlier attempt. */
  private readonly doubtful: Set<number>
  private readonly one = Effect.unsafeMakeSemaphore(1)
  private readonly window: number

  constructor(
    private readonly shift: Shift,
    private readonly page: Page
  ) {
    this.doubtful = new Set(page.states.flatMap((state, index) => (state === "s" ? [index] : [])))
    this.window = Math.max(32, 4 * shift.job.concurrency)
  }

  private save(): Effect.Effect<void, Lost> {
    return Effect.suspend(() => {
      const batch = [...this.failed]
      const { crew, job, run } = this.shift
      return insistent(this.page.save(batch)).pipe(
        // An interruption before this has them written with what is saved last.
        Effect.tap(() => Effect.sync(() => this.failed.splice(0, batch.length))),
        Effect.zipRight(
          batch.length === 0
            ? Effect.void
            : Effect.flatMap(
                insistent(
                  crew.sql<Row>`SELECT COUNT(*) AS failed FROM quartet_failures WHERE run = ${run.id} AND state = 'failed'`
                ),
                ([row]) =>
                  numberOf(row?.failed) > job.maxFailures
                    ? pauseRun(this.shift, `more than ${job.maxFailures} items have failed`)
                    : Effect.void
              )
        )
      )
    })
  }

  /** Whether so few marked items are left that the next ones are to be marked. */
  private isLow(): boolean {
    return this.marked < this.page.states.length && this.marked - this.cursor <= this.window / 2
  }

  /** Writes what has become of items, and marks the next ones before they are sent. */
  private mark(): Effect.Effect<void, Lost> {
    return this.one.withPermits(1)(
      Effect.suspend(() => {
        if (!this.isLow()) return Effect.void
        const { states } = this.page
        const next = Math.min(states.length, this.marked + this.window)
        for (let index = this.marked; index < next; index++) if (states[index] === ".") states[index] = "s"
        return Effect.map(this.save(), () => {
          this.marked = next
        })
      })
    )
  }

  private readonly item = (index: number): Effect.Effect<void, Lost> =>
    Effect.gen(this, function* () {
      const { crew, job, run } = this.shift
      const number = this.page.numbers[index] ?? 0
      const encoded = this.page.items[index]
      const decoded = yield* Effect.exit(Schema.decodeUnknown(job.item)(encoded))
      let attempts = 0
      const end = (state: "d" | "f" | "u", why?: Cause.Cause<unknown>): Effect.Effect<void> => {
        this.page.states[index] = state
        if (why !== undefined)
          this.failed.push({
            ...describe(why),
            item: number,
            state: state === "f" ? "failed" : "unknown",
            input: JSON.stringify(encoded ?? null),
            attempts
          })
        return Metrics.itemsEnded(job.name, state === "d" ? "done" : state === "f" ? "failed" : "unknown")
      }
      if (Exit.isFailure(decoded)) return yield* end("f", decoded.cause)
      const context: ItemContext<unknown> = {
        input: run.input,
        run: run.id,
        item: number,
        idempotencyKey: keyOf(run.salt, number)
      }
      let isDoubtful = this.doubtful.has(index)
      let lost = 0
      let waits = 0
      let asked = 0
      /** What lost the answer, once this process has seen it. */
      let doubt: Cause.Cause<unknown> | undefined
      while (yield* leased(this.shift)) {
        if (isDoubtful && job.onUnknown !== undefined) {
          const { onUnknown } = job
          const found = yield* Effect.exit(
            crew.limited(Effect.suspend(() => onUnknown(decoded.value, context)))
          )
          if (Exit.isSuccess(found)) {
            yield* Metrics.itemReconciled(job.name, Option.isSome(found.value) ? "done" : "not-done")
            if (Option.isSome(found.value)) return yield* end("d")
            if (doubt !== undefined && lost >= job.attempts) return yield* end("f", doubt)
            isDoubtful = false
            // A platform that loses answer after answer is given time.
            if (lost > 1) yield* rest(this.shift, yield* pauseOf(lost - 2))
            continue
          }
          const verdict = verdictOf(found.cause)
          if (verdict._tag === "Wait" || (verdict._tag === "Again" && ++asked < job.attempts)) {
            const milliseconds =
              (verdict._tag === "Wait" ? verdict.milliseconds : undefined) ?? (yield* pauseOf(waits++))
            yield* waitFor(this.shift, describe(found.cause), milliseconds)
            continue
          }
          if (verdict._tag === "Stop") return yield* this.halt(index, found.cause)
          yield* Metrics.itemReconciled(job.name, "unknown")
          return yield* end("u", found.cause)
        }
        attempts += 1
        const exit = yield* this.attempt(context, decoded.value)
        if (Exit.isSuccess(exit)) return yield* end("d")
        const verdict = verdictOf(exit.cause)
        switch (verdict._tag) {
          case "Done":
            return yield* end("d")
          case "Unknown":
            isDoubtful = true
            doubt = exit.cause
            this.doubtful.add(index)
            lost += 1
            if (job.onUnknown === undefined) return yield* end("u", doubt)
            break
          case "Wait":
            yield* waitFor(
              this.shift,
              describe(exit.cause),
              verdict.milliseconds ?? (yield* pauseOf(waits++))
            )
            break
          case "Again":
            if (attempts >= job.attempts) return yield* end("f", exit.cause)
            yield* waitFor(this.shift, describe(exit.cause), yield* pauseOf(waits++))
            break
          case "Stop":
            return yield* this.halt(index, exit.cause)
          case "Failed":
            return yield* end("f", exit.cause)
        }
      }
      // It was not ended: what may have been sent stays in doubt.
      if (!isDoubtful && attempts === 0) this.begun.delete(index)
      else if (!isDoubtful) this.page.states[index] = "."
    })

  /** One attempt at an item. Its requests are sent only under this lease. */
  private attempt(context: ItemContext<unknown>, value: unknown): Effect.Effect<Exit.Exit<unknown, unknown>> {
    const { crew, job, lease } = this.shift
    const { each } = job
    if (each === undefined) return Effect.succeed(Exit.void)
    return Effect.suspend(() => {
      crew.fences.set(context.idempotencyKey, lease)
      return Effect.exit(crew.limited(Effect.suspend(() => each(value, context))))
    }).pipe(Effect.ensuring(Effect.sync(() => crew.fences.delete(context.idempotencyKey))))
  }

  /** The run pauses itself; the item waits. */
  private halt(index: number, cause: Cause.Cause<unknown>): Effect.Effect<void, Lost> {
    if (!this.doubtful.has(index)) this.page.states[index] = "."
    const { error, tag } = describe(cause)
    return pauseRun(this.shift, `${tag}: ${error}`)
  }

  /** Marks while items are sent, so that none waits for the store. */
  private readonly ahead: Effect.Effect<void, Lost> = Effect.suspend(() => {
    this.isMarking = true
    return Effect.ensuring(
      this.mark(),
      Effect.sync(() => {
        this.isMarking = false
      })
    )
  })

  private readonly worker: Effect.Effect<void, Lost> = Effect.gen(this, function* () {
    const { states } = this.page
    while (!this.shift.stop.isSet && this.cursor < states.length) {
      if (this.cursor >= this.marked) {
        yield* this.mark()
        continue
      }
      const index = this.cursor++
      if (isEnded(states[index])) continue
      this.begun.add(index)
      const isMarking = this.isMarking || !this.isLow()
      yield* isMarking
        ? this.item(index)
        : Effect.all([this.item(index), this.ahead], { concurrency: 2, discard: true })
    }
  })

  /** Works on the page until it is done or the lane is to stop, and writes what is then known. Answers whether it is done. */
  readonly run: Effect.Effect<boolean, Lost> = Effect.gen(this, function* () {
    const { stop } = this.shift
    const workers = Effect.forEach(
      Array.from({ length: Math.min(this.shift.job.concurrency, this.page.states.length) }),
      () => this.worker,
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.raceFirst(workers, Effect.zipRight(stop.given, Effect.sleep(grace)))
    const { states } = this.page
    for (const [index, state] of states.entries())
      if (state === "s" && !this.begun.has(index) && !this.doubtful.has(index)) states[index] = "."
    yield* this.save()
    if (!states.every(isEnded)) return false
    yield* insistent(this.page.close)
    return true
  })
}

/** The work of a page that is done as a whole. */
const wholePage = (shift: Shift, page: Page): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { crew, job, run } = shift
    const { eachPage } = job
    let attempts = 0
    let waits = 0
    while (yield* leased(shift)) {
      const exit = yield* Effect.forEach(page.items, (item) => Schema.decodeUnknown(job.item)(item)).pipe(
        Effect.flatMap((items) =>
          eachPage === undefined
            ? Effect.void
            : crew.limited(eachPage(items, { input: run.input, run: run.id, page: page.page }))
        ),
        (work) =>
          Effect.raceFirst(work, Effect.zipRight(shift.stop.given, Effect.delay(Effect.interrupt, grace))),
        Effect.exit
      )
      if (Exit.isSuccess(exit)) {
        page.states.fill("d")
        yield* insistent(page.close)
        yield* Metrics.itemsEnded(job.name, "done", page.items.length)
        return true
      }
      if (shift.stop.isSet) return false
      const verdict = verdictOf(exit.cause)
      if (verdict._tag === "Wait" || (verdict._tag === "Again" && ++attempts < job.attempts))
        yield* waitFor(
          shift,
          describe(exit.cause),
          (verdict._tag === "Wait" ? verdict.milliseconds : undefined) ?? (yield* pauseOf(waits++))
        )
      else {
        const { error, tag } = describe(exit.cause)
        yield* pauseRun(shift, `${tag}: ${error}`)
      }
    }
    return false
  })

/** Whether the lane may still get pages. */
const isOpen = ({ crew: { sql }, run }: Shift): Effect.Effect<boolean, Lost> =>
  Effect.map(
    insistent(sql<Row>`SELECT is_read, retry FROM quartet_runs WHERE id = ${run.id}`),
    ([row]) => numberOf(row?.is_read) !== 1 || row?.retry !== null
  )

/** Works on the lane's pages until there are none, or it is to stop. Answers whether there are none. */
export const pages = (shift: Shift): Effect.Effect<boolean, Lost> =>
  Effect.gen(function* () {
    const { crew, job, lease, run } = shift
    const find = (from: number) => insistent(Page.next(crew.sql, lease, run.lanes, from))
    let next = lease.nextPage
    let isLast = false
    // What a crash left behind of pages that are counted.
    yield* insistent(
      crew.sql`DELETE FROM quartet_pages WHERE run = ${run.id} AND page < ${next} AND page % ${run.lanes} = ${lease.lane}`
    )
    while (yield* leased(shift)) {
      const moved = crew.wakes.next(run.id)
      const found = yield* find(next)
      if (Option.isSome(found)) {
        isLast = false
        const page = found.value
        const isDone = yield* (
          job.each === undefined ? wholePage(shift, page) : new PageWork(shift, page).run
        ).pipe(
          Effect.withSpan("quartet.fleet.page", {
            root: true,
            attributes: {
              job: job.name,
              run: run.id,
              lane: lease.lane,
              page: page.page,
              items: page.items.length
            }
          })
        )
        if (!isDone) continue
        next = page.page + 1
        yield* Metrics.pageEnded(job.name)
        crew.wakes.wake(run.id)
      } else if (isLast) return true
      else if (yield* isOpen(shift)) yield* Effect.raceFirst(moved(look), shift.stop.given)
      // It was read to its end since this lane looked: one more look finds what was cut between the two.
      else isLast = true
    }
    return false
  })

/**
 * The run, for who has just taken a lane of it. It is read after that: whoever pauses a run waits for the lanes that are held, so a lane that
 * is taken later sees the pause. None where it is not to be worked on.
 */
const found = (shift: Omit<Shift, "run">): Effect.Effect<Option.Option<Known>, Lost> =>
  Effect.gen(function* () {
    const { crew, job, lease } = shift
    const [row] = yield* insistent(
      crew.sql<Row>`SELECT salt, input, lanes, state FROM quartet_runs WHERE id = ${lease.run}`
    )
    if (row?.state !== "running") return Option.none()
    const input = yield* Effect.exit(Schema.decodeUnknown(job.input)(JSON.parse(String(row.input))))
    if (Exit.isSuccess(input))
      return Option.some({
        id: lease.run,
        salt: String(row.salt),
        input: input.value,
        lanes: numberOf(row.lanes)
      })
    yield* pauseRun(shift, "its input is not what the job's schema says")
    return Option.none()
  })

/**
 * Holds the lane's lease and works, until there is nothing left to do, the run is stopped, or another generation is to do it. Once `stop` is
 * given, what was begun is ended and the lane given back.
 */
export const keep = (
  crew: Crew,
  job: Definition<never>,
  { generation, lane, run }: { readonly run: string; readonly lane: number; readonly generation: number },
  stop: Stop,
  work: (shift: Shift) => Effect.Effect<boolean, Lost>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!stop.isSet) {
      const taken = yield* Effect.raceFirst(
        Effect.option(
          Effect.retry(Lease.take(crew.sql, run, lane, generation, crew.runner), { schedule: retrySoon })
        ),
        Effect.as(stop.given, Option.none())
      )
      const held = Option.flatten(taken)
      if (Option.isNone(held)) return
      const lease = held.value
      const shift = { crew, job, lease, stop: new Stop() }
      crew.stops.set(shift.stop, run)
      const renewals = Effect.forever(
        Effect.zipRight(
          Effect.sleep(renewal),
          Effect.catchTag(lease.renew, "SqlError", () => Effect.void)
        )
      )
      const stopping = Effect.zipRight(stop.given, Effect.zipRight(shift.stop.set, Effect.never))
      const isEnded = yield* Effect.flatMap(
        found(shift),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (run) => work({ ...shift, run })
        })
      ).pipe(
        Effect.raceFirst(renewals),
        Effect.raceFirst(stopping),
        Effect.onExit((exit) => {
          crew.stops.delete(shift.stop)
          return lease.release(Exit.isSuccess(exit) && exit.value ? "ended" : "idle")
        }),
        Effect.option
      )
      crew.wakes.wake(run)
      // Lost: whoever has it is waited for, in case it ends.
      if (Option.isSome(isEnded)) return
    }
  })

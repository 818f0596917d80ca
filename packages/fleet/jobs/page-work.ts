/** The work of a page: for each of its items, or as a whole. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { numberOf } from "../store/store.js"
import type { ItemContext } from "./definition.js"
import { Fence } from "./fence.js"
import type { Ticket } from "./gate.js"
import { keyOf } from "./identity.js"
import { insistent, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { type Failed, isEnded, type Page } from "./page.js"
import { asking, leased, pauseOf, pauseRun, Retries, rest, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { grace } from "./times.js"
import { describe, isOutage, verdictOf } from "./verdict.js"

/** Items that are marked at once, in one statement. As many are asked about after a crash. */
const window = 128

const outcomes = { d: "done", f: "failed", u: "unknown" } as const

/** Why an item is given up whose answers were lost, and which `onUnknown` says was not done. */
const undone = (doubt: Cause.Cause<unknown>, lost: number): Cause.Cause<unknown> => {
  const { error, tag } = describe(doubt)
  return Cause.fail({
    _tag: tag,
    message: `it was sent ${lost} times and, as onUnknown says, not done. The last time: ${error}`
  })
}

/** The work of one page whose items have their own. */
class PageWork {
  /** Items below may be sent: it stands in the store that they may have been. */
  private marked = 0
  private cursor = 0
  private isMarking = false
  private readonly failed: Array<Failed> = []
  private readonly begun = new Set<number>()
  /** What is to be kept before its items are sent. */
  private readonly baselines: Array<{
    readonly index: number
    readonly item: number
    readonly baseline: string
  }> = []
  /** Items that may have been done by an earlier attempt. */
  private readonly doubtful: Set<number>
  private readonly mutex = Effect.unsafeMakeSemaphore(1)
  private readonly decode: (encoded: unknown) => Effect.Effect<unknown, unknown>
  /** Items that ended, and are not yet counted. */
  private ended = { done: 0, failed: 0, unknown: 0 }

  constructor(
    private readonly shift: Shift,
    private readonly page: Page
  ) {
    this.doubtful = new Set(page.states.flatMap((state, index) => (state === "s" ? [index] : [])))
    this.decode = Schema.decodeUnknown(shift.job.item)
  }

  private save(): Effect.Effect<void, Lost> {
    return Effect.suspend(() => {
      const batch = [...this.failed]
      const { crew, job, run } = this.shift
      const { ended } = this
      this.ended = { done: 0, failed: 0, unknown: 0 }
      return insistent(this.page.save(batch)).pipe(
        Effect.zipLeft(Metrics.itemsEnded(job.name, ended)),
        // An interruption before this has them written with what is saved last.
        Effect.tap(() => Effect.sync(() => this.failed.splice(0, batch.length))),
        Effect.zipRight(
          batch.length === 0
            ? Effect.void
            : Effect.flatMap(
                insistent(
                  crew.sql<Row>`
                    SELECT COUNT(*) - (SELECT accepted FROM quartet_runs WHERE id = ${run.id}) AS more
                    FROM quartet_failures WHERE run = ${run.id} AND state <> 'settled'`
                ),
                ([row]) =>
                  numberOf(row?.more) > job.maxFailures
                    ? pauseRun(this.shift, `more than ${job.maxFailures} items were not done`)
                    : Effect.void
              )
        )
      )
    })
  }

  /** Whether so few marked items are left that the next ones are to be marked. */
  private isLow(): boolean {
    return this.marked < this.page.states.length && this.marked - this.cursor <= window / 2
  }

  /** Writes what has become of items, and marks the next ones before they are sent. */
  private mark(): Effect.Effect<void, Lost> {
    return this.mutex.withPermits(1)(
      Effect.suspend(() => {
        if (!this.isLow()) return Effect.void
        const { states } = this.page
        const next = Math.min(states.length, this.marked + window)
        // With a baseline each is marked once that is kept.
        if (this.shift.job.baseline === undefined)
          for (let index = this.marked; index < next; index++) if (states[index] === ".") states[index] = "s"
        return Effect.map(this.save(), () => {
          this.marked = next
        })
      })
    )
  }

  /** Keeps what there is before an item is sent, and marks the item: together with those that wait for the same. */
  private keepBaseline(index: number, baseline: string): Effect.Effect<void, Lost> {
    const item = this.page.numbers[index] ?? 0
    this.baselines.push({ index, item, baseline })
    return this.mutex.withPermits(1)(
      Effect.suspend(() => {
        const kept = this.baselines.splice(0)
        if (kept.length === 0) return Effect.void
        return Effect.zipRight(
          insistent(this.page.keepBaselines(kept)),
          Effect.suspend(() => {
            for (const item of kept) this.page.states[item.index] = "s"
            return this.save()
          })
        )
      })
    )
  }

  private readonly item = (index: number): Effect.Effect<void, Lost> =>
    Effect.gen(this, function* () {
      const { crew, job, run } = this.shift
      const number = this.page.numbers[index] ?? 0
      const encoded = this.page.items[index]
      const decoded = yield* Effect.exit(this.decode(encoded))
      let attempts = 0
      const end = (state: keyof typeof outcomes, why?: Cause.Cause<unknown>): void => {
        this.page.states[index] = state
        this.ended[outcomes[state]] += 1
        if (why !== undefined)
          this.failed.push({
            ...describe(why),
            item: number,
            state: state === "f" ? "failed" : "unknown",
            input: JSON.stringify(encoded ?? null),
            attempts
          })
      }
      if (Exit.isFailure(decoded))
        return yield* this.halt(
          index,
          `item ${number} was kept in another form than the job's schema of items reads. Give the job a schema that reads both, or another version and the former job beside it`
        )
      const context: ItemContext<unknown> = {
        input: run.input,
        run: run.id,
        item: number,
        idempotencyKey: keyOf(run.salt, number)
      }
      const looking = new Retries(this.shift, true)
      const doing = new Retries(this.shift, true)
      let isDoubtful = this.doubtful.has(index)
      const { baseline } = job
      // Of what may have been sent, the one from before that.
      let before: Option.Option<unknown> =
        baseline !== undefined && isDoubtful ? yield* insistent(this.page.baselineOf(number)) : Option.none()
      let lost = 0
      /** What lost the answer, once this process has seen it. */
      let doubt: Cause.Cause<unknown> | undefined
      while (yield* leased(this.shift)) {
        if (isDoubtful && job.onUnknown !== undefined) {
          const { onUnknown } = job
          const outcome = yield* asking(this.shift, () =>
            Effect.exit(
              crew.limited(
                Effect.filterOrDieMessage(
                  Effect.suspend(() => onUnknown(decoded.value, { ...context, baseline: before })),
                  Option.isOption,
                  "onUnknown must answer an Option"
                )
              )
            )
          )
          if (Exit.isSuccess(outcome)) {
            yield* Metrics.itemReconciled(job.name, Option.isSome(outcome.value) ? "done" : "not-done")
            if (Option.isSome(outcome.value)) return end("d")
            if (doubt !== undefined && lost >= job.attempts) return end("f", undone(doubt, lost))
            isDoubtful = false
            // A platform that loses answer after answer is given time.
            if (lost > 1) yield* rest(this.shift, yield* pauseOf(lost - 2))
            continue
          }
          if (verdictOf(outcome.cause)._tag === "Stop") return yield* this.halt(index, outcome.cause)
          if (yield* looking.again(outcome.cause)) continue
          yield* Metrics.itemReconciled(job.name, "unknown")
          return end("u", outcome.cause)
        }
        if (baseline !== undefined && Option.isNone(before)) {
          const looked = yield* asking(this.shift, () =>
            Effect.exit(
              crew.limited(
                Effect.map(
                  Effect.suspend(() => baseline(decoded.value, context)),
                  (value) => JSON.stringify(value ?? null)
                )
              )
            )
          )
          if (Exit.isSuccess(looked)) {
            before = Option.some(JSON.parse(looked.value))
            yield* this.keepBaseline(index, looked.value)
          } else if (verdictOf(looked.cause)._tag === "Stop") return yield* this.halt(index, looked.cause)
          else if (!(yield* doing.again(looked.cause))) return end("f", looked.cause)
          continue
        }
        attempts += 1
        let ticket: Ticket | undefined
        const fence = new Fence(this.shift.lease, () => ticket === undefined || crew.gate.isOpen(ticket))
        const exit = yield* asking(
          this.shift,
          (given) => {
            ticket = given
            return this.attempt(context, decoded.value, fence)
          },
          () => fence.isOutage
        )
        if (Exit.isSuccess(exit)) return end("d")
        const verdict = verdictOf(exit.cause)._tag
        // Whatever its author's own error says: what went out and was not answered may have been done.
        switch (fence.isUnanswered && verdict !== "Done" ? "Unknown" : verdict) {
          case "Done":
            return end("d")
          case "Unknown":
            isDoubtful = true
            doubt = exit.cause
            this.doubtful.add(index)
            if (job.onUnknown === undefined) return end("u", doubt)
            if (!(fence.isOutage || isOutage(exit.cause))) lost += 1
            break
          case "Stop":
            if (fence.isDone) this.doubtful.add(index)
            return yield* this.halt(index, exit.cause)
          default:
            if (!(yield* doing.again(exit.cause))) return end(fence.isDone ? "u" : "f", exit.cause)
            // Nothing of it was done so far, and others may do something until the next attempt.
            if (!fence.isDone && lost === 0) before = Option.none()
        }
      }
      // It was not ended: what may have been sent stays in doubt.
      if (!isDoubtful && attempts === 0) this.begun.delete(index)
      else if (!isDoubtful) this.page.states[index] = "."
    })

  /** One attempt at an item. Its requests are sent only under this lease. */
  private attempt(
    context: ItemContext<unknown>,
    value: unknown,
    fence: Fence
  ): Effect.Effect<Exit.Exit<unknown, unknown>> {
    const { crew, job } = this.shift
    const { each } = job
    if (each === undefined) return Effect.succeed(Exit.void)
    return Effect.suspend(() => {
      crew.fences.set(context.idempotencyKey, fence)
      return Effect.exit(crew.limited(Effect.suspend(() => each(value, context))))
    }).pipe(Effect.ensuring(Effect.sync(() => crew.fences.delete(context.idempotencyKey))))
  }

  /** The run pauses itself; the item waits. */
  private halt(index: number, why: string | Cause.Cause<unknown>): Effect.Effect<void, Lost> {
    if (!this.doubtful.has(index)) this.page.states[index] = "."
    return pauseRun(this.shift, why)
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

  /** Works on the page until it is done or to stop, and writes what is then known. Answers whether it is done. */
  readonly run: Effect.Effect<boolean, Lost> = Effect.gen(this, function* () {
    const { stop } = this.shift
    const workers = Effect.forEach(
      Array.from({ length: Math.min(this.shift.job.concurrency, this.page.states.length) }),
      () => this.worker,
      { concurrency: "unbounded", discard: true }
    )
    yield* Effect.raceFirst(workers, Effect.zipRight(stop.wait, Effect.sleep(grace)))
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
    const retries = new Retries(shift, true)
    while (yield* leased(shift)) {
      const exit = yield* asking(shift, () =>
        Effect.forEach(page.items, (item) => Schema.decodeUnknown(job.item)(item)).pipe(
          Effect.flatMap((items) =>
            eachPage === undefined
              ? Effect.void
              : crew.limited(eachPage(items, { input: run.input, run: run.id, page: page.page }))
          ),
          (work) =>
            Effect.raceFirst(work, Effect.zipRight(shift.stop.wait, Effect.delay(Effect.interrupt, grace))),
          Effect.exit
        )
      )
      if (Exit.isSuccess(exit)) {
        page.states.fill("d")
        yield* insistent(page.close)
        yield* Metrics.itemsEnded(job.name, { done: page.items.length })
        return true
      }
      if (shift.stop.isSet) return false
      if (!(yield* retries.again(exit.cause))) yield* pauseRun(shift, exit.cause)
    }
    return false
  })

/** Works on a page until it is done or to stop. Answers whether it is done. */
export const work = (shift: Shift, page: Page): Effect.Effect<boolean, Lost> =>
  shift.job.each === undefined ? wholePage(shift, page) : new PageWork(shift, page).run

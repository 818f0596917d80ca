/** The work of a page: for each of its items, or as a whole. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { numberOf } from "../store/store.js"
import type { Definition, ItemContext } from "./definition.js"
import { Fence } from "./fence.js"
import type { Ticket } from "./gate.js"
import { keyOf } from "./identity.js"
import { insistent, type Lost } from "./lease.js"
import * as Metrics from "./metrics.js"
import { type Failed, type ItemState, isEnded, type Page } from "./page.js"
import { asking, leased, lookUp, pauseOf, pauseRun, Retries, rest, type Shift } from "./shift.js"
import type { Row } from "./tables.js"
import { grace } from "./times.js"
import { answeredWith, describe, isOutage, legibly, outOfService, verdictOf } from "./verdict.js"

const outcomes = { d: "done", f: "failed", u: "unknown" } as const

/** Why an item is given up whose answers were lost, and which `onUnknown` says was not done. */
const undone = (doubt: Cause.Cause<unknown>, lost: number): Cause.Cause<unknown> => {
  const { error, tag } = describe(doubt)
  return Cause.fail({
    _tag: tag,
    message: `it was sent ${lost} times and, as onUnknown says, not done. The last time: ${error}`
  })
}

/** Why nobody knows of an item: the look failed, and this is what the platform had answered. */
const undecided = (look: Cause.Cause<unknown>, doubt: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  const status = answeredWith(doubt)
  if (status === undefined) return look
  const { error, tag } = describe(look)
  return Cause.fail({ _tag: tag, message: `${error} (the platform answered ${status})` })
}

/** The work of one page whose items have their own. */
class PageWork {
  /** Items below are to be marked. */
  private next = 0
  /** Items below may be sent: it stands in the store that they may have been. */
  private marked = 0
  private cursor = 0
  /** Of the items below `next`, those that have come to an end, and those of which that is written. */
  private over = 0
  private written = 0
  /** Open while few marked items are left: the next ones are to be marked. */
  private readonly low = Effect.unsafeMakeLatch(true)
  /** Open while there are marked items, or none that are left. */
  private readonly ready = Effect.unsafeMakeLatch(false)
  private readonly failed: Array<Failed & { readonly index: number }> = []
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
  /** Undefined where this run takes none. */
  private readonly baseline: Definition<never>["baseline"]
  /** Items that ended, and are not yet counted. */
  private ended = { done: 0, failed: 0, unknown: 0 }

  constructor(
    private readonly shift: Shift,
    private readonly page: Page
  ) {
    this.doubtful = new Set(page.states.flatMap((state, index) => (state === "s" ? [index] : [])))
    this.decode = Schema.decodeUnknown(shift.job.item)
    this.baseline = shift.job.hasBaseline(shift.run.input) ? shift.job.baseline : undefined
  }

  /** The states as they may be written once the first failures are: that others failed is not told before. */
  private statesAfter(failures: number): ReadonlyArray<ItemState> {
    const states = [...this.page.states]
    for (const { index } of this.failed.slice(failures)) states[index] = "s"
    return states
  }

  /** Writes what is known. `mark` is called right before: what it marks is written too. */
  private save(mark: () => void = () => undefined): Effect.Effect<void, Lost> {
    return Effect.suspend(() => {
      const batch = [...this.failed]
      let over = 0
      const states = (): ReadonlyArray<ItemState> => {
        mark()
        over = this.over
        return this.statesAfter(batch.length)
      }
      const { crew, job, run } = this.shift
      const { ended } = this
      this.ended = { done: 0, failed: 0, unknown: 0 }
      return insistent(this.page.save(batch, states)).pipe(
        Effect.tap(() => {
          if (over > this.written) crew.marks.add(this.written - over)
          this.written = Math.max(this.written, over)
          return Metrics.itemsEnded(job.name, ended)
        }),
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

  /** Marks the next items, as far as there is room. With a baseline each is marked once that is kept. */
  private markNext(): void {
    const { crew, job } = this.shift
    const { states } = this.page
    const before = this.next
    let room = crew.marks.room(this.next - this.over, this.next - this.written, job.concurrency)
    for (; this.next < states.length && room > 0; this.next++) {
      const state = states[this.next]
      // What ended before is neither begun nor marked.
      if (isEnded(state)) {
        this.over += 1
        continue
      }
      if (state === "." && this.baseline === undefined) states[this.next] = "s"
      room -= 1
    }
    crew.marks.add(this.next - before)
  }

  /** Writes what has become of items, and marks the next ones before they are sent, while others are: so none waits for the store. */
  private readonly marks: Effect.Effect<never, Lost> = Effect.gen(this, function* () {
    while (true) {
      yield* this.low.await
      yield* this.save(() => this.markNext())
      this.marked = this.next
      this.low.unsafeClose()
      this.ready.unsafeOpen()
      this.look()
    }
  })

  /** Has written what has come to an end, and the next ones marked, once that is a part of what was begun. */
  private look(): void {
    const { crew, job } = this.shift
    const isLast = this.marked === this.page.states.length
    if (!isLast && this.marked === this.cursor) this.ready.unsafeClose()
    const ended = this.over - this.written
    const some = isLast ? crew.marks.most(job.concurrency) : this.next - this.written
    if (ended > 0 ? ended >= some / 4 : !isLast && this.next === this.over) this.low.unsafeOpen()
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
        this.over += 1
        if (why !== undefined)
          this.failed.push({
            index,
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
      const { baseline } = this
      // Of what may have been sent, the one from before that.
      let before: Option.Option<unknown> =
        baseline !== undefined && isDoubtful ? yield* insistent(this.page.baselineOf(number)) : Option.none()
      let lost = 0
      /** What lost the answer, once this process has seen it. */
      let doubt: Cause.Cause<unknown> | undefined
      while (yield* leased(this.shift)) {
        if (isDoubtful && job.onUnknown !== undefined) {
          const { onUnknown } = job
          const outcome = yield* lookUp(this.shift, () =>
            Effect.exit(
              crew.limited(
                legibly(
                  Effect.filterOrDieMessage(
                    Effect.suspend(() => onUnknown(decoded.value, { ...context, baseline: before })),
                    Option.isOption,
                    "onUnknown must answer an Option"
                  )
                )
              )
            )
          )
          if (outcome === undefined) continue
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
          return end("u", doubt === undefined ? outcome.cause : undecided(outcome.cause, doubt))
        }
        if (baseline !== undefined && Option.isNone(before)) {
          const looked = yield* lookUp(this.shift, () =>
            Effect.exit(
              crew.limited(
                legibly(
                  Effect.map(
                    Effect.suspend(() => baseline(decoded.value, context)),
                    (value) => JSON.stringify(value ?? null)
                  )
                )
              )
            )
          )
          if (looked === undefined) continue
          if (Exit.isSuccess(looked)) {
            before = Option.some(JSON.parse(looked.value))
            yield* this.keepBaseline(index, looked.value)
          } else if (verdictOf(looked.cause)._tag === "Stop") return yield* this.halt(index, looked.cause)
          else if (!(yield* doing.again(looked.cause))) return end("f", looked.cause)
          continue
        }
        const attempted = yield* this.attempt(context, decoded.value, () => {
          attempts += 1
        })
        if (attempted === undefined) continue
        const { exit, fence } = attempted
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

  /**
   * One attempt at an item, once the platform may be asked. Its requests are sent only under this lease, and only until the platform is out of
   * service. Undefined where the page is to stop before.
   */
  private attempt(
    context: ItemContext<unknown>,
    value: unknown,
    onBegin: () => void
  ): Effect.Effect<{ readonly exit: Exit.Exit<unknown, unknown>; readonly fence: Fence } | undefined> {
    const { crew, job, lease, run } = this.shift
    const { each = () => Effect.void } = job
    const gate = crew.gates.of(run.id)
    let ticket: Ticket | undefined
    const fence = new Fence(
      lease,
      () => ticket === undefined || gate.isOpen(ticket),
      () => {
        // Of one that tries, its end says whether the platform is back.
        if (ticket?.isProbe === false)
          gate.hear(ticket, { _tag: "Down", why: String(outOfService), after: undefined })
      }
    )
    const begin = (given: Ticket) => {
      ticket = given
      onBegin()
      crew.fences.set(context.idempotencyKey, fence)
      return Effect.exit(crew.limited(legibly(Effect.suspend(() => each(value, context))))).pipe(
        Effect.ensuring(Effect.sync(() => crew.fences.delete(context.idempotencyKey)))
      )
    }
    return Effect.map(
      asking(this.shift, (given) => Effect.suspend(() => begin(given)), { isDown: () => fence.isOutage }),
      (exit) => exit && { exit, fence }
    )
  }

  /** The run pauses itself; the item waits. */
  private halt(index: number, why: string | Cause.Cause<unknown>): Effect.Effect<void, Lost> {
    if (!this.doubtful.has(index)) this.page.states[index] = "."
    return pauseRun(this.shift, why)
  }

  private readonly worker: Effect.Effect<void, Lost> = Effect.gen(this, function* () {
    const { states } = this.page
    while (!this.shift.stop.isSet && this.cursor < states.length) {
      yield* this.ready.await
      // Another one may have taken the last.
      if (this.cursor >= this.marked) continue
      const index = this.cursor++
      this.look()
      if (isEnded(states[index])) continue
      this.begun.add(index)
      yield* this.item(index)
      this.look()
    }
  })

  /** Works on the page until it is done or to stop, and writes what is then known. Answers whether it is done. */
  readonly run: Effect.Effect<boolean, Lost> = Effect.acquireUseRelease(
    Effect.sync(() => this.shift.crew.marks.enter()),
    () => this.all,
    () => Effect.sync(() => this.shift.crew.marks.leave(this.next - this.written))
  )

  private readonly all: Effect.Effect<boolean, Lost> = Effect.gen(this, function* () {
    const { stop } = this.shift
    const workers = Effect.forEach(
      Array.from({ length: Math.min(this.shift.job.concurrency, this.page.states.length) }),
      () => this.worker,
      { concurrency: "unbounded", discard: true }
    )
    yield* workers.pipe(
      Effect.raceFirst(this.marks),
      Effect.raceFirst(Effect.zipRight(stop.wait, Effect.sleep(grace)))
    )
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
              : crew.limited(
                  legibly(
                    Effect.suspend(() => eachPage(items, { input: run.input, run: run.id, page: page.page }))
                  )
                )
          ),
          (work) =>
            Effect.raceFirst(work, Effect.zipRight(shift.stop.wait, Effect.delay(Effect.interrupt, grace))),
          Effect.exit
        )
      )
      if (exit === undefined) return false
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

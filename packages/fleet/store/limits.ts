/**
 * One budget for all runners of a fleet: so many requests a second, so many in flight, so many retries, and one `Retry-After` for all.
 * Requests wait in the order in which they came. While the store does not answer nothing is sent, so the limits hold.
 */
import type { RateLimiter } from "@effect/experimental/RateLimiter"
import type { SqlClient } from "@effect/sql/SqlClient"
import {
  type Abandon,
  type AnyRequest,
  type InputError,
  now,
  Options,
  type Outcome,
  type Request,
  readHttpDate,
  readRetryAfter,
  type TransportService as Service
} from "@quartet/sdk/extend"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { FleetError } from "../fleet-error.js"
import * as Concurrency from "./concurrency.js"
import { Alarm, type Moment, moment, since } from "./elapsed.js"
import * as Rate from "./rate.js"
import * as Shared from "./shared-limits.js"
import { create, patient } from "./store.js"

/**
 * What all runners together may do. What is left out is not limited. Where runners of a store are given different limits, the lowest of each hold.
 * @category models
 */
export interface Limits {
  /**
   * The most requests in any second, at least 0.001. They are sent evenly, 5 % farther apart than this: for the network, which delays some more than
   * others.
   */
  readonly perSecond?: number
  /** The most requests that wait for an answer, from 1 to 10,000. A streamed answer counts until it begins. */
  readonly inFlight?: number
  /** The most retries in a second; a tenth of `perSecond`. */
  readonly retriesPerSecond?: number
  /** Counts `perSecond` and `retriesPerSecond` instead of the fleet's store: the `RateLimiter` of `@effect/experimental`, with Redis. */
  readonly rateLimiter?: RateLimiter
}

/** What the limits keep in the store. */
export const tables: ReadonlyArray<string> = [...Rate.tables, ...Concurrency.tables, ...Shared.tables]

/** One runner's part of the limits. */
export interface Limiter {
  /** Does work that is no request of a transport when it is its turn, in a place in flight. */
  readonly run: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How many requests of this runner may wait for an answer now: its share of `inFlight`, or no end of them. */
  readonly share: () => number
  /** Makes all runners wait so many milliseconds, at most five minutes: then one sees whether it still holds. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
  /**
   * A transport whose exchanges wait for their turn and for a place in flight. An answer of 429 or 503 with `Retry-After` pauses all
   * runners. `isFenced` is asked right before each is sent: where it answers true, it ends as one that was refused and not sent.
   */
  readonly transport: (transport: Service, isFenced: (request: AnyRequest) => boolean) => Service
}

const known: Options.Known<Limits> = {
  perSecond: "any",
  inFlight: "any",
  retriesPerSecond: "any",
  rateLimiter: "object"
}

const isRate = (value: unknown): boolean => typeof value === "number" && value >= 0.001 && value <= 1_000_000
const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 10_000

const read = (limits: Limits): Either.Either<Limits, InputError> =>
  Either.flatMap(Options.read("Fleet.layer", "limits", limits, known), (limits) => {
    const refuse = Options.refuser("Fleet.layer")
    const { inFlight, perSecond, rateLimiter, retriesPerSecond } = limits
    const rate = "must be a number from 0.001 to 1,000,000"
    if (perSecond !== undefined && !isRate(perSecond)) return refuse("limits.perSecond", rate)
    if (retriesPerSecond !== undefined && !isRate(retriesPerSecond))
      return refuse("limits.retriesPerSecond", rate)
    if (inFlight !== undefined && !isCount(inFlight))
      return refuse("limits.inFlight", "must be a whole number from 1 to 10,000")
    if (rateLimiter === undefined) return Either.right(limits)
    if (perSecond === undefined && retriesPerSecond === undefined)
      return refuse("limits.rateLimiter", "counts perSecond or retriesPerSecond: give one of them")
    return Either.map(
      Options.port("Fleet.layer", "limits.rateLimiter", rateLimiter, ["consume"], "RateLimiter"),
      () => limits
    )
  })

/** The longest pause that one `Retry-After` makes, in milliseconds: then one sees whether it still holds. */
export const longestRetryAfter = 300_000

/** Milliseconds for which it holds that nobody pauses, where no turn is reserved with the store, and after which it is asked again. */
const looks = { longest: 500, next: 250 }

/** The rows of the store. */
const requests = "requests"
const retries = "retries"

/** One who waits. */
interface Waiter {
  readonly order: number
  /** Called once, when it may go. It calls what it is given when it is done. If nothing is given, its turn never comes. */
  readonly go: (free: (() => void) | undefined) => void
}

/** Those who wait, in order. */
class Queue {
  private readonly first = new Set<Waiter>()
  private readonly again = new Set<Waiter>()
  private count = 0
  private isPumping = false
  private isClosed = false
  private pausedUntil = 0
  private looked: { readonly at: Moment; readonly isOpen: boolean } | undefined
  private readonly alarm = new Alarm()
  private readonly requestTurns: Rate.Turns
  private readonly turnsOfRetries: Rate.Turns
  private readonly sharedPlaces: Concurrency.Places
  private readonly lookAlarm = new Alarm()

  constructor(
    private readonly sql: SqlClient,
    private readonly clock: Clock.Clock,
    owner: string,
    private readonly rateLimiter: RateLimiter | undefined,
    /** What holds now. */
    private limits: Shared.Numbers
  ) {
    const pump = (): void => this.pump()
    const source = (name: string, rate: () => number): Rate.Source =>
      rateLimiter === undefined
        ? Rate.sqlSource(sql, clock, name, rate)
        : Rate.limiterSource(rateLimiter, clock, `quartet-fleet-${name}`, rate)
    // Nobody asks for what is not limited, so these numbers are there.
    const rateOf = (name: "perSecond" | "retriesPerSecond") => () => this.limits[name] ?? 1
    this.requestTurns = new Rate.Turns(
      clock,
      source(requests, rateOf("perSecond")),
      () => (this.turns === undefined ? 0 : this.ready),
      pump
    )
    this.turnsOfRetries = new Rate.Turns(
      clock,
      source(retries, rateOf("retriesPerSecond")),
      () => (this.retryTurns === undefined ? 0 : this.again.size),
      pump,
      // Nothing is amiss if a retry waits for its turn among the others.
      () => Math.max(1_000, 4_000 / (this.limits.perSecond ?? 4))
    )
    this.sharedPlaces = new Concurrency.Places(
      sql,
      clock,
      owner,
      () => this.limits.inFlight ?? 0,
      () => (this.places === undefined ? 0 : this.size),
      pump
    )
  }

  private get turns(): Rate.Turns | undefined {
    return this.limits.perSecond === undefined ? undefined : this.requestTurns
  }

  private get retryTurns(): Rate.Turns | undefined {
    return this.limits.retriesPerSecond === undefined ? undefined : this.turnsOfRetries
  }

  private get places(): Concurrency.Places | undefined {
    return this.limits.inFlight === undefined ? undefined : this.sharedPlaces
  }

  /** From now on other limits hold. */
  limit(limits: Shared.Numbers): void {
    this.limits = limits
    this.pump()
  }

  private get size(): number {
    return this.first.size + this.again.size
  }

  /** How many may be in flight here. */
  get share(): number {
    return this.places?.share ?? Number.POSITIVE_INFINITY
  }

  /** How many would go if it were their turn. */
  private get ready(): number {
    return Math.min(this.size, this.places?.free ?? this.size)
  }

  add(isRetry: boolean, go: Waiter["go"]): Waiter {
    this.count += 1
    const waiter = { order: this.count, go }
    if (this.isClosed) go(undefined)
    else if (isRetry) this.again.add(waiter)
    else this.first.add(waiter)
    this.pump()
    return waiter
  }

  /** Whether it was still waiting. */
  remove(waiter: Waiter): boolean {
    return this.first.delete(waiter) || this.again.delete(waiter)
  }

  /** Whether turns are reserved in the row that a pause moves. */
  private get isTold(): boolean {
    return this.turns !== undefined && this.rateLimiter === undefined
  }

  /** Whether nobody has paused, as far as this runner knows. */
  private isOpen(): boolean {
    if (now(this.clock) < this.pausedUntil) return false
    if (this.isTold) return true
    const { looked } = this
    const age = looked === undefined ? Number.POSITIVE_INFINITY : since(this.clock, looked.at)
    if (age > looks.next) this.lookAlarm.ring()
    return looked?.isOpen === true && age <= looks.longest
  }

  /** Who is next, and whether it is a retry. */
  private next(): readonly [waiter: Waiter, isRetry: boolean] | undefined {
    const [first] = this.first
    const [again] = this.again
    if (again === undefined) return first && [first, false]
    if (first !== undefined && first.order < again.order) return [first, false]
    if (this.retryTurns === undefined || this.retryTurns.left() === 0) return [again, true]
    return first && [first, false]
  }

  /** Lets go who may, and sets the time for those who may not yet. */
  private pump(): void {
    this.admit()
    if (this.size > 0) this.alarm.ring()
  }

  private admit(): void {
    if (this.isPumping) return
    this.isPumping = true
    for (;;) {
      const next = this.next()
      if (next === undefined || !this.isOpen()) break
      if (this.places?.isFree() === false) break
      if (this.turns !== undefined && this.turns.left() > 0) break
      const [waiter, isRetry] = next
      this.remove(waiter)
      this.turns?.take()
      if (isRetry) this.retryTurns?.take()
      waiter.go(this.places?.take() ?? (() => undefined))
    }
    this.isPumping = false
  }

  /** Milliseconds until somebody may go. */
  private wait(): number {
    if (this.size === 0) return Number.POSITIVE_INFINITY
    const paused = this.pausedUntil - now(this.clock)
    if (paused > 0) return paused
    // Whoever brings what is missing pumps by itself.
    if (this.places?.free === 0 || !this.isOpen()) return Number.POSITIVE_INFINITY
    const turn = this.turns?.left() ?? 0
    return this.first.size > 0 ? turn : Math.max(turn, this.retryTurns?.left() ?? 0)
  }

  private readonly pumps: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => Effect.map(this.alarm.wait(this.wait()), () => this.admit()))
  )

  /** Looks whether somebody pauses. */
  private readonly look: Effect.Effect<void> = Effect.suspend(() => {
    const at = moment(this.clock)
    return Rate.remainingPause(this.sql, requests).pipe(
      Effect.interruptible,
      Effect.disconnect,
      Effect.timeout(Rate.longestAnswer),
      Effect.match({
        onFailure: () => looks.next,
        onSuccess: (rest) => {
          this.looked = { at, isOpen: rest <= 0 }
          this.pump()
          return Math.max(looks.next, Math.min(rest, 5_000))
        }
      }),
      Effect.flatMap((wait) => Effect.sleep(wait))
    )
  })

  /** Makes this runner wait at once. */
  hold(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, now(this.clock) + milliseconds)
    this.turns?.drop(milliseconds)
    this.retryTurns?.drop(milliseconds)
  }

  readonly run: Effect.Effect<void, never, Scope.Scope> = Effect.gen(this, function* () {
    const { requestTurns, sharedPlaces, turnsOfRetries } = this
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        this.isClosed = true
        const waiting = [...this.first, ...this.again]
        this.first.clear()
        this.again.clear()
        for (const { go } of waiting) go(undefined)
      })
    )
    yield* Effect.addFinalizer(() => briefly(sharedPlaces.leave))
    // Nobody rings for those who already wait.
    const looking = Effect.forever(
      Effect.suspend(() =>
        this.size > 0 && !this.isTold
          ? this.look
          : Effect.zipRight(this.lookAlarm.wait(Number.POSITIVE_INFINITY), this.look)
      )
    )
    const fibers = [this.pumps, requestTurns.run, turnsOfRetries.run, sharedPlaces.run, looking]
    for (const fiber of fibers) yield* Effect.forkScoped(fiber)
  })
}

/** What is asked of the store at an end: it is not waited for for long. */
const briefly = (work: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(Effect.disconnect(Effect.interruptible(work)), 2_000))

/** What a runner was given, as the store keeps it. */
const numbersOf = ({ inFlight, perSecond, retriesPerSecond }: Limits): Shared.Numbers => ({
  perSecond,
  retriesPerSecond: retriesPerSecond ?? (perSecond && perSecond / 10),
  inFlight
})

/** Has a queue keep the lowest limits of all runners, and says once that they are different. */
const keepLowest = (
  sql: SqlClient,
  owner: string,
  own: Shared.Numbers,
  queue: Queue
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    let isTold = false
    yield* Effect.addFinalizer(() => briefly(Shared.leave(sql, owner)))
    const round = Effect.gen(function* () {
      yield* Shared.say(sql, owner, own)
      const { areDifferent, lowest } = yield* Shared.look(sql)
      queue.limit(Shared.lowestOf(own, lowest))
      if (areDifferent && !isTold)
        yield* Effect.logWarning(
          `the runners of this store were given different limits, and the lowest hold: ${Shared.words(lowest)}. This one was given ${Shared.words(own) || "none"}`
        )
      isTold ||= areDifferent
    })
    return yield* Effect.forever(Effect.zipRight(Effect.ignore(round), Effect.sleep(Shared.beat)))
  })

/** Milliseconds that an answer asks all to wait. */
const pauseOf = (outcome: Outcome, clock: Clock.Clock): number | undefined => {
  if (!("status" in outcome) || (outcome.status !== 429 && outcome.status !== 503)) return undefined
  const now = clock.unsafeCurrentTimeMillis()
  const at = readHttpDate(outcome.header("date"), now) ?? now
  const milliseconds = readRetryAfter(outcome.header("retry-after"), at)
  return milliseconds === undefined || milliseconds === 0
    ? undefined
    : Math.min(milliseconds, longestRetryAfter)
}

/**
 * Takes part in the limits for as long as its scope lasts. `runner` names this process. Fails with an InputError that names the limit.
 */
export const make = (
  sql: SqlClient,
  runner: string,
  limits: Limits | undefined
): Effect.Effect<Limiter, FleetError | InputError, Scope.Scope> =>
  Effect.gen(function* () {
    const valid = yield* read(limits ?? {})
    yield* create(sql, tables)
    yield* patient(Rate.insert(sql, requests))
    yield* patient(Rate.insert(sql, retries))
    if (valid.inFlight !== undefined) yield* patient(Concurrency.insert(sql, valid.inFlight))
    const clock = yield* Effect.clock
    const scope = yield* Effect.scope
    const runFork = Runtime.runFork(yield* Effect.runtime())
    const owner = `${runner} ${globalThis.crypto.randomUUID()}`
    const own = numbersOf(valid)
    yield* patient(Shared.say(sql, owner, own))
    const { lowest } = yield* patient(Shared.look(sql))
    const queue = new Queue(sql, clock, owner, valid.rateLimiter, Shared.lowestOf(own, lowest))
    yield* queue.run
    yield* Effect.forkScoped(keepLowest(sql, owner, own, queue))

    const pause = (milliseconds: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const duration = Math.min(milliseconds, longestRetryAfter)
        const at = moment(clock)
        queue.hold(duration)
        // A pause that is over before the store can be told is nobody's matter.
        const hold = Effect.suspend(() => Rate.hold(sql, requests, Math.max(0, duration - since(clock, at))))
        return Effect.ignoreLogged(patient(hold))
      })

    const limited =
      <R extends AnyRequest>(
        start: (request: R, settle: (outcome: Outcome) => void) => Abandon,
        isFenced: (request: AnyRequest) => boolean
      ) =>
      (request: R, settle: (outcome: Outcome) => void): Abandon => {
        let abandon: Abandon | undefined
        const waiter = queue.add(request.attempt > 1, (free) => {
          let isOver = false
          const end = (): void => {
            if (!isOver) free?.()
            isOver = true
          }
          const fail = (cause: unknown): void => {
            end()
            settle({ _tag: "Failed", reason: "Refused", sent: false, cause })
          }
          if (free === undefined) return fail(new Error("this runner has ended"))
          if (isFenced(request)) return fail(new Error("this runner has lost its lease"))
          const started = Either.try(() =>
            start({ ...request, mayBegin: () => !isFenced(request) }, (outcome) => {
              const milliseconds = pauseOf(outcome, clock)
              // Before the place is free: nobody is to use it.
              if (milliseconds !== undefined) runFork(pause(milliseconds), { scope })
              end()
              settle(outcome)
            })
          )
          if (Either.isLeft(started)) return fail(started.left)
          abandon = () => {
            end()
            return started.right()
          }
        })
        return () => (queue.remove(waiter) ? false : abandon?.())
      }

    const enter = Effect.async<() => void>((resume) => {
      let free: (() => void) | undefined
      const waiter = queue.add(false, (freed) => {
        free = freed
        resume(freed === undefined ? Effect.interrupt : Effect.succeed(freed))
      })
      return Effect.sync(() => {
        if (!queue.remove(waiter)) free?.()
      })
    })

    return {
      share: () => queue.share,
      pause,
      run: (work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(enter), (free) => Effect.ensuring(restore(work), Effect.sync(free)))
        ),
      transport: (transport, isFenced) => {
        const { stream } = transport
        return {
          start: limited<Request>((request, settle) => transport.start(request, settle), isFenced),
          ...(stream === undefined ? {} : { stream: limited(stream.bind(transport), isFenced) })
        }
      }
    }
  })

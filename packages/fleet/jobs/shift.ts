/** A page at work: what it knows, how it waits for what is out of reach, and how it pauses its run. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Crew, Stop } from "./crew.js"
import type { Definition } from "./definition.js"
import type { Ticket } from "./gate.js"
import { insistent, type Lease, type Lost } from "./lease.js"
import { telling } from "./listen.js"
import * as Metrics from "./metrics.js"
import { longestPause, shortestPause } from "./times.js"
import { type Described, describe, downOf, isAnswered, outOfService, verdictOf } from "./verdict.js"

/** A run as its pages know it. */
export interface Known {
  readonly id: string
  readonly salt: string
  /** Decoded. */
  readonly input: unknown
  readonly lanes: number
}

/** A page at work. */
export interface Shift {
  readonly crew: Crew
  readonly job: Definition<never>
  readonly run: Known
  readonly lease: Lease
  /** Given when the run is no longer running, or this runner ends. */
  readonly stop: Stop
  /** Whether the reading of the source waits until others have worked on its pages. If not, it is given back meanwhile. */
  readonly waits: boolean
}

/** Milliseconds before the n-th further attempt: doubled each time, and not the same for all. */
export const pauseOf = (count: number): Effect.Effect<number> =>
  Effect.sync(() => Math.min(longestPause, shortestPause * 2 ** count) * (0.75 + Math.random() / 2))

/** What failed, in a line. */
const said = ({ error, tag }: Described): string => `${tag}: ${error}`

/** Sleeps, unless the page is to stop. */
export const rest = ({ stop }: Shift, milliseconds: number): Effect.Effect<void> =>
  Effect.raceFirst(Effect.sleep(milliseconds), stop.wait)

/** Waits for what is out of reach, and says so to who watches the run. */
const waitFor = (shift: Shift, why: Described, milliseconds: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    shift.lease.tell(() => said(why))
    yield* Metrics.pageWaited(shift.job.name)
    yield* rest(shift, milliseconds)
    shift.lease.tell(undefined)
  })

/** What an outcome says of the platform besides its cause. */
interface Hearing {
  /** Whether it is out of service, whatever the cause says. */
  readonly isDown?: () => boolean
  /** Whether this only looks something up, which may answer without asking the platform: its success does not show that this is there. */
  readonly isLookUp?: boolean
}

/** Does something that asks the platform, once that may be asked: see `Gate`. Undefined where the page is to stop before. */
export const asking = <A, E>(
  shift: Shift,
  work: (ticket: Ticket) => Effect.Effect<Exit.Exit<A, E>>,
  { isDown = () => false, isLookUp = false }: Hearing = {}
): Effect.Effect<Exit.Exit<A, E> | undefined> => {
  const gate = shift.crew.gates.of(shift.run.id)
  const hear = (ticket: Ticket, outcome: Exit.Exit<A, E> | undefined): Effect.Effect<void> =>
    Effect.gen(function* () {
      if (outcome === undefined || shift.stop.isSet) return gate.hear(ticket, undefined)
      const down = Exit.isFailure(outcome) ? downOf(outcome.cause) : undefined
      const why = down ?? (isDown() ? { why: String(outOfService), after: undefined } : undefined)
      if (why !== undefined) {
        yield* Metrics.pageWaited(shift.job.name)
        return gate.hear(ticket, { _tag: "Down", ...why })
      }
      const isThere = Exit.isSuccess(outcome) ? !isLookUp : isAnswered(outcome.cause)
      gate.hear(ticket, isThere ? { _tag: "Up" } : undefined)
    })
  const wait = (milliseconds: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      shift.lease.tell(() => gate.said)
      return rest(shift, milliseconds)
    })
  const waiting = Effect.acquireUseRelease(
    Effect.interruptible(gate.pass(() => !shift.stop.isSet, wait)),
    (ticket) => {
      if (ticket === undefined) return Effect.succeed(undefined)
      // One that only tries leaves what is said: others wait on.
      if (!ticket.isProbe) shift.lease.tell(undefined)
      return work(ticket)
    },
    (ticket, exit) =>
      ticket === undefined ? Effect.void : hear(ticket, Exit.isSuccess(exit) ? exit.value : undefined)
  )
  return Effect.suspend(() => {
    const ticket = gate.enter()
    if (ticket === undefined) return waiting
    shift.lease.tell(undefined)
    // While it is open, an answer in time changes nothing, and there is no probe to give back.
    return Effect.tap(work(ticket), (outcome) =>
      Exit.isSuccess(outcome) && !isDown() ? Effect.void : hear(ticket, outcome)
    )
  })
}

/** Does the same with a look. */
export const lookUp = <A, E>(shift: Shift, work: () => Effect.Effect<Exit.Exit<A, E>>) =>
  asking(shift, work, { isLookUp: true })

/** The run pauses itself: nothing more of it can succeed, or too much has failed. */
export const pauseRun = (
  { crew: { sql }, lease: { run }, stop }: Omit<Shift, "run">,
  why: string | Cause.Cause<unknown>
): Effect.Effect<void, Lost> =>
  Effect.gen(function* () {
    const error = typeof why === "string" ? why : said(describe(why))
    const paused = yield* insistent(
      sql`UPDATE quartet_runs SET state = 'paused', error = ${error} WHERE id = ${run} AND state = 'running' RETURNING id${telling(sql, run)}`
    )
    // Of items that fail for the same reason at once, the first one says so.
    if (paused.length > 0) yield* Effect.logWarning(`the run ${run} has paused itself: ${error}`)
    yield* stop.set
  })

/** Does what is asked while the lease is this process's. One that is out of date may come back: nobody else may have taken it. */
export const leased = (shift: Shift): Effect.Effect<boolean> =>
  Effect.suspend(() =>
    shift.stop.isSet || shift.lease.isValid()
      ? Effect.succeed(!shift.stop.isSet)
      : Effect.zipRight(rest(shift, 100), leased(shift))
  )

/** The further attempts at one thing. */
export class Retries {
  private counted = 0
  private waits = 0

  /** `atGate`: whether what is out of reach is waited for there, before the next attempt. */
  constructor(
    private readonly shift: Shift,
    private readonly atGate = false
  ) {}

  /** Begins to count anew: the work has moved on. */
  forget(): void {
    this.counted = this.waits = 0
  }

  /** Waits for as long as is asked for, or longer each time. */
  private wait(cause: Cause.Cause<unknown>, milliseconds?: number): Effect.Effect<void> {
    return Effect.flatMap(pauseOf(this.waits++), (pause) =>
      waitFor(this.shift, describe(cause), milliseconds ?? pause)
    )
  }

  /**
   * Waits where the same may succeed later, and answers whether to try again. What is out of reach is waited for without end; what merely
   * may succeed, as often as the job says.
   */
  again(cause: Cause.Cause<unknown>): Effect.Effect<boolean> {
    return Effect.gen(this, function* () {
      const verdict = verdictOf(cause)
      const isCounted = verdict._tag === "Again" && ++this.counted < this.shift.job.attempts
      if (verdict._tag !== "Wait" && !isCounted) return false
      if (isCounted) yield* this.wait(cause)
      else if (verdict._tag === "Wait" && !this.atGate) yield* this.wait(cause, verdict.milliseconds)
      return true
    })
  }
}

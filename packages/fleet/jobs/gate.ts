/**
 * What a run knows, in one runner, of a platform that is out of service. Once it says so, or cannot be reached, nothing more goes out but one item at a
 * time, after growing pauses, until one is answered: so no more can be lost to it than what was under way, and what tries.
 */
import * as Effect from "effect/Effect"
import { longestPause, shortestPause } from "./times.js"

/** Why nothing goes out. */
interface Closed {
  /** In a word, such as `503`. */
  readonly why: string
  readonly since: Date
  readonly until: number
  readonly attempts: number
}

/** What an item may go out with: as any other, or as the one that finds out whether the platform is back. */
export interface Ticket {
  readonly isProbe: boolean
}

/** What is heard of the platform: that it answers, or that it does not, and for how long it asked to be left alone. */
export type Heard =
  | { readonly _tag: "Up" }
  | { readonly _tag: "Down"; readonly why: string; readonly after: number | undefined }

const timeOf = (date: Date): string => date.toISOString().slice(11, 16)

export class Gate {
  private closed: Closed | undefined
  private probe: Ticket | undefined

  /** A ticket, where nothing is waited for. */
  enter(): Ticket | undefined {
    return this.closed === undefined ? { isProbe: false } : undefined
  }

  /** Whether an item may go out at this moment. */
  isOpen(ticket: Ticket): boolean {
    return this.closed === undefined || this.probe === ticket
  }

  /** What is waited for, in words; undefined while nothing is. */
  get said(): string | undefined {
    if (this.closed === undefined) return undefined
    const { since, until, why } = this.closed
    const rest = Math.ceil((until - performance.now()) / 1000)
    const next = rest > 0 ? `next try in ${rest} s` : "trying now"
    return `${why} since ${timeOf(since)} UTC, ${next}`
  }

  /** Takes what was said of an outage elsewhere, or before: nothing goes out but one item, until that is answered. */
  believe(said: string): void {
    const [, why, hours, minutes] = /^(.+) since (\d\d):(\d\d) UTC, /.exec(said) ?? []
    if (why === undefined) return
    const since = new Date()
    since.setUTCHours(Number(hours), Number(minutes), 0, 0)
    // It was yesterday.
    if (since.getTime() > Date.now()) since.setUTCDate(since.getUTCDate() - 1)
    this.closed ??= { why, since, until: performance.now(), attempts: 0 }
  }

  /** Milliseconds until an item may try; 0 where one may go out now, or another one is trying. */
  private get rest(): number {
    return this.closed === undefined ? 0 : Math.max(0, this.closed.until - performance.now())
  }

  /** Waits for its turn with `rest`, as long as `isWanted`. Undefined once it is not. */
  pass(
    isWanted: () => boolean,
    rest: (milliseconds: number) => Effect.Effect<void>
  ): Effect.Effect<Ticket | undefined> {
    return Effect.gen(this, function* () {
      while (isWanted() && this.closed !== undefined) {
        if (this.rest === 0 && this.probe === undefined) {
          this.probe = { isProbe: true }
          return this.probe
        }
        yield* rest(Math.max(20, Math.min(this.rest || shortestPause, shortestPause)))
      }
      return isWanted() ? { isProbe: false } : undefined
    })
  }

  /** Takes note of what came of it; nothing where it was interrupted, or did not hear the platform. */
  readonly hear = (ticket: Ticket, heard: Heard | undefined): void => {
    if (this.probe === ticket) this.probe = undefined
    if (heard === undefined) return
    if (heard._tag === "Up") {
      // An answer to what went out before says nothing of now.
      if (ticket.isProbe || this.closed === undefined) this.closed = undefined
      return
    }
    // Of those that went out together, the first one closes it; another may know for how long.
    if (this.closed !== undefined && !ticket.isProbe) {
      const until = Math.max(this.closed.until, performance.now() + (heard.after ?? 0))
      this.closed = { ...this.closed, until }
      return
    }
    const attempts = (this.closed?.attempts ?? -1) + 1
    const pause = Math.min(longestPause, shortestPause * 2 ** attempts) * (0.75 + Math.random() / 2)
    this.closed = {
      why: heard.why,
      since: this.closed?.since ?? new Date(),
      until: performance.now() + Math.max(pause, heard.after ?? 0),
      attempts
    }
  }
}

/** The gates of the runs that a runner works on: what one of them asks may answer while what another one asks does not. */
export class Gates {
  private readonly gates = new Map<string, Gate>()

  /** That of a run. */
  of(run: string): Gate {
    const gate = this.gates.get(run) ?? new Gate()
    this.gates.set(run, gate)
    return gate
  }

  /** Takes what another runner, or an earlier one, has said of an outage of a run, where nothing is known of it here. */
  believe(run: string, said: string): void {
    if (!this.gates.has(run)) this.of(run).believe(said)
  }

  /** Forgets a run that is no longer worked on. */
  forget(run: string): void {
    this.gates.delete(run)
  }
}

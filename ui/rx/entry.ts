/**
 * One answer as the platform gave it last, who looks at it, and the question under way. Several screens that ask the
 * same share one entry, one exchange and one answer.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { type Answered, failure, initial, type Result, success } from "./engine.js"
import { share } from "./sharing.js"

/** `refresh`: ask anew. `more`: ask for what follows the present answer. */
export type Step = "refresh" | "more"

/** How an entry asks. */
export interface Asking<A, E> {
  /** Asks, and tells how that ended, unless the function that it returns gives the question up before. */
  readonly ask: (previous: A | undefined, step: Step, settle: (exit: Exit.Exit<A, E>) => void) => () => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back once `now` can be trusted. */
  readonly withClock: (then: () => void) => void
  /** Whether there is anything after the present answer. */
  readonly hasMore: (value: A) => boolean
}

/** One who looks. */
export interface Observer<A, E> {
  readonly emit: (result: Result<A, E>) => void
  /** Milliseconds for which an answer is not asked for again. */
  readonly staleTime: number
  readonly onFocus: boolean
  readonly onReconnect: boolean
}

/** A change that is shown before the platform has confirmed it. */
export interface Draft<A> {
  readonly update: (value: A) => A
}

/** Tells the cache that an entry is, or is no longer, looked at or changed. */
export type Watch = () => void

export class Entry<A, E> {
  private answered: Answered<A> | undefined
  private cause: Cause.Cause<E> | undefined
  private drafts: ReadonlyArray<Draft<A>> = []
  private run: { readonly step: Step; stop: () => void } | undefined
  /** Something happened on the platform since the answer. */
  private isOutdated = false
  /** A look at whether the answer is still good is due. */
  private isDue = false
  private wantsMore = false
  private readonly observers = new Set<Observer<A, E>>()
  private shown: Result<A, E> = initial(false)

  constructor(
    private readonly asking: Asking<A, E>,
    private readonly watch: Watch
  ) {}

  get isObserved(): boolean {
    return this.observers.size > 0
  }

  get isKept(): boolean {
    return this.isObserved || this.drafts.length > 0
  }

  get result(): Result<A, E> {
    return this.shown
  }

  /** What the platform answered, without drafts. */
  get base(): Answered<A> | undefined {
    return this.answered
  }

  /** Begins to look. Asks in a moment, where there is no good answer; `again` asks in any case. */
  attach(observer: Observer<A, E>, again: boolean): () => void {
    this.observers.add(observer)
    this.watch()
    if (again) this.isOutdated = true
    this.isDue = true
    this.shown = this.compute()
    // Not at once: this may be the render of a component, and other components must not be told within it.
    queueMicrotask(() => {
      if (this.answered === undefined) this.look(observer)
      else if (this.observers.has(observer)) this.asking.withClock(() => this.look(observer))
    })
    return () => this.detach(observer)
  }

  private look(observer: Observer<A, E>): void {
    this.isDue = false
    if (!this.observers.has(observer)) return
    if (this.cause !== undefined || !this.isFresh(observer.staleTime)) this.startUnlessRunning()
    else this.publish()
  }

  private detach(observer: Observer<A, E>): void {
    if (!this.observers.delete(observer) || this.isObserved) return
    this.stop()
    this.wantsMore = false
    this.shown = this.compute()
    this.watch()
  }

  private isFresh(staleTime: number): boolean {
    if (this.answered === undefined || this.isOutdated) return false
    return this.asking.now() - this.answered.at <= staleTime
  }

  /** Another screen shows the same: asks where the answer is older than it accepts. */
  touch(staleTime: number): void {
    if (this.answered === undefined) return
    this.asking.withClock(() => {
      if (this.isObserved && !this.isFresh(staleTime)) this.startUnlessRunning()
    })
  }

  /** The user is back, or the network is: asks where those who look want it and the answer is old or missing. */
  signal(kind: "onFocus" | "onReconnect"): void {
    const interested = [...this.observers].filter((observer) => observer[kind])
    const staleTime = Math.min(...interested.map((observer) => observer.staleTime))
    if (interested.length > 0 && (this.cause !== undefined || !this.isFresh(staleTime)))
      this.startUnlessRunning()
  }

  private startUnlessRunning(): void {
    if (this.run === undefined) this.start("refresh")
  }

  /** Asks now; a question under way is given up. */
  refresh(): void {
    this.isOutdated = true
    if (this.isObserved) this.start("refresh")
  }

  /** Asks for what follows, after the present question where there is one. */
  more(): void {
    if (!this.isObserved || this.answered === undefined || !this.asking.hasMore(this.answered.value)) return
    if (this.run === undefined) this.start("more")
    else if (this.run.step === "refresh") this.wantsMore = true
  }

  private stop(): void {
    const { run } = this
    this.run = undefined
    run?.stop()
  }

  private start(step: Step): void {
    this.stop()
    const run = { step, stop: (): void => undefined }
    this.run = run
    this.publish()
    run.stop = this.asking.ask(this.answered?.value, step, (exit) => {
      if (this.run === run) this.settle(step, exit)
    })
  }

  private settle(step: Step, exit: Exit.Exit<A, E>): void {
    this.run = undefined
    if (Exit.isSuccess(exit)) {
      const before = this.answered
      const value = before === undefined ? exit.value : share(before.value, exit.value)
      // What follows an answer makes it no newer.
      this.answered = { value, at: step === "more" && before !== undefined ? before.at : this.asking.now() }
      this.cause = undefined
      // Whatever makes an answer outdated gives the question under way up, and so a new answer is newer than that.
      if (step === "refresh") this.isOutdated = false
    } else if (!Cause.isInterruptedOnly(exit.cause)) {
      this.cause = exit.cause
      this.wantsMore = false
    }
    const goesOn = this.wantsMore
    this.wantsMore = false
    this.publish()
    if (goesOn) this.more()
  }

  /** Shows a change at once. */
  add(draft: Draft<A>): void {
    this.drafts = [...this.drafts, draft]
    this.watch()
    this.publish()
  }

  /** Ends a draft: the platform has taken it, and the change stays, or has not, and it is undone. */
  end(draft: Draft<A>, isTaken: boolean): void {
    if (!this.drafts.includes(draft)) return
    this.drafts = this.drafts.filter((other) => other !== draft)
    if (isTaken && this.answered !== undefined)
      this.answered = { ...this.answered, value: draft.update(this.answered.value) }
    this.watch()
    this.publish()
  }

  /** Takes an answer that came another way, such as with the page; an older one than it has is dropped. */
  put(answered: Answered<A>): void {
    if (this.answered !== undefined && this.answered.at >= answered.at) return
    this.answered = answered
    this.cause = undefined
    this.publish()
  }

  /** Forgets everything, and asks anew for those who look. */
  reset(): void {
    this.stop()
    this.answered = undefined
    this.cause = undefined
    this.drafts = []
    this.wantsMore = false
    if (this.isObserved) this.start("refresh")
    else this.publish()
  }

  private compute(): Result<A, E> {
    const { answered, cause } = this
    const waiting =
      this.run !== undefined || (this.isDue && this.isObserved && (answered === undefined || this.isOutdated))
    const seen = answered && {
      at: answered.at,
      value: this.drafts.reduce((value, { update }) => update(value), answered.value)
    }
    if (cause !== undefined) return failure(cause, seen, waiting)
    return seen === undefined ? initial(waiting) : success(seen, waiting)
  }

  private publish(): void {
    this.shown = this.compute()
    for (const observer of [...this.observers]) observer.emit(this.shown)
  }
}

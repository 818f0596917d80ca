/**
 * The answers of one query client in one registry: found by what was asked, shared by all who observe them, asked for
 * again when they are old, kept for a while when nobody observes them, and bounded.
 *
 * effect-rx has no age of an answer: its `refreshOnWindowFocus` asks again however young it is, and with its `idleTTL` an
 * exchange goes on that nobody waits for.
 */
import { Result } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { share } from "./structure.js"

/** Calls a listener at each moment of a kind, until the function that it returns is called. @category models */
export type Signal = (listener: () => void) => () => void

/** A signal that never comes. @category constants */
export const never: Signal = () => () => undefined

const listen = (target: EventTarget | undefined, type: string, listener: () => void): (() => void) => {
  if (typeof target?.addEventListener !== "function") return () => undefined
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}

/**
 * The page is looked at again: its tab is shown, or its window gets the focus. Never outside of browsers.
 * @category constants
 */
export const focus: Signal = (listener) => {
  const shown = listen(globalThis.document, "visibilitychange", () => {
    if (document.visibilityState === "visible") listener()
  })
  const focused = listen(globalThis.window, "focus", listener)
  return () => {
    shown()
    focused()
  }
}

/** The browser is online again. Never outside of browsers. @category constants */
export const reconnect: Signal = (listener) => listen(globalThis.window, "online", listener)

/** How an answer travels from one process to another. */
export interface Codec {
  /** Names the query in every process. */
  readonly key: () => string
  /** The answer as JSON. */
  readonly write: (value: unknown) => unknown
  /** The answer from JSON; undefined where it is not one. */
  readonly read: (json: unknown) => { readonly value: unknown } | undefined
}

/** `next`: asks for what follows the present answer. */
export type FetchKind = "refetch" | "next"

/** What is asked of whom, and how. */
export interface Question<A = unknown> {
  /** The call or source. `id` names it in this process, whatever the input. */
  readonly of: { readonly id: string; readonly name: string }
  readonly input: unknown
  /** How a list is read page by page; empty where all is asked at once. */
  readonly kind: string
  readonly hasNext: (data: A) => boolean
}

export interface QueryDefinition extends Question {
  /** Names the query within this process: equal queries have equal keys. */
  readonly key: string
  /** The words by which a mutation can name it. */
  readonly keys: ReadonlyArray<string>
  readonly codec: Codec | undefined
}

/** Asks, and tells how that ended, unless the function that it returns gives the exchange up before. */
export type Fetch = (
  previous: unknown,
  kind: FetchKind,
  settle: (exit: Exit.Exit<unknown, unknown>) => void
) => () => void

/** Milliseconds since 1970, by the clock of the client. */
export interface CacheClock {
  readonly now: () => number
  /** Calls back once `now` can be trusted. */
  readonly withClock: (then: () => unknown) => void
}

/** One who observes, and when an answer that is there is to be asked for again. */
export interface Observer {
  readonly emit: (result: Result.Result<unknown, unknown>) => void
  /** Milliseconds for which it is not. */
  readonly staleTime: number
  readonly refetchOnWindowFocus: boolean
  readonly refetchOnReconnect: boolean
}

type OptimisticUpdate = (value: unknown) => unknown

export interface Answered {
  readonly value: unknown
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number
}

/** One query: its latest answer, its observers, and the exchange under way. */
export class CacheEntry {
  readonly keys = new Set<string>()
  /** The answer without optimistic updates. */
  answered: Answered | undefined
  /** What observers see. */
  result: Result.Result<unknown, unknown> = Result.initial(true)
  private cause: Cause.Cause<unknown> | undefined
  /**
   * In the order in which they were made, each undone by itself. effect-rx's `optimistic` keeps only the latest value, and
   * an answer that comes meanwhile removes it.
   */
  private updates: ReadonlyArray<OptimisticUpdate> = []
  private running: { readonly kind: FetchKind; isBeforeNext: boolean; stop: () => void } | undefined
  /** Something happened on the platform since the answer. */
  private isInvalidated = false
  /** It is about to be decided whether the answer is still good. */
  private isDue = false
  private readonly observers = new Set<Observer>()

  constructor(
    readonly definition: QueryDefinition,
    private readonly fetch: Fetch,
    private readonly clock: CacheClock,
    /** Tells the cache that the entry is, or is no longer, observed or updated. */
    private readonly onUse: (entry: CacheEntry) => void
  ) {}

  get isObserved(): boolean {
    return this.observers.size > 0
  }

  get isUsed(): boolean {
    return this.isObserved || this.updates.length > 0
  }

  /** Begins to observe. Asks in a moment where there is no good answer; `isRefresh` asks in any case. */
  observe(observer: Observer, isRefresh: boolean): () => void {
    this.observers.add(observer)
    this.onUse(this)
    if (isRefresh) this.isInvalidated = true
    this.isDue = true
    this.result = this.compute()
    // Not at once: this may be the render of a component, and other components must not be told within it.
    queueMicrotask(() => {
      if (this.answered === undefined || !this.observers.has(observer)) this.check(observer)
      else this.clock.withClock(() => this.check(observer))
    })
    return () => {
      if (!this.observers.delete(observer) || this.isObserved) return
      this.stop()
      this.result = this.compute()
      this.onUse(this)
    }
  }

  private check(observer: Observer): void {
    this.isDue = false
    if (!this.observers.has(observer) || this.ensure(observer.staleTime)) return
    if (this.running === undefined) this.publish()
  }

  /** Asks, unless that is under way or the answer is young enough. Tells whether it has begun to ask. */
  private ensure(staleTime: number, isRetry = this.cause !== undefined): boolean {
    const { answered, isInvalidated, running } = this
    const isOld =
      isRetry || isInvalidated || answered === undefined || this.clock.now() - answered.at > staleTime
    if (running === undefined && isOld) this.start("refetch")
    return running === undefined && isOld
  }

  /** Another component shows the same: asks where the answer is older than it accepts. */
  touch(staleTime: number): void {
    if (this.answered === undefined) return
    this.clock.withClock(() => this.isObserved && this.ensure(staleTime, false))
  }

  /** The user is back, or the network is: asks where observers want it and the answer is old or missing. */
  signal(kind: "refetchOnWindowFocus" | "refetchOnReconnect"): void {
    const interested = [...this.observers].filter((observer) => observer[kind])
    if (interested.length > 0) this.ensure(Math.min(...interested.map(({ staleTime }) => staleTime)))
  }

  /** Asks now, or when somebody observes; an exchange under way is given up. */
  refetch(): void {
    this.isInvalidated = true
    if (this.isObserved) this.start("refetch")
  }

  /** Asks for what follows, after the exchange under way where there is one. */
  fetchNext(): void {
    if (!this.isObserved || this.answered === undefined || !this.definition.hasNext(this.answered.value))
      return
    if (this.running === undefined) this.start("next")
    else if (this.running.kind === "refetch") this.running.isBeforeNext = true
  }

  private stop(): void {
    const { running } = this
    this.running = undefined
    running?.stop()
  }

  private start(kind: FetchKind): void {
    const running = { kind, isBeforeNext: this.running?.isBeforeNext ?? false, stop: (): void => undefined }
    this.stop()
    this.running = running
    this.publish()
    running.stop = this.fetch(this.answered?.value, kind, (exit) => {
      if (this.running !== running) return
      this.settle(kind, exit)
      if (running.isBeforeNext && Exit.isSuccess(exit)) this.fetchNext()
    })
  }

  private settle(kind: FetchKind, exit: Exit.Exit<unknown, unknown>): void {
    this.running = undefined
    if (Exit.isSuccess(exit)) {
      const before = this.answered
      const value = before === undefined ? exit.value : share(before.value, exit.value)
      // What follows an answer makes it no newer.
      this.answered = { value, at: kind === "next" && before !== undefined ? before.at : this.clock.now() }
      this.cause = undefined
      // What invalidates an answer also gives the exchange under way up, so this answer is newer than that.
      if (kind === "refetch") this.isInvalidated = false
    } else if (!Cause.isInterruptedOnly(exit.cause)) this.cause = exit.cause
    this.publish()
  }

  /** Shows a change at once. It stays if the function that this returns is told that the platform has taken it. */
  update(change: OptimisticUpdate): (isTaken: boolean) => void {
    const use = (updates: ReadonlyArray<OptimisticUpdate>): void => {
      this.updates = updates
      this.onUse(this)
      this.publish()
    }
    use([...this.updates, change])
    return (isTaken) => {
      if (!this.updates.includes(change)) return
      if (isTaken && this.answered !== undefined)
        this.answered = { ...this.answered, value: change(this.answered.value) }
      use(this.updates.filter((other) => other !== change))
    }
  }

  /** Takes an answer that came another way, such as with the page; an older one than it has is dropped. */
  put(answered: Answered): void {
    if (this.answered !== undefined && this.answered.at >= answered.at) return
    this.answered = answered
    this.cause = undefined
    this.publish()
  }

  /** Forgets everything, and asks anew for its observers. */
  reset(): void {
    this.stop()
    this.answered = undefined
    this.cause = undefined
    this.updates = []
    if (this.isObserved) this.start("refetch")
    else this.publish()
  }

  private compute(): Result.Result<unknown, unknown> {
    const { answered, cause } = this
    const waiting =
      this.running !== undefined ||
      (this.isDue && this.isObserved && (answered === undefined || this.isInvalidated))
    const success =
      answered &&
      Result.success<unknown, unknown>(
        this.updates.reduce((value, update) => update(value), answered.value),
        { timestamp: answered.at, waiting: waiting && cause === undefined }
      )
    if (cause !== undefined)
      return Result.failure(cause, { waiting, previousSuccess: Option.fromNullable(success) })
    // Until somebody observes, it is as a first render shows it: about to be asked.
    return success ?? Result.initial(waiting || !this.isObserved)
  }

  private publish(): void {
    this.result = this.compute()
    for (const { emit } of [...this.observers]) emit(this.result)
  }
}

/** How long and how much a cache keeps. */
export interface CacheOptions {
  /** Milliseconds for which an answer is kept that nobody observes. */
  readonly gcTime: number
  /** Most answers that nobody observes. */
  readonly capacity: number
  readonly focus: Signal
  readonly reconnect: Signal
}

export class QueryCache {
  private readonly entries = new Map<string, CacheEntry>()
  private readonly observed = new Set<CacheEntry>()
  /** Those that nobody uses, and since when, in that order. */
  private readonly idle = new Map<CacheEntry, number>()
  private silence: (() => void) | undefined

  constructor(
    private readonly options: CacheOptions,
    private readonly clock: CacheClock,
    /** Looks for an answer that came with the page. */
    private readonly hydrate: (entry: CacheEntry) => void
  ) {}

  /** The entry of a query, made where there is none. */
  entry(definition: QueryDefinition, fetch: Fetch): CacheEntry {
    this.sweep()
    const known = this.entries.get(definition.key)
    const entry = known ?? new CacheEntry(definition, fetch, this.clock, (used) => this.track(used))
    for (const key of definition.keys) entry.keys.add(key)
    if (known !== undefined) return known
    this.entries.set(definition.key, entry)
    this.idle.set(entry, this.clock.now())
    this.hydrate(entry)
    return entry
  }

  get all(): ReadonlyArray<CacheEntry> {
    return [...this.entries.values()]
  }

  private track(entry: CacheEntry): void {
    if (entry.isObserved) this.observed.add(entry)
    else this.observed.delete(entry)
    this.idle.delete(entry)
    if (!entry.isUsed && this.entries.get(entry.definition.key) === entry)
      this.idle.set(entry, this.clock.now())
    this.listen()
  }

  /** Hears signals as long as anything is observed. */
  private listen(): void {
    if (this.observed.size === 0) {
      this.silence?.()
      this.silence = undefined
    } else if (this.silence === undefined) {
      const signal = (kind: "refetchOnWindowFocus" | "refetchOnReconnect") => () => {
        for (const entry of [...this.observed]) entry.signal(kind)
      }
      const focused = this.options.focus(signal("refetchOnWindowFocus"))
      const reconnected = this.options.reconnect(signal("refetchOnReconnect"))
      this.silence = () => {
        focused()
        reconnected()
      }
    }
  }

  /** Drops what nobody has used for too long, and the oldest of what is too much. */
  private sweep(): void {
    const latest = this.clock.now() - this.options.gcTime
    for (const [entry, since] of this.idle) {
      if (since >= latest && this.idle.size <= this.options.capacity) return
      this.drop(entry)
    }
  }

  private drop(entry: CacheEntry): void {
    this.idle.delete(entry)
    this.entries.delete(entry.definition.key)
  }

  /** Asks anew for what has changed: at once where somebody observes it, otherwise when somebody does. */
  invalidate(matches: (entry: CacheEntry) => boolean): void {
    for (const entry of this.all) if (matches(entry)) entry.refetch()
  }

  /** Forgets every answer, and asks anew for observers. */
  reset(): void {
    for (const entry of this.all) {
      if (!entry.isObserved) this.drop(entry)
      entry.reset()
    }
  }

  /** Gives answers that have come with the page to the entries that there are. */
  hydrateAll(): void {
    for (const entry of this.all) this.hydrate(entry)
  }

  dispose(): void {
    this.entries.clear()
    this.idle.clear()
    this.observed.clear()
    this.listen()
  }
}

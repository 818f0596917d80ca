/**
 * The answers of one query client in one registry: found by their queries, shared by all who observe them, refetched
 * when they are old, kept for a while when nobody observes them, and bounded.
 *
 * effect-rx has no age of an answer: its `refreshOnWindowFocus` refetches however young it is, and with its `idleTTL` an
 * exchange goes on that nobody waits for.
 */
import * as Result from "@effect-rx/rx/Result"
import type { Operation } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as AST from "effect/SchemaAST"
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

/** The page's tab is shown, or its window gets the focus. Never outside of browsers. @category constants */
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
  /** Names the query in every process; two schemas that say the same have one. */
  readonly key: () => string
  /** The schema of the answer, or of each item of a page: an encoder is made of it where an answer is written. */
  readonly ast: AST.AST
  readonly isPage: boolean
  /** The answer from JSON, and whether it is not what was declared; undefined where it is no answer at all. */
  readonly read: (json: unknown) => { readonly value: unknown; readonly isDrifted: boolean } | undefined
}

/** `next`: fetches what follows the present answer. */
export type FetchKind = "refetch" | "next"

export interface QueryDefinition {
  /** Names the query within this process: equal queries have equal keys. */
  readonly key: string
  /** The words by which a mutation can name it, its key among them. */
  readonly keys: ReadonlyArray<string>
  /** What is asked: a call, or an effect of the app's own. */
  readonly of: {
    readonly name: string
    /** Names it in this process, with the schema of its answers. */
    readonly id: string
    readonly call?: { readonly client: string; readonly operation: Operation<never, unknown, never> }
  }
  readonly input: unknown
  /** How a list is read page by page; empty where all is fetched at once. */
  readonly kind: string
  readonly hasNext: (data: unknown) => boolean
  readonly codec: Codec | undefined
}

/** Fetches, and calls back with the exit, unless the function that it returns has interrupted the exchange before. */
export type Fetch = (
  previous: unknown,
  kind: FetchKind,
  onExit: (exit: Exit.Exit<unknown, unknown>) => void
) => () => void

type Emit = (result: Result.Result<unknown, unknown>) => void
type Update = (value: unknown) => unknown

/** The value with an update, which is left out where it throws: it may not expect a later answer. */
const updated = (value: unknown, update: Update): unknown => {
  try {
    return update(value)
  } catch {
    return value
  }
}

export interface Answered {
  readonly value: unknown
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number
  /** It has come with the page. */
  readonly isArrived?: true
}

/** An answer that has come with the page. */
export interface Arrived extends Pick<Answered, "value" | "at"> {
  /** The server was answered something else than declared, and tolerated it. */
  readonly isDrifted?: boolean
}

/** Of what nobody has asked yet: about to be fetched. One value, so that a render that reads it twice sees no change. */
const unasked: Result.Result<unknown, unknown> = /*#__PURE__*/ Result.initial(true)

/** Milliseconds for which an answer is kept that a render has read and no component observes: it may be about to. */
const grace = 5_000

/** One query: its latest answer, its observers, and the exchange under way. */
export class CacheEntry {
  readonly keys = new Set<string>()
  /** The answer without optimistic updates. */
  answered: Answered | undefined
  /** What observers see. */
  result = unasked
  private cause: Cause.Cause<unknown> | undefined
  /** Each undone by itself. effect-rx's `optimistic` keeps the latest alone, and a new answer removes it. */
  updates: ReadonlyArray<Update> = []
  private running:
    | {
        readonly kind: FetchKind
        isBeforeNext: boolean
        /** Updates since it was sent: its answer may have been written before them. */
        readonly pendingUpdates: Array<Update>
        stop: () => void
      }
    | undefined
  /** Whether it is fetched again as soon as somebody observes it. */
  isInvalidated = false
  /** Whether items have moved from page to page: those that are there are read again before the next one. */
  isMoved = false
  readonly observers = new Set<Emit>()
  /** The observers that show nothing, by what ends each of them: nothing is fetched again for them alone. */
  private readonly waiting = new Map<Emit, () => void>()

  constructor(
    readonly definition: QueryDefinition,
    private readonly fetch: Fetch,
    /** Called when the entry is, or is no longer, observed or updated. */
    private readonly onUse: (entry: CacheEntry) => void
  ) {}

  get isObserved(): boolean {
    return this.observers.size > 0
  }

  get isUsed(): boolean {
    return this.isObserved || this.updates.length > 0
  }

  /**
   * Begins to observe, and to fetch where there is no answer that is younger than `staleTime` milliseconds. Who only waits for an
   * answer, and shows nothing, gives `leave`: it is called where the query would have to be fetched again for nobody else.
   */
  observe(emit: Emit, staleTime: number, isRefresh: boolean, leave?: () => void): () => void {
    this.observers.add(emit)
    if (leave !== undefined) this.waiting.set(emit, leave)
    this.onUse(this)
    this.isInvalidated ||= isRefresh
    this.ensure(staleTime)
    this.result = this.compute()
    return () => {
      this.waiting.delete(emit)
      if (!this.observers.delete(emit) || this.isObserved) return
      this.stop()
      this.result = this.compute()
      this.onUse(this)
    }
  }

  /** Fetches, unless that is under way or the answer is younger than `staleTime` milliseconds. */
  ensure(staleTime: number, isRetry = this.cause !== undefined): void {
    const { answered, isInvalidated } = this
    const isOld = isRetry || isInvalidated || answered === undefined || Date.now() - answered.at > staleTime
    if (isOld && this.running === undefined) this.start("refetch")
  }

  /** Another component shows the same: fetches where the answer is older than it accepts. */
  touch(staleTime: number): void {
    if (this.isObserved && this.answered !== undefined) this.ensure(staleTime, false)
  }

  /** Fetches now, or when somebody shows it; an exchange under way is interrupted. */
  refetch(): void {
    this.isInvalidated = true
    this.again()
  }

  /** Fetches for who shows it. Who only waits has to come again: nobody may be there any more. */
  private again(): void {
    if (this.observers.size > this.waiting.size) this.start("refetch")
    else for (const leave of [...this.waiting.values()]) leave()
  }

  /** Fetches now, or after what is under way, or when somebody observes: nothing is interrupted, however often it is said. */
  outdate(): void {
    this.isInvalidated = true
    if (this.running === undefined) this.again()
  }

  /** Fetches what follows, after the refetch under way where there is one; the beginning where that failed. */
  fetchNext(isReread = false): void {
    const { answered, running } = this
    const isMoved = this.isMoved && !isReread
    if (!this.isObserved) return
    if (answered === undefined) return this.ensure(0)
    if (!this.definition.hasNext(answered.value)) return
    if (running === undefined) this.start(isMoved ? "refetch" : "next", isMoved)
    else if (running.kind === "refetch") running.isBeforeNext = true
  }

  private stop(): void {
    const { running } = this
    this.running = undefined
    running?.stop()
  }

  private start(kind: FetchKind, isBeforeNext = this.running?.isBeforeNext ?? false): void {
    const running = { kind, isBeforeNext, pendingUpdates: [] as Update[], stop: (): void => undefined }
    this.stop()
    this.running = running
    // Not at once: this may be the render of a component, which must not update other components.
    queueMicrotask(() => {
      if (this.running !== running) return
      running.pendingUpdates.length = 0
      this.publish()
      running.stop = this.fetch(this.answered?.value, kind, (exit) => {
        if (this.running !== running) return
        this.settle(running, exit)
        if (running.isBeforeNext && Exit.isSuccess(exit)) this.fetchNext(true)
      })
    })
  }

  private settle(
    { kind, pendingUpdates }: { readonly kind: FetchKind; readonly pendingUpdates: ReadonlyArray<Update> },
    exit: Exit.Exit<unknown, unknown>
  ): void {
    const { answered } = this
    this.running = undefined
    if (Exit.isSuccess(exit)) {
      this.cause = undefined
      // What invalidates an answer also interrupts the exchange under way, so this answer is newer than that.
      if (kind === "refetch") this.isInvalidated = this.isMoved = false
      const next = pendingUpdates.reduce(updated, exit.value)
      const value = answered === undefined ? next : share(answered.value, next)
      // What follows an answer makes it no newer.
      this.answered = { value, at: (kind === "next" ? answered?.at : undefined) ?? Date.now() }
    } else if (!Cause.isInterruptedOnly(exit.cause)) this.cause = exit.cause
    this.publish()
  }

  /**
   * Shows a change at once, or throws what the change throws. The function that this returns ends it: the change stays
   * if the platform has committed it.
   */
  update(change: Update): (isCommitted: boolean) => void {
    const use = (updates: ReadonlyArray<Update>): void => {
      this.updates = updates
      this.onUse(this)
      this.publish()
    }
    if (this.answered !== undefined) change(this.updates.reduce(updated, this.answered.value))
    use([...this.updates, change])
    return (isCommitted) => {
      if (!this.updates.includes(change)) return
      if (isCommitted && this.answered !== undefined)
        this.answered = { ...this.answered, value: updated(this.answered.value, change) }
      use(this.updates.filter((update) => update !== change))
    }
  }

  /**
   * Changes the answer, beneath what is optimistic, by what the platform has told; and the answer that is on its way, once
   * it is there. Throws what the change throws.
   */
  tell(change: Update): void {
    const { answered } = this
    const value = answered && change(answered.value)
    this.running?.pendingUpdates.push(change)
    if (answered === undefined || value === answered.value) return
    this.answered = { ...answered, value }
    this.publish()
  }

  /** Takes an answer that came with the page; one that is older than its own is dropped. */
  put(answered: Answered): void {
    if (this.answered !== undefined && this.answered.at >= answered.at) return
    this.answered = answered
    this.cause = undefined
    this.publish()
  }

  /** Forgets everything, and fetches again for its observers. */
  reset(): void {
    this.stop()
    this.answered = undefined
    this.cause = undefined
    this.updates = []
    this.again()
    this.publish()
  }

  private compute(): Result.Result<unknown, unknown> {
    const { answered, cause } = this
    const waiting = this.running !== undefined
    const success =
      answered &&
      Result.success<unknown, unknown>(this.updates.reduce(updated, answered.value), {
        timestamp: answered.at,
        waiting: waiting && cause === undefined
      })
    if (cause !== undefined)
      return Result.failure(cause, { waiting, previousSuccess: Option.fromNullable(success) })
    // Until somebody observes, it is as a first render shows it: about to be fetched.
    return success ?? (waiting || !this.isObserved ? unasked : Result.initial())
  }

  private publish(): void {
    this.result = this.compute()
    for (const emit of [...this.observers]) emit(this.result)
  }
}

export class QueryCache {
  private readonly entries = new Map<string, CacheEntry>()
  /** Those that nobody uses, since when, and whether a render has read them then, in that order. */
  private readonly idle = new Map<CacheEntry, { readonly since: number; readonly isRead: boolean }>()
  /** Whether an answer has come with the page for any of them. */
  private hasArrived = false
  /** Whose the answers are: another object for each user, and while there is none. */
  owner: object = {}
  /** Called with each entry that is made. */
  readonly onEntry = new Set<(entry: CacheEntry) => void>()

  constructor(
    /** Milliseconds for which an answer is kept that nobody observes. */
    private readonly gcTime: number,
    /** Most answers that nobody observes. */
    private readonly capacity: number,
    /** The answers that have come with the page, by their codecs' keys. */
    private readonly arrived: Map<string, Arrived>
  ) {}

  /** The entry of a query, made where there is none. */
  entry(definition: QueryDefinition, fetch: Fetch): CacheEntry {
    this.sweep()
    const known = this.entries.get(definition.key)
    const entry = known ?? new CacheEntry(definition, fetch, this.track)
    for (const key of definition.keys) entry.keys.add(key)
    if (known === undefined) this.entries.set(definition.key, entry)
    this.track(entry, true)
    if (known !== undefined) return known
    this.hydrate([entry])
    for (const listener of this.onEntry) listener(entry)
    return entry
  }

  get all(): ReadonlyArray<CacheEntry> {
    return [...this.entries.values()]
  }

  private readonly track = (entry: CacheEntry, isRead = false): void => {
    this.idle.delete(entry)
    if (!entry.isUsed && this.entries.get(entry.definition.key) === entry)
      this.idle.set(entry, { since: Date.now(), isRead })
  }

  /** Drops what nobody has used for too long, and the oldest of what is too much. */
  private sweep(): void {
    const now = Date.now()
    for (const [entry, { isRead, since }] of this.idle) {
      if (isRead && now - since <= grace) return
      if (now - since <= this.gcTime && this.idle.size <= this.capacity) return
      this.drop(entry)
    }
  }

  private drop(entry: CacheEntry): void {
    this.idle.delete(entry)
    this.entries.delete(entry.definition.key)
  }

  /** Fetches again what has changed: at once where somebody observes it, otherwise when somebody does. */
  invalidate(matches: (entry: CacheEntry) => boolean): void {
    for (const entry of this.all) if (matches(entry)) entry.refetch()
  }

  /** Fetches again for observers. Answers to somebody else are forgotten before. */
  readonly changeUser = (isSame: boolean): void => {
    if (isSame) return this.invalidate(() => true)
    this.owner = {}
    this.arrived.clear()
    for (const entry of this.all) {
      entry.reset()
      if (!entry.isObserved) this.drop(entry)
    }
  }

  /**
   * Puts answers that have come with the page into entries that have none, or an older one. Where two schemas have one key, the
   * answer may be the other one's, and would be read as something else: both ask themselves.
   */
  hydrate(entries = this.all): void {
    if (this.arrived.size === 0 && !this.hasArrived) return
    for (const entry of entries) {
      const { codec } = entry.definition
      const key = codec?.key()
      const arrival = key === undefined ? undefined : this.arrived.get(key)
      if (codec === undefined || key === undefined || (arrival === undefined && !this.hasArrived)) continue
      this.arrived.delete(key)
      const alike = this.all.filter(({ definition }) => definition.codec?.key() === key)
      if (alike.length > 1) {
        for (const duplicate of alike) if (duplicate.answered?.isArrived) duplicate.outdate()
      } else if (arrival !== undefined) this.take(entry, codec, arrival)
    }
  }

  private take(entry: CacheEntry, codec: Codec, { at, isDrifted, value }: Arrived): void {
    const read = codec.read(value)
    if (read === undefined || (read.isDrifted && !isDrifted)) return
    this.hasArrived = true
    // A server's clock that is ahead must not make its answers good for longer.
    entry.put({ value: read.value, at: Math.min(at, Date.now()), isArrived: true })
  }
}

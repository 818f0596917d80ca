/** The answers of one client in one registry: found by what was asked, kept for a while when nobody looks, and bounded. */
import { type Asking, Entry } from "./entry.js"
import type { Signal } from "./signals.js"

/** How long and how much a cache keeps. */
export interface Keeping {
  /** Milliseconds for which an answer that nobody looks at is kept. */
  readonly gcTime: number
  /** Most answers that nobody looks at. */
  readonly capacity: number
  readonly focus: Signal
  readonly reconnect: Signal
}

/** What is asked. */
export interface Question<A, E> {
  /** Names the question within this process: equal questions have equal keys. */
  readonly key: string
  /** Names the call, whatever it is asked. */
  readonly call: string
  /** Tells apart what one call is asked in two ways: at once, or page by page. */
  readonly kind: string
  /** The words by which a mutation can name it. */
  readonly words: ReadonlyArray<string>
  /** The input, as the caller gave it. */
  readonly input: unknown
  readonly asking: Asking<A, E>
  readonly portable: Portable | undefined
}

/** How an answer travels from one process to another. */
export interface Portable {
  /** Names the question in every process. */
  readonly key: () => string
  /** The answer as JSON; undefined where it cannot be written. */
  readonly write: (value: unknown) => unknown
  /** The answer from JSON; undefined where it is not one. */
  readonly read: (json: unknown) => { readonly value: unknown } | undefined
}

/** An entry, and what it answers. */
export interface Slot {
  readonly question: Question<unknown, unknown>
  readonly words: Set<string>
  readonly entry: Entry<unknown, unknown>
  isObserved: boolean
  idleSince: number | undefined
}

export class Cache {
  /** Those that nobody looks at stand in the order in which they were left. */
  private readonly slots = new Map<string, Slot>()
  private observed = 0
  private silence: (() => void) | undefined

  constructor(
    private readonly keeping: Keeping,
    private readonly now: () => number,
    /** Looks for an answer that came with the page. */
    private readonly hydrate: (question: Question<unknown, unknown>, entry: Entry<unknown, unknown>) => void
  ) {}

  /** The entry of a question, made where there is none. */
  entry<A, E>(question: Question<A, E>): Entry<A, E> {
    this.sweep()
    let slot = this.slots.get(question.key)
    if (slot === undefined) {
      slot = this.make(question as unknown as Question<unknown, unknown>)
      this.slots.set(question.key, slot)
    }
    for (const word of question.words) slot.words.add(word)
    // A key names one question, and so one type of answer: the types that are erased here are the caller's own.
    return slot.entry as unknown as Entry<A, E>
  }

  private make(question: Question<unknown, unknown>): Slot {
    const entry = new Entry(question.asking, () => this.watch(slot))
    const slot: Slot = { question, words: new Set(), entry, isObserved: false, idleSince: this.now() }
    this.hydrate(question, entry)
    return slot
  }

  /** The entries that there are. */
  get all(): ReadonlyArray<Slot> {
    return [...this.slots.values()]
  }

  private watch(slot: Slot): void {
    const { entry, question } = slot
    if (entry.isObserved !== slot.isObserved) {
      slot.isObserved = entry.isObserved
      this.observed += entry.isObserved ? 1 : -1
      this.listen()
    }
    slot.idleSince = entry.isKept ? undefined : this.now()
    if (entry.isKept || this.slots.get(question.key) !== slot) return
    // To the end of the order.
    this.slots.delete(question.key)
    this.slots.set(question.key, slot)
  }

  private listen(): void {
    if (this.observed > 0 && this.silence === undefined) {
      const focus = this.keeping.focus(() => this.signal("onFocus"))
      const reconnect = this.keeping.reconnect(() => this.signal("onReconnect"))
      this.silence = () => {
        focus()
        reconnect()
      }
    } else if (this.observed === 0) {
      this.silence?.()
      this.silence = undefined
    }
  }

  private signal(kind: "onFocus" | "onReconnect"): void {
    for (const { entry } of this.all) entry.signal(kind)
  }

  /** Drops what nobody has looked at for too long, and the oldest of what is too much. */
  private sweep(): void {
    const idle = this.all.filter(({ idleSince }) => idleSince !== undefined)
    const latest = this.now() - this.keeping.gcTime
    idle.forEach(({ idleSince = 0, question }, index) => {
      if (idleSince < latest || idle.length - index > this.keeping.capacity) this.slots.delete(question.key)
    })
  }

  /** Asks anew for what a mutation has changed: at once where somebody looks, and otherwise when somebody does. */
  invalidate(matches: (slot: Slot) => boolean): void {
    for (const slot of this.all) if (matches(slot)) slot.entry.refresh()
  }

  /** Forgets every answer, and asks anew for those who look. */
  reset(): void {
    for (const { entry, question } of this.all) {
      if (!entry.isObserved) this.slots.delete(question.key)
      entry.reset()
    }
  }

  /** Gives answers that have come with the page to the entries that there are. */
  hydrateAll(): void {
    for (const { entry, question } of this.all) this.hydrate(question, entry)
  }

  /** Ends everything. */
  dispose(): void {
    this.slots.clear()
    this.observed = 0
    this.listen()
  }
}

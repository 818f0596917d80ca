/**
 * A browser of several tabs, as the standards describe it: a storage that all see, locks that are granted in turn and freed
 * with their tab, and messages that arrive later than they are sent, in a frozen tab when it goes on.
 */
import type { Browser } from "@quartet/sdk/extend"

interface Listener {
  readonly name: string
  readonly hear: (text: unknown) => void
  readonly miss: () => void
}

interface Waiting {
  readonly tab: FakeTab
  readonly grant: () => void
}

/** Web Locks: exclusive ones alone, as nothing here asks for others. */
class FakeLocks {
  private readonly holders = new Map<string, FakeTab>()
  private readonly queues = new Map<string, Array<Waiting>>()

  request(
    tab: FakeTab,
    name: string,
    signal: AbortSignal | undefined,
    work: () => unknown
  ): Promise<unknown> {
    const queue = this.queues.get(name) ?? []
    this.queues.set(name, queue)
    return new Promise((resolve, reject) => {
      const grant = async (): Promise<void> => {
        this.holders.set(name, tab)
        const done = await work()
        if (this.holders.get(name) === tab) this.free(name)
        resolve(done)
      }
      const waiting = { tab, grant: () => void grant() }
      signal?.addEventListener("abort", () => {
        const place = queue.indexOf(waiting)
        if (place < 0) return
        queue.splice(place, 1)
        reject(signal.reason)
      })
      queue.push(waiting)
      queueMicrotask(() => this.next(name))
    })
  }

  /** What a closed tab had is free again, and it waits for nothing more. */
  leave(tab: FakeTab): void {
    for (const [name, queue] of this.queues) {
      const others = queue.filter((waiting) => waiting.tab !== tab)
      queue.splice(0, queue.length, ...others)
      if (this.holders.get(name) === tab) this.free(name)
    }
  }

  /** Those that are held at this moment. */
  get held(): ReadonlyArray<{ readonly name: string }> {
    return [...this.holders.keys()].map((name) => ({ name }))
  }

  /** How many locks are held, or waited for. */
  get size(): number {
    return this.holders.size + [...this.queues.values()].flat().length
  }

  private free(name: string): void {
    this.holders.delete(name)
    this.next(name)
  }

  private next(name: string): void {
    if (!this.holders.has(name)) this.queues.get(name)?.shift()?.grant()
  }
}

/** A text, and which write of the browser's it comes from. */
interface Written {
  readonly text: string | undefined
  readonly turn: number
}

/** One tab. It sees what others write to the storage later than they do: browsers keep it in several processes. */
export class FakeTab implements Browser {
  private readonly own = new Map<string, string>()
  private readonly listeners = new Set<Listener>()
  private readonly written: Array<() => void> = []
  private readonly sent: Array<() => void> = []
  readonly isPage = true
  /** Whether what others do is heard of by hand alone. */
  isFrozen = false

  constructor(
    private readonly browser: FakeBrowser,
    private readonly seen: Map<string, Written>
  ) {}

  get locks(): Browser["locks"] {
    if (!this.browser.hasLocks) return undefined
    const { locks } = this.browser
    return {
      request: (name, { signal }, hold) => locks.request(this, name, signal, hold),
      query: async () => ({ held: locks.held })
    }
  }

  readonly get = (isShared: boolean, name: string): string | undefined =>
    isShared ? this.seen.get(name)?.text : this.own.get(name)

  readonly set = (isShared: boolean, name: string, text: string | undefined): boolean => {
    if (isShared) this.browser.write(name, text, this)
    else if (text === undefined) this.own.delete(name)
    else this.own.set(name, text)
    return true
  }

  readonly send = (name: string, text: string): void => {
    for (const tab of this.browser.tabs) if (tab !== this) tab.later(tab.sent, () => tab.hear(name, text))
  }

  readonly listen: Browser["listen"] = (name, hear, miss) => {
    const listener = { name, hear, miss }
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Sees what was written: by this tab at once, by another one later. */
  see(name: string, written: Written, isOwn: boolean): void {
    const show = (): boolean => {
      const isNew = (this.seen.get(name)?.turn ?? 0) < written.turn
      if (isNew) this.seen.set(name, written)
      return isNew
    }
    if (isOwn) show()
    else this.later(this.written, () => show() && this.hear(name, written.text ?? null))
  }

  /** Hears of the next that was written, or sent, or of all of both. */
  hearWritten(): void {
    this.written.shift()?.()
  }
  hearSent(): void {
    this.sent.shift()?.()
  }
  hearAll(): void {
    for (const hear of [...this.written.splice(0), ...this.sent.splice(0)]) hear()
  }

  /** Goes on after it was frozen. */
  thaw(): void {
    this.isFrozen = false
    this.hearAll()
  }

  /** Sees what is kept, and is told nothing of how it came there. */
  look(): void {
    const listeners = [...this.listeners]
    this.listeners.clear()
    this.hearAll()
    for (const listener of listeners) this.listeners.add(listener)
  }

  /** Comes back from the cache of pages that one goes back to: nobody has told it what happened meanwhile. */
  restore(): void {
    this.look()
    this.isFrozen = false
    for (const { miss } of this.listeners) miss()
  }

  /** How many listen in this tab. */
  get listening(): number {
    return this.listeners.size
  }

  private later(inbox: Array<() => void>, act: () => void): void {
    inbox.push(act)
    queueMicrotask(() => this.isFrozen || this.hearAll())
  }

  private hear(name: string, text: string | null): void {
    for (const listener of this.listeners) if (listener.name === name) listener.hear(text)
  }
}

export class FakeBrowser {
  private readonly storage = new Map<string, Written>()
  private turn = 0
  readonly tabs = new Set<FakeTab>()
  readonly locks = new FakeLocks()
  hasLocks = true

  open(): FakeTab {
    const tab = new FakeTab(this, new Map(this.storage))
    this.tabs.add(tab)
    return tab
  }

  close(tab: FakeTab): void {
    this.tabs.delete(tab)
    this.locks.leave(tab)
  }

  write(name: string, text: string | undefined, by?: FakeTab): void {
    this.turn += 1
    const written = { text, turn: this.turn }
    this.storage.set(name, written)
    for (const tab of this.tabs) tab.see(name, written, tab === by)
  }

  /** All that is kept. */
  kept(): string {
    return [...this.storage.values()].map(({ text }) => text).join()
  }

  /** Removes everything that is kept, as a person can. */
  clear(): void {
    for (const name of this.storage.keys()) this.write(name, undefined)
  }
}

/**
 * The turn to send: a Web Lock that one tab has at a time. Its tab may stand still, as under an open `alert` or in a stopped process,
 * and a browser frees the lock of a closed tab alone. So who waits for the turn asks, and takes it from a tab that does not answer. That
 * one may go on at any moment: it looks into the store before it sends anything.
 */
import type { Ports } from "./store.js"

/** Milliseconds in which a tab that has the turn answers. After two questions without an answer, the turn is taken from it. */
export const longestSilence = 4_000

/** What tabs say of the turn. */
export interface TurnMessage {
  readonly turn: "asked" | "held"
}

export class Turn {
  /** Whether the tab that has the turn has left a question unanswered. */
  isBlocked = false
  private isHeld = false
  private onAnswer: () => void = () => undefined

  constructor(
    private readonly name: string,
    private readonly ports: Pick<Ports, "after" | "chance" | "makeId">,
    private readonly tell: (message: TurnMessage) => void,
    private readonly onBlocked: () => void
  ) {}

  /** Hears another tab. Answers whether the message was of the turn. */
  hear({ turn }: { readonly turn?: unknown }): boolean {
    if (turn === "asked" && this.isHeld) this.tell({ turn: "held" })
    if (turn === "held") this.onAnswer()
    return turn !== undefined
  }

  /** Waits for the turn and works in it, unless the signal comes first. The work asks whether the turn is still this tab's. */
  async take(
    locks: NonNullable<Ports["locks"]>,
    signal: AbortSignal,
    work: (isHeld: () => boolean) => Promise<void>
  ): Promise<void> {
    const waiting = new AbortController()
    const leave = (): void => waiting.abort()
    signal.addEventListener("abort", leave)
    const stop = this.watch(leave)
    try {
      const { isGranted } = await this.hold(locks, { signal: waiting.signal }, stop, work)
      if (!isGranted && !signal.aborted) await this.hold(locks, { steal: true }, stop, work)
    } finally {
      stop()
      signal.removeEventListener("abort", leave)
    }
  }

  /** Whether a turn that was granted is not another tab's by now: this one may have stood still when it was. */
  isOwn(locks: NonNullable<Ports["locks"]>): Promise<boolean> {
    // What tells this tab in the list of the locks is one that nobody else asks for.
    const probeName = `${this.name} ${this.ports.makeId()}`
    return locks.request(probeName, async () => {
      const { held: heldLocks = [] } = await locks.query()
      const clientOf = (name: string) => heldLocks.find((lock) => lock.name === name)?.clientId
      return clientOf(probeName) === clientOf(this.name)
    })
  }

  private async hold(
    locks: NonNullable<Ports["locks"]>,
    options: LockOptions,
    onGranted: () => void,
    work: (isHeld: () => boolean) => Promise<void>
  ): Promise<{ readonly isGranted: boolean }> {
    let working: Promise<void> | undefined
    let isHeld = true
    try {
      await locks.request(this.name, options, () => {
        onGranted()
        this.isHeld = true
        // Who else waits need not take it from the tab that had it before.
        this.tell({ turn: "held" })
        working = work(() => isHeld)
        return working
      })
    } catch (cause) {
      isHeld = this.isHeld = false
      if (working === undefined && options.signal?.aborted) return { isGranted: false }
      if (working === undefined) throw cause
      // The turn was taken away: what had begun still ends. Or that has failed by itself.
      await working
    }
    this.isHeld = false
    return { isGranted: true }
  }

  /** Asks the tab that has the turn again and again, and calls back once it has not answered for too long. */
  private watch(onSilence: () => void): () => void {
    let isAnswered = false
    const ask = (): (() => void) => {
      isAnswered = false
      this.tell({ turn: "asked" })
      // Tabs that began to wait at once take the turn one after another.
      const pause = longestSilence * (1 + this.ports.chance() / 4)
      return this.ports.after(pause, () => {
        if (!isAnswered && this.isBlocked) return onSilence()
        this.block(!isAnswered)
        stop = ask()
      })
    }
    this.onAnswer = () => {
      isAnswered = true
      this.block(false)
    }
    let stop = ask()
    return () => {
      stop()
      this.onAnswer = () => undefined
      this.block(false)
    }
  }

  private block(isBlocked: boolean): void {
    if (isBlocked === this.isBlocked) return
    this.isBlocked = isBlocked
    this.onBlocked()
  }
}

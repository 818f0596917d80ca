/** Sends what an outbox keeps, one entry after another, in the one tab that holds the lock. */

import { currentWatch, InputError, type Watch } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { functionOf } from "../rx/query.js"
import { type Connection, clientOf, type Definition, platformOf } from "./connection.js"
import { type EntryEvent, type Kept, type Plan, pauseAfter, type Verdict, verdictOf } from "./entry.js"
import { OutboxError, outboxErrorOf } from "./error.js"
import type { Changed, Ports } from "./store.js"
import { longestSilence, Turn, type TurnMessage } from "./turn.js"

/** The entries that a sender works on. */
export interface Entries {
  /** As the store had them last. */
  readonly kept: ReadonlyArray<Kept>
  /** What to send next, by whoever is signed in. */
  readonly plan: () => Plan
  /** Reads them again. */
  readonly refresh: () => Promise<void>
  readonly change: (id: string, event: EntryEvent) => Promise<Changed>
  /** What sends an entry; undefined where this page cannot. */
  readonly routeOf: (entry: Kept) => Route | undefined
  /** Whether an entry is known to be over. */
  readonly isOver: (id: string) => boolean
  /** The platform has done an entry, which the store may still hold. */
  readonly done: (id: string, data: unknown) => void
  /** The store could not note that an entry is done. */
  readonly unnoted: (id: string) => void
  /** Nothing can be read or kept. */
  readonly failed: (error: OutboxError) => void
  /** What the sender knows has changed, and is to be shown. */
  readonly noticed: () => void
  /** Tells the other tabs. */
  readonly tell: (message: TurnMessage) => void
}

/** What sends an entry: its mutation, in the client of the person that it is of. */
export interface Route {
  readonly definition: Definition
  readonly client: NonNullable<Connection["state"]["client"]>
}

const endOf = (attempt: number, verdict: Verdict, notBefore: number): EntryEvent => ({
  _tag: "Ended",
  attempt,
  verdict,
  notBefore
})

const elsewhere = (operation: string): InputError =>
  new InputError({
    operation,
    field: "baseUrl",
    rule: "is another platform than the one this was written for"
  })

const standstill: Verdict = {
  _tag: "Waits",
  error: { _tag: "Interrupted", message: "its page stood still before this was sent: it was not" },
  retryAfter: undefined
}

export class Sender {
  readonly turn: Turn
  /** What the app's probe threw last, until it answers. */
  probeError: OutboxError | undefined
  /** How often in a row nothing could be sent because of the store. */
  private failures = 0
  private readonly over = new AbortController()
  private wake: () => void = () => undefined
  private isPumping = false
  private isDirty = false

  constructor(
    private readonly outbox: string,
    private readonly ports: Ports,
    private readonly entries: Entries
  ) {
    this.turn = new Turn(`quartet-outbox ${outbox}`, ports, entries.tell, () => entries.noticed())
  }

  get isClosed(): boolean {
    return this.over.signal.aborted
  }

  close(): void {
    this.over.abort()
    this.wake()
  }

  /** Sends what can be sent, once more where something has changed meanwhile. Never rejects. */
  async pump(): Promise<void> {
    this.isDirty = true
    if (this.isPumping) return
    this.isPumping = true
    while (this.isDirty && !this.isClosed) {
      this.isDirty = false
      try {
        await this.round()
        this.failures = 0
      } catch (cause) {
        this.fail(cause)
      }
    }
    this.isPumping = false
  }

  /** Shows what failed, and tries again later where that may help. */
  fail(cause: unknown): void {
    if (this.isClosed) return
    const error = outboxErrorOf(this.outbox, cause)
    if (error.reason !== "Unsupported") {
      this.sleep(this.pauseAfter(this.failures))
      this.failures += 1
    }
    this.entries.failed(error)
  }

  /**
   * Waits for the lock where there is something to send, to note, or something that another tab is sending: that tab may be closed. It
   * is held only while something is sent, so that no tab that rests, or that lacks a mutation, keeps the others from it.
   */
  private async round(): Promise<void> {
    const { locks } = this.ports
    this.wake()
    if (locks === undefined) throw new OutboxError({ outbox: this.outbox, reason: "Unsupported" })
    await this.entries.refresh()
    const next = this.entries.plan()
    const isOpen = ({ id, state }: Kept): boolean => state === "sending" || this.entries.isOver(id)
    if (next._tag !== "Send" && !this.entries.kept.some(isOpen)) {
      if (next._tag === "Pause") this.sleep(next.milliseconds)
      return
    }
    await this.turn.take(locks, this.over.signal, async (isHeld) => {
      const isOwn = await this.turn.isOwn(locks)
      if (isOwn) await this.lead(isHeld)
      // A tab that has lost its turn waits for the next.
      this.isDirty ||= !(isOwn && isHeld())
    })
  }

  /** Sends one entry after another while this tab holds the lock. */
  private async lead(isHeld: () => boolean): Promise<void> {
    const { entries, ports } = this
    await entries.refresh()
    // Only who holds the lock sends, so those who were sending are no longer there, stand still, or could not write what became of
    // it. What they could not write, a page that knows nothing of it may have taken for lost since.
    for (const { attempts, id, state } of entries.kept) {
      if (entries.isOver(id)) await entries.change(id, endOf(attempts, { _tag: "Done", data: undefined }, 0))
      else if (state === "sending") await entries.change(id, { _tag: "Orphaned" })
    }
    while (!this.isClosed && isHeld()) {
      await entries.refresh()
      const next = entries.plan()
      if (next._tag === "Pause") this.sleep(next.milliseconds)
      if (next._tag !== "Send" || !ports.isOnline()) return
      if (!(await this.isReached())) return this.sleep(this.pauseAfter(3))
      await this.send(next.entry)
    }
  }

  /** Asks the app's probe. What it throws is shown. */
  private async isReached(): Promise<boolean> {
    try {
      const isReached = await this.ports.probe()
      this.probeError = undefined
      return isReached
    } catch (cause) {
      this.probeError = new OutboxError({ outbox: this.outbox, reason: "Probe", cause })
      return false
    } finally {
      this.entries.noticed()
    }
  }

  private pauseAfter(attempts: number, retryAfter?: number): number {
    return pauseAfter(attempts, retryAfter, this.ports.chance())
  }

  private sleep(milliseconds: number): void {
    this.wake()
    this.wake = this.ports.after(milliseconds, () => this.pump())
  }

  /**
   * Whether an entry is still this tab's to send, by the store: a tab that stood still may have lost its turn, and a person may have had
   * the entry sent again since.
   */
  private async isOurs({ attempts, id }: Kept): Promise<boolean> {
    const { entries, ports } = this
    for (;;) {
      const before = ports.now()
      // Without the store, nobody knows.
      if (
        !(await entries.refresh().then(
          () => true,
          () => false
        ))
      )
        return false
      const current = entries.kept.find((candidate) => candidate.id === id)
      if (current?.state !== "sending" || current.attempts !== attempts) return false
      if (Math.abs(ports.now() - before) < longestSilence) return true
    }
  }

  private async send({ id }: Kept): Promise<void> {
    const { entries } = this
    const { after: entry, before } = await entries.change(id, { _tag: "Claimed" })
    // Another tab may have claimed it while this one stood still.
    if (before?.state !== "queued" || entry?.state !== "sending") return
    const route = entries.routeOf(entry)
    const released: EntryEvent = { _tag: "Released", attempt: entry.attempts }
    // Somebody may have signed out, or the registry may have ended, while that was written.
    if (route === undefined || this.isClosed) {
      await entries.change(id, released)
      return
    }
    let isPassed = false
    const watch: Watch = {
      sent: 0,
      before: Effect.flatMap(
        Effect.promise(() => this.isOurs(entry)),
        (isOurs) => {
          isPassed = !isOurs
          return isOurs ? Effect.void : Effect.interrupt
        }
      )
    }
    const { call } = route.definition
    const sent = Effect.flatMap(clientOf(call.client), (service) =>
      platformOf(service) === entry.platform
        ? functionOf(call).run(entry.input as never, {
            idempotencyKey: entry.idempotencyKey,
            policy: { attempts: 1 }
          })
        : Effect.fail(elsewhere(entry.operation))
    )
    const exit = await new Promise<Exit.Exit<unknown, unknown>>((resolve) =>
      route.client.fork(Effect.locally(sent, currentWatch, watch), (ended) => {
        // Its fiber gives it up a moment later.
        if (Exit.isInterrupted(ended)) watch.leave?.()
        resolve(ended)
      })
    )
    if (!isPassed && watch.sent === 0 && Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)) {
      await entries.change(id, released)
      return
    }
    const verdict = isPassed ? standstill : verdictOf(exit)
    const retryAfter = verdict._tag === "Waits" ? verdict.retryAfter : undefined
    const notBefore = this.ports.now() + this.pauseAfter(entry.attempts, retryAfter)
    if (verdict._tag === "Done") entries.done(id, verdict.data)
    try {
      await entries.change(id, endOf(entry.attempts, verdict, notBefore))
    } catch (cause) {
      if (verdict._tag === "Done") entries.unnoted(id)
      throw cause
    }
  }
}

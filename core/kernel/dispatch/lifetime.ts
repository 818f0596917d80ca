/** How long something lives that others depend on, such as a client: whatever it has under way ends with it. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { InputError } from "../errors/errors.js"
import { Deadlines, type StartFiber } from "./deadline.js"

/** Something under way: how it is ended from outside, and its place in the list. */
interface Entry {
  /** What has to be done at once is done when it is called, and the rest by the effect. */
  readonly end: () => Effect.Effect<void>
  place: number
}

/** The place of an entry that is no longer in the list. */
const gone = -1

export class Lifetime {
  /** Each entry knows its place, so that it leaves without a search. */
  private readonly running: Array<Entry> = []
  /** Whether it is over. */
  isOver = false
  /** Of what is under way. */
  readonly deadlines: Deadlines

  constructor(readonly start: StartFiber) {
    this.deadlines = new Deadlines(start)
  }

  /** Enters something that ends with this, at once where this is over. The function that it answers takes it off. */
  enter(end: () => Effect.Effect<void>): () => void {
    if (this.isOver) {
      this.start(end())
      return () => undefined
    }
    const entry: Entry = { end, place: this.running.length }
    this.running.push(entry)
    return () => this.leave(entry)
  }

  /** Interrupts a fiber at the end of this. */
  own(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    fiber.addObserver(this.enter(() => Effect.asVoid(Fiber.interrupt(fiber))))
  }

  private leave(entry: Entry): void {
    const { place } = entry
    if (place === gone) return
    entry.place = gone
    const last = this.running.pop()
    if (last === undefined || last === entry) return
    this.running[place] = last
    last.place = place
  }

  /** Waits for the end of this, and is then interrupted. */
  readonly over: Effect.Effect<never> = Effect.async((resume) => {
    const leave = this.enter(() => {
      resume(Effect.interrupt)
      return Effect.void
    })
    return Effect.sync(leave)
  })

  /** Ends whatever is under way, and waits until it has ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.isOver = true
    const ends = [...this.running].map((entry) => {
      // One that was ended by another one is off the list already.
      const isThere = entry.place !== gone
      this.leave(entry)
      return isThere ? entry.end() : Effect.void
    })
    const ended = Effect.all(ends, { concurrency: "unbounded", discard: true })
    return Effect.zipRight(
      ended,
      Effect.sync(() => this.deadlines.rest())
    )
  })
}

/** What a call of a client that is over fails with. */
export const closed = (operation: string): InputError =>
  new InputError({ operation, field: "client", rule: "is closed: make a new one" })

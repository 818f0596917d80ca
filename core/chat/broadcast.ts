/**
 * Passes incoming items to all readers: each stream has a bounded queue, so that a socket's bursts do not wait for a
 * reader, and takes all items or those of one kind. Items from before the first run are kept for it, if wanted.
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Pull } from "../kernel/dispatch/pulls.js"

/** `Open` while every reader has room. `Full` after one has none, until all have caught up by half. */
export type State<E> =
  | { readonly _tag: "Open" | "Full" }
  | { readonly _tag: "Ended"; readonly exit: Exit.Exit<void, E> }

/** `waiting`: the most items that wait for one of the readers with backpressure. */
export type Event<E> =
  | { readonly _tag: "Offered" | "Taken"; readonly waiting: number }
  | { readonly _tag: "Ended"; readonly exit: Exit.Exit<void, E> }

export type Action = "Block" | "Release" | "End"

/** The transition for an event. */
export const reduce = <E>(
  bound: number,
  state: State<E>,
  event: Event<E>
): readonly [state: State<E>, actions: ReadonlyArray<Action>] => {
  if (state._tag === "Ended") return [state, []]
  if (event._tag === "Ended") return [event, ["End"]]
  if (event._tag === "Offered" && state._tag === "Open" && event.waiting >= bound)
    return [{ _tag: "Full" }, ["Block"]]
  if (event._tag === "Taken" && state._tag === "Full" && event.waiting * 2 <= bound)
    return [{ _tag: "Open" }, ["Release"]]
  return [state, []]
}

/** Maximum items that a reader takes at once. */
const slice = 256

/** First in, first out, in an array that is cut once half of it is taken. */
class Queue<A> {
  private items: Array<A> = []
  private head = 0

  get size(): number {
    return this.items.length - this.head
  }

  push(item: A): void {
    this.items.push(item)
  }

  /** Takes the oldest items. */
  take(most: number): Array<A> {
    const batch = this.items.slice(this.head, this.head + most)
    this.head += batch.length
    if (this.head * 2 >= this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
    return batch
  }
}

/** One stream that is run. */
interface Reader<A> {
  readonly queue: Queue<A>
  readonly kind: string | undefined
  /** Called with an item, or at the end, while the reader waits. */
  wake: (() => void) | undefined
}

/** How to treat items from before the first run, and those that a reader loses. */
export interface Options<A> {
  readonly bound: number
  /**
   * `wait`: they are kept for it, and a full buffer counts as a reader without room. `keep`: they are kept, and the
   * oldest are dropped. `pass`: they are not kept.
   */
  readonly early: "wait" | "keep" | "pass"
  readonly kindOf?: (item: A) => string
  /**
   * Called with the number of items that a reader has lost. Unread items count as lost for the first reader that would
   * have begun with them.
   */
  readonly onLost?: (count: number) => void
}

export class Broadcast<A, E> {
  private state: State<E> = { _tag: "Open" }
  private readonly readers = new Set<Reader<A>>()
  /** The items for the first reader; undefined once there was one. */
  private backlog: Queue<A> | undefined
  /** How many items the backlog has lost, by their kinds. */
  private readonly lost = new Map<string, number>()
  private readonly room = Effect.unsafeMakeLatch(true)
  /** The most items that waited for one reader at one time. */
  highest = 0

  constructor(private readonly options: Options<A>) {
    if (options.early !== "pass") this.backlog = new Queue()
  }

  /** The maximum for one reader. Items without a reader delay no one: the oldest are dropped. */
  private get waiting(): number {
    let most = 0
    if (this.readers.size === 0 && this.options.early === "wait" && this.backlog !== undefined)
      most = this.backlog.size
    for (const { queue } of this.readers) most = Math.max(most, queue.size)
    return most
  }

  private dispatch(event: Event<E>): void {
    const [state, actions] = reduce(this.options.bound, this.state, event)
    this.state = state
    for (const action of actions) {
      if (action === "Block") this.room.unsafeClose()
      else if (action === "Release") this.room.unsafeOpen()
      else for (const reader of this.readers) reader.wake?.()
    }
  }

  /** Whether every reader can take another item; while one cannot, `hasRoom` waits. */
  takes(): boolean {
    this.dispatch({ _tag: "Offered", waiting: this.waiting })
    return this.state._tag !== "Full"
  }

  /** Waits until every reader that was full has caught up by half. */
  get hasRoom(): Effect.Effect<void> {
    return this.room.await
  }

  private kindOf(item: A): string {
    return this.options.kindOf?.(item) ?? ""
  }

  /** Passes an item to all readers. One without room loses its oldest item. */
  tell(item: A): void {
    const { onLost } = this.options
    if (this.state._tag === "Ended") return
    const kind = this.kindOf(item)
    for (const reader of this.readers) {
      if (reader.kind !== undefined && reader.kind !== kind) continue
      if (this.add(reader.queue, item) !== undefined) onLost?.(1)
      reader.wake?.()
    }
    const oldest = this.backlog && this.add(this.backlog, item)
    if (oldest === undefined) return
    const lost = this.kindOf(oldest)
    this.lost.set(lost, (this.lost.get(lost) ?? 0) + 1)
  }

  /** Adds an item; returns the oldest if there was no room for both. */
  private add(queue: Queue<A>, item: A): A | undefined {
    queue.push(item)
    const oldest = queue.size > this.options.bound ? queue.take(1)[0] : undefined
    this.highest = Math.max(this.highest, queue.size)
    return oldest
  }

  /** Ends all streams, including later ones. They get the remaining items, and then the end. */
  close(exit: Exit.Exit<void, E>): void {
    this.dispatch({ _tag: "Ended", exit })
  }

  private join(
    kind: string | undefined,
    isLate: boolean,
    first: (() => A) | undefined
  ): Effect.Effect<Reader<A>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const reader: Reader<A> = { queue: new Queue(), kind, wake: undefined }
        if (first !== undefined) reader.queue.push(first())
        const isMine = (itemKind: string) => kind === undefined || kind === itemKind
        this.readers.add(reader)
        if (this.backlog !== undefined && !isLate) {
          for (const item of this.backlog.take(this.options.bound))
            if (isMine(this.kindOf(item))) reader.queue.push(item)
          this.backlog = undefined
          for (const [lost, count] of this.lost) if (isMine(lost)) this.options.onLost?.(count)
        }
        this.dispatch({ _tag: "Taken", waiting: this.waiting })
        return reader
      }),
      (reader) =>
        Effect.sync(() => {
          this.readers.delete(reader)
          this.dispatch({ _tag: "Taken", waiting: this.waiting })
        })
    )
  }

  /** Takes the available items, at least one; waits for it, or fails with none at the end. */
  private take(reader: Reader<A>): Pull<A, E> {
    return Effect.suspend(() => {
      const { state } = this
      if (reader.queue.size > 0) {
        const batch = reader.queue.take(slice)
        this.dispatch({ _tag: "Taken", waiting: this.waiting })
        return Effect.succeed(batch)
      }
      if (state._tag === "Ended")
        return Effect.zipRight(Effect.mapError(state.exit, Option.some), Effect.fail(Option.none()))
      return Effect.async((resume) => {
        reader.wake = () => resume(this.take(reader))
        // A fiber may yield before it comes here.
        if (reader.queue.size > 0 || this.state._tag === "Ended") reader.wake()
      })
    })
  }

  /**
   * The items of a kind, all by default, from now on. The first reader that is not `late` begins with what was kept; each
   * with the result of `first`, if given.
   */
  open(kind?: string, isLate = false, first?: () => A): Effect.Effect<Pull<A, E>, never, Scope.Scope> {
    return Effect.map(this.join(kind, isLate, first), (reader) => this.take(reader))
  }
}

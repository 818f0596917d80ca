/**
 * Tells what comes in to all who read: each stream has a bounded mailbox, so that a socket's bursts do not wait for a
 * reader, and takes all items or those of one kind. What comes in before the first stream is run waits for it, where it is
 * wanted.
 */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Mailbox from "effect/Mailbox"
import * as MutableList from "effect/MutableList"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** `Open` while every reader has room. `Full` from when one has none until all have caught up by half. */
export type State<E> =
  | { readonly _tag: "Open" | "Full" }
  | { readonly _tag: "Ended"; readonly exit: Exit.Exit<void, E> }

/** `waiting`: most items that wait for one of the readers that are waited for. */
export type Event<E> =
  | { readonly _tag: "Offered" | "Taken"; readonly waiting: number }
  | { readonly _tag: "Ended"; readonly exit: Exit.Exit<void, E> }

export type Action = "Block" | "Release" | "End"

/** What an event leads to. */
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

/** Most items that a reader takes at once. */
const slice = 256

/** The mailbox of one stream that is run. */
interface Reader<A, E> {
  readonly mailbox: Mailbox.Mailbox<A, E>
  readonly kind: string | undefined
}

/** What becomes of items that come in before the first stream is run, and of those that a reader loses. */
export interface Options<A> {
  readonly bound: number
  /**
   * `wait`: they are kept for it, and where they fill the buffer, that is a reader without room. `keep`: they are kept,
   * and the oldest go. `pass`: they are not kept.
   */
  readonly early: "wait" | "keep" | "pass"
  readonly kindOf?: (item: A) => string
  /** Told how many items a reader has lost. What nobody reads is lost to the first who would have begun with it. */
  readonly onLost?: (count: number) => void
}

const sizeOf = <A, E>({ mailbox }: Reader<A, E>): number => Option.getOrElse(mailbox.unsafeSize(), () => 0)

export class Relay<A, E> {
  private state: State<E> = { _tag: "Open" }
  private readonly readers = new Set<Reader<A, E>>()
  /** What waits for the first reader; undefined once there was one. */
  private backlog: MutableList.MutableList<A> | undefined
  /** How many items the backlog has lost, by their kinds. */
  private readonly lost = new Map<string, number>()
  private readonly room = Effect.unsafeMakeLatch(true)
  /** Most items that waited for one reader at one time. */
  highest = 0

  constructor(private readonly options: Options<A>) {
    if (options.early !== "pass") this.backlog = MutableList.empty()
  }

  /** Most that waits for one reader. What nobody reads yet holds up no reader: its oldest go. */
  private get waiting(): number {
    let most = 0
    if (this.readers.size === 0 && this.options.early === "wait" && this.backlog !== undefined)
      most = MutableList.length(this.backlog)
    for (const reader of this.readers) most = Math.max(most, sizeOf(reader))
    return most
  }

  private dispatch(event: Event<E>): void {
    const [state, actions] = reduce(this.options.bound, this.state, event)
    this.state = state
    for (const action of actions) {
      if (action === "Block") this.room.unsafeClose()
      else if (action === "Release") this.room.unsafeOpen()
      else for (const reader of this.readers) this.end(reader)
    }
  }

  private end({ mailbox }: Reader<A, E>): void {
    if (this.state._tag === "Ended") mailbox.unsafeDone(this.state.exit)
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

  /** Tells all readers. One without room loses its oldest item. */
  tell(item: A): void {
    const { bound, onLost } = this.options
    if (this.state._tag === "Ended") return
    const kind = this.kindOf(item)
    for (const reader of this.readers) {
      if (reader.kind !== undefined && reader.kind !== kind) continue
      const size = sizeOf(reader)
      reader.mailbox.unsafeOffer(item)
      if (size >= bound) onLost?.(1)
      this.highest = Math.max(this.highest, Math.min(size + 1, bound))
    }
    if (this.backlog === undefined) return
    MutableList.append(this.backlog, item)
    if (MutableList.length(this.backlog) > bound) {
      const oldest = MutableList.shift(this.backlog)
      const lost = oldest === undefined ? "" : this.kindOf(oldest)
      this.lost.set(lost, (this.lost.get(lost) ?? 0) + 1)
    }
    this.highest = Math.max(this.highest, MutableList.length(this.backlog))
  }

  /** Ends all streams, those to come included. They get what is left, and then the end. */
  close(exit: Exit.Exit<void, E>): void {
    this.dispatch({ _tag: "Ended", exit })
  }

  private join(kind: string | undefined, isLate: boolean): Effect.Effect<Reader<A, E>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.map(Mailbox.make<A, E>({ capacity: this.options.bound, strategy: "sliding" }), (mailbox) => {
        const reader: Reader<A, E> = { mailbox, kind }
        const isMine = (other: string) => kind === undefined || kind === other
        this.readers.add(reader)
        if (this.backlog !== undefined && !isLate) {
          mailbox.unsafeOfferAll(Array.from(this.backlog).filter((item) => isMine(this.kindOf(item))))
          this.backlog = undefined
          for (const [lost, count] of this.lost) if (isMine(lost)) this.options.onLost?.(count)
        }
        this.dispatch({ _tag: "Taken", waiting: this.waiting })
        this.end(reader)
        return reader
      }),
      (reader) =>
        Effect.sync(() => {
          this.readers.delete(reader)
          this.dispatch({ _tag: "Taken", waiting: this.waiting })
        })
    )
  }

  /** Takes what is there, at least one item; waits for it, or fails with none at the end. */
  private take(reader: Reader<A, E>): Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> {
    const { mailbox } = reader
    const some = Effect.flatMap(mailbox.take, (first) => {
      const more = Math.min(sizeOf(reader), slice - 1)
      // A fresh array: of a Chunk that is made of slices, effect 3.22 loses items once another one is appended.
      const taken: Effect.Effect<Chunk.Chunk<A>, E> = more === 0
        ? Effect.succeed(Chunk.of(first))
        : Effect.map(mailbox.takeN(more), ([rest]) => Chunk.unsafeFromArray([first, ...rest]))
      return Effect.tap(taken, () =>
        Effect.sync(() => this.dispatch({ _tag: "Taken", waiting: this.waiting }))
      )
    })
    return Effect.mapError(some, (error) =>
      Cause.isNoSuchElementException(error) ? Option.none() : Option.some(error)
    )
  }

  /**
   * The items of a kind, all by default, from now on. The first run of a stream that is not `late` begins with what
   * was kept.
   */
  stream(kind?: string, isLate = false): Stream.Stream<A, E> {
    return Stream.unwrapScoped(
      Effect.map(this.join(kind, isLate), (reader) => Stream.repeatEffectChunkOption(this.take(reader)))
    )
  }
}

/**
 * Tells what comes in to all who read: each stream has a bounded buffer of its own, so that a socket's bursts do not
 * wait for a reader, and takes all items or those of one kind. What comes in before the first stream is run waits for it,
 * where it is wanted.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** Most items that a reader takes at once. */
const slice = 256

/** A bounded queue with one reader. */
class Buffer<A, E> {
  private items: Array<A> = []
  private head = 0
  private waiting: (() => void) | undefined
  private end: Exit.Exit<void, E> | undefined

  constructor(
    private readonly bound: number,
    private readonly takes: (item: A) => boolean,
    private readonly onTaken: () => void
  ) {}

  size(): number {
    return this.items.length - this.head
  }

  /** Adds an item that it takes. Where there is no room, the oldest goes: it is the answer. */
  push(item: A): A | undefined {
    if (this.end !== undefined || !this.takes(item)) return undefined
    const lost = this.size() >= this.bound ? this.items[this.head++] : undefined
    this.items.push(item)
    this.compact()
    this.wake()
    return lost
  }

  /** What waits in it. */
  waits(): ReadonlyArray<A> {
    return this.items.slice(this.head)
  }

  /** Ends the buffer: its reader gets what is left, and then the end. */
  close(end: Exit.Exit<void, E>): void {
    this.end ??= end
    this.wake()
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = undefined
    waiting?.()
  }

  private compact(): void {
    if (this.head * 2 < this.items.length || this.head === 0) return
    this.items = this.items.slice(this.head)
    this.head = 0
  }

  private takeNow(): Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> {
    if (this.size() > 0) {
      const taken = this.items.slice(this.head, this.head + slice)
      this.head += taken.length
      this.compact()
      this.onTaken()
      return Effect.succeed(Chunk.unsafeFromArray(taken))
    }
    if (this.end === undefined) return Effect.zipRight(this.changed, this.take)
    return Exit.match(this.end, {
      onFailure: (cause) => Effect.mapError(Effect.failCause(cause), Option.some),
      onSuccess: () => Effect.fail(Option.none())
    })
  }

  private readonly changed: Effect.Effect<void> = Effect.async((resume) => {
    this.waiting = () => resume(Effect.void)
    return Effect.sync(() => {
      this.waiting = undefined
    })
  })

  /** Takes what is there, at least one item; waits for it, or fails with none at the end. */
  readonly take: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> = Effect.suspend(() => this.takeNow())
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

export class Relay<A, E> {
  private readonly readers = new Set<Buffer<A, E>>()
  private backlog: Buffer<A, E> | undefined
  /** How many items the backlog has lost, by their kinds. */
  private readonly lost = new Map<string, number>()
  private end: Exit.Exit<void, E> | undefined
  /** Open while every reader has room: closed when one is full, opened when all have caught up by half. */
  private readonly room = Effect.unsafeMakeLatch(true)
  private peak = 0
  private isFull = false

  private readonly bound: number

  constructor(private readonly options: Options<A>) {
    this.bound = options.bound
    if (options.early === "pass") return
    this.backlog = this.reader(() => true)
    this.readers.add(this.backlog)
  }

  private reader(takes: (item: A) => boolean): Buffer<A, E> {
    return new Buffer(this.bound, takes, () => this.look())
  }

  /** Those that are waited for. What nobody reads yet holds up no reader: its oldest go. */
  private *pressing(): Iterable<Buffer<A, E>> {
    const waits = this.options.early === "wait" && this.readers.size === 1
    for (const reader of this.readers) if (reader !== this.backlog || waits) yield reader
  }

  private look(): void {
    if (!this.isFull) return
    for (const reader of this.pressing()) if (reader.size() * 2 > this.bound) return
    this.isFull = false
    this.room.unsafeOpen()
  }

  /** Whether every reader can take another item; while one cannot, `hasRoom` waits. */
  takes(): boolean {
    if (this.isFull) return false
    for (const reader of this.pressing()) {
      if (reader.size() < this.bound) continue
      this.isFull = true
      this.room.unsafeClose()
      return false
    }
    return true
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
    for (const reader of this.readers) {
      const lost = reader.push(item)
      if (reader.size() > this.peak) this.peak = reader.size()
      if (lost === undefined) continue
      const kind = this.kindOf(lost)
      if (reader === this.backlog) this.lost.set(kind, (this.lost.get(kind) ?? 0) + 1)
      else this.options.onLost?.(1)
    }
  }

  /** Ends all streams, those to come included. */
  close(end: Exit.Exit<void, E>): void {
    this.end ??= end
    for (const reader of this.readers) reader.close(end)
  }

  /** Most items that waited for one reader at one time. */
  get highest(): number {
    return this.peak
  }

  private join(kind: string | undefined, isLate: boolean): Effect.Effect<Buffer<A, E>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const reader = this.reader((item) => kind === undefined || this.kindOf(item) === kind)
        this.readers.add(reader)
        if (this.backlog !== undefined && !isLate) {
          this.readers.delete(this.backlog)
          for (const item of this.backlog.waits()) reader.push(item)
          this.backlog = undefined
          for (const [lost, count] of this.lost)
            if (kind === undefined || kind === lost) this.options.onLost?.(count)
        }
        this.look()
        if (this.end !== undefined) reader.close(this.end)
        return reader
      }),
      (reader) =>
        Effect.sync(() => {
          this.readers.delete(reader)
          this.look()
        })
    )
  }

  /**
   * The items of a kind, all by default, from now on. The first run of a stream that is not `late` begins with what
   * was kept.
   */
  stream(kind?: string, isLate = false): Stream.Stream<A, E> {
    return Stream.unwrapScoped(
      Effect.map(this.join(kind, isLate), ({ take }) => Stream.repeatEffectChunkOption(take))
    )
  }
}

/**
 * Tells what comes in to all who read: each stream has a bounded buffer of its own, so that a socket's bursts do not
 * wait for a reader, and takes all items or those of one kind. What comes in before the first stream is run waits for it.
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

  /** Adds an item that it takes. Where there is no room, the oldest goes: the answer is then true. */
  push(item: A): boolean {
    if (this.end !== undefined || !this.takes(item)) return false
    const isFull = this.size() >= this.bound
    if (isFull) this.head += 1
    this.items.push(item)
    this.compact()
    this.wake()
    return isFull
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

export class Relay<A, E> {
  private readonly readers = new Set<Buffer<A, E>>()
  private backlog: Buffer<A, E> | undefined
  private end: Exit.Exit<void, E> | undefined
  /** Open while every reader has room: closed when one is full, opened when all have caught up by half. */
  private readonly room = Effect.unsafeMakeLatch(true)
  private peak = 0
  private isFull = false

  /** With `keeps`, what comes in before the first stream is run is kept for it. */
  constructor(
    private readonly bound: number,
    keeps: boolean
  ) {
    if (!keeps) return
    this.backlog = this.reader(() => true)
    this.readers.add(this.backlog)
  }

  private reader(takes: (item: A) => boolean): Buffer<A, E> {
    return new Buffer(this.bound, takes, () => this.look())
  }

  /** Those that are waited for. What nobody reads yet holds up no reader: its oldest go. */
  private *pressing(): Iterable<Buffer<A, E>> {
    for (const reader of this.readers) if (reader !== this.backlog || this.readers.size === 1) yield reader
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

  /** Tells all readers. Answers how many of them lost their oldest item. */
  tell(item: A): number {
    let lost = 0
    for (const reader of this.readers) {
      if (reader.push(item)) lost += 1
      if (reader.size() > this.peak) this.peak = reader.size()
    }
    return lost
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

  private join(
    takes: (item: A) => boolean,
    isLate: boolean
  ): Effect.Effect<Buffer<A, E>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const reader = this.reader(takes)
        this.readers.add(reader)
        if (this.backlog !== undefined && !isLate) {
          this.readers.delete(this.backlog)
          for (const item of this.backlog.waits()) reader.push(item)
          this.backlog = undefined
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
   * The items that it takes, all by default, from now on. The first run of a stream that is not `late` begins with what
   * was kept.
   */
  stream(takes: (item: A) => boolean = () => true, isLate = false): Stream.Stream<A, E> {
    return Stream.unwrapScoped(
      Effect.map(this.join(takes, isLate), ({ take }) => Stream.repeatEffectChunkOption(take))
    )
  }
}

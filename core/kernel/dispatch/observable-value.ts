/** A value and its changes: like Effect's SubscriptionRef, without its heavy PubSub. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { Pull } from "./pulls.js"

/** One stream of changes that is run. */
interface Reader<A> {
  /** The values that it has not taken yet. */
  values: Array<A>
  /** Called with a value while it waits. */
  wake: (() => void) | undefined
}

/** Takes the values that are there, at least one, and waits for it. */
const take = <A>(reader: Reader<A>): Pull<A, never> =>
  Effect.suspend(() => {
    const { values } = reader
    reader.values = []
    if (values.length > 0) return Effect.succeed(values)
    return Effect.async((resume) => {
      reader.wake = () => resume(take(reader))
      // A fiber may yield before it comes here.
      if (reader.values.length > 0) reader.wake()
    })
  })

export class ObservableValue<A> {
  private readonly readers = new Set<Reader<A>>()

  constructor(private value: A) {}

  readonly get: Effect.Effect<A> = Effect.sync(() => this.value)

  set(value: A): void {
    this.value = value
    for (const reader of this.readers) {
      reader.values.push(value)
      reader.wake?.()
    }
  }

  /** The present value, then every change. */
  readonly changes: Effect.Effect<Pull<A, never>, never, Scope.Scope> = Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const reader: Reader<A> = { values: [this.value], wake: undefined }
        this.readers.add(reader)
        return reader
      }),
      (reader) => Effect.sync(() => this.readers.delete(reader))
    ),
    take
  )

  /** Sets a value made from the present one and returns a result, in one step. The same value is no change. */
  modify<B, E>(change: (value: A) => Either.Either<readonly [B, A], E>): Effect.Effect<B, E> {
    return Effect.suspend(() =>
      Either.map(change(this.value), ([answer, value]) => {
        if (value !== this.value) this.set(value)
        return answer
      })
    )
  }
}

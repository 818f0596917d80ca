/** A sign to begin nothing more: asked for at any moment, and waited for. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

export class Stop {
  private readonly sign = Effect.runSync(Deferred.make<void>())
  /** Whether it was given. */
  isSet = false

  /** Gives the sign. */
  readonly set: Effect.Effect<void> = Effect.suspend(() => {
    this.isSet = true
    return Effect.asVoid(Deferred.succeed(this.sign, undefined))
  })

  /** Waits for it. */
  readonly given: Effect.Effect<void> = Deferred.await(this.sign)
}

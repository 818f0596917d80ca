/** A clock that knows who sleeps on it. */
import { type Clock, Duration, Effect } from "effect"

/** The test's clock, with the sleeps that were begun in milliseconds, and how many of them have not ended. */
export const counting = Effect.map(Effect.clock, (base) => {
  const begun: Array<number> = []
  let open = 0
  const clock: Clock.Clock = Object.assign(Object.create(base), {
    sleep: (duration: Duration.Duration) =>
      Effect.suspend(() => {
        begun.push(Duration.toMillis(duration))
        open += 1
        return Effect.ensuring(
          base.sleep(duration),
          Effect.sync(() => {
            open -= 1
          })
        )
      })
  })
  return { clock, begun, open: () => open }
})

/** Answers kept under the idempotency keys of writes: the same key has one effect and one answer. */
import * as Effect from "effect/Effect"
import type { Answer } from "./answer.js"
import { conflict, type Refusal } from "./refusal.js"

export interface Replies {
  /** Runs a write once per key. `print` identifies the request: a different one with the same key is a conflict. */
  readonly once: (
    key: string,
    print: string,
    run: Effect.Effect<Answer, Refusal>,
    onReplay: () => void
  ) => Effect.Effect<Answer, Refusal>
}

/** The most answers that are kept; the oldest go first. A program that does a thousand writes a second may repeat one after a minute. */
const most = 100_000

export const make = (): Replies => {
  const kept = new Map<string, { readonly print: string; readonly answer: Answer }>()
  return {
    once: (key, print, run, onReplay) =>
      Effect.suspend(() => {
        const stored = kept.get(key)
        if (stored === undefined)
          return Effect.map(run, (answer) => {
            const [oldest] = kept.keys()
            if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
            kept.set(key, { print, answer })
            return answer
          })
        if (stored.print !== print)
          return Effect.fail(conflict("the idempotency key was used for another request"))
        onReplay()
        return Effect.succeed(stored.answer)
      })
  }
}

/** What one request of the protocol lets a tool do besides answering. */
import type * as Effect from "effect/Effect"

/** What a person said to a question. `unasked`: they could not be asked. */
export type Consent = "yes" | "no" | "unasked"

export interface Exchange {
  /** Tells how far the work is, where the client wants to know. */
  readonly progress: (done: number, total: number | undefined, message: string) => Effect.Effect<void>
  /** Asks the person who uses the client; undefined where the client cannot ask. */
  readonly ask: ((question: string, action: string) => Effect.Effect<Consent>) | undefined
}

/** A platform that honours no idempotency key: what is sent twice is done twice, and shows. */

import { OutcomeUnknown } from "@quartet/sdk/extend"
import { Data, Effect, Option } from "effect"
import type { Life } from "./crew.js"

/** It was refused: the same will never succeed. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** It may succeed in a moment. */
export class Busy extends Data.TaggedError("ServerFault") {
  readonly retryable = true
}

/** The connection was lost after it was sent. */
export const lost = () =>
  new OutcomeUnknown({
    operation: "send",
    method: "POST",
    path: "/send",
    reason: "Network",
    attempts: 1
  } as never)

/** What becomes of the items of a number. `lost`: done, without an answer; `dropped`: neither. `dark`: done, and nobody can find out. */
export type Fate = "busy" | "dark" | "dropped" | "lost" | "refused"

export class Platform {
  /** How often each item was done. */
  readonly done = new Map<number, number>()
  private readonly seen = new Set<number>()

  constructor(private fates: Readonly<Record<number, Fate>> = {}) {}

  /** From now on all items are as any other. */
  heal(): void {
    this.fates = {}
  }

  private readonly perform = (item: number) =>
    Effect.sync(() => {
      this.done.set(item, (this.done.get(item) ?? 0) + 1)
    })

  /** Sends an item, from a process that may die before, between and after. */
  readonly send = (
    life: Life | undefined,
    item: number
  ): Effect.Effect<void, Busy | OutcomeUnknown | Refused> =>
    Effect.gen(this, function* () {
      const alive = Effect.suspend(() => (life?.isOver ? Effect.never : Effect.void))
      const fate = this.fates[item]
      const isFirst = !this.seen.has(item)
      yield* Effect.yieldNow()
      yield* alive
      if (fate === "refused") return yield* new Refused({ message: `no ${item}` })
      if (fate === "busy" && isFirst) {
        this.seen.add(item)
        return yield* new Busy()
      }
      if (fate === "dropped" && isFirst) {
        this.seen.add(item)
        return yield* lost()
      }
      yield* this.perform(item)
      yield* Effect.yieldNow()
      yield* alive
      if (fate === "lost" || fate === "dark") return yield* lost()
    })

  /** Finds out whether an item was done. */
  readonly find = (item: number): Effect.Effect<Option.Option<number>, Refused> =>
    Effect.suspend(() =>
      this.fates[item] === "dark"
        ? new Refused({ message: "it cannot be found" })
        : Effect.succeed(this.done.has(item) ? Option.some(item) : Option.none())
    )

  /** The items that were done another number of times than once. */
  readonly wrong = (items: ReadonlyArray<number>): ReadonlyArray<readonly [item: number, times: number]> =>
    items.map((item) => [item, this.done.get(item) ?? 0] as const).filter(([, times]) => times !== 1)
}

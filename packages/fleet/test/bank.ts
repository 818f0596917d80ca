/** Accounts that are paid into, some of them before: what a payment has done shows only as a difference. */

import { OutcomeUnknown } from "@quartet/sdk/extend"
import { Effect, Option, Schema, Stream } from "effect"
import * as Fleet from "../jobs/index.js"
import type { Life } from "./crew.js"
import { Refused } from "./platform.js"

/** The connection was lost after it was sent. */
export const lost = () =>
  new OutcomeUnknown({
    operation: "pay",
    method: "POST",
    path: "/pay",
    reason: "Network",
    attempts: 1
  } as never)

/** It honours no key. The first payment to account 0 is lost on its way, and the answer of one to account 1. */
export class Bank {
  readonly sums = new Map([
    [0, 5],
    [1, 5],
    [2, 0],
    [3, 5]
  ])
  readonly paid = new Map<number, number>()
  private readonly seen = new Set<number>()

  readonly look = (account: number) => Effect.sync(() => this.sums.get(account) ?? 0)

  readonly pay = (life: Life | undefined, account: number): Effect.Effect<void, OutcomeUnknown> =>
    Effect.gen(this, function* () {
      const alive = Effect.suspend(() => (life?.isOver ? Effect.never : Effect.void))
      const isFirst = !this.seen.has(account)
      yield* Effect.yieldNow()
      yield* alive
      if (account === 0 && isFirst) {
        this.seen.add(account)
        return yield* lost()
      }
      this.sums.set(account, (this.sums.get(account) ?? 0) + 5)
      this.paid.set(account, (this.paid.get(account) ?? 0) + 1)
      yield* Effect.yieldNow()
      yield* alive
      if (account === 1) return yield* lost()
    })
}

/** A job that pays into each account once, on a bank of which a process may die. */
export const jobOn = (bank: Bank, life: () => Life | undefined) =>
  Fleet.job("pay", {
    input: Schema.Number,
    key: String,
    page: 4,
    lanes: 1,
    concurrency: 2,
    source: () => Stream.range(0, 3),
    baseline: (account: number) => bank.look(account),
    each: (account: number) => bank.pay(life(), account),
    onUnknown: (account, { baseline }) =>
      Effect.flatMap(bank.look(account), (sum) => {
        if (Option.isNone(baseline)) return Effect.fail(new Refused({ message: "nothing to compare with" }))
        const moved = sum - Number(baseline.value)
        return moved === 5
          ? Effect.succeedSome(sum)
          : moved === 0
            ? Effect.succeedNone
            : Effect.fail(new Refused({ message: `moved by ${moved}` }))
      })
  })

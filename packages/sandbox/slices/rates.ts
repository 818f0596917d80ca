/** Exchange rates to the lari, as a central bank publishes them for a day: steady, with a small swing from day to day. */

import * as Rates from "@quartet/sdk/extend/operations/rates"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { notFound } from "../platform/refusal.js"
import { hash } from "../state/random.js"

const known: Readonly<Record<string, readonly [name: string, rate: number]>> = {
  USD: ["US Dollar", 2.7123],
  EUR: ["Euro", 3.1541],
  GBP: ["Pound Sterling", 3.6402],
  TRY: ["Turkish Lira", 0.0658],
  AMD: ["Armenian Dram", 0.0071]
}

export const rates: ReadonlyArray<Handler> = [
  handle(Rates.get, ({ input, now }) => {
    const code = input.currency.toUpperCase()
    const knownRate = Object.hasOwn(known, code) ? known[code] : undefined
    if (knownRate === undefined) return Effect.fail(notFound(`the rate of ${code.slice(0, 10)}`))
    const [name, base] = knownRate
    const day = now.toISOString().slice(0, 10)
    const swing = ((hash(`${code}${day}`) % 201) - 100) / 20_000
    const rate = Math.round(base * (1 + swing) * 10_000) / 10_000
    return Effect.succeed({ code, name, quantity: 1, rate, date: day })
  })
]

/** The intranet: charts, and absences with their balance. */

import { Dates, Raw } from "@quartet/sdk/extend"
import * as Intranet from "@quartet/sdk/extend/operations/intranet"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { invalid } from "../platform/refusal.js"
import type { Absence } from "../state/entities.js"
import { newest, select } from "../state/select.js"
import type { State } from "../state/state.js"
import { ended } from "../state/vocabulary.js"

/** Days of holiday per person and year. */
const allowance = 24
const dayLength = 86_400_000

const dateOf = (day: Date | string): Date | undefined =>
  day instanceof Date ? day : Dates.parse(day.length === 10 ? `${day}T00:00Z` : day)

/** Midnight in UTC. */
const startOf = (date: Date): number => Math.floor(date.getTime() / dayLength) * dayLength

/** Days from Monday to Friday, first and last included. */
const workingDays = (from: Date, to: Date): number => {
  let count = 0
  for (let time = startOf(from); time <= startOf(to); time += dayLength) {
    const weekday = new Date(time).getUTCDay()
    if (weekday !== 0 && weekday !== 6) count += 1
  }
  return count
}

const absencesOf = (state: State, userId: string): ReadonlyArray<Absence> =>
  state.absences.filter((absence) => absence.userId === userId)

/** The remaining days of the year in which the seeded past ends, so that seeded data gives a result. */
const balanceOf = (state: State, userId: string) => {
  const year = ended.getUTCFullYear()
  const holidays = absencesOf(state, userId).filter(
    ({ startDate, status, type }) =>
      type === "holiday" && status === "approved" && startDate.getUTCFullYear() === year
  )
  const used = holidays.reduce((sum, { days }) => sum + days, 0)
  return { year, total: allowance, used, left: Math.max(0, allowance - used), accrualType: "calendar" }
}

/** The longest absence of a query, in days. */
const longest = 366

export const intranet: ReadonlyArray<Handler> = [
  handle(Intranet.holidayReport, ({ input, state }) => {
    const { type = "holiday", ...query } = input
    return select(newest(state.absences.filter((absence) => absence.type === Raw.sentOf(type))), query)
  }),

  handle(Intranet.orgChart, ({ state }) => Effect.succeed(state.organisation)),

  handle(Intranet.managementChart, ({ state }) => Effect.succeed(state.management)),

  handle(Intranet.holidayBalance, ({ caller, state }) => Effect.succeed(balanceOf(state, caller.user._id))),

  handle(Intranet.holidayCheck, ({ caller, input, state }) =>
    Effect.gen(function* () {
      const from = dateOf(input.startDate)
      const to = dateOf(input.endDate)
      if (from === undefined) return yield* invalid("startDate", "must be a date")
      if (to === undefined || to < from) return yield* invalid("endDate", "must not be before startDate")
      if (startOf(to) - startOf(from) > longest * dayLength)
        return yield* invalid("endDate", `must be at most ${longest} days after startDate`)
      const days = workingDays(from, to)
      const { left } = balanceOf(state, caller.user._id)
      const overlaps = absencesOf(state, caller.user._id).some(
        ({ endDate, startDate }) => startDate <= to && endDate >= from
      )
      return { isAllowed: days <= left && !overlaps, days, left, overlaps }
    })
  )
]

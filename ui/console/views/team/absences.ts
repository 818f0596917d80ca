/** Who is away, when and why. The platform reports one kind a call, so there are as many calls as kinds. */
import type { holidayTypes } from "@quartet/sdk/extend/models/intranet"
import { useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { type AbsenceRow, absences } from "../../app/rows.js"
import { toneClass, words } from "../../design/show.js"

export type Kind = (typeof holidayTypes)[number]

/** An absence whose days are known. A day is its number since 1970, in UTC as the platform's dates are. */
export interface Absence {
  readonly key: string
  readonly userId: string | undefined
  readonly name: string
  readonly kind: string
  readonly from: number
  /** The last day, which is part of it. */
  readonly until: number
  /** Its length in days, as the platform counts them. */
  readonly days: number
  readonly status: string
  readonly row: AbsenceRow
}

const dayLength = 86_400_000

const dayOf = (date: Date): number => Math.floor(date.getTime() / dayLength)
export const isoOf = (day: number): string => new Date(day * dayLength).toISOString().slice(0, 10)
export const dateOf = (day: number): Date => new Date(day * dayLength)
export const monthOf = (day: number): string => isoOf(day).slice(0, 7)
/** 0 is Monday. */
export const weekdayOf = (day: number): number => (day + 3) % 7

/** The present day of the calendar, here. */
export const todayOf = (now = new Date()): number =>
  dayOf(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())))

/** The days of a month, `2026-05`; undefined where it is none. */
export const daysOf = (month: string): ReadonlyArray<number> | undefined => {
  const first = dayOf(new Date(`${month}-01T00:00Z`))
  if (Number.isNaN(first)) return undefined
  return Array.from({ length: 31 }, (_, index) => first + index).filter((day) => monthOf(day) === month)
}

/** The month that many months later. */
export const monthAfter = (month: string, step: number): string => {
  const [year = 1970, number = 1] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7)
}

export const kindLabel = (kind: string): string => words(kind)

const kindClasses: Readonly<Record<Kind, string>> = {
  holiday: toneClass.info,
  family: "[--color-tone:var(--color-plum)]",
  unpaid: toneClass.calm,
  sick_day: toneClass.warn,
  maternity: toneClass.accent,
  day_off: "[--color-tone:var(--color-sea)]",
  system: toneClass.calm,
  bulletin: toneClass.calm
}

/** The tone of a kind. */
export const kindClass = (kind: string): string =>
  (kindClasses as Readonly<Record<string, string>>)[kind] ?? toneClass.calm

/** What an absence is that has no status: it stands in the report. */
const approved = "approved"

export const isApproved = ({ status }: Absence): boolean => status === approved

/** The absence of a row, of which the kind was asked for; undefined without a first day. */
const absenceOf = (row: AbsenceRow, asked: string): Absence | undefined => {
  const { _id, days, endDate, fullName, startDate, status, type, userId } = row
  if (!(startDate instanceof Date)) return undefined
  const from = dayOf(startDate)
  const until = Math.max(from, endDate instanceof Date ? dayOf(endDate) : from)
  const name = fullName?.trim() || "Someone"
  return {
    key: _id || [userId || name, type ?? asked, from, until].join("/"),
    userId: userId || undefined,
    name,
    kind: String(type ?? asked),
    from,
    until,
    days: days ?? until - from + 1,
    status: status || approved,
    row
  }
}

const useKind = (type: Kind) => useWhole(admin.infiniteQuery(absences.list, { type }, { limit: 500 }))

/** The absences of all kinds, as far as they could be read. */
export const useAbsences = () => {
  const answers = {
    holiday: useKind("holiday"),
    family: useKind("family"),
    unpaid: useKind("unpaid"),
    sick_day: useKind("sick_day"),
    maternity: useKind("maternity"),
    day_off: useKind("day_off"),
    system: useKind("system"),
    bulletin: useKind("bulletin")
  } satisfies Readonly<Record<Kind, unknown>>
  const list = Object.entries(answers)
  const absencesByKey = new Map<string, Absence>()
  let undated = 0
  for (const [kind, { items }] of list)
    for (const row of items) {
      const absence = absenceOf(row, kind)
      // A platform may pass over the kind that is asked for: what comes several times counts once.
      if (absence !== undefined) absencesByKey.set(absence.key, absence)
      else undated += 1
    }
  const failed = list.filter(([, { data, error }]) => error !== undefined && data === undefined)
  return {
    items: [...absencesByKey.values()].sort((left, right) => left.from - right.from),
    undated,
    isLoading: list.some(([, { data, error }]) => data === undefined && error === undefined),
    failed: failed.map(([kind]) => kind),
    error: failed.length === list.length ? failed[0]?.[1].error : undefined,
    refetch: () => {
      for (const [, { refetch }] of failed) refetch()
    },
    parts: list.flatMap(([kind, { part }]) => (part ? [`${kindLabel(kind)}: ${part}`] : []))
  }
}

/** Whether some of an absence is within days. */
export const isWithin = ({ from, until }: Absence, first: number, last: number): boolean =>
  from <= last && until >= first

/** The absence that is nearest to a day. */
export const nearest = (of: ReadonlyArray<Absence>, day: number): Absence | undefined =>
  [...of].sort((left, right) => Math.abs(left.from - day) - Math.abs(right.from - day))[0]

/** The absence of one person that is now, or comes next. */
export const nextOf = (of: ReadonlyArray<Absence>, day: number): Absence | undefined =>
  of.find(({ until }) => until >= day)

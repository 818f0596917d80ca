/** The requests that wait for an answer: what this service is about, without a word of HTTP. */

import { pages } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"

const pending = pages(Admin.requests.list, { statusIn: ["pending"] })

/** How many wait, by type. */
export const counts = Stream.runFold(pending, {} as Readonly<Record<string, number>>, (byType, { type }) => {
  const name = type ?? "unknown"
  return { ...byType, [name]: (byType[name] ?? 0) + 1 }
})

/**
 * Marks a request as seen in its newest version. A `Conflict` says that it has changed since it was read: then it is read
 * and marked again, three times at most.
 */
export const markSeen = (id: string) =>
  Admin.requests.get({ id }).pipe(
    Effect.flatMap(({ version }) => Admin.requests.markSeen({ id, version: version ?? 0 })),
    Effect.retry({
      while: (error) => error._tag === "Conflict",
      schedule: Schedule.intersect(Schedule.exponential("50 millis"), Schedule.recurs(3))
    })
  )

/** Marks all that wait, four at a time, and counts them. */
export const markAllSeen = pending.pipe(
  Stream.mapEffect(({ _id }) => markSeen(_id), { concurrency: 4 }),
  Stream.runCount
)

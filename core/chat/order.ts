/** The order of messages, by their times. */
import type { Message } from "./model.js"

export type Order = "newest-first" | "oldest-first"

/** The time of a message; undefined if it is missing or invalid. */
export const timeOf = (message: Message | undefined): Date | undefined =>
  message?.createdAt instanceof Date ? message.createdAt : undefined

/**
 * The order of a run of messages: the order of most neighbours, so that a single time out of order does not decide.
 * Undefined if their times do not differ or are unknown.
 */
export const orderOf = (run: ReadonlyArray<Message>): Order | undefined => {
  const times = run.flatMap((message) => timeOf(message)?.getTime() ?? [])
  const rises = times.reduce((sum, time, index) => sum + Math.sign(time - (times[index - 1] ?? time)), 0)
  return rises === 0 ? undefined : rises > 0 ? "oldest-first" : "newest-first"
}

/**
 * The time of each message of a run. A message without one takes that of the message before it or, without one, the
 * first known time.
 */
export const timesOf = (run: ReadonlyArray<Message>): ReadonlyArray<Date | undefined> => {
  let time = timeOf(run.find(timeOf))
  return run.map((message) => {
    time = timeOf(message) ?? time
    return time
  })
}

/** The messages oldest first, as far as their times are known. Messages of one time keep their order. */
export const oldestFirst = (run: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const ascending = orderOf(run) === "newest-first" ? [...run].reverse() : [...run]
  const times = timesOf(ascending)
  return ascending
    .map((message, index) => ({ message, time: times[index]?.getTime() ?? 0 }))
    .sort((a, b) => a.time - b.time)
    .map(({ message }) => message)
}

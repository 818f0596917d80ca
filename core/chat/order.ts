/** In which order messages stand, told by their times. */
import type { Message } from "./model.js"

export type Order = "newest-first" | "oldest-first"

/** The time of a message; undefined where it has none, or one that could not be read. */
export const timeOf = (message: Message | undefined): Date | undefined =>
  message?.createdAt instanceof Date ? message.createdAt : undefined

/**
 * The order of a run of messages: the one that most neighbours stand in, so that a time that is out of place does not
 * decide. Undefined where their times do not differ or are not known.
 */
export const orderOf = (run: ReadonlyArray<Message>): Order | undefined => {
  const times = run.flatMap((message) => timeOf(message)?.getTime() ?? [])
  const rises = times.reduce((sum, time, index) => sum + Math.sign(time - (times[index - 1] ?? time)), 0)
  return rises === 0 ? undefined : rises > 0 ? "oldest-first" : "newest-first"
}

/**
 * The time of each message of a run. One whose own is not known stands with the message before it, and where there is
 * none, with the first one whose time is known.
 */
export const timesOf = (run: ReadonlyArray<Message>): ReadonlyArray<Date | undefined> => {
  let time = timeOf(run.find(timeOf))
  return run.map((message) => {
    time = timeOf(message) ?? time
    return time
  })
}

/** The messages oldest first, as far as their times say. Messages of one time keep their order. */
export const oldestFirst = (run: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const ascending = orderOf(run) === "newest-first" ? [...run].reverse() : [...run]
  const times = timesOf(ascending)
  return ascending
    .map((message, index) => ({ message, time: times[index]?.getTime() ?? 0 }))
    .sort((a, b) => a.time - b.time)
    .map(({ message }) => message)
}

/** In which order messages stand, told by their times. */
import type { Message } from "./model.js"

export type Order = "newest-first" | "oldest-first"

const timeOf = (message: Message | undefined): number =>
  message?.createdAt instanceof Date ? message.createdAt.getTime() : Number.NaN

/** The order of a run of messages; undefined where their times do not differ or are not known. */
export const orderOf = (run: ReadonlyArray<Message>): Order | undefined => {
  const first = timeOf(run[0])
  const last = timeOf(run.at(-1))
  if (first > last) return "newest-first"
  return first < last ? "oldest-first" : undefined
}

/** The messages oldest first, as far as their times say. Messages of one time keep their order. */
export const oldestFirst = (run: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const ascending = orderOf(run) === "newest-first" ? [...run].reverse() : [...run]
  return ascending.every((message) => timeOf(message) >= 0 || timeOf(message) < 0)
    ? ascending.sort((a, b) => timeOf(a) - timeOf(b))
    : ascending
}

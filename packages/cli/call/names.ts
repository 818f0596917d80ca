/** Finds calls by the names that people and models give them: with a client or without, `end-user` or `endUser`. */

import { type Audience, callOf, edits, sliceOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import { audiences, clientNames } from "../connection.js"
import { listed } from "../output.js"

/** What a name says. */
export interface Named {
  /** The client, where it names one. */
  readonly client: Audience | undefined
  /** `requests.list`, or whatever stands for it. */
  readonly name: string
}

const prefixes: ReadonlyArray<readonly [prefix: string, client: Audience]> = clientNames.flatMap((name) => [
  [`${name}.`, audiences[name]],
  [`${audiences[name]}.`, audiences[name]]
])

/** Reads a name such as `requests.list`, `end-user.requests.list` or `endUser.requests.list`. */
export const read = (text: string): Named => {
  for (const [prefix, client] of prefixes) {
    const name = text.slice(prefix.length)
    // Slices have names as well.
    if (text.startsWith(prefix) && name.includes(".")) return { client, name }
  }
  return { client: undefined, name: text }
}

/** The calls that a name can mean, in the order of the clients on the command line. */
export const calls = (text: string, all: ReadonlyArray<Described> = described): ReadonlyArray<Described> => {
  const { client, name } = read(text)
  return Object.values(audiences).flatMap((audience) =>
    all.filter(
      (call) => call.name === name && call.audience === audience && (client ?? audience) === audience
    )
  )
}

/** The most names that are offered in place of one that there is not. */
const most = 6

/** How far names may be from the one that was probably meant. */
const farthest = 2

/** What was probably meant by a name that no call has, to append to a message; of many names it says how many there are. */
export const meant = (text: string, all: ReadonlyArray<string>): string => {
  const wanted = read(text).name.toLowerCase()
  const far = (text: string): number => edits(wanted, text.toLowerCase(), farthest)
  const distances = [...new Set(all)].map((full) => {
    const { name } = read(full)
    return { full, distance: Math.min(...[name, callOf(name), sliceOf(name)].map(far)) }
  })
  const least = Math.min(...distances.map(({ distance }) => distance))
  if (least > farthest) return ""
  const nearest = distances.flatMap(({ distance, full }) =>
    distance === least ? [JSON.stringify(full)] : []
  )
  const others = nearest.length - most
  const names = others > 0 ? [...nearest.slice(0, most), `one of ${others} others`] : nearest
  return ` (did you mean ${listed(names, "or")}?)`
}

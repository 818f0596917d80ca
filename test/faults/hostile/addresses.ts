/** Hostile paths, queries and lists: what stands in the request line. */

import { types } from "node:util"
import type { Random } from "../../../adapters/sandbox/state/random.js"
import * as Boxes from "../../../core/boxes/operations.js"
import * as Requests from "../../../core/requests/operations.js"
import { type Family, run, send, shown } from "./cases.js"
import { partsOf, type Sight } from "./sight.js"
import { text } from "./texts.js"
import { scalarText, value } from "./values.js"

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** What a path says after a prefix, where it is one segment. */
const segmentAfter = (sight: Sight, prefix: string): string | undefined => {
  const { path, query } = partsOf(sight)
  if (!path.startsWith(prefix) || query !== "") return undefined
  const rest = path.slice(prefix.length)
  return /[/\\#]/.test(rest) ? undefined : decoded(rest)
}

const pairsOf = (sight: Sight): ReadonlyArray<readonly [string, string]> => [
  ...new URLSearchParams(partsOf(sight).query)
]

const anyOf = (random: Random, evil: string): unknown =>
  random.chance(0.8) ? text(random, evil) : value(random, evil)

export const paths: Family = {
  name: "path values",
  weight: 20,
  run: ({ evil, visitor }, random, twin) => {
    const id = anyOf(random, evil)
    const wanted = anyOf(twin, evil)
    return run(send(visitor, Boxes.get, { id }), (sight) =>
      segmentAfter(sight, "/v1/box/") === String(wanted)
        ? undefined
        : `the id ${shown(wanted)} arrived as ${shown(sight.target)}`
    )
  }
}

const fieldsOf = (random: Random, evil: string): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (let count = random.int(1, 4); count > 0; count--) {
    const field = { value: anyOf(random, evil), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(fields, text(random, evil), field)
  }
  return fields
}

/** A proxy that was revoked throws at any look, also at this one. */
const isList = (item: unknown): item is ReadonlyArray<unknown> => !types.isProxy(item) && Array.isArray(item)

/** A list goes as its texts between commas. */
const queryText = (item: unknown): string | undefined =>
  isList(item) ? item.map(scalarText).join(",") : scalarText(item)

export const queries: Family = {
  name: "queries",
  weight: 15,
  run: ({ evil, visitor }, random, twin) => {
    const wanted = fieldsOf(twin, evil)
    const expected = Object.keys(wanted)
      .map((name) => [name, Reflect.get(wanted, name)] as const)
      // An empty list says nothing, and is left out.
      .filter(([, item]) => item !== undefined && !(isList(item) && item.length === 0))
      .map(([name, item]) => [name, queryText(item)] as const)
    return run(send(visitor, Boxes.list, fieldsOf(random, evil)), (sight) => {
      const pairs = pairsOf(sight)
      const isSame =
        pairs.length === expected.length &&
        expected.every(([name, item], at) => name === pairs[at]?.[0] && item === pairs[at]?.[1])
      return isSame && partsOf(sight).path === "/v1/box"
        ? undefined
        : `the query ${shown(JSON.stringify(expected))} arrived as ${shown(sight.target)}`
    })
  }
}

const listOf = (random: Random, evil: string): ReadonlyArray<unknown> =>
  Array.from({ length: random.int(0, 4) }, () => anyOf(random, evil))

export const lists: Family = {
  name: "list parameters",
  weight: 10,
  run: ({ admin, evil, projectId }, random, twin) => {
    const users = listOf(twin, evil)
    const statuses = listOf(twin, evil)
    const input = { inUserIds: listOf(random, evil), statusIn: listOf(random, evil) }
    const texts = (values: ReadonlyArray<unknown>) => (values.length === 0 ? [] : [values.map(scalarText)])
    return run(send(admin, Requests.list, input), (sight) => {
      const query = new URLSearchParams(partsOf(sight).query)
      const isSame = (name: string, values: ReadonlyArray<unknown>): boolean => {
        const [wanted] = texts(values)
        const arrived = query.getAll(name)
        if (wanted === undefined) return arrived.length === 0
        // Split again, so that a comma inside a value would show as one value too many.
        const items = arrived[0]?.split(",") ?? []
        return (
          arrived.length === 1 &&
          items.length === wanted.length &&
          items.every((item, at) => item === wanted[at])
        )
      }
      return isSame("inUserIds", users) &&
        isSame("statusIn", statuses) &&
        query.getAll("projectId").join() === projectId
        ? undefined
        : `the lists ${shown(JSON.stringify([texts(users), texts(statuses)]))} arrived as ${shown(sight.target)}`
    })
  }
}

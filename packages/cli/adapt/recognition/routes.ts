/** Which calls are sent by another method, and which requests may be of calls that are at another path. */

import { percentDecoded, sliceOf } from "@quartet/sdk/extend"
import { described } from "@quartet/sdk/extend/description"
import { isData, wordsOf } from "../../recording/keys.js"
import { groupsOf, idIn } from "./entities.js"
import { type Exchange, isObject, isScalar, isSuccess, kindOf, nodes } from "./exchange.js"
import { fields } from "./known.js"
import { nothing, type Recognised } from "./line.js"

/** Most requests of no known call that are told of. */
const mostTold = 20

/** The methods that the SDK sends calls of a name with, for any client. */
const methodsOf = (call: string): ReadonlyArray<string> =>
  described.flatMap(({ declared, name }) => (name === call ? [declared.method] : []))

/** Calls that were answered, and sent by another method than the SDK's. */
const methods = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const others = new Map(
    exchanges.flatMap((each) =>
      each.purpose === "write" && isSuccess(each) && !methodsOf(each.call).includes(each.method)
        ? [[each.call, each.method] as const]
        : []
    )
  )
  return {
    ...nothing,
    lines: [...others].map(([call, method]) => ({
      at: `routes.${call}`,
      value: { method },
      reason: `it was sent with ${method}, and accepted`
    }))
  }
}

/** The calls of a purpose that were answered as if nothing were there, and never otherwise. */
const callsNotFound = (
  exchanges: ReadonlyArray<Exchange>,
  purpose: Exchange["purpose"]
): ReadonlyArray<string> => {
  const found = new Set(exchanges.filter(isSuccess).map(({ call }) => call))
  return [
    ...new Set(
      exchanges.flatMap((each) =>
        each.purpose === purpose && each.status === 404 && !found.has(each.call) ? [each.call] : []
      )
    )
  ]
}

/** Lists that were not found beside some that were, and things that were not though a list has their ids: they may be elsewhere. */
const lost = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<string> => {
  const lists = exchanges.some((each) => each.purpose === "list" && isSuccess(each))
    ? callsNotFound(exchanges, "list")
    : []
  return [
    ...(lists.length === 0
      ? []
      : [
          `routes: ${lists.join(", ")} ${lists.length === 1 ? "was" : "were"} answered with 404, so ${lists.length === 1 ? "it is at another path, or there is none" : "they are at other paths, or there are none"}`
        ]),
    ...callsNotFound(exchanges, "thing").map(
      (call) => `routes: ${call} was not found though a list has its id, so it is likely at another path`
    )
  ]
}

const segmentsOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .map(percentDecoded)

const wordsIn = (text: string): ReadonlyArray<string> =>
  wordsOf(text).map((word) => word.toLowerCase().replace(/s$/, ""))

const collectWords = (): ReadonlySet<string> =>
  new Set(
    [
      ...described.flatMap(({ declared, name }) => [
        ...declared.path.split("/").filter((segment) => !segment.includes("{")),
        ...name.split(".")
      ]),
      ...fields().keys(),
      ...["api", "app", "auth", "rest", "public", "private", "session", "login", "new", "ticket"]
    ].flatMap(wordsIn)
  )

let known: ReadonlySet<string> | undefined

/** Whether a segment of a path is made of words that the SDK knows, or is a version: any other one may be a person, a tenant or a secret. */
const isOfWords = (segment: string): boolean => {
  known ??= collectWords()
  const words = wordsIn(segment)
  return (
    /^v\d{1,2}$/.test(segment) ||
    (/^[a-z][a-z-]*$/i.test(segment) && words.length > 0 && words.every((word) => known?.has(word) === true))
  )
}

const isPassword = ({ input }: Exchange): boolean =>
  isObject(input) && Object.keys(input).some((name) => /pass|pwd/i.test(name))

/** The call that a request may be of: by the list that has shown its id, or the words of its path. */
const likely = (
  each: Exchange,
  segments: ReadonlyArray<string>,
  sliceOfId: ReadonlyMap<string, string>
): string | undefined => {
  if (each.method === "POST" && isPassword(each)) return "auth.login"
  const last = segments.at(-1) ?? ""
  const isOfOne = sliceOfId.has(last) || isData(last)
  const kind = kindOf(segments.at(isOfOne ? -2 : -1) ?? "")
  const slice =
    sliceOfId.get(last) ?? described.map(({ name }) => sliceOf(name)).find((name) => kindOf(name) === kind)
  const actions: Readonly<Record<string, string>> = isOfOne
    ? { GET: "get", PUT: "update", PATCH: "update", POST: "update", DELETE: "delete" }
    : { GET: "list", POST: "create", PUT: "create" }
  const name = `${slice}.${actions[each.method]}`
  return described.some((call) => call.name === name) ? name : undefined
}

/** Requests of no known call that were answered, by their methods and paths, without what may be data in these. */
const unknown = (
  exchanges: ReadonlyArray<Exchange>,
  known: ReadonlyArray<Exchange>
): ReadonlyArray<string> => {
  const sliceOfId = new Map(
    known
      .filter((each) => each.purpose === "list" && isSuccess(each))
      .flatMap((each) =>
        groupsOf([each]).flatMap((things) => {
          const id = idIn(things)
          return id === undefined
            ? []
            : things.map((thing) => [String(thing[id]), sliceOf(each.call)] as const)
        })
      )
  )
  const values = new Set(
    [...known, ...exchanges].flatMap(({ body, input }) =>
      [...nodes(body, 5, true), ...nodes(input, 5, true)].flatMap(({ value }) =>
        isScalar(value) ? [String(value)] : []
      )
    )
  )
  const told = exchanges.filter(isSuccess).map((each) => {
    const segments = segmentsOf(each.path)
    const path = segments
      .map((segment) =>
        sliceOfId.has(segment) || values.has(segment) || isData(segment)
          ? "{id}"
          : isOfWords(segment)
            ? segment
            : "…"
      )
      .join("/")
    const call = likely(each, segments, sliceOfId)
    return `routes: ${each.method} \`${path}\` is no route that the SDK knows${call === undefined ? "" : `; it may be that of ${call}`}`
  })
  const all = [...new Set(told)]
  return all.length > mostTold
    ? [...all.slice(0, mostTold), `routes: ${all.length - mostTold} more are none that the SDK knows`]
    : all
}

/** Which calls differ in method or path. */
export const routes = (known: ReadonlyArray<Exchange>, others: ReadonlyArray<Exchange>): Recognised => ({
  ...methods(known),
  unseen: [...lost(known), ...unknown(others, known)]
})

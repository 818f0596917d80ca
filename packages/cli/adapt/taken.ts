/** Whether clients take a definition, and whether a module reads what was seen as well as another. */

import { own, readerOfPlatform, Settings } from "@quartet/sdk/extend"
import * as Platform from "@quartet/sdk/platform"
import * as Either from "effect/Either"
import { areOne, saidIn } from "./kept.js"
import * as Module from "./module.js"
import { isObject, placed } from "./recognition/exchange.js"
import type { Exchange, Line, Recognised } from "./recognition/index.js"

/** Why clients do not take a definition, by the field of it. */
export interface Untaken {
  /** Where it stands, such as `credentials.session`. */
  readonly at: string
  readonly rule: string
}

/** Each client checks the whole of it; one of an admin knows a project besides. */
const projects = ["project", undefined]

/** Why a client refuses a definition; undefined where all of them take it. */
export const untaken = (definition: object): Untaken | undefined => {
  const reader = readerOfPlatform(Platform.make(definition as Platform.Definition))
  for (const projectId of projects) {
    const { headerNames } = Settings
    const read = reader?.({ baseUrl: "https://api.example.com", headerNames, projectId, isPage: false })
    if (read !== undefined && Either.isLeft(read))
      return { at: read.left.field.replace(/^platform\./, ""), rule: read.left.rule }
  }
  return undefined
}

/** What is recognised as far as clients take it. What they refuse is told of, unless somebody has said it by hand. */
export const takenOf = (found: Recognised): Either.Either<Recognised, Untaken> => {
  const refused = untaken(Module.definition(found))
  if (refused === undefined) return Either.right(found)
  // What is missing beside a line is refused at its own place.
  const isRefused = ({ at }: Line): boolean =>
    areOne(at, refused.at) || (refused.at === "lists.next" && at === "lists.page")
  const lines = found.lines.filter((line) => !isRefused(line))
  return lines.length === found.lines.length
    ? Either.left(refused)
    : takenOf({
        ...found,
        lines,
        unseen: [
          ...found.unseen,
          `${refused.at}: what was recognised of it is not written, since clients refuse it: it ${refused.rule}`
        ]
      })
}

const saidAt = (definition: unknown, at: string): unknown => {
  const [, call] = /^routes\.(.+)$/.exec(at) ?? []
  if (call !== undefined) return own(own(definition, "routes"), call)
  return at === "token.kind" && typeof own(definition, "token") === "string"
    ? own(definition, "token")
    : at.split(".").reduce((value, name) => own(value, name), definition)
}

/** What a function is asked to show what it does. */
const asked = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<ReadonlyArray<unknown>> => [
  ...exchanges.flatMap((exchange) => [
    [exchange.body, { call: exchange.call, isList: exchange.purpose === "list" }],
    [exchange.input, { call: exchange.call, isList: false }]
  ]),
  ["2026-10-01 09:00:00"],
  [1_714_557_600],
  [new Date(0)],
  ["text"],
  [{}, { call: "users.create", isList: false }]
]

interface Outcome {
  readonly hasThrown: boolean
  readonly value?: string | undefined
}

const outcome = (run: () => unknown): Outcome => {
  try {
    return { hasThrown: false, value: JSON.stringify(run()) }
  } catch {
    return { hasThrown: true }
  }
}

/** Whether a value does otherwise than the one before it, which it was taken over from. */
const isOther = (before: unknown, after: unknown, exchanges: ReadonlyArray<Exchange>): boolean => {
  if (typeof before === "function")
    return (
      typeof after !== "function" ||
      asked(exchanges).some((values) => {
        const [one, other] = [outcome(() => before(...values)), outcome(() => after(...values))]
        return !one.hasThrown && (other.hasThrown || one.value !== other.value)
      }) ||
      exchanges.some((each) => {
        const [one, other] = [outcome(() => placed(before, each)), outcome(() => placed(after, each))]
        return one.hasThrown !== other.hasThrown || one.value !== other.value
      })
    )
  if (Array.isArray(before)) return JSON.stringify(before) !== JSON.stringify(after)
  if (!isObject(before)) return before !== after
  return Object.entries(before).some(
    ([name, inner]) => inner !== undefined && isOther(inner, own(after, name), exchanges)
  )
}

/** What a definition says that another one, which takes its place, says no more, or reads otherwise in what was seen. */
export const lostIn = (
  before: object,
  after: object,
  contradicted: ReadonlyArray<string>,
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<string> =>
  saidIn(before)
    .filter(({ at }) => !contradicted.some((other) => areOne(at, other)))
    .filter(({ at, value }) => isOther(value, saidAt(after, at), exchanges))
    .map(({ at }) => at)

/** Refusals that are answered with a status of success: what shows them, and the status that they stand for. */

import { type Exchange, isObject, isScalar, isSuccess, type Json, nodes, wordOf } from "./exchange.js"
import { itemsIn } from "./lists.js"

/** Fields that say whether a request was done. */
const flags = ["success", "ok", "succeeded", "issuccess", "successful"]

/** Fields that say that it was not. */
const opposites = ["haserror", "haserrors", "iserror", "failed"]

/** Fields that hold what went wrong. */
const faults = ["error", "errors", "fault", "faults", "exception", "problem", "failure"]

const statusNames = [
  "status",
  "statuscode",
  "httpstatus",
  "httpstatuscode",
  "httpcode",
  "http",
  "code",
  "errorcode"
]

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : isObject(value)
      ? Object.keys(value).length > 0
      : typeof value === "string" && value !== ""

const isErrorStatus = (value: unknown): boolean =>
  (typeof value === "number" || (typeof value === "string" && /^\d{3}$/.test(value))) &&
  Number(value) >= 400 &&
  Number(value) <= 599

/** The path that leads to the HTTP status of a refusal in its body. */
export const statusIn = (body: unknown): string | undefined =>
  nodes(body, 3, true)
    .filter(({ name, value }) => statusNames.includes(wordOf(name)) && isErrorStatus(value))
    .sort((a, b) => statusNames.indexOf(wordOf(a.name)) - statusNames.indexOf(wordOf(b.name)))[0]?.path

const isThing = (body: Json): boolean =>
  Object.entries(body).some(([name, id]) => /^_?(id|uuid|guid)$/i.test(name) && isScalar(id))

/** Whether a body says that what was asked for was refused. */
const isFault = (body: unknown): boolean => {
  if (!isObject(body)) return false
  const entries = Object.entries(body).map(([name, value]) => [wordOf(name), value] as const)
  if (entries.some(([name, value]) => flags.includes(name) && value === false)) return true
  if (isThing(body)) return false
  if (entries.some(([name, value]) => opposites.includes(name) && value === true)) return true
  const rest = entries.filter(
    ([name]) => !faults.includes(name) && !/^(meta|links|jsonapi|debug)$/.test(name)
  )
  const hasContent = rest.some(([, value]) => typeof value === "object" && isFilled(value))
  if (entries.some(([name, value]) => faults.includes(name) && isFilled(value))) return !hasContent
  const hasWords = entries.some(
    ([name, value]) => /^(message|msg|detail|title|reason|description)$/.test(name) && isFilled(value)
  )
  const says = entries.some(
    ([name, value]) =>
      (name === "status" || name === "result") && /^(error|fail|failed|failure)$/i.test(String(value))
  )
  return (
    hasWords &&
    !hasContent &&
    (says || entries.some(([name, value]) => statusNames.includes(name) && isErrorStatus(value)))
  )
}

/** A body without what differs from answer to answer, such as the id of the request. */
export const steady = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === "string"
      ? value.replaceAll(/[\da-f]{8,}|\d+/gi, "#")
      : typeof value === "number" && value > 1e9
        ? 0
        : value
  ) ?? ""

/** The one body by which different calls were answered, none of which is a list: it is no answer to any of them. */
const repeated = (exchanges: ReadonlyArray<Exchange>): ReadonlySet<string> => {
  const calls = new Map<string, Set<string>>()
  for (const { body, call, method, ...rest } of exchanges) {
    if (method !== "GET" || rest.purpose === "unknown" || !isSuccess(rest) || itemsIn(body) !== undefined)
      continue
    // What has the id that was asked for is that thing.
    const { id } = rest
    if (id !== undefined && nodes(body, 4).some(({ value }) => isScalar(value) && String(value) === id))
      continue
    if (!isFilled(body)) continue
    const text = steady(body)
    calls.set(text, (calls.get(text) ?? new Set()).add(call))
  }
  return new Set([...calls].flatMap(([text, names]) => (names.size > 1 ? [text] : [])))
}

/** The status that a refusal stands for, by its words where it holds none. */
const guessed = (body: unknown): number => {
  const text = JSON.stringify(body ?? "")
  if (/\b(not found|no such|not exist|not there|unknown id)/i.test(text)) return 404
  return /auth|credential|token|log.?in|sign.?in|session|\bkey\b|forbidden|permission|denied|who are you/i.test(
    text
  )
    ? 401
    : 400
}

/** The status that a body stands for: of a status that is text, too. */
const statusOf = (body: unknown): number | undefined => {
  const path = statusIn(body)
  return path === undefined
    ? undefined
    : Number(nodes(body, 3, true).find((node) => node.path === path)?.value)
}

/**
 * Exchanges with the status that their answers stand for. `told` says it where somebody knows; else the body shows that it is a
 * refusal, or is the same for calls that have nothing in common.
 */
export const settled = (
  exchanges: ReadonlyArray<Exchange>,
  told: (exchange: Exchange) => number | undefined = () => undefined
): ReadonlyArray<Exchange> => {
  const same = repeated(exchanges)
  return exchanges.map((exchange) => {
    if (!isSuccess(exchange)) return exchange
    const known = told(exchange)
    const isRefusal = isFault(exchange.body) || (isFilled(exchange.body) && same.has(steady(exchange.body)))
    const status = known ?? (isRefusal ? statusOf(exchange.body) : undefined)
    if (status === undefined && !isRefusal) return exchange
    return {
      ...exchange,
      status: status ?? guessed(exchange.body),
      wireStatus: exchange.status,
      ...(status === undefined ? { isStatusGuessed: true } : {})
    }
  })
}

/** Where something stands in an answer: in its body by a path of names, in a header, in a cookie, or where a function finds it. */
import { isRecord } from "effect/Predicate"
import { readHttpDate } from "../kernel/codec/http-date.js"
import { own } from "../permissions/own.js"
import type { Answer, Place } from "./definition.js"

/** The only field of an object that a `*` of a path can mean: the first that holds a list, else an object. */
const anyOf = (holder: unknown, isLast: boolean): string | undefined => {
  if (!isRecord(holder)) return undefined
  const names = Object.keys(holder)
  return (
    names.find((name) => Array.isArray(holder[name])) ??
    (isLast ? undefined : names.find((name) => isRecord(holder[name])))
  )
}

/** The field of an object that a path begins with: the longest, as a name may hold dots itself, such as `@odata.count`. */
const firstOf = (holder: unknown, steps: ReadonlyArray<string>): string | undefined => {
  const names = steps.map((_, index) => steps.slice(0, steps.length - index).join("."))
  const known = names.find((name) => own(holder, name) !== undefined)
  return known === undefined && steps[0] === "*" ? anyOf(holder, steps.length === 1) : known
}

/**
 * The names that a path leads by, in a value: `*` stands for the one field that holds a list, and a name may hold dots. Undefined where
 * it leads nowhere.
 */
export const namesOf = (path: string, value: unknown): ReadonlyArray<string> | undefined => {
  const names: Array<string> = []
  let steps = path === "" ? [] : path.split(".")
  let here = value
  while (steps.length > 0) {
    const name = firstOf(here, steps)
    if (name === undefined) return undefined
    names.push(name)
    here = own(here, name)
    steps = steps.slice(steps[0] === "*" ? 1 : name.split(".").length)
  }
  return names
}

/** What stands at a path; undefined where that leads nowhere. */
export const at = (path: string, value: unknown): unknown => {
  const names = namesOf(path, value)
  return names?.reduce<unknown>((holder, name) => own(holder, name), value)
}

/** A value at a path, in objects of their own. */
export const putAt = (path: string, value: unknown): unknown =>
  path
    .split(".")
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), value)

/** One cookie that an answer sets. */
export interface SetCookie {
  readonly name: string
  /** Empty where the cookie is taken back. */
  readonly value: string
  /** The domain whose hosts get it, in small letters; undefined of one for the host that sets it alone. */
  readonly domain: string | undefined
}

/** The lines of `set-cookie` headers. A comma before a new pair parts them too, but in a value, which stands before all attributes. */
const linesOf = (header: string): ReadonlyArray<string> =>
  header.split("\n").flatMap((line) => {
    const lines: Array<string> = []
    for (const part of line.split(/,(?=\s*[^\s;,=]+=)/)) {
      const before = lines.at(-1)
      if (before === undefined || before.includes(";")) lines.push(part)
      else lines.push(`${lines.pop()},${part}`)
    }
    return lines
  })

/** The cookies of `set-cookie` headers: several stand in one text, each on its line or after a comma that begins a new pair. */
export const cookiesIn = (header: (name: string) => string | undefined): ReadonlyArray<SetCookie> => {
  // A cookie whose time is over is taken back. Of an answer without a date, all that is before this century is over.
  const present = readHttpDate(header("date"), 0) ?? Date.UTC(2000, 0)
  return linesOf(header("set-cookie") ?? "").flatMap((line) => {
    const [, name, value = ""] = /^\s*([^\s;,=]+)=("[^"]*"|[^;]*)/.exec(line) ?? []
    if (name === undefined) return []
    const [, expires] = /;\s*expires=([^;]+)/i.exec(line) ?? []
    const end = expires === undefined ? undefined : new Date(expires.replaceAll("-", " ")).getTime()
    const isOver = /;\s*max-age=/i.test(line)
      ? /;\s*max-age=(0|-\d+)\s*(;|$)/i.test(line)
      : end !== undefined && end <= present
    const [, domain] = /;\s*domain\s*=\s*\.?([^\s;]+)/i.exec(line) ?? []
    return [{ name, value: isOver ? "" : value.trim(), domain: domain?.toLowerCase() }]
  })
}

/** The cookie in which an answer has something. */
export const cookieAt = (place: Place | false | undefined): string | undefined =>
  typeof place === "object" && "cookie" in place ? place.cookie : undefined

/** What stands at a place of an answer; undefined where nothing does. */
export const read = (place: Place, answer: Answer): unknown => {
  if (typeof place === "string") return at(place, answer.body)
  if (typeof place === "function") return place(answer)
  if ("header" in place) return answer.header(place.header.toLowerCase())
  // The last one counts: a platform may take back an old cookie before it sets the new one.
  return cookiesIn(answer.header)
    .filter(({ name, value }) => name === place.cookie && value !== "")
    .at(-1)?.value
}

/** A parameter of a link (RFC 8288): its name, and its value, which may be quoted, or left out. */
const parameter = String.raw`\s*;\s*([\w*-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?`
const linkParameter = /*#__PURE__*/ new RegExp(parameter, "g")
const link = /*#__PURE__*/ new RegExp(`<([^<>]*)>((?:${parameter})*)`, "g")

/** The address that a `Link` header gives for a relation. */
export const linkOf = (header: string | undefined, relation: string): string | undefined => {
  for (const [, address, parameters = ""] of (header ?? "").matchAll(link)) {
    const [, , quoted, bare] =
      [...parameters.matchAll(linkParameter)].find(([, name]) => name?.toLowerCase() === "rel") ?? []
    const words = quoted ?? bare?.replaceAll("'", "") ?? ""
    if (words.toLowerCase().split(/\s+/).includes(relation)) return address
  }
  return undefined
}

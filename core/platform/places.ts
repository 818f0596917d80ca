/** Where something stands in an answer: in its body by a path of names, in a header, in a cookie, or where a function finds it. */
import * as Option from "effect/Option"
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

/** The names that a path leads by, in a value: `*` stands for the one field that holds a list. Undefined where it leads nowhere. */
export const namesOf = (path: string, value: unknown): ReadonlyArray<string> | undefined => {
  const names: Array<string> = []
  const steps = path === "" ? [] : path.split(".")
  let here = value
  for (const [index, step] of steps.entries()) {
    const name = step === "*" && own(here, "*") === undefined ? anyOf(here, index === steps.length - 1) : step
    if (name === undefined || own(here, name) === undefined) return undefined
    names.push(name)
    here = own(here, name)
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
}

/** The cookies of `set-cookie` headers: several stand in one text, each on its line or after a comma that begins a new pair. */
export const cookiesIn = (header: (name: string) => string | undefined): ReadonlyArray<SetCookie> => {
  // A cookie whose time is over is taken back. Of an answer without a date, all that is before this century is over.
  const present = readHttpDate(header("date"), 0) ?? Date.UTC(2000, 0)
  return (header("set-cookie") ?? "").split(/\n|,(?=\s*[^\s;,=]+=)/).flatMap((line) => {
    const [, name, value = ""] = /^\s*([^\s;,=]+)=("[^"]*"|[^;]*)/.exec(line) ?? []
    if (name === undefined) return []
    const [, expires] = /;\s*expires=([^;]+)/i.exec(line) ?? []
    const end = expires === undefined ? undefined : new Date(expires.replaceAll("-", " ")).getTime()
    const isOver = /;\s*max-age=/i.test(line)
      ? /;\s*max-age=(0|-\d+)\s*(;|$)/i.test(line)
      : end !== undefined && end <= present
    return [{ name, value: isOver ? "" : value.trim() }]
  })
}

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

/** The address that a `Link` header gives for a relation (RFC 8288). */
export const linkOf = (header: string | undefined, relation: string): string | undefined => {
  for (const [, address, parameters = ""] of (header ?? "").matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g
  )) {
    const relations = Option.fromNullable(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i.exec(parameters))
    const words = Option.match(relations, {
      onNone: () => "",
      onSome: ([, quoted, bare]) => quoted ?? bare ?? ""
    })
    if (words.toLowerCase().split(/\s+/).includes(relation)) return address
  }
  return undefined
}

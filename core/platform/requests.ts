/** A call's path, query and body from our form to the platform's. */
import * as Either from "effect/Either"
import type { Encoded } from "../kernel/codec/encoder.js"
import type { DialectOperation, Surroundings, Translator } from "../kernel/dispatch/dialect.js"
import type { Refusal } from "../kernel/operation/input.js"
import * as Path from "../kernel/operation/path.js"
import { urlOf, withoutEnd } from "../kernel/operation/url.js"
import * as Bodies from "./bodies.js"
import { namesProject, projectIn, sentNames } from "./calls.js"
import { isHeaderValue } from "./cookies.js"
import type { Definition } from "./definition.js"
import { type Rules, twinsIn } from "./fields.js"
import { isSearch, pageIn } from "./paging.js"
import * as Queries from "./queries.js"

/** Writes what a platform has in place of our path, query and body. */
export type Write = Translator["write"]

/** The path behind the project, where that is a part of it. */
const prefixed = (
  definition: Definition,
  operation: DialectOperation,
  { baseUrl, projectId = "" }: Surroundings
): ((path: string) => string) => {
  const { path: template } = projectIn(definition)
  if (template === undefined || !namesProject(operation)) return (path) => path
  const prefix = withoutEnd(urlOf(baseUrl)?.pathname ?? "", "/")
  const project = withoutEnd(template.replace(/^\/+/, ""), "/").replaceAll(
    "{projectId}",
    Path.percent(projectId)
  )
  return (path) => `${prefix}/${project}${path.slice(prefix.length)}`
}

/** The header by which a program proves where a write comes from. */
const csrf = (
  { credentials = {} }: Definition,
  { declared }: DialectOperation
): Either.Either<Readonly<Record<string, string>>, Refusal> => {
  const said = credentials.csrf
  if (said?.value === undefined || declared.method === "GET" || declared.method === "HEAD")
    return Either.right({})
  const value: unknown = typeof said.value === "function" ? said.value() : said.value
  if (value === undefined) return Either.right({})
  return isHeaderValue(value)
    ? Either.right({ [said.header.toLowerCase()]: value })
    : Either.left({ field: "platform.credentials.csrf.value", rule: "must give ASCII text" })
}

/** Compiles what writes the requests of an operation. */
export const make = (
  definition: Definition,
  rules: Rules,
  operation: DialectOperation,
  around: Surroundings
): Write => {
  const { input, success } = operation.declared
  const names = sentNames(definition, rules, operation)
  const query = Queries.make(definition, rules, operation, names, around.projectId)
  const bodyText = Bodies.make(definition, rules, operation, names)
  const pathOf = prefixed(definition, operation, around)
  const answered = "page" in success ? success.page.ast : "ast" in success ? success.ast : undefined
  const twins =
    twinsIn(input.ast, { ...rules, nameOf: names.any }) ??
    (answered === undefined ? undefined : twinsIn(answered, rules))
  const isAskedInInput = isSearch(operation)

  return (encoded, call) => {
    if (twins !== undefined)
      return Either.left({
        field: "platform.entities",
        rule: `gives ${twins.join(" and ")} of this call one name, so that one of them would be lost`
      })
    const [path = "", ...texts] = encoded.path.split("?")
    const asked = isAskedInInput ? pageIn(operation, call.input) : undefined
    const { body } = encoded
    return Either.all({
      path: Either.map(query(texts.join("?"), call, asked), (text) => pathOf(path) + text),
      body:
        body?._tag === "Json"
          ? Either.map(bodyText(JSON.parse(body.text), call), (text): Encoded["body"] => ({ ...body, text }))
          : Either.right(body),
      headers: csrf(definition, operation)
    })
  }
}

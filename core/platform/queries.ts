/** A call's query from our form to the platform's. */
import * as Either from "effect/Either"
import type { DialectCall, DialectOperation } from "../kernel/dispatch/dialect.js"
import type { Refusal } from "../kernel/operation/input.js"
import { own } from "../permissions/own.js"
import { listsOf, namesProject, projectIn, reservedNames, routeOf, type SentNames } from "./calls.js"
import type { Definition } from "./definition.js"
import { type Rules, shapeOf, writeDate } from "./fields.js"
import { type AskedPage, ask, type Pair, pairsOf, partOf, queryIn, queryOf } from "./paging.js"

/** Writes a query, from the question mark; `asked` is the page that the body of a search asks for. */
export type WriteQuery = (
  text: string,
  call: DialectCall,
  asked: AskedPage | undefined
) => Either.Either<string, Refusal>

/** Compiles what writes the queries of an operation. */
export const make = (
  definition: Definition,
  rules: Rules,
  operation: DialectOperation,
  names: SentNames,
  projectId: string | undefined
): WriteQuery => {
  const lists = listsOf(definition, operation)
  const { fields } = shapeOf(operation.declared.input.ast)
  const part = partOf(lists, operation)
  const projectName = namesProject(operation) ? projectIn(definition).query : undefined
  const fixed = queryIn(routeOf(definition, operation.audience, operation.name)?.path ?? "")

  const reserved = reservedNames(definition, operation)

  /** A list parameter as the platform writes it. */
  const listed = (parameter: string, text: string): ReadonlyArray<Pair> => {
    const { parameters = "comma" } = lists
    const items = text.split(",")
    if (parameters === "comma") return [[parameter, text]]
    if (parameters === "repeat") return items.map((item) => [parameter, item])
    if (parameters === "brackets") return items.map((item) => [`${parameter}[]`, item])
    return [[parameter, items.join(parameters.joinedBy)]]
  }

  /** The text of a value: a date may be a number. */
  const textOf = (field: string, parameter: string, text: string): string => {
    const form =
      (Object.hasOwn(rules.datesByName, parameter) ? rules.datesByName[parameter] : undefined) ??
      (fields.get(field)?.().isDate === true ? rules.dates : undefined)
    return form === undefined ? text : String(writeDate(text, form))
  }

  const isList = (field: string, input: unknown): boolean =>
    Array.isArray(own(input, field)) || Array.isArray(own(own(input, "query"), field))

  const parameterOf = (field: string, text: string, input: unknown): ReadonlyArray<Pair> => {
    const parameter = names.any(field)
    const value = textOf(field, parameter, text)
    return isList(field, input) ? listed(parameter, value) : [[parameter, value]]
  }

  const { joinedBy } = typeof lists.parameters === "object" ? lists.parameters : {}
  /** Whether the platform would read one value of a list as several. */
  const isSplit = ([field, text]: Pair, input: unknown): boolean =>
    joinedBy !== undefined && joinedBy !== "," && isList(field, input) && text.includes(joinedBy)

  const isProject = ([field]: Pair): boolean => namesProject(operation) && field === "projectId"
  const projectOf = ([, value]: Pair): ReadonlyArray<Pair> =>
    projectName === undefined ? [] : [[projectName, value]]
  const asksForPage = ([field]: Pair): boolean => part === "query" && (field === "page" || field === "limit")

  return (text, { cursor, input }, asked) => {
    const pairs = pairsOf(text)
    // A call that the SDK does not know may name another project, where the platform reads it from the query.
    if (projectName === undefined && pairs.some((pair) => isProject(pair) && pair[1] !== projectId))
      return Either.left({
        field: "query.projectId",
        rule: "must be the project of the client: this platform is not told it in the query"
      })
    // A link says the page of a search too, whose body stays the same. Whose list it is, and who asks for it, is the client's to say.
    if (lists.page?.by === "link" && cursor !== undefined && part !== undefined) {
      const said = pairsOf(queryIn(cursor)).filter(([parameter]) => !reserved.includes(parameter))
      return Either.right(queryOf([...said, ...pairs.filter(isProject).flatMap(projectOf)]))
    }
    const others = pairs.filter((pair) => !asksForPage(pair))
    const shadow = others.find((pair) => !isProject(pair) && reserved.includes(names.any(pair[0])))
    if (shadow !== undefined)
      return Either.left({
        field: fields.has(shadow[0]) ? shadow[0] : `query.${shadow[0]}`,
        rule: "is written by the client: the platform reads it as the project or a credential"
      })
    const split = others.find((pair) => isSplit(pair, input))
    if (split !== undefined)
      return Either.left({
        field: fields.has(split[0]) ? split[0] : `query.${split[0]}`,
        rule: `must have no ${JSON.stringify(joinedBy)} in a value: the platform takes its lists apart there`
      })
    const sent = others.flatMap((pair) => (isProject(pair) ? projectOf(pair) : parameterOf(...pair, input)))
    const textIn = (name: string): string | undefined => pairs.find(([field]) => field === name)?.[1]
    const page =
      part === "query"
        ? ask(lists, asked ?? { page: textIn("page"), limit: textIn("limit") }, cursor)
        : Either.right([])
    return Either.map(page, (paged) => {
      const written = queryOf([...sent, ...paged])
      return fixed === "" ? written : `${written}${written === "" ? "?" : "&"}${fixed}`
    })
  }
}

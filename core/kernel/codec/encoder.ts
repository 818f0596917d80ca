/**
 * From an operation's input to the path, query and body of a request. Bad input is refused with its field and rule
 * before anything is sent.
 */
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import type { AnyRequest } from "../../ports/transport.js"
import * as Input from "../operation/input.js"
import type { Declared } from "../operation/operation.js"
import * as Path from "../operation/path.js"
import { compile } from "./compiler/compile.js"
import * as Json from "./json.js"
import { makeState, wrong } from "./state.js"

/** What is sent besides address and credentials. */
export interface Encoded {
  /** Path with query, from `/`. */
  readonly path: string
  readonly body: AnyRequest["body"]
}

/** What the encoder needs from the client. */
export interface Surroundings {
  /** Path prefix of the service, such as `/api`, or empty. */
  readonly prefix: string
  readonly projectId: string | undefined
  /** Whether the project is named in the query of calls that do not name it in the path. */
  readonly projectInQuery: boolean
}

export type Encode = (input: unknown) => Either.Either<Encoded, Input.Refusal>

const refuse = (field: string, rule: string): Either.Either<never, Input.Refusal> =>
  Either.left({ field, rule })

const pair = ([name, text]: Input.Pair): string => `${Path.percent(name)}=${Path.percent(text)}`

const SurrogateId = Symbol.for("effect/annotation/Surrogate")

/** The fields of an input: those of all members of a union. A class stands for its struct. */
const fieldsOf = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures
    case "Refinement":
      return fieldsOf(ast.from)
    case "Suspend":
      return fieldsOf(ast.f())
    case "Union":
      return ast.types.flatMap(fieldsOf)
    case "Declaration": {
      const { [SurrogateId]: surrogate } = ast.annotations
      // Schema alone sets it, to a node.
      return surrogate === undefined ? [] : fieldsOf(surrogate as AST.AST)
    }
    default:
      return []
  }
}

const encodings = (ast: AST.AST): ReadonlyMap<string, Input.QueryEncoding | undefined> =>
  new Map(
    fieldsOf(ast)
      .map(({ name, type }) => [String(name), Input.encodingOf(type)] as const)
      .filter(([, encoding]) => encoding)
  )

/** Text that needs no encoding in a path, like most ids. */
const unreserved = /^[\w-]+$/

/** Compiles the encoder of an operation for a client. */
export const make = (declared: Declared, around: Surroundings): Encode => {
  const ast = AST.typeAST(declared.input.ast)
  const check = compile(ast, "input")
  const special = encodings(ast)
  const hasPayload = fieldsOf(ast).some(({ name }) => name === "payload")
  const template = Path.parse(declared.path)
  const { query: inQuery = [] } = declared
  const hasBody = declared.method.startsWith("P")
  const addsProject =
    around.projectInQuery && around.projectId !== undefined && !template.names.includes("projectId")
  const project = pair(["projectId", around.projectId ?? ""])
  const projectInBody = hasBody && !inQuery.includes("projectId")
  const prefixes = [...special.values()].flatMap((encoding) => encoding?.prefix ?? [])
  const written = [...template.names, ...(addsProject ? ["projectId"] : [])].map(Input.parameterOf)
  const isTaken = (parameter: string): boolean =>
    written.includes(parameter) || prefixes.some((prefix) => parameter.startsWith(Input.parameterOf(prefix)))
  const head = `${around.prefix}/${template.texts[0] ?? ""}`

  const path = (input: Record<string, unknown>): Either.Either<string, Input.Refusal> => {
    let text = head
    for (let index = 0; index < template.names.length; index++) {
      const name = template.names[index] ?? ""
      // Ignores a polluted prototype.
      const inputValue = Object.hasOwn(input, name) ? input[name] : undefined
      const value = name === "projectId" && inputValue === undefined ? around.projectId : inputValue
      if (value === undefined) return refuse(name, "is required")
      const part =
        typeof value === "string" && unreserved.test(value) ? Either.right(value) : Path.encode(value)
      if (Either.isLeft(part)) return refuse(name, part.left)
      text += part.right + (template.texts[index + 1] ?? "")
    }
    return Either.right(text)
  }

  return (rawInput) => {
    const input = rawInput === undefined ? {} : rawInput
    const state = makeState()
    // What came through `Input.raw` has left it.
    const checked = check(input, state)
    if (checked === wrong) return refuse(state.path === "" ? "input" : state.path, state.rule)
    const fields = withDefaults(checked as Record<string, unknown>, declared.defaults)

    const encodedPath = path(fields)
    if (Either.isLeft(encodedPath)) return Either.left(encodedPath.left)

    let query = ""
    let payload: unknown
    // Without a prototype, so that a field "__proto__" is data like any other.
    const body: Record<string, unknown> = Object.create(null)
    let isBodyNamed = false
    let namesProject = false
    for (const name of Object.keys(fields)) {
      const value = fields[name]
      if (value === undefined || template.names.includes(name)) continue
      // The payload is the whole body, so a field that a route omits from the path goes to the query.
      if (hasBody && !inQuery.includes(name) && (!hasPayload || name === "payload")) {
        if (name === "payload") payload = value
        else {
          body[name] = value
          isBodyNamed = true
        }
        continue
      }
      const pairs = (special.get(name) ?? Input.anything)(name, value, isTaken)
      if (Either.isLeft(pairs))
        return typeof pairs.left === "string" ? refuse(name, pairs.left) : Either.left(pairs.left)
      for (const item of pairs.right) {
        namesProject ||= item[0] === "projectId"
        if (!Path.isWellFormed(item[0]) || !Path.isWellFormed(item[1])) {
          return refuse(name, "must not hold half of a surrogate pair")
        }
        query += (query === "" ? "?" : "&") + pair(item)
      }
    }
    if (addsProject && (projectInBody || !namesProject)) query += (query === "" ? "?" : "&") + project
    const target = encodedPath.right + query
    if (declared.body !== undefined)
      return Either.map(declared.body.encode(body), (form) => ({ path: target, body: form }))
    if (!isBodyNamed && payload === undefined) return Either.right({ path: target, body: undefined })
    const json = isBodyNamed ? Json.encode(body, "") : Json.encode(payload, "payload")
    return Either.map(json, (text) => ({ path: target, body: { _tag: "Json", text } }))
  }
}

const withDefaults = (
  input: Record<string, unknown>,
  defaults: Readonly<Record<string, unknown>> | undefined
): Record<string, unknown> => {
  if (defaults === undefined) return input
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(entries) }
}

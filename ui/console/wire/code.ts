/** A call as text to copy: as curl, and as a program with the SDK. Secrets are never in it: they have names to fill in. */
import * as AST from "effect/SchemaAST"
import { isFile } from "../../../adapters/openapi/fields.js"
import type { Exchange } from "../../../adapters/tap/index.js"
import { compile } from "../../../core/kernel/codec/compiler.js"
import { isDateTime } from "../../../core/kernel/codec/dates.js"
import { makeState, wrong } from "../../../core/kernel/codec/state.js"
import type { Audience, Declared } from "../../../core/kernel/operation/operation.js"
import { parse } from "../../../core/kernel/operation/path.js"
import { apiKey, baseUrl, projectId } from "../app/config.js"

/** What was sent, as the wire shows it: secrets masked. */
export type Sent = Pick<Exchange, "method" | "origin" | "path" | "headers" | "body">

/** What stands in place of a secret. */
const masked = "••••••"

/** In single quotes nothing is special to a shell, but the quote itself; a secret becomes a variable. */
const quote = (text: string, variable: string): string =>
  `'${text.replaceAll("'", `'\\''`).replaceAll(masked, `'"$${variable}"'`)}'`

const variableOf = (header: string): string => header.toUpperCase().replaceAll("-", "_")

/** The parts of a form, which the wire shows line by line, a file as `name: file.png (34 bytes)`. */
const parts = (body: string): ReadonlyArray<string> =>
  body.split("\n").map((line) => {
    const [, name = "", value = ""] = /^([^:]*): (.*)$/.exec(line) ?? []
    const file = /^(.*) \((?:\d+ bytes|a stream)\)$/.exec(value)?.[1]
    return `-F ${quote(`${name}=${file === undefined ? value : `@${file}`}`, "SECRET")}`
  })

/** A request as a command for a shell. A secret is a variable that is named like its header, or `$SECRET`. */
export const curlOf = ({ body, headers, method, origin, path }: Sent): string =>
  [
    `curl -X ${method} ${quote(origin + path, "SECRET")}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`, variableOf(name))}`),
    ...(body === ""
      ? []
      : headers["content-type"] === undefined
        ? parts(body)
        : [`-d ${quote(body, "SECRET")}`])
  ].join(" \\\n  ")

/** A call of one client. */
export interface Called {
  readonly audience: Audience
  readonly operation: string
  readonly declared: Declared
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * What a text of a query may stand for: the first reading that the field's schema accepts. Where there is none, a number
 * is one that is written alike.
 */
const readingOf = (type: AST.AST | undefined, text: string): unknown => {
  if (type === undefined) return String(Number(text)) === text ? Number(text) : text
  const accepts = compile(AST.typeAST(type), "input")
  const readings = [text, Number(text), text === "true", text.split(",")]
  return readings.find((value) => accepts(value, makeState()) !== wrong) ?? text
}

/** The input that a request was made of: what stands in its path, its query and its body. */
export const inputOf = (declared: Declared, { body, path }: Pick<Sent, "body" | "path">): Called["input"] => {
  const [target = "", query = ""] = path.split("?", 2)
  const { names, texts } = parse(declared.path)
  const pattern = texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("([^/]+)")
  const values = new RegExp(`${pattern}$`).exec(target)?.slice(1) ?? []
  const fields = AST.getPropertySignatures(declared.input.ast)
  const named = [
    ...names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")] as const),
    ...[...new URLSearchParams(query)].map(
      ([name, text]) => [name, readingOf(fields.find((field) => field.name === name)?.type, text)] as const
    )
  ]
  const input = Object.fromEntries(named.filter(([name]) => name !== "projectId"))
  if (!/^[[{"]/.test(body)) return input
  const content: unknown = JSON.parse(body)
  return fields.some(({ name }) => name === "payload")
    ? { ...input, payload: content }
    : { ...input, ...Object(content) }
}

/** Values that JSON has no text for. */
const expressionOf = (value: unknown): string | undefined => {
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`
  if (!(value instanceof File)) return undefined
  const name = JSON.stringify(value.name)
  return `new File([await openAsBlob(${name})], ${name})`
}

/** A value as the source of a program. */
const literal = (value: unknown): string => {
  const expressions: Array<string> = []
  const marked = JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, name, json: unknown) {
      // Dates are texts already, but where they stand.
      const expression = expressionOf(this[name])
      return expression === undefined ? json : `\0${expressions.push(expression) - 1}`
    },
    2
  )
  return marked
    .replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replaceAll(/"\\u0000(\d+)"/g, (_, index: string) => expressions[Number(index)] ?? "")
}

/** What stands for a value that has to be filled in: one of its kind. */
const placeholderOf = (ast: AST.AST): unknown => {
  if (AST.isRefinement(ast)) return placeholderOf(ast.from)
  if (AST.isUnion(ast)) return placeholderOf(ast.types[0])
  if (AST.isLiteral(ast)) return ast.literal
  if (AST.isNumberKeyword(ast)) return 1
  if (AST.isBooleanKeyword(ast)) return false
  if (AST.isStringKeyword(ast)) return "…"
  if (AST.isTupleType(ast)) return ast.rest.map(({ type }) => placeholderOf(type))
  if (isFile(ast)) return new File([], "picture.png")
  return AST.isDeclaration(ast) || isDateTime(ast) ? new Date(0) : holdersOf(ast)
}

const holdersOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    AST.getPropertySignatures(ast).flatMap(({ isOptional, name, type }) =>
      isOptional ? [] : [[name, placeholderOf(type)]]
    )
  )

/** What the SDK has for an audience: a module and its path; what a client is called, as two would have reserved words. */
const clients = {
  admin: ["Admin", "admin", "admin", { baseUrl, projectId, email: "…", password: "…" }],
  public: ["Public", "public", "visitor", { baseUrl, apiKey }],
  private: ["Private", "private", "server", { baseUrl, privateKey: "…" }],
  endUser: ["EndUser", "end-user", "endUser", { baseUrl, apiKey, sessionId: "…" }]
} as const

/** A call as a whole program, with Effect or with Promises. What is secret has to be filled in. */
export const codeOf = (
  style: "effect" | "promise",
  { audience, declared, input, operation }: Called
): string => {
  const [module, path, client, credentials] = clients[audience]
  const whole = { ...holdersOf(AST.typeAST(declared.input.ast)), ...input }
  const given = Object.keys(whole).length === 0 ? "" : literal(whole)
  const files = given.includes("await openAsBlob(") ? 'import { openAsBlob } from "node:fs"\n' : ""
  const isDownload = "bytes" in declared.success
  const config = literal(credentials)
  if (style === "promise")
    return `${files}import { create${module}Client } from "@quartet/sdk/promise"

await using ${client} = create${module}Client(${config})
console.log(await ${client}.${operation}${isDownload ? ".text" : ""}(${given}))`
  const call = `${module}.${operation}(${given})`
  return `${files}import * as ${module} from "@quartet/sdk/${path}"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"${isDownload ? '\nimport { text } from "@quartet/sdk"' : ""}

const program = ${isDownload ? `text(${call})` : call}
const client = ${module}.layer(${config})
Effect.runPromise(program.pipe(Effect.provide(client), Effect.provide(Transport.layer))).then(console.log)`
}

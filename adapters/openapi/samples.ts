/**
 * A call as text to copy: a command for a shell, and a program with the SDK. Secrets are never in it: they have names to
 * fill in.
 */
import * as Either from "effect/Either"
import * as AST from "effect/SchemaAST"
import { isDateTime } from "../../core/kernel/codec/dates.js"
import * as Encoder from "../../core/kernel/codec/encoder.js"
import type { Audience, Declared } from "../../core/kernel/operation/operation.js"
import type { Exchange } from "../tap/index.js"
import { concealed, shown as masked } from "../tap/mask.js"
import { credentials } from "./credentials.js"
import { isFile } from "./fields.js"

/** A call of one client. */
export interface Called {
  readonly audience: Audience
  readonly operation: string
  readonly declared: Declared
  readonly input: Readonly<Record<string, unknown>>
}

/** Where the call goes, as in the client's configuration. What is not given is to be filled in. */
export interface Target {
  readonly baseUrl: string
  /** `baseUrl` by default. */
  readonly legacyUrl?: string
  readonly projectId?: string
  readonly apiKey?: string
}

/** What stands where something has to be filled in. */
const blank = "…"

/** What was sent, as the wire shows it: secrets masked. */
export type Sent = Pick<Exchange, "method" | "origin" | "path" | "headers" | "body">

/** In single quotes nothing is special to a shell, but the quote itself; a secret becomes a variable. */
const quote = (text: string, variable = "SECRET"): string =>
  `'${text.replaceAll("'", `'\\''`).replaceAll(masked, `'"$${variable}"'`)}'`

const variableOf = (header: string): string => header.toUpperCase().replaceAll("-", "_")

const command = (sent: Omit<Sent, "body">, body: ReadonlyArray<string>): string =>
  [
    `curl -X ${sent.method} ${quote(sent.origin + sent.path)}`,
    ...Object.entries(sent.headers).map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`, variableOf(name))}`
    ),
    ...body
  ].join(" \\\n  ")

/** The parts of a form, which the wire shows line by line, a file as `name: file.png (34 bytes)`. */
const partsIn = (body: string): ReadonlyArray<string> =>
  body.split("\n").map((line) => {
    const [, name = "", value = ""] = /^([^:]*): (.*)$/.exec(line) ?? []
    const file = /^(.*) \((?:\d+ bytes|a stream)\)$/.exec(value)?.[1]
    return `-F ${quote(`${name}=${file === undefined ? value : `@${file}`}`)}`
  })

/** A request as a command for a shell. A secret is a variable that is named like its header, or `$SECRET`. */
export const curlOf = (sent: Sent): string => {
  if (sent.body === "") return command(sent, [])
  const isForm = sent.headers["content-type"] === undefined
  return command(sent, isForm ? partsIn(sent.body) : [`-d ${quote(sent.body)}`])
}

/** Values that JSON has no text for. */
const expressionOf = (value: unknown): string | undefined => {
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`
  if (!(value instanceof File)) return undefined
  const name = JSON.stringify(value.name)
  const type = value.type === "" ? "" : `, { type: ${JSON.stringify(value.type)} }`
  return `new File([await openAsBlob(${name})], ${name}${type})`
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
    .replaceAll(/\[\n([^[\]{}]*)\n *\]/g, (_, items: string) => `[${items.trim().replaceAll(/\n */g, " ")}]`)
    .replaceAll(/^( *)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")
    .replaceAll(/"\\u0000(\d+)"/g, (_, index: string) => expressions[Number(index)] ?? "")
    .replaceAll(masked, blank)
}

/** What stands for a value that has to be filled in: one of its kind. */
const placeholderOf = (ast: AST.AST): unknown => {
  if (AST.isRefinement(ast)) return placeholderOf(ast.from)
  if (AST.isUnion(ast)) return placeholderOf(ast.types[0])
  if (AST.isLiteral(ast)) return ast.literal
  if (AST.isNumberKeyword(ast)) return 1
  if (AST.isBooleanKeyword(ast)) return false
  if (AST.isStringKeyword(ast)) return blank
  if (AST.isTupleType(ast)) return ast.rest.map(({ type }) => placeholderOf(type))
  if (isFile(ast)) return new File([], "picture.png", { type: "image/png" })
  return AST.isDeclaration(ast) || isDateTime(ast) ? new Date(0) : holdersOf(ast)
}

const holdersOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    AST.getPropertySignatures(ast).flatMap(({ isOptional, name, type }) =>
      isOptional ? [] : [[name, placeholderOf(type)]]
    )
  )

/** The input with its secrets masked, and a placeholder for each field that is required and not given. */
const wholeOf = ({ declared, input }: Called): Called["input"] => ({
  ...holdersOf(AST.typeAST(declared.input.ast)),
  ...Object(concealed(input))
})

const bodyOf = (body: Encoder.Encoded["body"]): ReadonlyArray<string> => {
  if (body === undefined) return []
  if (body._tag === "Json") return [`-d ${quote(body.text)}`]
  return body.parts.map(
    (part) => `-F ${quote(`${part.name}=${"text" in part ? part.text : `@${part.fileName}`}`)}`
  )
}

/** The command that sends what the client would; undefined where the client would refuse the input. */
const commandOf = (
  called: Called,
  { baseUrl, legacyUrl = baseUrl, projectId = blank }: Target
): string | undefined => {
  const { audience, declared } = called
  const isLegacy = declared.host === "legacy"
  const isOpen = declared.credentials === "none"
  const projectInQuery = audience === "admin" && !isOpen && !isLegacy
  const encode = Encoder.make(declared, { prefix: "", projectId, projectInQuery })
  const sent = Either.getOrUndefined(encode(wholeOf(called)))
  if (sent === undefined) return undefined
  const schemes = isOpen ? [] : Object.values(credentials[audience])
  const secrets = schemes.map((scheme) =>
    scheme.type === "http" ? ["authorization", `Bearer ${masked}`] : [scheme.name, masked]
  )
  const type = sent.body?._tag === "Json" ? { "content-type": "application/json" } : {}
  return command(
    {
      method: declared.method,
      origin: isLegacy ? legacyUrl : baseUrl,
      path: [blank, masked].reduce(
        (path, text) => path.replaceAll(encodeURIComponent(text), text),
        sent.path
      ),
      headers: { ...Object.fromEntries(secrets), ...type }
    },
    bodyOf(sent.body)
  )
}

/** What the SDK has for an audience: a module and its path; what a client is called, as two would have reserved words. */
const clients = {
  admin: { module: "Admin", path: "admin", client: "admin", needs: ["projectId", "email", "password"] },
  public: { module: "Public", path: "public", client: "visitor", needs: ["apiKey"] },
  private: { module: "Private", path: "private", client: "server", needs: ["privateKey"] },
  endUser: { module: "EndUser", path: "end-user", client: "endUser", needs: ["apiKey", "sessionId"] }
} as const

/** A call as a whole program, with Effect or with Promises. */
const codeOf = (style: "effect" | "promise", called: Called, target: Target): string => {
  const { audience, declared, operation } = called
  const { client, module, needs, path } = clients[audience]
  const whole = wholeOf(called)
  const given = Object.keys(whole).length === 0 ? "" : literal(whole)
  const files = given.includes("await openAsBlob(") ? 'import { openAsBlob } from "node:fs"\n' : ""
  const isDownload = "bytes" in declared.success
  const { apiKey = blank, baseUrl, legacyUrl = baseUrl, projectId = blank } = target
  const known: Readonly<Record<string, string>> = { apiKey, projectId }
  const config = literal({
    baseUrl,
    ...(legacyUrl === baseUrl || declared.host !== "legacy" ? {} : { legacyUrl }),
    ...Object.fromEntries(needs.map((name) => [name, known[name] ?? blank]))
  })
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

/** A call in each language, as `x-codeSamples` has them. A command is empty where the client would refuse the input. */
export const samplesOf = (called: Called, target: Target) => [
  { lang: "Shell", label: "curl", source: commandOf(called, target) ?? "" },
  { lang: "TypeScript", label: "Effect", source: codeOf("effect", called, target) },
  { lang: "TypeScript", label: "Promise", source: codeOf("promise", called, target) }
]

/**
 * A call as text to copy: a command for a shell, and a program with the SDK. Secrets are never in it: they have names to
 * fill in. With the accounts of a sandbox, which are no secret, it runs as it stands.
 */

import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import type { Exchange } from "../../adapters/tap/index.js"
import { concealed, shown as masked } from "../../adapters/tap/mask.js"
import * as Auth from "../../core/auth/operations.js"
import { isDateTime } from "../../core/kernel/codec/dates.js"
import * as Encoder from "../../core/kernel/codec/encoder.js"
import type { Audience, Declared } from "../../core/kernel/operation/operation.js"
import * as Raw from "../../core/kernel/operation/raw.js"
import { isBlob } from "../../core/ports/bytes.js"
import { credentials } from "./credentials.js"
import { bodyOf, isFile } from "./fields.js"

/** A call of one client. */
export interface Called {
  readonly audience: Audience
  readonly operation: string
  readonly declared: Declared
  readonly input: Readonly<Record<string, unknown>>
  /** Whether its body goes through `Input.raw`. */
  readonly isRaw?: boolean
}

/** Where the call goes, as in the client's configuration. What is not given is to be filled in. */
export interface Target {
  readonly baseUrl: string
  /** `baseUrl` by default. */
  readonly legacyUrl?: string
  readonly projectId?: string
  readonly apiKey?: string
  /** What nobody has to fill in: accounts that everybody may know, those of a sandbox. */
  readonly accounts?: Accounts
}

interface Login {
  readonly email: string
  readonly password: string
}

/** Who makes the calls of each client. */
export interface Accounts {
  readonly admin: Login
  readonly endUser: Login
  readonly privateKey: string
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

/** What a file holds that a sample makes by itself. */
const content = "A picture"

/** Values that JSON has no text for. A file is made where it stands, or is the reader's own. */
const expressionOf = (value: unknown, isMade: boolean): string | undefined => {
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`
  if (!(isBlob(value) && "name" in value)) return undefined
  const name = JSON.stringify(value.name)
  const type = value.type === "" ? "" : `, { type: ${JSON.stringify(value.type)} }`
  return `new File([${isMade ? JSON.stringify(content) : `await openAsBlob(${name})`}], ${name}${type})`
}

/** A value as the source of a program. */
const literal = (value: unknown, makesFiles = false, isRaw = false): string => {
  const expressions: Array<string> = []
  const marked = JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, name, json: unknown) {
      // Dates are texts already, but where they stand.
      const isBody = isRaw && this === Object(value) && name === "payload"
      const expression = isBody
        ? `Input.raw(${literal(json, makesFiles).replaceAll("\n", "\n  ")})`
        : expressionOf(this[name], makesFiles)
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

/** An input with a placeholder for the field of its body that a rule about several of them asks for, such as the receivers of a message. */
const completed = (declared: Declared, input: Called["input"]): Called["input"] => {
  const encode = Encoder.make(declared, { prefix: "", projectId: blank, projectInQuery: false })
  const refusal = Option.getOrUndefined(Either.getLeft(encode(input)))
  const body: object = Object(input.payload)
  const asked = bodyOf(declared).find(({ name }) => refusal?.field === `payload.${String(name)}`)
  if (asked === undefined || asked.name in body) return input
  return { ...input, payload: { ...body, [asked.name]: placeholderOf(asked.type) } }
}

/** The input with its secrets masked, and a placeholder for each field that is required and not given. */
const wholeOf = (
  { declared, input, isRaw }: Called,
  { accounts }: Pick<Target, "accounts">
): Called["input"] => {
  const whole: Called["input"] = {
    ...holdersOf(AST.typeAST(declared.input.ast)),
    ...Object(accounts === undefined ? concealed(input) : input)
  }
  return isRaw === true ? whole : completed(declared, whole)
}

/** A file that is made is read from what is piped into the command. */
const argumentsOf = (body: Encoder.Encoded["body"], isMade: boolean): ReadonlyArray<string> => {
  if (body === undefined) return []
  if (body._tag === "Json") return [`-d ${quote(body.text)}`]
  return body.parts.map((part) => {
    const value = "text" in part ? part.text : isMade ? `@-;filename=${part.fileName}` : `@${part.fileName}`
    return `-F ${quote(`${part.name}=${value}`)}`
  })
}

/** A call that answers a credential: who makes it, the header that takes the credential, and the field that holds it. */
interface SignIn {
  readonly audience: Audience
  readonly operation: { readonly name: string; readonly declaration: () => Declared }
  readonly header: string
  readonly field: string
}

const ofAdmins = { audience: "admin" } as const
const signIns: Readonly<Record<Audience, ReadonlyArray<SignIn>>> = {
  admin: [
    { ...ofAdmins, operation: Auth.adminLogin, header: "authorization", field: "accessToken" },
    { ...ofAdmins, operation: Auth.legacyLogin, header: "x-session-id", field: "sessionId" }
  ],
  public: [],
  private: [],
  endUser: [{ audience: "public", operation: Auth.login, header: "x-session-id", field: "sessionId" }]
}

/** What comes before a command that runs as it stands: the credentials of its client, each in its variable. */
const signedIn = ({ audience, declared }: Called, target: Target): string => {
  const { accounts } = target
  if (accounts === undefined || declared.credentials === "none") return ""
  const input: Record<string, unknown> = { ...accounts[audience === "admin" ? "admin" : "endUser"] }
  const assigned = signIns[audience].map(({ audience, field, header, operation }) => {
    const called = { audience, operation: operation.name, declared: operation.declaration(), input }
    const sent = commandOf(called, target)?.replace("curl", "curl -s")
    return `${variableOf(header)}=$(${sent} |\n  sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/')\n`
  })
  return assigned.join("")
}

/** The command that sends what the client would; undefined where the client would refuse the input. */
const commandOf = (called: Called, target: Target): string | undefined => {
  const { audience, declared } = called
  const { accounts, apiKey = blank, baseUrl, legacyUrl = baseUrl, projectId = blank } = target
  const isLegacy = declared.host === "legacy"
  const isOpen = declared.credentials === "none"
  const projectInQuery = audience === "admin" && !isOpen && !isLegacy
  const encode = Encoder.make(declared, { prefix: "", projectId, projectInQuery })
  const whole = wholeOf(called, target)
  const sent = Either.getOrUndefined(
    encode(called.isRaw === true ? { ...whole, payload: Raw.raw(whole.payload) } : whole)
  )
  if (sent === undefined) return undefined
  const known: Readonly<Record<string, string>> =
    accounts === undefined ? {} : { "x-api-key": apiKey, "x-private-key": accounts.privateKey }
  const schemes = isOpen ? [] : Object.values(credentials[audience])
  const secrets = schemes.map((scheme) =>
    scheme.type === "http"
      ? ["authorization", `Bearer ${masked}`]
      : [scheme.name, known[scheme.name] ?? masked]
  )
  const type = sent.body?._tag === "Json" ? { "content-type": "application/json" } : {}
  const isPiped = accounts !== undefined && sent.body?._tag === "Form"
  const written = command(
    {
      method: declared.method,
      origin: isLegacy ? legacyUrl : baseUrl,
      path: [blank, masked].reduce(
        (path, text) => path.replaceAll(encodeURIComponent(text), text),
        sent.path
      ),
      headers: { ...Object.fromEntries(secrets), ...type }
    },
    argumentsOf(sent.body, isPiped)
  )
  return signedIn(called, target) + (isPiped ? `printf '${content}' | ` : "") + written
}

/** What the SDK has for an audience: a module and its path; what a client is called, as two would have reserved words. */
const clients = {
  admin: {
    ...{ module: "Admin", path: "admin", client: "admin", needs: ["projectId", "email", "password"] },
    ...{ layer: "layer", create: "createAdminClient" }
  },
  public: {
    ...{ module: "Public", path: "public", client: "visitor", needs: ["apiKey"] },
    ...{ layer: "layer", create: "createPublicClient" }
  },
  private: {
    ...{ module: "Private", path: "private", client: "server", needs: ["privateKey"] },
    ...{ layer: "layer", create: "createPrivateClient" }
  },
  endUser: {
    ...{ module: "EndUser", path: "end-user", client: "endUser", needs: ["apiKey", "email", "password"] },
    ...{ layer: "layerSignIn", create: "signInEndUser" }
  }
} as const

/** How a program writes a call: with Effects, or with Promises. */
export type Style = "effect" | "promise"

/** The parts of a program that makes a call: where its client comes from, and the call itself. */
export interface Written {
  /** The client's module, `Admin`. */
  readonly module: string
  /** The entry that exports it, `@quartet/sdk/admin`. */
  readonly entry: string
  /** `Admin.orders.get({ … })`, or `await admin.orders.get({ … })`. */
  readonly call: string
}

/** A call as an expression. Without accounts its secrets are masked. */
export const written = (style: Style, called: Called, target: Pick<Target, "accounts">): Written => {
  const { audience, declared, operation } = called
  const { client, module, path } = clients[audience]
  const whole = wholeOf(called, target)
  const inputText =
    Object.keys(whole).length === 0 ? "" : literal(whole, target.accounts !== undefined, called.isRaw)
  const isDownload = "bytes" in declared.success
  return {
    module,
    entry: `@quartet/sdk/${path}`,
    call:
      style === "promise"
        ? `await ${client}.${operation}${isDownload ? ".text" : ""}(${inputText})`
        : `${isDownload ? "text(" : ""}${module}.${operation}(${inputText})${isDownload ? ")" : ""}`
  }
}

/** A call as a whole program. */
const codeOf = (style: Style, called: Called, target: Target): string => {
  const { audience, declared } = called
  const { client, create, layer, needs } = clients[audience]
  const { accounts, apiKey, baseUrl, legacyUrl = baseUrl, projectId } = target
  const { call, entry, module } = written(style, called, target)
  const files = call.includes("await openAsBlob(") ? 'import { openAsBlob } from "node:fs"\n' : ""
  const isDownload = "bytes" in declared.success
  const isRaw = called.isRaw === true
  const login = accounts?.[audience === "admin" ? "admin" : "endUser"]
  const known: Readonly<Record<string, string | undefined>> = {
    ...{ apiKey, projectId, privateKey: accounts?.privateKey, ...login }
  }
  const config = literal({
    baseUrl,
    ...(legacyUrl === baseUrl || declared.host !== "legacy" ? {} : { legacyUrl }),
    ...Object.fromEntries(needs.map((name) => [name, known[name] ?? blank]))
  })
  if (style === "promise")
    return `${files}import { ${create}${isRaw ? ", Input" : ""} } from "@quartet/sdk/promise"

const ${client} = ${create === "signInEndUser" ? "await " : ""}${create}(${config})
console.log(${call})
await ${client}.close()`
  return `${files}import * as ${module} from "${entry}"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"${isDownload ? '\nimport { text } from "@quartet/sdk"' : ""}${isRaw ? '\nimport { Input } from "@quartet/sdk"' : ""}

const program = ${call}
const client = ${module}.${layer}(${config})
Effect.runPromise(program.pipe(Effect.provide(client), Effect.provide(Transport.layer))).then(console.log)`
}

/** A call in each language, as `x-codeSamples` has them. A command is empty where the client would refuse the input. */
export const samplesOf = (called: Called, target: Target) => [
  { lang: "Shell", label: "curl", source: commandOf(called, target) ?? "" },
  { lang: "TypeScript", label: "Effect", source: codeOf("effect", called, target) },
  { lang: "TypeScript", label: "Promise", source: codeOf("promise", called, target) }
]

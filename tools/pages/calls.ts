/** A page for each call of each client, from the operation values: what it takes and answers, how it fails, how to write it. */

import { accounts } from "@quartet/sandbox"
import { defaultPort } from "@quartet/sandbox/extend"
import { exists } from "@quartet/support/files.js"
import * as AST from "effect/SchemaAST"
import { aboutOf, assumedMark } from "../../clients/description/about.js"
import { accessOf } from "../../clients/description/access.js"
import { described as all, type Described } from "../../clients/description/described.js"

import { errorsOf, type Failure } from "../../clients/description/errors.js"
import {
  type AnswerField,
  answerFields,
  type BodyField,
  bodyFields,
  bodyRule,
  type Field,
  isFile,
  modelOf,
  ruleOf
} from "../../clients/description/fields.js"
import { groupText } from "../../clients/description/groups.js"
import { samplesOf, type Target } from "../../clients/description/samples.js"
import { isDateTime } from "../../core/kernel/codec/dates.js"
import { isPaged } from "../../core/kernel/dispatch/page-source.js"
import { type Audience, callOf, type Declared, sliceOf } from "../../core/kernel/operation/operation.js"
import { folders } from "../generate/clients.js"
import { firstOf, inputOf } from "./inputs.js"

/** A field of an input, a body or an answer. */
export interface Row {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** What a value must be, where the type does not say it all. */
  readonly rule: string
  readonly description: string
}

/** A call of one client, as its page shows it. */
export interface Call {
  /** `admin.requests.list` */
  readonly key: string
  readonly client: Audience
  /** `requests.list` */
  readonly name: string
  readonly family: string
  /** The path of its page. */
  readonly id: string
  readonly summary: string
  /** What its family is for, to its client. */
  readonly about: string
  readonly method: string
  /** The URL template below the client's address. */
  readonly url: string
  readonly host: "baseUrl" | "legacyUrl"
  readonly permission: string
  readonly input: ReadonlyArray<Row>
  /** What the field `payload` is known to take. */
  readonly body: ReadonlyArray<Row>
  /** What becomes of other fields of it. */
  readonly bodyNote: string
  readonly answer: string
  /** The name of the answer's schema, or of that of its items: `Requests.RequestAction`. */
  readonly model: string | undefined
  readonly fields: ReadonlyArray<Row>
  readonly errors: ReadonlyArray<Failure>
  readonly notes: ReadonlyArray<string>
  /** The call to make first in a fresh sandbox, if any. */
  readonly first: string | undefined
  readonly samples: ReadonlyArray<{ readonly label: string; readonly lang: string; readonly source: string }>
  readonly document: string
  /** The page of its family, where there is one. */
  readonly guide: string | undefined
  readonly explorer: string
}

const origin = `http://127.0.0.1:${defaultPort}`

/** Where the samples go, and as whom: they run as they stand against a fresh sandbox. */
export const target: Target = {
  baseUrl: origin,
  ...accounts,
  accounts: { ...accounts, endUser: accounts.endUsers.ana }
}

/** What a value is, in a word. */
const typeOf = (ast: AST.AST): string => {
  if (isFile(ast)) return "file"
  if (isDateTime(ast)) return "Date"
  if (AST.isRefinement(ast)) return typeOf(ast.from)
  if (AST.isTransformation(ast)) return typeOf(ast.to)
  if (AST.isLiteral(ast)) return JSON.stringify(ast.literal)
  if (AST.isTupleType(ast)) return `${ast.rest.map(({ type }) => typeOf(type)).join(" or ")}[]`
  if (AST.isTypeLiteral(ast)) return "object"
  if (AST.isStringKeyword(ast)) return "string"
  if (AST.isNumberKeyword(ast)) return "number"
  if (AST.isBooleanKeyword(ast)) return "boolean"
  if (AST.isUnion(ast)) {
    const types = ast.types.filter((type) => !AST.isUndefinedKeyword(type)).map(typeOf)
    return [...new Set(types)].join(" or ")
  }
  return AST.isDeclaration(ast) && String(ast).includes("Date") ? "Date" : "any"
}

/** The rule of a schema, without what the type says already. */
const ruleBeside = (ast: AST.AST): string => {
  if (isDateTime(ast) || AST.isLiteral(ast) || AST.isUndefinedKeyword(ast)) return ""
  if (AST.isUnion(ast)) return ast.types.map(ruleBeside).join("")
  if (AST.isTupleType(ast)) {
    const each = ast.rest.map(({ type }) => ruleBeside(type)).join("")
    return each === "" ? "" : `each ${each}`
  }
  const [rule, type] = [ruleOf(ast), typeOf(ast)]
  return ["anything", type, `a ${type}`].includes(rule) ? "" : rule
}

const placeOf = ({ name, place, standard, writing }: Field): string => {
  if (name === "payload") return "The whole body, as JSON."
  const said = { path: "Part of the path", query: "Sent in the query", body: "A field of the body" }
  const where = place === "form" || place === "payload" ? "A part of the form" : said[place]
  const pairs = writing.as === "pairs" ? `, as \`${writing.prefix}<key>\`` : ""
  const list = writing.as === "list" ? ", joined by commas" : ""
  const left = standard === undefined ? "" : ` \`${String(standard)}\` where it is left out.`
  return `${where}${pairs}${list}.${left}`
}

const inputRow = (field: Field): Row => {
  const { ast, isRequired, name } = field
  return {
    name,
    type: typeOf(ast),
    isRequired,
    rule: ruleBeside(ast),
    description: `${aboutOf(field)} ${placeOf(field)}`.trim()
  }
}

const bodyRow = (field: BodyField): Row => ({
  name: field.name,
  type: typeOf(field.ast),
  isRequired: field.isRequired,
  rule: ruleBeside(field.ast),
  description: aboutOf(field)
})

const answerRow = (field: AnswerField): Row => {
  const { ast, isAssumed, isRequired, name } = field
  const about = aboutOf(field)
  return {
    name,
    type: typeOf(ast),
    isRequired,
    rule: ruleBeside(ast),
    description: about !== "" || !isAssumed ? about : assumedMark
  }
}

const modelIn = ({ success }: Declared): string | undefined =>
  "bytes" in success ? undefined : modelOf("page" in success ? success.page : success)

const answerOf = (declared: Declared): string => {
  const { success } = declared
  const model = modelIn(declared)
  if ("bytes" in success) return success.bytes === "text/csv" ? "A CSV, as a stream." : "Bytes, as a stream."
  if ("page" in success) return `A page: \`items\`, each a \`${model}\`, and \`paging\`.`
  return model === undefined
    ? "Its shape is not specified: the answer is what comes, typed `unknown`."
    : `A \`${model}\`.`
}

const notesOf = (
  { declared, isDownload, isRead, isUpload, name, operation }: Described,
  client: string
): ReadonlyArray<string> => {
  return [
    ...(isPaged(operation)
      ? [
          `All pages: \`pages(${client}.${name}, input)\` is a Stream, and with Promises \`for await (const row of client.${name}.pages(input))\`.`
        ]
      : []),
    ...(isDownload
      ? [
          "A download is a stream of bytes: `text` and `collect` of `@quartet/sdk` read it whole, and with Promises `.text` and `.bytes` of the call, or the call itself with `for await`."
        ]
      : []),
    ...(isUpload
      ? [
          "The file is a `File`, or `{ content, name, type? }` with a Blob, bytes or a `ReadableStream`; one of a disk is `new File([await openAsBlob(path)], name)`, with `node:fs`. `onUpload`, an option of the call, hears of the bytes that were sent."
        ]
      : []),
    ...(!isRead && !isUpload
      ? [
          "A write is not repeated by itself: give it an `idempotencyKey`, an option of the call, where the platform knows such keys."
        ]
      : []),
    ...(declared.host === "legacy"
      ? ["It goes to the legacy service: `legacyUrl` of the client's configuration."]
      : [])
  ]
}

const modules: Readonly<Record<Audience, string>> = {
  admin: "Admin",
  public: "Public",
  private: "Private",
  endUser: "EndUser"
}

/** The page of a family, where it has another name. */
const guidesOf: Readonly<Record<string, string>> = {
  admins: "guides/users",
  auth: "guides/sessions",
  cms: "guides/content",
  contentModels: "guides/content",
  conversations: "chat",
  images: "guides/files",
  items: "guides/shop",
  models: "guides/content",
  orderGroups: "guides/shop",
  orders: "guides/shop",
  ordersV2: "guides/shop",
  payments: "guides/shop",
  permissions: "guides/users",
  preferences: "guides/users",
  profile: "guides/users",
  profiles: "guides/users",
  roles: "guides/users"
}

const folderOf = (client: Audience): string => folders[client].slice("clients/".length)

const bodyNotes = {
  closed:
    "Other fields are refused before anything is sent, unless the whole body comes through `Input.raw`.",
  near:
    "A field that is one of these with a slip of typing is refused before anything is sent, unless the whole body comes through `Input.raw`; others are " +
    "sent as they are.",
  own: "It holds your own data."
}

const callAs = (described: Described): Call => {
  const { audience: client, declared, fields, key, name, summary } = described
  const family = sliceOf(name)
  const called = { audience: client, operation: name, declared, input: inputOf(described) }
  const guide = guidesOf[family] ?? `guides/${family}`
  return {
    key,
    client,
    name,
    family,
    id: `calls/${folderOf(client)}/${family}/${callOf(name)}`,
    summary,
    about: groupText(client, family),
    method: declared.method,
    url: declared.path,
    host: declared.host === "legacy" ? "legacyUrl" : "baseUrl",
    permission: accessOf(client, declared, name),
    input: fields.map(inputRow),
    body: bodyFields(declared).map(bodyRow),
    bodyNote: bodyNotes[bodyRule(declared) ?? "own"],
    answer: answerOf(declared),
    model: modelIn(declared),
    fields: answerFields(declared).map(answerRow),
    errors: errorsOf(declared, client),
    first: firstOf[name],
    notes: notesOf(described, modules[client]),
    samples: ["Effect", "Promise", "curl"].flatMap((label) =>
      samplesOf(called, target).filter((sample) => sample.label === label)
    ),
    document: `openapi/${folderOf(client)}.json`,
    guide: exists(`docs/${guide}.md`) ? guide : undefined,
    explorer: `${origin}/explorer?call=${key}`
  }
}

/** Every call of every client, by family. */
export const calls: ReadonlyArray<Call> = all
  .map(callAs)
  .sort((left, right) => left.family.localeCompare(right.family))

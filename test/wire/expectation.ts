/**
 * From a row of the platform's list to a call's input and to what must then be on the wire. Written from the list and
 * the design: the SDK says nothing here but the kind of a body's field, a number or a list.
 */

import { isSignIn, partsOf, type Row } from "@quartet/support/wire-rows.js"
import { SchemaAST as AST, Schema } from "effect"
import { operations } from "../../core/catalogue.js"
import * as Input from "../../core/kernel/operation/raw.js"
import { credentials, prefixes, projectId } from "./platform.js"

/** A part of a form. */
export interface Part {
  readonly name: string
  readonly fileName?: string
  readonly type?: string
  /** The bytes, one character each. */
  readonly content: string
}

/** What is compared of a request. */
export interface Sent {
  readonly service: "api" | "legacy"
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly credentials: Readonly<Record<string, string>>
  /** The media type of the body, or nothing where there is none. */
  readonly type: string | undefined
  readonly body: string | ReadonlyArray<Part>
}

/** `whole`: everything that a call takes. `least`: what it needs and no more. */
export type Extent = "whole" | "least"

/** Percent-encodes all bytes but those that stand for themselves in every part of a URL. */
export const percent = (text: string): string =>
  [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[A-Za-z0-9\-_.~!*()]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

/** Text with everything that can go wrong in a path or a query. */
const awkward = (name: string): string => `${name} 'ü'😀/?#%&+=,;:@$|\\"<>^\`{id}[]..`

const date = new Date("2024-05-01T09:30:00.000Z")

/** Filters and sorts, and the pairs that the specification makes of them. */
const questions = {
  v2: {
    field: { f: "filter", s: "search" },
    input: [
      { k: "title", v: "a|b ü", condition: "contains" },
      { k: "title", v: "<5", condition: "contains", op: "!=", t: "NUMERIC" },
      { k: "views", v: 10, condition: "lt", op: "<=", t: "TEXT" },
      { k: "views", v: 5, condition: "gt" },
      { k: "rank", v: 7, op: "=", t: "NUMERIC" }
    ],
    texts: [
      ["title", "a|b ü"],
      ["title", "<5"],
      ["views", "<10"],
      ["views", ">5"],
      ["rank", "7"]
    ]
  },
  v3: {
    field: { p: "filter", s: "search" },
    input: [
      { k: "title", v: "a|b ü", condition: "contains" },
      { k: "views", v: 10, condition: "lt" },
      { k: "views", v: 5, op: ">=", condition: "lt" },
      { k: "rank", v: "7", t: "NUMERIC" },
      { k: "isOpen", v: true }
    ],
    texts: [
      ["title", "like|a|b ü|TEXT"],
      ["views", "<|10|NUMERIC"],
      ["views", ">=|5|NUMERIC"],
      ["rank", "=|7|NUMERIC"],
      ["isOpen", "=|true|BOOLEAN"]
    ]
  }
} as const

const sorts = {
  input: [
    { k: "published", v: "desc" },
    { k: "views", v: "asc", t: "NUMERIC" }
  ],
  texts: [
    ["published", "desc"],
    ["views", "asc|NUMERIC"]
  ]
} as const

/** What is collected of a call: its input, and the pairs of its query. */
interface Draft {
  readonly input: Record<string, unknown>
  readonly pairs: Array<readonly [name: string, text: string]>
}

const addQuestion = (draft: Draft, row: Row, prefix: string): void => {
  if (prefix === "o") {
    draft.input.sort = sorts.input
    draft.pairs.push(...sorts.texts.map(([key, text]) => [`o.${key}`, text] as const))
    return
  }
  const { field, input, texts } = row.path.startsWith("v2/") ? questions.v2 : questions.v3
  const name = Object.entries(field).find(([letter]) => letter === prefix)?.[1]
  if (name === undefined) throw new Error(`${row.id}: ${prefix}.<key> is not known`)
  draft.input[name] = input
  draft.pairs.push(...texts.map(([key, text]) => [`${prefix}.${key}`, text] as const))
}

/** One item of a row's query. Every second list is empty, and so must not be sent. */
const addQuery = (draft: Draft, row: Row, item: string, place: number, extent: Extent): void => {
  const [name = "", standard] = item.replace("*", "").split("=")
  if (standard !== undefined) {
    if (extent === "whole") draft.input[name] = "sick_day"
    draft.pairs.push([name, extent === "whole" ? "sick_day" : standard])
  } else if (item.endsWith("*")) {
    const values = place % 2 === 0 ? ["a 1", "b&2", "ü"] : []
    if (extent === "least") return
    draft.input[name] =
      /^(status|type)In$/.test(name) && /^(request-action|order)/.test(row.path)
        ? values.map(Input.raw)
        : values
    if (values.length > 0) draft.pairs.push([name, values.join(",")])
  } else if (name === "…any") {
    if (extent === "least") return
    draft.input.limit = 25
    draft.input.query = { "x y": awkward("any"), archived: false, since: date, tags: ["a 1", "ü"], none: [] }
    draft.pairs.push(
      ["limit", "25"],
      ["x y", awkward("any")],
      ["archived", "false"],
      ["since", date.toISOString()],
      ["tags", "a 1,ü"]
    )
  } else if (name.endsWith(".<key>")) {
    if (extent === "whole") addQuestion(draft, row, name.slice(0, 1))
  } else if (name === "startDate") {
    draft.input[name] = date
    draft.pairs.push([name, date.toISOString()])
  } else if (name === "endDate") {
    draft.input[name] = "2024-05-31"
    draft.pairs.push([name, "2024-05-31"])
  } else if (extent === "whole") {
    draft.input[name] = awkward(name)
    draft.pairs.push([name, awkward(name)])
  }
}

const payload = { title: 'ü "quoted"\n', at: date, list: [1, null, { deep: true }], "x.y": -1.5 }

/** The bodies about money, whose fields are closed: a misspelt one would do more than was meant. */
const payloads: Readonly<Record<string, object>> = {
  "admin.payments.refund": { amount: 12.5, reason: 'ü "quoted"\n' },
  "private.payments.payWithLink": { amount: 12.5, description: 'ü "quoted"\n' }
}

/** The bodies that are held to the fields that are known: anything else takes the door. */
const closed: ReadonlySet<string> = new Set([
  "admin.notifications.send",
  "private.notifications.sendInApp",
  "private.notifications.pushToUsers",
  "admin.orderGroups.search",
  "endUser.orderGroups.search",
  "endUser.orders.search",
  "endUser.profile.search",
  "public.items.search"
])

/** A value of a schema; of text and of anything it is awkward text. */
const sample = (ast: AST.AST, name: string): unknown => {
  if (AST.isLiteral(ast)) return ast.literal
  if (AST.isUnion(ast)) return sample(ast.types[0], name)
  if (AST.isRefinement(ast)) return sample(ast.from, name)
  if (AST.isTupleType(ast)) return [...ast.elements, ...ast.rest].map(({ type }) => sample(type, name))
  if (AST.isTypeLiteral(ast))
    return Object.fromEntries(ast.propertySignatures.map((it) => [it.name, sample(it.type, String(it.name))]))
  return [`${name} ü "x"`, 4, true, date].find(Schema.is(Schema.make<unknown>(ast)))
}

const bodyValue = (row: Row, field: string): unknown => {
  const input = operations.find(({ name }) => row.id.endsWith(`.${name}`))?.declaration().input ?? Schema.Void
  const property = AST.getPropertySignatures(AST.typeAST(input.ast)).find(({ name }) => name === field)
  const value = property && sample(property.type, field)
  if (value === undefined) throw new Error(`${row.id}: no value is known for the field ${field} of its input`)
  return value
}

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

const addPart = (draft: Draft, item: string, extent: Extent): ReadonlyArray<Part> => {
  const name = item.replace("?", "")
  if (item.endsWith("?") && extent === "least") return []
  if (name === "file") {
    draft.input.file = { content: new Blob([bytes], { type: "image/png" }), name: 'ü "1".png' }
    return [{ name, fileName: "ü %221%22.png", type: "image/png", content: String.fromCharCode(...bytes) }]
  }
  const [value, content] =
    name === "isPrivate"
      ? [true, "true"]
      : name === "form"
        ? [{ title: "ü", rank: 1 }, Buffer.from('{"title":"ü","rank":1}').toString("latin1")]
        : ["user 1", "user 1"]
  draft.input[name] = value
  return [{ name, content }]
}

const bodyOf = (draft: Draft, row: Row, extent: Extent): Pick<Sent, "type" | "body"> => {
  const { body } = row
  const none = { type: undefined, body: "" }
  if (body === null) return none
  if (typeof body !== "string") {
    const named = Object.fromEntries(body.map((name) => [name, bodyValue(row, name)]))
    Object.assign(draft.input, named)
    return { type: "application/json", body: JSON.stringify(named) }
  }
  if (body.startsWith("multipart: ")) {
    const items = body.slice("multipart: ".length).split(", ")
    const parts = items.flatMap((item) => addPart(draft, item, extent))
    const files = parts.filter(({ fileName }) => fileName !== undefined)
    return {
      type: "multipart/form-data",
      body: [...parts.filter(({ fileName }) => fileName === undefined), ...files]
    }
  }
  if (body === "any?" && extent === "least") return none
  const sent = payloads[row.id] ?? payload
  draft.input.payload = closed.has(row.id) ? Input.raw(sent) : sent
  return { type: "application/json", body: JSON.stringify(sent) }
}

/** A call's input, and what it must put on the wire. */
export const expectation = (
  row: Row,
  extent: Extent
): { readonly input: Record<string, unknown>; readonly sent: Sent } => {
  const { client } = partsOf(row.id)
  const draft: Draft = { input: {}, pairs: [] }
  const path = row.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    if (name === "projectId") return percent(projectId)
    draft.input[name] = awkward(name)
    return percent(awkward(name))
  })
  for (const [place, item] of row.query.entries()) addQuery(draft, row, item, place, extent)
  const namesProject = client === "admin" && row.service === "api" && !isSignIn(row)
  if (namesProject && !row.path.includes("{projectId}")) draft.pairs.push(["projectId", projectId])
  const query = draft.pairs.map(([name, text]) => `${percent(name)}=${percent(text)}`).join("&")
  const body = bodyOf(draft, row, extent)
  return {
    input: draft.input,
    sent: {
      service: row.service,
      method: row.method,
      target: `${prefixes[row.service]}/${path}${query === "" ? "" : `?${query}`}`,
      credentials: isSignIn(row) ? {} : credentials[client],
      ...body
    }
  }
}

// The platform's list of calls (spec/calls.json) beside what core declares and what the four clients offer: not a
// call too many, not one too few, each with the method, path, parameters and answer that the list states.

import { type Row, rowsOf } from "@quartet/support/wire-rows.js"
import * as AST from "effect/SchemaAST"
import { describe, expect, test } from "vitest"
import * as Admin from "../clients/admin/index.js"
import * as EndUser from "../clients/end-user/index.js"
import * as Private from "../clients/private/index.js"
import * as Public from "../clients/public/index.js"
import { operations } from "../core/catalogue.js"
import * as Input from "../core/kernel/operation/input.js"
import { type Audience, callOf, type Declared, Operation } from "../core/kernel/operation/operation.js"
import * as Path from "../core/kernel/operation/path.js"
import * as Level from "../core/permissions/level.js"

const clients = [
  ["admin", Admin],
  ["public", Public],
  ["private", Private],
  ["endUser", EndUser]
] as const

type Operations = typeof operations

const declaredFor = (audience: Audience): Operations =>
  operations.filter((operation) => operation.declaration().audiences.includes(audience))

/** The calls of a client by the names that a program writes: the members of its namespaces that are bound to an operation. */
const boundTo = (client: object): ReadonlyArray<readonly [name: string, operation: Operations[number]]> =>
  Object.entries(client).flatMap(([slice, namespace]: [string, unknown]) =>
    Object.entries(Object(namespace)).flatMap(([call, member]: [string, unknown]) =>
      typeof member === "function" && "operation" in member && Operation.isOperation(member.operation)
        ? [[`${slice}.${call}`, member.operation] as const]
        : []
    )
  )

const answerOf = ({ success }: Declared): string => {
  if ("bytes" in success) return success.bytes === "text/csv" ? "text/csv" : "bytes"
  if (!("page" in success)) return "json"
  return success.key === undefined ? "list" : `page {${success.key}, paging}`
}

const line = (id: string, call: { method: string; service: string; path: string; answer: string }): string =>
  `${id}: ${call.method} ${call.service} ${call.path} -> ${call.answer}`

const lineOf = (audience: Audience, name: string, declared: Declared): string =>
  line(`${audience}.${name}`, {
    method: declared.method,
    service: declared.host ?? "api",
    path: declared.path,
    answer: answerOf(declared)
  })

const listed = (audience: Audience): ReadonlyArray<string> =>
  rowsOf(audience)
    .map((row) => line(row.id, row))
    .sort()

/** What an input takes, in the words of the list. */
const inputOf = (declared: Declared) => {
  const ast = AST.typeAST(declared.input.ast)
  const fields = new Map(AST.getPropertySignatures(ast).map((field) => [String(field.name), field] as const))
  return { fields, isOpen: [...fields.values()].some(({ type }) => Input.isFurther(type)) }
}

/** The ways in which a declaration's input falls short of its row. */
const shortfalls = (row: Row, declared: Declared): ReadonlyArray<string> => {
  const { fields, isOpen } = inputOf(declared)
  const problems: Array<string> = []
  const claim = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`${row.id} ${problem}`)
  }
  const named = (name: string) => claim(fields.has(name), `does not take ${name}`)

  for (const name of Path.parse(row.path).names) if (name !== "projectId") named(name)
  for (const item of row.query) {
    const [name = "", standard] = item.replace("*", "").split("=")
    if (name === "…any" || name.includes("<")) continue
    named(name)
    const field = fields.get(name)
    const isList = field !== undefined && Input.encodingOf(field.type) !== undefined
    claim(isList === item.endsWith("*"), `${isList ? "joins" : "does not join"} ${name} by commas`)
    claim(declared.defaults?.[name] === standard, `has another default for ${name}`)
  }
  claim(isOpen === row.query.includes("…any"), isOpen ? "takes any parameter" : "takes no further parameter")

  const { body } = row
  const payload = fields.get("payload")
  const hasPayload = body === "any" || body === "any?"
  claim((payload !== undefined) === hasPayload, hasPayload ? "takes no payload" : "takes a payload")
  if (payload !== undefined)
    claim(payload.isOptional === (body === "any?"), "errs on whether it needs a body")
  const form = typeof body === "string" && body.startsWith("multipart: ") ? body.slice(11).split(", ") : []
  claim((declared.body !== undefined) === form.length > 0, "errs on whether its body is a form")
  for (const item of form) {
    const name = item.replace("?", "")
    named(name)
    claim(fields.get(name)?.isOptional === item.endsWith("?"), `errs on whether it needs ${name}`)
  }
  if (Array.isArray(body)) for (const name of body) named(name)
  return problems
}

describe.each(clients)("the %s client", (audience, client) => {
  // Spec 0.4
  test("finds each of them declared once, at its address, and no other", () => {
    const declared = declaredFor(audience).map(({ declaration, name }) =>
      lineOf(audience, name, declaration())
    )
    expect(declared.sort()).toEqual(listed(audience))
  })

  // Spec 0.1
  test("offers each of them under its name, and no other", () => {
    const declared = declaredFor(audience).map((operation) => [operation.name, operation] as const)
    expect(new Map(boundTo(client))).toEqual(new Map(declared))
    expect(boundTo(client)).toHaveLength(declared.length)
  })

  // Spec 0.4
  test("takes in each call the parameters that the list names", () => {
    const problems = rowsOf(audience).flatMap((row) => {
      const declared = declaredFor(audience).find(({ name }) => row.id === `${audience}.${name}`)
      return declared === undefined ? [`${row.id} is not declared`] : shortfalls(row, declared.declaration())
    })
    expect(problems).toEqual([])
  })
})

// Spec 6.7
describe("the permissions of admins", () => {
  const guarded = declaredFor("admin").filter(({ declaration }) => declaration().credentials !== "none")
  const isRead = ({ isReadOnly, method }: Declared) => method === "GET" || isReadOnly === true
  const levels = (calls: Operations) =>
    calls.map(({ declaration, name }) => [name, declaration().requires] as const)

  const isHigh = ({ name }: Operations[number]) => /^(admins|roles)\./.test(name)
  const reads = guarded.filter(({ declaration }) => isRead(declaration()))
  const writes = guarded.filter(({ declaration }) => !isRead(declaration()))
  // Spec 6.8
  test.each([
    ["reading requires the level Read", reads, Level.Read],
    ["changing something requires the level Write", writes.filter((write) => !isHigh(write)), Level.Write],
    ["changing admins and roles requires the level Admin", writes.filter(isHigh), Level.Admin]
  ] as const)("%s", (_, calls, level) => {
    expect(calls.length).toBeGreaterThan(7)
    expect(levels(calls).filter(([, required]) => required !== level)).toEqual([])
  })
})

test("a search changes nothing, so it may be repeated", () => {
  const searches = operations.filter(({ name }) => callOf(name).startsWith("search"))
  const writes = searches.filter(({ declaration }) => {
    const { isReadOnly, method } = declaration()
    return method !== "GET" && isReadOnly !== true
  })
  expect(searches.length).toBeGreaterThan(0)
  expect(writes.map(({ name }) => name)).toEqual([])
})

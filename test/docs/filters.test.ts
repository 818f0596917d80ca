// The docstring of every list, and of every download of one, names the filters that its declaration has, and no others, in both faces.
import { filesIn, read } from "@quartet/support/files.js"
import { rows } from "@quartet/support/wire-rows.js"
import * as AST from "effect/SchemaAST"
import { expect, test } from "vitest"
import { type Described, described } from "../../clients/description/described.js"
import { withoutUndefined } from "../../clients/description/fields.js"
import * as Path from "../../core/kernel/operation/path.js"
import * as Orders from "../../core/orders/operations.js"
import * as Payments from "../../core/payments/operations.js"

const folders = { admin: "admin", endUser: "end-user", private: "private", public: "public" } as const
const names = {
  admin: ["Admin", "admin"],
  endUser: ["EndUser", "endUser"],
  private: ["Private", "server"],
  public: ["Public", "visitor"]
} as const

const docstringsIn = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.flatMap((file) =>
    (read(file).match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\//g) ?? []).map((text) =>
      text.replaceAll(/\s+\*?\s*/g, " ")
    )
  )

const docstrings = Object.fromEntries(
  Object.entries(folders).map(([audience, folder]) => [
    audience,
    [docstringsIn(filesIn(`clients/${folder}/`)), docstringsIn([`clients/promise/calls/${folder}.ts`])]
  ])
)

/** The docstrings of a call, in both faces: those with its example. */
const docstringsOf = ({ audience, name }: Described): ReadonlyArray<string> =>
  names[audience].flatMap((client, face) =>
    (docstrings[audience]?.[face] ?? []).filter((text) =>
      [`${client}.${name}(`, `${client}.${name}.`].some((call) => text.includes(call))
    )
  )

/** What an input's schema names, but for a body, of which it is the body's names. */
const namesIn = (ast: AST.AST): ReadonlyArray<string> =>
  AST.getPropertySignatures(ast).flatMap(({ name, type }) =>
    name === "payload" ? namesIn(withoutUndefined(type)) : [String(name)]
  )

const isPlace = ["page", "limit", "query"]

const filtersOf = ({ declared }: Described): ReadonlyArray<string> => {
  const inPath = Path.parse(declared.path).names
  return namesIn(AST.typeAST(declared.input.ast)).filter(
    (name) => !isPlace.includes(name) && !inPath.includes(name)
  )
}

const lists = described.filter(
  ({ declared, further }) =>
    "page" in declared.success || ("bytes" in declared.success && further !== undefined)
)

/** The names that a docstring gives of what a list is chosen by, in the order of its declaration. */
const namedIn = (docstring: string): ReadonlyArray<string> =>
  [...docstring.matchAll(/ (?:Filters(?:, in its body)?|Language|Order): ([^.;]*)[.;]/g)].flatMap(
    ([, listed = ""]) => [...listed.matchAll(/(?:^|, )`(\w+)`/g)].map(([, name = ""]) => name)
  )

test.each(lists.map((call) => [call.key, call] as const))("%s names its filters", (_, call) => {
  const said = docstringsOf(call)
  expect(said.length).toBe(2)
  const filters = filtersOf(call)
  for (const docstring of said) {
    expect([...namedIn(docstring)].sort()).toEqual([...filters].sort())
    const takesQuery = namesIn(AST.typeAST(call.declared.input.ast)).includes("query")
    expect(docstring.includes("others go into `query`")).toBe(takesQuery)
    expect(docstring.includes("It takes no filters.")).toBe(filters.length === 0 && !takesQuery)
  }
})

test("the lists are those of the specification, and the downloads that take filters", () => {
  const stated = rows.filter(
    ({ answer, query }) => /^(list|page)\b/.test(answer) || (answer === "text/csv" && query.length > 0)
  )
  expect(lists.map(({ key }) => key).sort()).toEqual(stated.map(({ id }) => id).sort())
})

test("payments and orders filter alike: lists, searches and downloads take the same names", () => {
  const alike = [Payments.list, Payments.exportCsv, Orders.adminSearch, Orders.listV2, Orders.exportCsvV2]
  const filters = alike.map((operation) => namesIn(AST.typeAST(operation.declaration().input.ast)))
  for (const names of filters) expect(names).toEqual(filters[0])
  expect(namesIn(AST.typeAST(Orders.search.declaration().input.ast))).toEqual(
    expect.arrayContaining((filters[0] ?? []).filter((name) => name !== "query"))
  )
})

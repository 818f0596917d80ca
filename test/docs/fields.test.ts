// Every field of a model says what it is, and the pages of the calls show it.
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { expect, test } from "vitest"
import { aboutOf, assumedMark } from "../../clients/description/about.js"
import { described } from "../../clients/description/described.js"
import { answerFields } from "../../clients/description/fields.js"
import { shownFields } from "../../clients/description/shown.js"
import * as Schemas from "../../core/schemas.js"
import { calls } from "../../tools/pages/calls.js"

test.each(described.map((call) => [call.key, call] as const))(
  "the page of %s shows its fields",
  (key, call) => {
    const onPage = calls.find((page) => page.key === key)
    const answered = answerFields(call.declared)
    expect(onPage?.fields.map(({ name }) => name)).toEqual(answered.map(({ name }) => name))
    for (const field of answered) {
      const about = aboutOf(field)
      if (about !== "")
        expect(onPage?.fields.find(({ name }) => name === field.name)?.description).toBe(about)
    }
    const { body } = shownFields(call)
    expect(
      onPage?.body.map(({ description, isRequired, name }) => ({ description, isRequired, name }))
    ).toEqual(body.map(({ about, isRequired, name }) => ({ description: about, isRequired, name })))
    expect(onPage?.input.map(({ name }) => name)).toEqual(call.fields.map(({ name }) => name))
    for (const field of call.fields)
      expect(onPage?.input.find(({ name }) => name === field.name)?.description).toContain(aboutOf(field))
  }
)

test("the page of a call leads to its client's OpenAPI document, its guide and its form", () => {
  const page = calls.find(({ key }) => key === "endUser.requests.create")
  expect([page?.document, page?.guide, page?.explorer]).toEqual([
    "openapi/end-user.json",
    "guides/requests",
    "http://127.0.0.1:4400/explorer?call=endUser.requests.create"
  ])
})

const models = Object.entries(Schemas).flatMap(([slice, module]: [string, object]) =>
  Object.entries(module).flatMap(([name, model]: [string, unknown]) => {
    const { ast } = Object(model)
    return ast?._tag === undefined ? [] : [[`${slice}.${name}`, ast] as const]
  })
)
const fields = models.flatMap(([model, ast]) =>
  AST.getPropertySignatures(AST.typeAST(ast)).map(({ name, type }) => ({ model, name: String(name), type }))
)

test("every field of every model has a docstring", () => {
  expect(fields.length).toBeGreaterThan(400)
  expect(fields.filter((field) => aboutOf(field) === "")).toEqual([])
})

test("a docstring speaks of what is assumed by one sentence, which explains itself", () => {
  const spoken = fields.map(aboutOf).filter((about) => /\bassum/i.test(about.replace(assumedMark, "")))
  expect(assumedMark).toBe("Assumed: the platform may differ.")
  expect(fields.filter((field) => aboutOf(field).endsWith(assumedMark)).length).toBeGreaterThan(200)
  expect(spoken).toEqual([])
})

test("a field of a body is told as what is written, not as what is read", () => {
  const read = described.flatMap((call) =>
    shownFields(call).body.filter(({ about }) => about.includes("readNumber"))
  )
  expect(read).toEqual([])
})

/** The words that a text is known to be, which an editor offers; none of any other. */
const knownWords = (ast: AST.AST): ReadonlyArray<unknown> => {
  if (AST.isUnion(ast)) return ast.types.flatMap(knownWords)
  return Option.getOrElse(AST.getExamplesAnnotation(ast), () => [])
}

test("a docstring that names words of a status, a type or a kind names those that an editor offers", () => {
  const named = fields.flatMap(({ type, ...field }) => {
    const [, list] = /such as ((?:`[^`]+`, )*`[^`]+`)/.exec(aboutOf(field)) ?? []
    const words = list?.match(/[^`, ][^`]*[^`, ]/g)
    return words != null && /^(?:status|type|kind)$/.test(field.name) && !isOwnWord(aboutOf(field))
      ? [{ ...field, words, known: knownWords(type) }]
      : []
  })
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ known, words }) => !words.every((word) => known.includes(word)))).toEqual([])
})

/** Whether a field holds words of the project or of a standard: an editor offers none. */
const isOwnWord = (about: string): boolean => /in words of the project|media type/.test(about)

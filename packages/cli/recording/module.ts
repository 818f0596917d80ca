/** The module of a recording: types and schemas of each call's answers, and one value for `answers` of a client. */
import { callOf as code, lay } from "../codegen/layout.js"
import { type Face, type Identifiers, write } from "../codegen/module.js"
import * as Names from "../codegen/names.js"
import { type Declaration, type Field, type Type, union } from "../codegen/types.js"
import { callOf, declaredOf } from "./calls.js"
import { completed } from "./declared.js"
import { withoutNames } from "./maps.js"
import type { Recording } from "./recording.js"
import { type Objects, type Shape, type Texts, total } from "./shape.js"

const textOf = ({ count, dates = 0, ids, words }: Texts): ReadonlyArray<Type> => {
  if (dates === count) return [{ _tag: "DateTime" }]
  const text: Type =
    typeof words === "object" && dates === 0
      ? { _tag: "Words", words: Object.keys(words) }
      : { _tag: ids === count ? "ObjectId" : "Text" }
  // What is a date-time is read as one, so it is tried first.
  return dates > 0 ? [{ _tag: "DateTime" }, text] : [text]
}

const objectOf = ({ count, fields, isDictionary, names }: Objects): Type => {
  if (isDictionary || (names !== undefined && Object.keys(fields).length === 0))
    return { _tag: "Dictionary", value: typeOf(names ?? {}) }
  return {
    _tag: "Object",
    fields: Object.entries(fields).map(
      ([name, shape]): Field => ({ name, type: typeOf(shape), isOptional: total(shape) < count })
    )
  }
}

/** The type of what was seen; of what was only null, or masked, nothing is known. */
const typeOf = (shape: Shape): Type => {
  const { boolean, list, nothing, null: nulls, number, object, text, unknown } = shape
  const members: ReadonlyArray<Type> = [
    ...(text === undefined ? [] : textOf(text)),
    ...(number === undefined ? [] : [{ _tag: "Number" as const }]),
    ...(boolean === undefined ? [] : [{ _tag: "Boolean" as const }]),
    ...(list === undefined ? [] : [{ _tag: "List" as const, item: typeOf(list.items) }]),
    ...(object === undefined ? [] : [objectOf(object)])
  ]
  const isNothing = members.length === 0 && nothing !== undefined
  if (unknown !== undefined || (members.length === 0 && !isNothing)) return { _tag: "Unknown" }
  return union([
    ...members,
    ...(nothing === undefined ? [] : [{ _tag: "Nothing" as const }]),
    ...(nulls === undefined ? [] : [{ _tag: "Null" as const }])
  ])
}

/** `admin.items.list` as words: `admin items list`. */
const nameOf = (id: string): string => Names.pascal(id.replaceAll(/(?=\p{Lu})/gu, " "), "Call")

const declarations = ({ calls }: Recording): ReadonlyArray<Declaration> =>
  Object.entries(calls).flatMap(([id, { shape }]): ReadonlyArray<Declaration> => {
    const call = callOf(id)
    // Of a list that was always empty nothing is known, and what is declared stays.
    if (call === undefined || total(shape) === 0) return []
    const ast = declaredOf(call)
    const seen = typeOf(withoutNames(shape, ast))
    return [
      {
        key: id,
        name: nameOf(id),
        note: `${"page" in call.declared.success ? "An item" : "The answer"} of ${id}.`,
        type: ast === undefined ? seen : completed(seen, ast)
      }
    ]
  })

const end =
  (all: ReadonlyArray<Declaration>) =>
  (
    identifiers: Identifiers
  ): { readonly imports: ReadonlyArray<string>; readonly blocks: ReadonlyArray<string> } => {
    const named = all.map(({ key }) => [Names.quoted(key), identifiers.get(key) ?? ""] as const)
    return {
      imports: ['import * as Answers from "@quartet/sdk/answers";'],
      blocks: [
        `declare module "@quartet/sdk/answers" {\n  interface Recorded {\n${named
          .map(([key, name]) => `    readonly ${key}: ${name};\n`)
          .join("")}  }\n}`,
        `/** What the platform answers, for \`answers\` of a client's configuration. */\n${lay(
          "",
          {
            name: "export const recorded: Answers.RecordedAnswers =",
            value: named.length === 0 ? "Answers.make({})" : code("/* @__PURE__ */ Answers.make", named, true)
          },
          ";"
        )}`
      ]
    }
  }

/**
 * The module of a recording: to be imported where a client is made, with its `recorded` as the client's `answers`. The
 * same recording gives the same text. @category constructors
 */
export const module = (recording: Recording, face: Face = "effect"): string => {
  const all = declarations(recording)
  return write({
    head: [
      "Written by `quartet record` from a platform's answers: record again instead of changing this file."
    ],
    face,
    names: Names.make(),
    declarations: all,
    end: end(all)
  })
}

/** The fields of a call as everything that shows calls shows them: of its input, of its body and of its answer. */
import { aboutOf, isAssumedInput } from "./about.js"
import type { Described } from "./described.js"
import { type AnswerField, answerFields, bodyFields, type Field, kindOf, ruleOf } from "./fields.js"

/** A field, in words. */
export interface ShownField {
  readonly name: string
  readonly isRequired: boolean
  /** What it is, in a word or two. */
  readonly kind: string
  /** What a value must be. */
  readonly rule: string
  /** Whether the specification does not give it: the platform may differ, or have it of another kind. */
  readonly isAssumed: boolean
  /** What it is, in the words of its docstring. */
  readonly about: string
}

/** The fields of a call. */
export interface ShownFields {
  readonly input: ReadonlyArray<ShownField & Pick<Field, "place">>
  /** The known fields of the body that stands under `payload`. */
  readonly body: ReadonlyArray<ShownField>
  /** The known fields of the answer; of a list, of each item. */
  readonly answer: ReadonlyArray<ShownField>
}

const shown = (
  field: Omit<AnswerField, "isAssumed">,
  isAssumed: boolean,
  { ast, isRequired, name } = field
): ShownField => ({
  name,
  isRequired,
  kind: kindOf(ast),
  rule: ruleOf(ast),
  isAssumed,
  about: aboutOf(field)
})

/** What is shown of the fields of a call. */
export const shownFields = ({ declared, fields }: Pick<Described, "declared" | "fields">): ShownFields => ({
  input: fields.map((field) => ({ ...shown(field, isAssumedInput(field)), place: field.place })),
  body: bodyFields(declared).map((field) => shown(field, isAssumedInput(field))),
  answer: answerFields(declared).map((field) => shown(field, field.isAssumed))
})

/** What fields are, in words. They are apart from the fields, so that a page that shows none of them does not load them. */
import { assumedMark, fieldDocs } from "./field-docs.js"
import type { Field } from "./fields.js"

export { assumedMark }

/** What a field of a model is, in the words of its docstring; empty where it has none. */
export const aboutOf = ({ model, name }: Pick<Field, "model" | "name">): string =>
  fieldDocs[`${model}.${name}`] ?? ""

/** Whether a field of an input or of a body is assumed, as its docstring says: no schema of an input marks it. */
export const isAssumedInput = (field: Pick<Field, "model" | "name">): boolean =>
  aboutOf(field).endsWith(assumedMark)

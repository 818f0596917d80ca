/** The input of jobs that read or write a file. */
import * as Schema from "effect/Schema"
import { pathOf } from "../store/rows.js"

/** A file, and what makes another run of it. @category schemas */
export const FileInput = Schema.Struct({
  /** Its path, which has to lead to the same file on all runners. */
  file: Schema.NonEmptyString,
  /** Another key for the same file, such as the day: another run. */
  key: Schema.optional(Schema.NonEmptyString)
})
export interface FileInput extends Schema.Schema.Type<typeof FileInput> {}

/** What makes two inputs one run. */
export const keyOf = ({ file, key }: FileInput): string =>
  key === undefined ? pathOf(file) : `${pathOf(file)} ${key}`

/** Every call of every client with what its declaration says of it, for what lists, searches and explains calls. */
import { operations } from "../../core/catalogue.js"
import {
  type Audience,
  type Declared,
  isWrite,
  type Operation,
  sliceOf
} from "../../core/kernel/operation/operation.js"
import * as Raw from "../../core/kernel/operation/raw.js"
import { type Field, fieldsOf } from "./fields.js"
import { summaries } from "./summaries.js"

/** One call of one client. */
export interface Described {
  /** `admin.users.list` */
  readonly key: string
  readonly audience: Audience
  /** `users.list` */
  readonly name: string
  readonly operation: Operation<never, unknown, never>
  readonly declared: Declared
  readonly fields: ReadonlyArray<Field>
  /** The field that takes further parameters, where the call takes any. */
  readonly further: Field | undefined
  /** What it does, in one sentence. */
  readonly summary: string
  /** Whether it changes nothing. */
  readonly isRead: boolean
  readonly isDownload: boolean
  readonly isUpload: boolean
}

const keyOf = (audience: Audience, { name }: Pick<Operation<never, unknown, never>, "name">): string =>
  `${audience}.${name}`

/** A call as one of its clients has it. */
export const describe = (operation: Operation<never, unknown, never>, audience: Audience): Described => {
  const declared = operation.declaration()
  const fields = fieldsOf(declared)
  return {
    key: keyOf(audience, operation),
    audience,
    name: operation.name,
    operation,
    declared,
    fields,
    further: fields.find(({ writing }) => writing.as === "further"),
    summary: declared.audiences.map((audience) => summaries[keyOf(audience, operation)]).find(Boolean) ?? "",
    isRead: !isWrite(declared),
    isDownload: "bytes" in declared.success,
    isUpload: declared.body !== undefined
  }
}

/** All calls, client by client. */
export const described: ReadonlyArray<Described> = (
  ["admin", "endUser", "public", "private"] as const
).flatMap((audience) =>
  operations
    .filter((operation) => operation.declaration().audiences.includes(audience))
    .map((operation) => describe(operation, audience))
)

/** What cannot be undone about a call. */
export type Risk =
  /** It moves money. */
  | "money"
  /** It deletes something. */
  | "deletion"
  /** It reaches many people. */
  | "broadcast"

/** What is at stake in a call with this input; undefined where nothing is that could not be undone. */
export const riskOf = (
  { declared, isRead, name }: Pick<Described, "declared" | "isRead" | "name">,
  { payload }: Readonly<Record<string, unknown>>
): Risk | undefined => {
  if (isRead) return undefined
  const { toAll, userIds } = Object(Raw.sentOf(payload))
  if (sliceOf(name) === "notifications" && (toAll === true || Array.isArray(userIds))) return "broadcast"
  if (sliceOf(name) === "payments") return "money"
  return declared.method === "DELETE" ? "deletion" : undefined
}

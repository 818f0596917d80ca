/** How the pages of a list are requested: where their number stands in an input, and where they begin. */
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { readCount } from "../codec/page.js"
import type { InputError } from "../errors/errors.js"
import type { Page } from "../operation/answer.js"
import { ruleOfData } from "../operation/input.js"
import type { Declared, Operation } from "../operation/operation.js"
import { refuser } from "../operation/options.js"
import * as Raw from "../operation/raw.js"
import { copied } from "./copied.js"
import { type ReadHint, readHint as readCommonHint } from "./page-hint.js"

/** How `pages` requests a list. The specification names `limit` and `page` (profile followers). */
export interface PageRange {
  /**
   * Number of the first page; by default the input's `page`, else 1. A platform that counts its pages from 0 needs
   * `first: 0`, because the answers may not show it.
   */
  readonly first?: number
  /** Items per page; by default the input's `limit`, else the platform decides. */
  readonly limit?: number
}

/**
 * The input of a call that takes `page`: as a field, or in the payload of a search. Unknown passes: the compiler starts with it while it infers I.
 */
export type Paged<I> = unknown extends I
  ? I
  : "page" extends keyof I
    ? I
    : "payload" extends keyof I
      ? I
      : never

/** Where an input takes the number of a page. */
export const placeOf = ({ input }: Declared): "input" | "payload" | undefined => {
  const ast = AST.typeAST(input.ast)
  const names = AST.getPropertySignatures(ast).map(({ name }) => name)
  if (names.includes("payload")) return "payload"
  return names.includes("page") ? "input" : undefined
}

/** Whether a call answers a list page by page: its answer is a page, and its input takes the number of one. */
export const isPaged = (operation: Operation<never, unknown, never>): boolean => {
  const declared = operation.declaration()
  return "page" in declared.success && placeOf(declared) !== undefined
}

/** The source of a list's pages. */
export interface PageSource<out I> {
  readonly operation: string
  readonly first: number
  /** Whether the caller has set the first page. */
  readonly isFirstGiven: boolean
  readonly limit: number | undefined
  /** The input that requests a page. */
  readonly at: (page: number) => I
  /** What an answer says of the list. */
  readonly readHint: ReadHint
}

/** How to request the pages of a call, or the rule that its input or the range breaks. */
export const make = <I>(
  operation: Operation<I, Page<unknown>, never>,
  callInput: I,
  { first, limit }: PageRange,
  readHint: ReadHint = readCommonHint
): Either.Either<PageSource<I>, InputError> => {
  const { name } = operation
  const refuse = refuser(name)
  if (!isPaged(operation))
    return refuse("page", "is not taken by this call: it does not answer a list page by page")
  const place = placeOf(operation.declaration())
  const read = Either.try(() => copied(callInput === undefined ? {} : callInput))
  if (Either.isLeft(read)) return refuse("input", "could not be read: a getter or a proxy threw")
  const input = read.right
  if (!isRecord(input)) return refuse("input", "must be an object")
  const hollow = ruleOfData(input)
  if (hollow !== undefined) return refuse("input", hollow)
  const fields = place === "input" ? input : Raw.sentOf(input.payload)
  if (!isRecord(fields)) return refuse("payload", "must be an object, for it takes the number of the page")
  const prefix = place === "input" ? "" : "payload."
  const firstPage = first === undefined ? (fields.page === undefined ? 1 : readCount(fields.page)) : first
  if (firstPage === undefined || readCount(firstPage) !== firstPage)
    return refuse(first === undefined ? `${prefix}page` : "first", "must be a whole number, at least 0")
  if (limit !== undefined && (readCount(limit) !== limit || limit === 0))
    return refuse("limit", "must be a whole number, at least 1")
  const at = (page: number): unknown => {
    const numbered = { ...fields, page, ...(limit === undefined ? {} : { limit }) }
    return place === "input"
      ? numbered
      : { ...input, payload: Raw.isRaw(input.payload) ? Raw.raw(numbered) : numbered }
  }
  return Either.right({
    operation: name,
    first: firstPage,
    isFirstGiven: first !== undefined || fields.page !== undefined,
    limit: limit ?? readCount(fields.limit),
    // The given input, plus two fields that its schema accepts.
    at: at as PageSource<I>["at"],
    readHint
  })
}

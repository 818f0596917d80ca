/**
 * The parts of a content query: filters and sorts, with the conditions, operators and types that the specification
 * names (point 3).
 */

import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** Conditions of a filter. The SDK translates them, so there are no others. @category constants */
export const conditions = /*#__PURE__*/ Object.freeze(["contains", "lt", "gt"] as const)

/** Operators of v3. @category constants */
export const operators = /*#__PURE__*/ Object.freeze(["=", "!=", ">", ">=", "<", "<=", "like"] as const)

/** Types of a filter's value. @category constants */
export const filterTypes = /*#__PURE__*/ Object.freeze(["TEXT", "NUMERIC", "BOOLEAN"] as const)

/** It stands between bars on the wire and cannot hold one, so it needs no escape. */
const betweenBars = <A extends string>(
  schema: Schema.Schema<A, string>,
  known: ReadonlyArray<string>
): Schema.Schema<A, string> =>
  schema.pipe(
    Schema.filter((text) => text !== "" && !text.includes("|"), {
      description: `non-empty text without |, such as ${known.join(", ")}`
    })
  )

/** A condition of a filter. @category schemas */
export type Condition = (typeof conditions)[number]
export const Condition: Schema.Schema<Condition> = Schema.Literal(...conditions)

/** An operator; one that the platform adds later is sent unchanged. @category schemas */
export type Operator = Entity.OpenLiteral<(typeof operators)[number]>
export const Operator: Schema.Schema<Operator, string> = betweenBars(
  Entity.openLiteral(...operators),
  operators
)

/** A type; one that the platform adds later is sent unchanged. @category schemas */
export type FilterType = Entity.OpenLiteral<(typeof filterTypes)[number]>
export const FilterType: Schema.Schema<FilterType, string> = betweenBars(
  Entity.openLiteral(...filterTypes),
  filterTypes
)

/** The value of a filter. A Date is sent as ISO text. */
export type Value = string | number | boolean | Date
const plain = "text, a finite number, a boolean or a valid Date"
export const Value: Schema.Schema<Value> = Schema.Union(
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.DateFromSelf.annotations({ description: plain }).pipe(
    Schema.filter((date) => Number.isFinite(date.getTime()), { description: "a valid Date" })
  )
).annotations({ description: plain })

/**
 * Compares the field `k` with `v`. v3 compares by `op`, else by `condition`, else for equality, and the type of `v` is
 * `t`, else its JavaScript type. v2 compares by `condition`, else by `op`, else for equality, and knows no types.
 * @category schemas
 */
export const Filter = Schema.Struct({
  /** Name of the field that is compared, as its model has it. */
  k: Schema.NonEmptyString.annotations({ description: "the name of a field, not empty" }),
  /** The value that it is compared with. */
  v: Value,
  /** How it is compared, for v2 of the API: v3 takes `op` before it. */
  condition: Schema.optional(Condition),
  /** How it is compared, for v3 of the API: `=` if neither it nor `condition` is given. */
  op: Schema.optional(Operator),
  /** Type of `v`, for v3 of the API: by its type in JavaScript, if omitted. */
  t: Schema.optional(FilterType)
})
export interface Filter extends Schema.Schema.Type<typeof Filter> {}

/** The usual directions of sorts; the specification does not name them. @category constants */
export const directions = /*#__PURE__*/ Object.freeze(["asc", "desc"] as const)

/** The direction of a sort. @category schemas */
export type Direction = Entity.OpenLiteral<(typeof directions)[number]>
export const Direction: Schema.Schema<Direction, string> = betweenBars(
  Entity.openLiteral(...directions),
  directions
)

/** Sorts by the field `k` in the direction `v`; its values are compared by the type `t`. @category schemas */
export const Sort = Schema.Struct({
  /** Name of the field to sort by, as its model has it. */
  k: Schema.NonEmptyString.annotations({ description: "the name of a field, not empty" }),
  /** Direction of the sort. */
  v: Direction,
  /** Type by which the values are compared. */
  t: Schema.optional(FilterType)
})
export interface Sort extends Schema.Schema.Type<typeof Sort> {}

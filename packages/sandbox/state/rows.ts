/** Rows made and changed by callers: the row's own schema checks their fields, and only the platform sets stamps. */

import { compile, makeState, revive, type Step, type Typed, wrong } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { isRecord } from "effect/Predicate"
import { invalid, type Refusal } from "../platform/refusal.js"
import type { State } from "./state.js"
import type { Subject } from "./subjects.js"

type Fields = Readonly<Record<string, unknown>>

/** A body that must be an object; its date-times become Dates. */
export const fieldsOf = (payload: unknown): Effect.Effect<Fields, Refusal> => {
  if (payload === undefined) return Effect.fail(invalid("body", "is required"))
  if (!isRecord(payload)) return Effect.fail(invalid("body", "must be a JSON object"))
  return revive(payload, makeState()) === wrong
    ? Effect.fail(invalid("body", "must not be nested so deep"))
    : Effect.succeed(payload)
}

/** A body that may be omitted. */
export const optionalFieldsOf = (payload: unknown): Effect.Effect<Fields, Refusal> =>
  payload === undefined || payload === null ? Effect.succeed({}) : fieldsOf(payload)

/** A required text field. */
export const textOf = (fields: Fields, name: string): Effect.Effect<string, Refusal> => {
  const value = fields[name]
  return typeof value === "string" && value.trim() !== ""
    ? Effect.succeed(value)
    : Effect.fail(invalid(name, value === undefined ? "is required" : "must be text that is not empty"))
}

const steps = new WeakMap<object, Step>()

const stepOf = (schema: Typed<unknown>): Step => {
  const known = steps.get(schema) ?? compile(schema.ast, "answer")
  steps.set(schema, known)
  return known
}

/** Fields as a row, if the row's schema accepts them. */
export const row = <A>(schema: Typed<A>, fields: Fields): Effect.Effect<A, Refusal> => {
  const state = makeState()
  const checked = stepOf(schema)({ ...fields }, state)
  return checked === wrong
    ? Effect.fail(invalid(state.path === "" ? "body" : state.path, state.rule))
    : // The step has checked the fields against the schema of A.
      Effect.succeed(checked as A)
}

/** What makes and changes rows: the time for their stamps, and the state that they are in. */
export interface RowContext {
  readonly now: Date
  readonly state: State
}

/** A new row with its stamps. The platform's fixed fields override the caller's, which override its defaults. */
export const created = <A>(
  schema: Typed<A>,
  { now, state }: RowContext,
  parts: { readonly defaults?: Fields; readonly values: Fields; readonly fixed?: Fields }
): Effect.Effect<A, Refusal> =>
  row(schema, {
    ...parts.defaults,
    ...parts.values,
    ...parts.fixed,
    _id: state.random.id(),
    createdAt: now,
    updatedAt: now
  })

/** A row with a caller's changes, but of what stays as it is. */
export const changed = <A extends { readonly _id: string }>(
  of: Subject<A>,
  before: A,
  now: Date,
  values: Fields
): Effect.Effect<A, Refusal> => {
  const fixed = ["_id", "createdAt", ...of.kept] as const
  const own: Fields = before
  const stays = Object.fromEntries(fixed.flatMap((name) => (name in own ? [[name, own[name]]] : [])))
  const free = Object.fromEntries(
    Object.entries(values).filter(([name]) => !fixed.some((fixedName) => fixedName === name))
  )
  return row(of.row, { ...before, ...free, ...stays, updatedAt: now })
}

/** The state of onboarding, and its actions. Without Stream, so that an app that uses none carries none. */

import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { ObservableValue } from "../kernel/dispatch/observable-value.js"
import type { Pull } from "../kernel/dispatch/pulls.js"
import { InputError } from "../kernel/errors/errors.js"
import { TaggedError } from "../ports/tagged-error.js"
import { makeDemo } from "./demo.js"
import type { BillingItem, Document, Onboarding, PendingTask, ProjectStats } from "./model.js"

/** There is no task or document with this id. @category errors */
export class UnknownId extends TaggedError("UnknownId")<{
  /** What there is none of. */
  readonly kind: "task" | "document"
  /** The id that was asked for. */
  readonly id: string
}> {
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  override get message(): string {
    return `onboarding: there is no ${this.kind} "${this.id}"`
  }
}

/** The onboarding and its actions. */
export interface Actions {
  /** The tasks, with what is complete. */
  readonly tasks: Effect.Effect<ReadonlyArray<PendingTask>>
  /** The documents to accept. */
  readonly documents: Effect.Effect<ReadonlyArray<Document>>
  /** The prices of services. */
  readonly billing: Effect.Effect<ReadonlyArray<BillingItem>>
  /** The project in figures. */
  readonly stats: Effect.Effect<ProjectStats>
  /** The present state, then every change. */
  readonly changes: Effect.Effect<Pull<Onboarding, never>, never, Scope.Scope>
  /** Marks a task as complete. A complete task stays complete. */
  readonly complete: (id: string) => Effect.Effect<PendingTask, UnknownId>
  /**
   * Marks a document as accepted, now, by the person whose id or e-mail `by` is. An accepted document keeps the time
   * and the person of its acceptance. Fails with InputError if `by` is missing.
   */
  readonly accept: (id: string, by: string) => Effect.Effect<Document, UnknownId | InputError>
}

/** A copy that shares nothing: what one caller changes in it, no other sees. */
const copy = <A>(value: A): A => {
  const copied: unknown = Array.isArray(value)
    ? value.map(copy)
    : value instanceof Date
      ? new Date(value)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)]))
        : value
  // Of the same shape.
  return copied as A
}

/** Changes one member of a list by its id; returns the changed member and the new list, the same one if nothing changes. */
const change = <A extends { readonly id: string }>(
  kind: UnknownId["kind"],
  list: ReadonlyArray<A>,
  id: string,
  next: (member: A) => A
): Either.Either<readonly [A, ReadonlyArray<A>], UnknownId> => {
  const index = list.findIndex((member) => member.id === id)
  const member = list[index]
  if (member === undefined) return Either.left(new UnknownId({ kind, id }))
  const changed = next(member)
  return Either.right([copy(changed), changed === member ? list : Arr.replace(list, index, changed)])
}

/** Holds the demo data or the caller's own. All that goes in or out is a copy. */
export const make = (initial: Onboarding = makeDemo()): Actions => {
  const state = new ObservableValue(copy(initial))
  const present = Effect.map(state.get, copy)
  return {
    tasks: Effect.map(present, ({ tasks }) => tasks),
    documents: Effect.map(present, ({ documents }) => documents),
    billing: Effect.map(present, ({ billing }) => billing),
    stats: Effect.map(present, ({ stats }) => stats),
    changes: Effect.map(state.changes, (pull) => Effect.map(pull, copy)),
    complete: (id) =>
      state.modify((before) =>
        Either.map(
          change("task", before.tasks, id, (task) =>
            task.isCompleted ? task : { ...task, isCompleted: true }
          ),
          ([task, tasks]) => [task, tasks === before.tasks ? before : { ...before, tasks }]
        )
      ),
    accept: (id, by) => {
      if (typeof by !== "string" || by.trim() === "") {
        const rule = "must name who accepts the document, by their id or e-mail"
        return new InputError({ operation: "onboarding.accept", field: "by", rule })
      }
      return Effect.flatMap(Clock.currentTimeMillis, (time) =>
        state.modify((before) =>
          Either.map(
            change("document", before.documents, id, (document) =>
              document.isAccepted
                ? document
                : { ...document, isAccepted: true, acceptedAt: new Date(time), acceptedBy: by }
            ),
            ([document, documents]) => [
              document,
              documents === before.documents ? before : { ...before, documents }
            ]
          )
        )
      )
    }
  }
}

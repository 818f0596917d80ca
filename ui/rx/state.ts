/** Results as React apps read them: one field that says how it stands, and the others that then are there. */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import { type Result, view } from "./engine.js"

/** How a question stands. `isFetching`: it is being asked, for the first time or again. */
export type QueryState<A, E> =
  | {
      readonly status: "loading"
      readonly data: undefined
      readonly error: undefined
      readonly isFetching: boolean
      readonly updatedAt: undefined
    }
  | {
      readonly status: "success"
      readonly data: A
      readonly error: undefined
      readonly isFetching: boolean
      readonly updatedAt: Date
    }
  | {
      readonly status: "error"
      /** The last answer before the failure, where there was one. */
      readonly data: A | undefined
      readonly error: E
      readonly isFetching: boolean
      readonly updatedAt: Date | undefined
    }

/** Where there is no question: the state of a query that is `undefined`. */
export interface Idle {
  readonly status: "idle"
  readonly data: undefined
  readonly error: undefined
  readonly isFetching: false
  readonly updatedAt: undefined
}

export const idle: Idle = {
  status: "idle",
  data: undefined,
  error: undefined,
  isFetching: false,
  updatedAt: undefined
}

/** How the latest run of a mutation stands. */
export type MutationState<A, E> =
  | { readonly status: "idle"; readonly data: undefined; readonly error: undefined }
  | {
      readonly status: "pending"
      /** What the run before came to. */
      readonly data: A | undefined
      readonly error: undefined
    }
  | { readonly status: "success"; readonly data: A; readonly error: undefined }
  | { readonly status: "error"; readonly data: undefined; readonly error: E }

/** The error of a cause. A fault in the program is thrown, to the error boundary that is nearest. */
const errorOf = <E>(cause: Cause.Cause<E>): E => {
  const error = Cause.failureOption(cause)
  if (Option.isSome(error)) return error.value
  throw Cause.squash(cause)
}

export const queryState = <A, E>(result: Result<A, E>): QueryState<A, E> => {
  const { answered, cause, waiting: isFetching } = view(result)
  const updatedAt = answered && new Date(answered.at)
  if (cause !== undefined)
    return { status: "error", data: answered?.value, error: errorOf(cause), isFetching, updatedAt }
  if (answered === undefined || updatedAt === undefined)
    return { status: "loading", data: undefined, error: undefined, isFetching, updatedAt: undefined }
  return { status: "success", data: answered.value, error: undefined, isFetching, updatedAt }
}

export const mutationState = <A, E>(result: Result<A, E>): MutationState<A, E> => {
  const { answered, cause, waiting } = view(result)
  if (waiting) return { status: "pending", data: answered?.value, error: undefined }
  if (cause !== undefined) return { status: "error", data: undefined, error: errorOf(cause) }
  if (answered !== undefined) return { status: "success", data: answered.value, error: undefined }
  return { status: "idle", data: undefined, error: undefined }
}

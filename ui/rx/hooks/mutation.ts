"use client"
/** Hooks of what is sent: mutations and uploads. */
import * as Result from "@effect-rx/rx/Result"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as React from "react"
import type { Mutation, MutationActions, Upload, UploadActions, UploadState } from "../mutation.js"
import type { QueuedActions, QueuedMutation, QueuedState } from "../queue.js"
import { errorOf, nothing, type Shown, type Store, useStore } from "./store.js"

/** The latest run of a mutation. While it is pending, `data` is the result of the run before. @category models */
export type MutationState<A, E> =
  | Shown<"idle">
  | Shown<"pending", A | undefined>
  | Shown<"success", A>
  | Shown<"error", undefined, E>

const mutationState = <A, E>(result: Result.Result<A, E>): MutationState<A, E> => {
  if (result.waiting)
    return { ...nothing, status: "pending", data: Option.getOrUndefined(Result.value(result)) }
  if (Result.isSuccess(result)) return { ...nothing, status: "success", data: result.value }
  // A run that was interrupted is nobody's failure: it is as if there had been none.
  if (Result.isInitial(result) || Cause.isInterruptedOnly(result.cause)) return { ...nothing, status: "idle" }
  return { ...nothing, status: "error", error: errorOf(result.cause) }
}

/**
 * A call that changes something, run by `mutate`. Each component sees its own runs, which continue when it is unmounted.
 * A fault in the program is thrown to the nearest error boundary. @category hooks
 */
export function useMutation<I, A, E>(
  mutation: Mutation<I, A, E>
): MutationState<A, E> & MutationActions<I, A, E>
/** With an outbox, `queued` as soon as it is kept, and then what its entry comes to. */
export function useMutation<I, A, E>(
  mutation: QueuedMutation<I, A, E>
): QueuedState<A, E> & QueuedActions<I, A, E>
export function useMutation<I, A, E>(mutation: Mutation<I, A, E> | QueuedMutation<I, A, E>): unknown {
  // One without a view of its own has the states of a result. The overloads tie the two to their types.
  const { view = mutationState } = mutation as { readonly view?: (state: unknown) => object }
  return useStore(
    React.useMemo((): Store<unknown, object> => mutation.instance(), [mutation]),
    view as (state: unknown) => object
  )
}

type UploadShown<A, E> = Exclude<UploadState<A, E>, { readonly status: "defect" }>

const uploadState = <A, E>(state: UploadState<A, E>): UploadShown<A, E> => {
  if (state.status === "defect") throw state.defect
  return state
}

/**
 * Sends a file: `uploading` with the bytes sent and the total, where the transport knows them, then `success` or
 * `error`. The upload is interrupted with the component, or by its `cancel`.
 * @category hooks
 */
export const useUpload = <I, A, E>(upload: Upload<I, A, E>): UploadShown<A, E> & UploadActions<I, A, E> =>
  useStore(
    React.useMemo(() => upload.instance(), [upload]),
    uploadState
  )

/** Files on their way up: how far they are, and a way to stop them. */
import type * as Exit from "effect/Exit"
import { Board, eachRegistry, posted } from "./board.js"
import type { Registry, Writable } from "./engine.js"
import { type Outcome, outcomeOf, type Perform } from "./mutation.js"

/** Where an upload stands. */
export type UploadState<A, E> =
  | { readonly status: "idle" }
  | {
      readonly status: "uploading"
      /** Bytes sent; 0 where the transport cannot know. */
      readonly sent: number
      /** All bytes; undefined until the transport tells, and of a stream. */
      readonly total: number | undefined
      /** From 0 to 1; undefined until the transport tells, and of a stream. */
      readonly progress: number | undefined
    }
  | { readonly status: "success"; readonly data: A }
  | { readonly status: "error"; readonly error: E }
  | { readonly status: "defect"; readonly defect: unknown }

/** One place to upload from. */
export interface Uploading<in I, out A, out E> {
  readonly rx: Writable<UploadState<A, E>, I>
  /** Begins an upload, which takes the place of one under way, and tells how it ended. It never rejects. */
  readonly start: (registry: Registry, input: I) => Promise<Outcome<A, E>>
  /** Gives the upload up: the exchange is abandoned. */
  readonly cancel: (registry: Registry) => void
}

export const UploadId: unique symbol = Symbol.for("@quartet/sdk/rx/Upload")

/**
 * A call that sends a file, as a value: a message to it (`registry.set(upload, input)`) begins an upload. It is given
 * up when nobody looks any more.
 */
export interface Upload<in I, out A, out E> extends Writable<UploadState<A, E>, I> {
  /** Makes a place to upload from, as each component has one. */
  readonly [UploadId]: () => Uploading<I, A, E>
}

const begun: UploadState<never, never> = {
  status: "uploading",
  sent: 0,
  total: undefined,
  progress: undefined
}

const makeUploading = <I, A, E>(perform: Perform<I, A, E>): Uploading<I, A, E> => {
  interface Place {
    readonly board: Board<UploadState<A, E>>
    stop: (() => void) | undefined
  }
  const placeIn = eachRegistry((): Place => {
    const leave = (): void => {
      place.stop?.()
      place.board.set({ status: "idle" })
    }
    const place: Place = {
      board: new Board<UploadState<A, E>>({ status: "idle" }, undefined, leave),
      stop: undefined
    }
    return place
  })
  const start: Uploading<I, A, E>["start"] = (registry, input) =>
    new Promise((resolve) => {
      const place = placeIn(registry)
      place.stop?.()
      place.board.set(begun)
      let isOver = false
      let step = -1
      const onUpload = (sent: number, total: number): void => {
        const isKnown = total > 0
        // A render for each percent, not for each packet; of a stream, for each 64 KiB.
        const next = Math.floor(isKnown ? (sent / total) * 100 : sent / 65_536)
        if (isOver || next === step) return
        step = next
        const [all, progress] = isKnown ? [total, sent / total] : [undefined, undefined]
        place.board.set({ status: "uploading", sent, total: all, progress })
      }
      const onEnd = (exit: Exit.Exit<A, E>): void => {
        isOver = true
        place.stop = undefined
        const outcome = outcomeOf(exit)
        place.board.set(outcome.status === "cancelled" ? { status: "idle" } : outcome)
        resolve(outcome)
      }
      const stop = perform(registry, input, onEnd, { onUpload })
      if (!isOver) place.stop = stop
    })
  const rx = posted<UploadState<A, E>, I>(
    (registry) => placeIn(registry).board,
    (registry, input) => {
      void start(registry, input)
    }
  )
  return { rx, start, cancel: (registry) => placeIn(registry).stop?.() }
}

/** An upload over a way to perform it. */
export const makeUpload = <I, A, E>(perform: Perform<I, A, E>): Upload<I, A, E> =>
  Object.assign(makeUploading(perform).rx, { [UploadId]: () => makeUploading(perform) })

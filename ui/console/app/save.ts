/** Saves data as files of the user. */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Streaming from "../../../core/kernel/dispatch/streaming.js"
import type { AnswerError } from "../../../core/kernel/errors/errors.js"

/** Hands data to the user as a file. */
export const saveFile = (data: BlobPart, name: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([data], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Saves a whole download under a name; returns its size in bytes. */
export const save = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  name: string,
  type: string
): Effect.Effect<number, E | AnswerError, R> =>
  Effect.map(Streaming.collect(stream), (bytes) => {
    saveFile(new Uint8Array(bytes), name, type)
    return bytes.byteLength
  })

/** Which inputs may be kept on a device: those that can be copied, and that hold no secret; and the bytes of their files. */

import { InputError, isBlob, isFile, pathOf, secretFieldOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const copied = (value: unknown): Either.Either<unknown, unknown> => Either.try(() => structuredClone(value))

const refuse = (operation: string, path: string | undefined, rule: string) =>
  Either.left(new InputError({ operation, field: path ?? "input", rule }))

/** A copy of an input, as it is kept and sent later. */
export const checked = (operation: string, input: unknown): Either.Either<unknown, InputError> => {
  const copy = copied(input ?? {})
  if (Either.isLeft(copy)) {
    const path = pathOf(input, (_, item) => Either.isLeft(copied(item)))
    return refuse(
      operation,
      path,
      "cannot be kept on the device: streams, functions and the like are not data"
    )
  }
  const secretField = Either.try(() => secretFieldOf(copy.right))
  if (Either.isLeft(secretField))
    return refuse(operation, undefined, "must not hold itself, nor be nested too deeply")
  return secretField.right === undefined
    ? Either.right(copy.right)
    : refuse(
        operation,
        secretField.right,
        "is named like a secret, and an outbox keeps none: send this call without one"
      )
}

/** A Blob in an input: what holds it, and the name there. */
interface BlobField {
  readonly holder: object
  readonly path: ReadonlyArray<string>
  readonly blob: Blob
}

const blobsIn = (holder: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<BlobField> =>
  isObject(holder) && !ArrayBuffer.isView(holder)
    ? Object.keys(holder).flatMap((name) => {
        const item: unknown = Reflect.get(holder, name)
        const at = [...path, name]
        return isBlob(item) ? [{ holder, path: at, blob: item }] : blobsIn(item, at)
      })
    : []

/** The same with its bytes in memory. Rejects where they are no longer those that somebody chose. */
const inMemory = async (blob: Blob): Promise<Blob> => {
  const { size, type } = blob
  const bytes = await blob.arrayBuffer()
  if (bytes.byteLength !== size) throw new RangeError(`${bytes.byteLength} of ${size} bytes were read`)
  return isFile(blob)
    ? new File([bytes], blob.name, { type, lastModified: blob.lastModified })
    : new Blob([bytes], { type })
}

/** The Files and Blobs of an input that `checked` has made. */
export const filesOf = (operation: string, input: unknown) => {
  const blobs = blobsIn(input)
  return {
    /** Bytes of all of them. */
    size: blobs.reduce((sum, { blob }) => sum + blob.size, 0),
    /**
     * Reads them into memory, one after another, and puts what was read into the input. A File is a reference to the disk:
     * what it is of may have changed or be gone when it is sent. Rejects with InputError for one that cannot be read.
     */
    read: async (): Promise<void> => {
      for (const { blob, holder, path } of blobs) {
        const read = await inMemory(blob).catch((cause: unknown) => {
          const rule =
            "cannot be read: the file was changed, moved or deleted after it was chosen; choose it again"
          throw new InputError({ operation, field: path.join("."), rule, cause })
        })
        Reflect.set(holder, path.at(-1) ?? "", read)
      }
    }
  }
}

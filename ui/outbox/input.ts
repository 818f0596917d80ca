/** Which inputs may be kept on a device: those that can be copied, and that hold no secret; how they are kept; and the bytes of their files. */

import { InputError, isBlob, isFile, pathOf, Raw, secretFieldOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import type { Kept } from "./entry.js"
import type { EntryStore } from "./store.js"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const copied = (value: unknown): Either.Either<unknown, unknown> =>
  Either.try(() => structuredClone(Raw.written(value)))

/** Whether something in a value looks like what is kept of `Input.raw`, and did not come through it. */
const looksRaw = (value: unknown): boolean =>
  Either.getOrElse(
    Either.try(() => Raw.revived(value) !== value),
    () => false
  )

const refuse = (operation: string, path: string | undefined, rule: string) =>
  Either.left(new InputError({ operation, field: path ?? "input", rule }))

/** A copy of an input, as it is kept and sent later. */
export const checked = (operation: string, input: unknown): Either.Either<unknown, InputError> => {
  const copy = copied(input ?? {})
  if (looksRaw(input))
    return refuse(
      operation,
      pathOf(input, (_, item) => looksRaw(item)),
      "must not be JSON of Input.raw: pass Input.raw of what is in it"
    )
  if (Either.isLeft(copy)) {
    const path = pathOf(input, (_, item) => Either.isLeft(copied(item)))
    return refuse(
      operation,
      path,
      "cannot be kept on the device: streams, functions and the like are not data"
    )
  }
  const kept = Raw.revived(copy.right)
  const secretField = Either.try(() => secretFieldOf(kept))
  if (Either.isLeft(secretField))
    return refuse(operation, undefined, "must not hold itself, nor be nested too deeply")
  return secretField.right === undefined
    ? Either.right(kept)
    : refuse(
        operation,
        secretField.right,
        "is named like a secret, and an outbox keeps none: send this call without one"
      )
}

/** A store of entries whose inputs are data there, which a database can copy: what is raw in them is raw again when they are read. */
export const asData = (store: EntryStore): EntryStore => {
  const revived = <A extends Kept | undefined>(entry: A): A => {
    const input = Raw.revived(entry?.input)
    return input === entry?.input ? entry : { ...entry, input }
  }
  const written = <A extends Omit<Kept, "seq">>(entry: A): A => ({
    ...entry,
    input: Raw.written(entry.input)
  })
  return {
    ...store,
    all: async () => (await store.all()).map(revived),
    add: (draft, capacity) => store.add(written(draft), capacity),
    change: async (id, update) => {
      const changed = await store.change(id, (entry) => {
        const present = revived(entry)
        const next = update(present)
        if (next === present) return entry
        return next && written(next)
      })
      const before = revived(changed.before)
      return { before, after: changed.after === changed.before ? before : revived(changed.after) }
    }
  }
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

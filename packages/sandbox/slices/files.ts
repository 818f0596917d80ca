/** Files: uploads store their bytes, downloads return them. Only the owner and admins can read a private file. */

import { isBlob, type NamedBlob, type File as Upload } from "@quartet/sdk/extend"
import * as Files from "@quartet/sdk/extend/operations/files"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AdminCaller, EndUserCaller } from "../platform/caller.js"
import { type Handler, handle } from "../platform/handler.js"
import { invalid, type Refusal } from "../platform/refusal.js"
import { File } from "../state/entities.js"
import { created, type RowContext } from "../state/rows.js"
import { newest, select } from "../state/select.js"

/** Bytes per chunk of a download. */
const piece = 64 * 1024

const isReadable =
  (caller: AdminCaller | EndUserCaller) =>
  ({ isPrivate, userId }: File): boolean =>
    caller.audience === "admin" || !isPrivate || userId === caller.user._id

/** A file from a form. */
const fileOf = (upload: Upload): Effect.Effect<NamedBlob, Refusal> =>
  isBlob(upload) ? Effect.succeed(upload) : Effect.fail(invalid("file", "must be a file"))

/** Stores an upload. */
const keep = (
  context: RowContext,
  source: Upload,
  owner: { readonly isPrivate?: boolean; readonly userId?: string | null; readonly form?: unknown }
): Effect.Effect<File, Refusal> =>
  Effect.gen(function* () {
    const { state } = context
    const upload = yield* fileOf(source)
    const buffer = yield* Effect.tryPromise({
      try: () => upload.arrayBuffer(),
      catch: () => invalid("file", "could not be read")
    })
    const bytes = new Uint8Array(buffer)
    const type = upload.type === "" ? "application/octet-stream" : upload.type
    const defaults = { isPrivate: false, userId: null, url: "" }
    const fixed = { name: upload.name, type, size: bytes.byteLength }
    const file = yield* created(File, context, { defaults, values: owner, fixed })
    state.bytes.set(file._id, bytes)
    return state.files.put({ ...file, url: `/cms/file/${file._id}/download` })
  })

/** The bytes, in chunks. */
const pieces = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.unfold(0, (at) =>
    at < bytes.byteLength ? Option.some([bytes.subarray(at, at + piece), at + piece] as const) : Option.none()
  )

const isImage = (upload: Upload): boolean => upload.type?.startsWith("image/") === true

export const files: ReadonlyArray<Handler> = [
  handle(Files.list, ({ input, state }) => select(newest(state.files.all()), input)),

  handle(Files.get, ({ input, state }) => state.files.get(input.id)),

  handle(Files.remove, ({ input, state }) =>
    Effect.map(state.files.remove(input.id), ({ _id }) => {
      state.bytes.delete(_id)
    })
  ),

  handle(Files.download, ({ caller, input, state }) =>
    Effect.map(state.files.get(input.id, isReadable(caller)), ({ _id, name, type }) => ({
      body: pieces(state.bytes.get(_id) ?? new Uint8Array()),
      type,
      fileName: name
    }))
  ),

  handle(
    Files.upload,
    ({ caller, input, now, state }) => keep({ now, state }, input.file, { userId: caller.user._id }),
    { status: 201 }
  ),

  handle(
    Files.uploadWithForm,
    ({ input, now, state }) =>
      keep({ now, state }, input.file, input.form === undefined ? {} : { form: input.form }),
    { status: 201 }
  ),

  handle(
    Files.uploadPrivate,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const { file, isPrivate = false, userId = null } = input
        if (userId !== null && state.users.peek(userId) === undefined)
          return yield* invalid("userId", "is not an end user")
        return yield* keep({ now, state }, file, { isPrivate, userId })
      }),
    { status: 201 }
  ),

  handle(
    Files.uploadImage,
    ({ input, now, state }) =>
      isImage(input.file)
        ? keep({ now, state }, input.file, {})
        : Effect.fail(invalid("file", "must be an image")),
    { status: 201 }
  )
]

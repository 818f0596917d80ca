/** Fields to the parts of multipart form data. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isPromiseLike } from "effect/Predicate"
import { isBlob, isBytes, isStream } from "../../ports/bytes.js"
import type { Part, StreamedPart } from "../../ports/transport.js"
import * as Input from "../operation/input.js"
import type { FormEncoding, UnreadFile } from "../operation/operation.js"
import { isWellFormed } from "../operation/path.js"
import * as Schema from "../operation/schema.js"
import * as Json from "./json.js"
import { kindOf } from "./state.js"

/** Content with a name. */
export interface NamedContent {
  /** The bytes. A stream serves one call: it can be read only once. */
  readonly content: Blob | Uint8Array | ReadableStream<Uint8Array>
  /** Its name on the platform. */
  readonly name: string
  /** Its media type, such as `image/png`; a Blob's own by default. */
  readonly type?: string
}

/** A Blob with a name, such as the web's own File. */
export interface NamedBlob extends Blob {
  /** Its name on the platform. */
  readonly name: string
}

/** A file to upload. @category models */
export type File = NamedBlob | NamedContent

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const control = /[\u0000-\u001f\u007f]/

/**
 * React Native's form of a file: a place of the device, which its own `fetch` reads. Pickers of files add names of
 * their own (`fileName`, `mimeType`). It is refused by its name.
 */
const isPlace = (value: object): boolean =>
  "uri" in value &&
  typeof value.uri === "string" &&
  !("content" in value) &&
  ["name", "type", "fileName", "mimeType"].some((member) => member in value)

const isFile = (value: unknown): value is File => {
  if (typeof value !== "object" || value === null) return false
  if (isPlace(value)) return true
  if (!("name" in value)) return false
  if (isBlob(value)) return true
  return "content" in value && (isBlob(value.content) || isBytes(value.content) || isStream(value.content))
}

/** Whether what is in a Blob can be read: in that of older jsdom and in React Native's it cannot, and nothing of it would be sent. */
const isReadable = (blob: Blob): boolean =>
  typeof Object(blob).stream === "function" && typeof Object(blob).arrayBuffer === "function"

const inBytes = "pass its bytes, { content: Uint8Array, name, type }"

const nameRule = (name: unknown): string | undefined => {
  if (typeof name !== "string") return "must be text"
  if (name === "") return "must not be empty"
  if (control.test(name) || !isWellFormed(name))
    return "must not hold line breaks or other control characters"
  if (name === "." || name === ".." || /[/\\]/.test(name)) return "must be a bare file name, without folders"
  return undefined
}

/** A file with a name that is safe to send. */
export const FileSchema: Schema.Schema<File> = Schema.declare(isFile, {
  identifier: "File",
  description: "a File, or { content: Blob | Uint8Array | ReadableStream, name: string }"
})

/** The streams that were passed to calls. */
const usedStreams = new WeakSet<ReadableStream>()

/** Why a stream cannot be sent whole: the part that was read is gone, and the rest alone must not be sent. */
const streamRule = (stream: ReadableStream): string | undefined => {
  if (usedStreams.has(stream)) return "was given to a call before: a stream can be read only once"
  if (stream.locked) return "is locked: somebody else reads it"
  // The only standard check that a stream was read from or cancelled: a body then refuses it.
  return Either.isLeft(Either.try(() => new Response(stream)))
    ? "was read or cancelled before: a stream can be read only once"
    : undefined
}

/** Whether the bytes were transferred to another thread: nothing would be sent. */
const isDetached = ({ buffer }: Uint8Array): boolean =>
  Either.isLeft(Either.try(() => new Uint8Array(buffer)))

/** A stream that yields something other than bytes. */
class NotBytes extends Data.TaggedError("NotBytes")<{ readonly message: string }> {}

/** Why a chunk of a stream cannot be sent, if so. Text is not encoded: it may be wrongly decoded bytes. */
export const refusedPiece = (piece: unknown): Error | undefined =>
  isBytes(piece)
    ? undefined
    : new NotBytes({ message: `the stream gives ${kindOf(piece)} where bytes are expected` })

/** A file whose content failed to be read. */
const unreadable = (part: string, cause: unknown): UnreadFile => ({
  field: `${part}.content`,
  rule:
    cause instanceof NotBytes
      ? "must give Uint8Arrays: pipe text through a TextEncoderStream"
      : "could not be read to its end",
  cause
})

const filePart = (field: string, file: File): Either.Either<Part | StreamedPart, Input.Refusal> => {
  const { name: fileName, type } = file
  const refuse = (member: string, rule: string) => Either.left({ field: `${field}.${member}`, rule })
  if (isPlace(file) && !isBlob(file))
    return refuse(
      "uri",
      `is React Native's form of a file, which only its own fetch reads: ${inBytes}, or upload it with fetch and a FormData`
    )
  const rule = nameRule(fileName)
  if (rule !== undefined) return refuse("name", rule)
  const unreadableBlob = `is a Blob of another implementation (of jsdom, or React Native), whose bytes cannot be read: ${inBytes}`
  if (isBlob(file))
    return isReadable(file)
      ? Either.right({ name: field, file, fileName })
      : Either.left({ field, rule: unreadableBlob })
  const { content } = file as NamedContent
  if (isBlob(content) && !isReadable(content)) return refuse("content", unreadableBlob)
  if (type !== undefined && (typeof type !== "string" || !/^[!-.0-~]+\/[ -~]+$/.test(type)))
    return refuse("type", "must be a media type, such as image/png")
  if (isStream(content)) {
    const rule = streamRule(content)
    if (rule !== undefined) return refuse("content", rule)
    return Either.right({ name: field, stream: content, type: type ?? "application/octet-stream", fileName })
  }
  if (isBlob(content) && type === undefined) return Either.right({ name: field, file: content, fileName })
  if (isBytes(content) && isDetached(content))
    return refuse("content", "is detached: its bytes were handed over to somebody else")
  // A Blob copies the bytes, from any kind of memory, so later changes are not sent.
  const blob = Either.try(() => new Blob([content as BlobPart], type === undefined ? {} : { type }))
  // The Blob of jsdom cannot be read, and that of React Native cannot be made of bytes.
  return Either.isRight(blob) && isReadable(blob.right)
    ? Either.right({ name: field, file: blob.right, fileName })
    : refuse(
        "content",
        "cannot be sent from here: this environment's Blob cannot be made of bytes and read, as that of jsdom or React Native"
      )
}

const part = (name: string, value: unknown): Either.Either<Part | StreamedPart, Input.Refusal> => {
  if (isFile(value)) return filePart(name, value)
  if (typeof value === "object" && value !== null && !Schema.isDate(value)) {
    return Either.map(Json.encode(value, name), (text) => ({ name, text }))
  }
  const said = Input.scalar(value)
  if (Either.isLeft(said)) return Either.left({ field: name, rule: said.left })
  if (!isWellFormed(said.right))
    return Either.left({ field: name, rule: "must not hold half of a surrogate pair" })
  // Forms write line breaks this way; otherwise transports would differ.
  return Either.right({ name, text: said.right.replaceAll(/\r\n|\r|\n/g, "\r\n") })
}

/** The parts of a form, files last, in the order of the fields. */
const encode: FormEncoding["encode"] = (fields) => {
  const parts = Either.all(Object.keys(fields).map((name) => part(name, fields[name])))
  return Either.map(parts, (all) => ({
    _tag: "Form",
    parts: [...all.filter((item) => "text" in item), ...all.filter((item) => !("text" in item))]
  }))
}

const take: FormEncoding["take"] = (body) => {
  for (const item of body.parts) if ("stream" in item) usedStreams.add(item.stream)
}

const onlyBytes = () =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      const refused = refusedPiece(piece)
      if (refused === undefined) controller.enqueue(piece)
      else controller.error(refused)
    }
  })

/** Reads the streams of a body into memory. */
export const collect: FormEncoding["collect"] = (body) => {
  if (body._tag === "Json") return Effect.succeed(body)
  const parts = body.parts.map((item): Effect.Effect<Part, UnreadFile> => {
    if (!("stream" in item)) return Effect.succeed(item)
    const { fileName, name, stream, type } = item
    return Effect.map(
      Effect.tryPromise({
        // A pipe, so that the stream is cancelled with the call.
        try: (signal) => new Response(stream.pipeThrough(onlyBytes(), { signal })).blob(),
        catch: (cause) => unreadable(name, cause)
      }),
      (blob) => ({ name, file: blob.slice(0, blob.size, type), fileName })
    )
  })
  return Effect.map(Effect.all(parts), (whole) => ({ _tag: "Form", parts: whole }))
}

const guarded: FormEncoding["guarded"] = (onUpload, run) => {
  let isOver = false
  return (sent, total) => {
    if (isOver) return
    const fail = (cause: unknown): void => {
      if (!isOver) run(Effect.logError("onUpload failed", Cause.die(cause)))
      isOver = true
    }
    const result = Either.try((): unknown => onUpload(sent, total))
    if (Either.isLeft(result)) return fail(result.left)
    if (isPromiseLike(result.right)) result.right.then(undefined, fail)
  }
}

/** The body of a call that uploads. */
export const form: FormEncoding = { encode, take, collect, guarded, unreadable }

/**
 * What holds bytes, recognised by what it is and not by its class: under jsdom and in a `vm` context, those of Node are of another
 * realm, and an old engine lacks some of the classes.
 */

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Whether a value is a Uint8Array, such as a Buffer. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && tagOf(value) === "[object Uint8Array]"

/** Whether a value is an ArrayBuffer. */
export const isArrayBuffer = (value: unknown): value is ArrayBuffer => tagOf(value) === "[object ArrayBuffer]"

/** Whether a value is a File. That of happy-dom has no tag, and an old engine no class. */
export const isFile = (value: unknown): value is File =>
  tagOf(value) === "[object File]" || (typeof File !== "undefined" && value instanceof File)

/** Whether a value is a Blob or a File. */
export const isBlob = (value: unknown): value is Blob =>
  tagOf(value) === "[object Blob]" || isFile(value) || (typeof Blob !== "undefined" && value instanceof Blob)

/** Whether a value is a stream that can be read. */
export const isStream = (value: unknown): value is ReadableStream =>
  typeof value === "object" && value !== null && "getReader" in value && typeof value.getReader === "function"

/**
 * Bodies of an HttpClient's answers, bounded as they are read. Some clients hand over what a server compressed as it
 * is: it is then undone here, where the web platform can.
 */
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { BoundedBytes } from "../http/bounded-bytes.js"

/** A body broke off, or is not what it says it is. */
export interface BodyError {
  readonly cause: unknown
}

type Header = (name: string) => string | undefined

/** A body as pieces; an answer without one has none. The adapter's error holds the request: only its cause goes on. */
const pieces = (response: HttpClientResponse): Stream.Stream<Uint8Array, BodyError> =>
  Stream.catchAll(response.stream, (error) =>
    error._tag === "ResponseError" && error.reason === "EmptyBody"
      ? Stream.empty
      : Stream.fail({ cause: error.cause })
  )

/** A body as it comes; it is read no faster than it is taken, and let go when it is cancelled. */
export const stream = (response: HttpClientResponse): ReadableStream<Uint8Array> =>
  Stream.toReadableStream(Stream.mapError(pieces(response), ({ cause }) => cause))

/** Reads pieces up to a bound; undefined where there are more. */
const bounded = <E>(
  body: Stream.Stream<Uint8Array, E>,
  maxBytes: number
): Effect.Effect<Uint8Array | undefined, E> =>
  Effect.suspend(() => {
    const received = new BoundedBytes(maxBytes)
    let isWithin = true
    return Effect.map(
      Stream.runForEachWhile(body, (piece) =>
        Effect.sync(() => {
          isWithin = received.push(piece)
          return isWithin
        })
      ),
      () => (isWithin ? received.whole() : undefined)
    )
  })

/** The format of a body that is still compressed, told by its first bytes: no JSON begins like that. */
const formatOf = (body: Uint8Array, header: Header): CompressionFormat | undefined => {
  const encoding = header("content-encoding")?.trim().toLowerCase()
  if ((encoding === "gzip" || encoding === "x-gzip") && body[0] === 0x1f && body[1] === 0x8b) return "gzip"
  return encoding === "deflate" && body[0] === 0x78 ? "deflate" : undefined
}

/** Undoes a compression within a bound. A body that is cut short fails. */
const inflated = (
  body: Uint8Array,
  format: CompressionFormat,
  maxBytes: number
): Effect.Effect<Uint8Array | undefined, BodyError> =>
  bounded(
    Stream.fromReadableStream({
      // A copy in an ArrayBuffer of its own, which is what the web platform's types ask for.
      evaluate: () => new Blob([new Uint8Array(body)]).stream().pipeThrough(new DecompressionStream(format)),
      onError: (cause): BodyError => ({ cause })
    }),
    maxBytes
  )

/** A length that the server states, where it is the length of what is read. */
const statedLength = (header: Header): number | undefined => {
  const length = header("content-length")
  return length === undefined || header("content-encoding") !== undefined ? undefined : Number(length)
}

/** Reads a whole body; undefined where it is, or says that it is, larger than it may be. */
export const whole = (
  response: HttpClientResponse,
  header: Header,
  maxBytes: number
): Effect.Effect<Uint8Array | undefined, BodyError> => {
  const stated = statedLength(header)
  // Run and given up at once, so that the connection is let go.
  if (stated !== undefined && stated > maxBytes)
    return Effect.as(Effect.ignore(Stream.runHead(pieces(response))), undefined)
  return Effect.flatMap(bounded(pieces(response), maxBytes), (body) => {
    const format = body === undefined ? undefined : formatOf(body, header)
    return body === undefined || format === undefined
      ? Effect.succeed(body)
      : inflated(body, format, maxBytes)
  })
}

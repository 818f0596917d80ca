/**
 * Bodies of an HttpClient's answers, read within a limit. Some clients do not decompress: this is then done here, if
 * the web platform can.
 */
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { BoundedBytes } from "../../core/ports/bounded-bytes.js"
import type { HeaderReader } from "../../core/ports/transport.js"
import { hasNoBody } from "../http/no-body.js"

/** A body ended early, or its encoding is wrong. */
export interface BodyError {
  readonly cause: unknown
}

/**
 * A body in chunks. One without a stream is read whole: it is empty, or the `fetch` below makes none, as React Native's. The
 * adapter's error holds the request, so only its cause is passed on.
 */
const pieces = (response: HttpClientResponse): Stream.Stream<Uint8Array, BodyError> =>
  Stream.catchAll(
    response.stream,
    (error): Stream.Stream<Uint8Array, BodyError> =>
      error._tag === "ResponseError" && error.reason === "EmptyBody"
        ? Stream.fromEffect(
            Effect.mapBoth(response.arrayBuffer, {
              onFailure: ({ cause }): BodyError => ({ cause }),
              onSuccess: (whole) => new Uint8Array(whole)
            })
          )
        : Stream.fail({ cause: error.cause })
  )

/** A body as it arrives, with backpressure; released when it is cancelled. */
export const stream = (response: HttpClientResponse): ReadableStream<Uint8Array> =>
  Stream.toReadableStream(
    hasNoBody(response.status) ? Stream.empty : Stream.mapError(pieces(response), ({ cause }) => cause)
  )

/** Reads chunks up to a limit; undefined if there are more. */
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

/** The format of a compressed body, by its first bytes: JSON never begins like that. */
const formatOf = (body: Uint8Array, header: HeaderReader): CompressionFormat | undefined => {
  const encoding = header("content-encoding")?.trim().toLowerCase()
  if ((encoding === "gzip" || encoding === "x-gzip") && body[0] === 0x1f && body[1] === 0x8b) return "gzip"
  return encoding === "deflate" && body[0] === 0x78 ? "deflate" : undefined
}

/** Decompresses within a limit. A truncated body fails. */
const inflated = (
  body: Uint8Array,
  format: CompressionFormat,
  maxBytes: number
): Effect.Effect<Uint8Array | undefined, BodyError> =>
  bounded(
    Stream.fromReadableStream({
      // A copy in its own ArrayBuffer, which the web platform's types require.
      evaluate: () => new Blob([new Uint8Array(body)]).stream().pipeThrough(new DecompressionStream(format)),
      onError: (cause): BodyError => ({ cause })
    }),
    maxBytes
  )

/** The server's stated length, if it is the length of the decoded body. */
const statedLength = (header: HeaderReader): number | undefined => {
  const length = header("content-length")
  return length === undefined || header("content-encoding") !== undefined ? undefined : Number(length)
}

/** Runs a body and cancels it at once, so that the connection is released. */
export const discard = (response: HttpClientResponse): Effect.Effect<undefined> =>
  Effect.as(Effect.ignore(Stream.runHead(pieces(response))), undefined)

/** Reads a whole body; undefined if it is too large, by its stated or its real length. */
export const whole = (
  response: HttpClientResponse,
  header: HeaderReader,
  maxBytes: number
): Effect.Effect<Uint8Array | undefined, BodyError> => {
  const stated = statedLength(header)
  if (stated !== undefined && stated > maxBytes) return discard(response)
  return Effect.flatMap(bounded(pieces(response), maxBytes), (body) => {
    const format = body === undefined ? undefined : formatOf(body, header)
    return body === undefined || format === undefined
      ? Effect.succeed(body)
      : inflated(body, format, maxBytes)
  })
}

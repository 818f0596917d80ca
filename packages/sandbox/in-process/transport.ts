/** The Transport whose exchanges end in the sandbox of the same process: no socket, the same answers. */

import {
  isBytes,
  type Outcome,
  type Request,
  type TransportService as Service,
  Utf8
} from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import type { Answer } from "../platform/answer.js"
import type { Platform } from "../platform/platform.js"

const lost = (): Outcome => ({
  _tag: "Failed",
  reason: "Reset",
  sent: true,
  cause: new Error("the connection was lost before the answer")
})

const whole = (answer: Answer): Effect.Effect<Uint8Array> =>
  isBytes(answer.body)
    ? Effect.succeed(answer.body)
    : Effect.map(Stream.runCollect(answer.body), (chunks) => {
        const pieces = [...chunks]
        const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
        let offset = 0
        for (const piece of pieces) {
          bytes.set(piece, offset)
          offset += piece.byteLength
        }
        return bytes
      })

const outcomeOf = (answer: Answer, request: Request): Effect.Effect<Outcome> => {
  const { headers, status } = answer
  const read = (name: string): string | undefined =>
    Object.hasOwn(headers, name) ? headers[name] : undefined
  const header = Object.assign(read, { all: () => Object.entries(headers) })
  if (request.answer === "stream" && status >= 200 && status <= 299) {
    const body = isBytes(answer.body) ? Stream.succeed(answer.body) : answer.body
    return Effect.succeed({ _tag: "Streaming", status, header, body: Stream.toReadableStream(body) })
  }
  return Effect.map(whole(answer), (body) =>
    body.byteLength > request.maxBytes
      ? { _tag: "TooLarge", status, header }
      : { _tag: "Answered", status, header, body }
  )
}

/** Reports the upload like the network adapters: at least once, and finally all bytes. */
const tellOfUpload = ({ body, onUpload }: Request): void => {
  if (body?._tag !== "Form" || onUpload === undefined) return
  const total = body.parts.reduce(
    (sum, part) => sum + ("file" in part ? part.file.size : Utf8.encode(part.text).byteLength),
    0
  )
  onUpload(total, total)
}

/** Makes the transport. Exchanges run on the given runtime, and so on its clock. */
export const make = (platform: Platform, runtime: Runtime.Runtime<never>): Service => ({
  start: (request, settle) => {
    let isAbandoned = false
    const exchange = Effect.yieldNow().pipe(
      Effect.tap(() => Effect.sync(() => tellOfUpload(request))),
      Effect.zipRight(
        Effect.suspend(() =>
          platform.handle({
            method: request.method,
            path: request.path,
            headers: request.headers,
            body: request.body
          })
        )
      ),
      Effect.flatMap(
        Option.match({
          onNone: () => Effect.succeed(lost()),
          onSome: (answer) => outcomeOf(answer, request)
        })
      )
    )
    const fiber = Runtime.runFork(runtime)(exchange)
    fiber.addObserver((exit) => {
      if (isAbandoned) return
      settle(
        Exit.isSuccess(exit)
          ? exit.value
          : { _tag: "Failed", reason: "Unknown", sent: true, cause: new Error("the sandbox failed") }
      )
    })
    return () => {
      isAbandoned = true
      fiber.unsafeInterruptAsFork(fiber.id())
    }
  }
})

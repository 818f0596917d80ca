/**
 * A transport that lets a recorder learn of every answer and passes all on unchanged. Unlike a tap it looks at the whole
 * answer, before anything is masked or cut, and keeps nothing of it but its shape.
 */

import {
  type AnyRequest,
  concealed,
  type Outcome,
  port,
  type TransportService as Service,
  Transport
} from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Json from "./json.js"
import type { Recorder } from "./recording.js"

/** An answer whose names hold none of the secrets of the client: names are kept. */
const unnamed = (value: unknown, secrets: ReadonlyArray<string> = []): unknown =>
  secrets.length === 0 ? value : concealed(value, secrets, () => false)

const note = (
  recorder: Recorder,
  { headers, method, operation, path, secrets }: AnyRequest,
  outcome: Outcome
): void => {
  if (outcome._tag !== "Answered" || outcome.status < 200 || outcome.status > 299) return
  const json = outcome.json ?? Json.ofBytes(outcome.body)
  if (json !== undefined)
    recorder.learn(
      { method, path, headers: Object.keys(headers), operation },
      unnamed(json.value, secrets?.())
    )
}

/** Wraps a transport. Throws InputError if it is invalid. @category constructors */
export const wrap = (transport: Service, recorder: Recorder): Service => {
  const below = port("Recording.wrap", "transport", transport, ["start"], "Transport")
  Either.getOrThrowWith(below, (refused) => refused)
  const { stream } = transport
  const listening =
    (request: AnyRequest, settle: (outcome: Outcome) => void) =>
    (outcome: Outcome): void => {
      note(recorder, request, outcome)
      settle(outcome)
    }
  return {
    start: (request, settle) => transport.start(request, listening(request, settle)),
    ...(stream === undefined
      ? {}
      : { stream: (request, settle) => stream.call(transport, request, listening(request, settle)) })
  }
}

/** The transport below, with a recorder that learns of its answers. @category layers */
export const layer = (recorder: Recorder): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (transport) => wrap(transport, recorder))
  )

/** The service over HTTP. What a caller may know of an error is its kind and the words of the platform. */
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { Errors } from "@quartet/sdk"
import * as Effect from "effect/Effect"
import * as Inbox from "./inbox.js"

const refusal = (error: Errors.CallError) =>
  Effect.logWarning(error.message).pipe(
    Effect.as(
      HttpServerResponse.unsafeJson({ error: error._tag }, { status: error._tag === "NotFound" ? 404 : 502 })
    )
  )

export const router = HttpRouter.empty.pipe(
  HttpRouter.get("/health", HttpServerResponse.text("ok")),
  HttpRouter.get(
    "/inbox",
    Effect.matchEffect(Inbox.counts, { onFailure: refusal, onSuccess: HttpServerResponse.json })
  ),
  HttpRouter.post(
    "/inbox/seen",
    Effect.matchEffect(Inbox.markAllSeen, {
      onFailure: refusal,
      onSuccess: (seen) => HttpServerResponse.json({ seen })
    })
  ),
  HttpRouter.post(
    "/inbox/:id/seen",
    Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
      Effect.matchEffect(Inbox.markSeen(id), {
        onFailure: refusal,
        onSuccess: ({ _id }) => HttpServerResponse.json({ seen: _id })
      })
    )
  )
)

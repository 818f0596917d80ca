/** An origin that holds downloads behind signed addresses: it refuses whoever sends credentials along. */
import * as Http from "node:http"
import { type Guard, guard, listen, type ServeError } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { placesOfAll } from "../dialects/credentials.js"
import type { Storage } from "../platform/wire.js"

const hasCredentials = ({ headers }: Http.IncomingMessage): boolean =>
  Object.keys(headers).some((name) => placesOfAll.includes(name))

const answer = (storage: Storage, request: Http.IncomingMessage, response: Http.ServerResponse) =>
  Effect.gen(function* () {
    const refuse = (status: number, code: string): void =>
      void response
        .writeHead(status, { "content-type": "application/xml" })
        .end(`<Error><Code>${code}</Code></Error>`)
    if (hasCredentials(request)) return refuse(400, "InvalidArgument")
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://storage.test")
    const file = storage.find(pathname.slice(1))
    if (file === undefined || !searchParams.has("signature")) return refuse(403, "AccessDenied")
    const { body, headers } = file
    const pieces = body instanceof Uint8Array ? [body] : [...(yield* Stream.runCollect(body))]
    const bytes = Buffer.concat(pieces)
    response.writeHead(200, {
      ...headers,
      "content-length": bytes.byteLength,
      "access-control-allow-origin": "*"
    })
    response.end(bytes)
  })

/** Serves a storage on a free port of this machine, to whom `access` lets in, until the scope ends; its origin. */
export const serve = (
  storage: Storage,
  access: Guard.Check
): Effect.Effect<string, ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const server = guard(Http.createServer(), access)
    server.on("request", (request, response) => {
      Effect.runFork(answer(storage, request, response))
    })
    const port = yield* listen(server, { port: 0, host: "127.0.0.1" })
    return `http://127.0.0.1:${port}`
  })

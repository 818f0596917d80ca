/** Every kind of failure that a call can end in, brought about by a server that repeats all it was told. */
import type { NetworkReason } from "../../../core/kernel/errors/errors.js"
import type { Outcome, Request } from "../../../core/ports/transport.js"
import { answered, places } from "./echoes.js"

/** Answers a request; `waits` for one that is never answered. */
export type Answer = (echoed: string, request: Request) => Outcome | "waits"

const statuses = [401, 403, 404, 408, 409, 418, 422, 429, 500, 503]

const byStatus: ReadonlyArray<readonly [string, Answer]> = statuses.flatMap((status) =>
  places.map(
    (place, at) =>
      [
        `status ${status}, place ${at}`,
        (echoed: string) => answered(status, JSON.stringify(place(echoed)), echoed)
      ] as const
  )
)

/** An error as adapters and their libraries make them: what was sent stands all over it. */
const troubled = (echoed: string, request: Request): Error =>
  Object.assign(new Error(`fetch failed for ${echoed}`), {
    code: "ECONNRESET",
    headers: request.headers,
    request,
    cause: Object.assign(new Error(`inner ${echoed}`), { code: "ECONNRESET", request })
  })

const reasons: ReadonlyArray<NetworkReason> = [
  "Refused",
  "Unresolved",
  "ConnectTimeout",
  "Tls",
  "Reset",
  "Timeout",
  "Protocol",
  "Unknown"
]

const byNetwork: ReadonlyArray<readonly [string, Answer]> = reasons.flatMap((reason) =>
  [true, false].map(
    (sent) =>
      [
        `no answer (${reason}, ${sent ? "sent" : "not sent"})`,
        (echoed: string, request: Request) => ({
          _tag: "Failed",
          reason,
          sent,
          cause: troubled(echoed, request)
        })
      ] as const
  )
)

const deep = (echoed: string): string =>
  `{"_id":"1",${JSON.stringify(echoed)}:${"[".repeat(1_100)}${"]".repeat(1_100)}}`

const byAnswer: ReadonlyArray<readonly [string, Answer]> = [
  ["a redirect", (echoed) => answered(302, echoed, echoed)],
  ["a web page", (echoed) => answered(200, `<html>${echoed}</html>`, echoed)],
  ["no JSON", (echoed) => answered(200, `{"a":"${echoed}`, echoed)],
  ["nothing", (echoed) => answered(200, "", echoed)],
  ["another shape", (echoed) => answered(200, JSON.stringify(echoed), echoed)],
  ["an id of another kind", (echoed) => answered(200, JSON.stringify({ _id: { [echoed]: echoed } }), echoed)],
  ["bad UTF-8", (echoed) => answered(200, new Uint8Array([...Buffer.from(echoed), 0xff]), echoed)],
  [
    "a number too large",
    (echoed) => answered(200, `{"_id":${JSON.stringify(echoed)},"n":9007199254740993}`, echoed)
  ],
  ["too deep below a name", (echoed) => answered(200, deep(echoed), echoed)],
  ...[200, 401, 404, 422, 503].map((status): readonly [string, Answer] => [
    `too large, with status ${status}`,
    (echoed) => ({ _tag: "TooLarge", status, header: () => echoed })
  ]),
  ["no answer within the deadline", () => "waits"]
]

export const failures: ReadonlyArray<readonly [name: string, answer: Answer]> = [
  ...byStatus,
  ...byNetwork,
  ...byAnswer
]

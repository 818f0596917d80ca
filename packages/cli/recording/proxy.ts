/**
 * A server of this machine that passes requests on to the platform, and lets a recorder learn of the answers. It stands for the
 * platform on the machine of whoever records, so the guard keeps the pages of other sites from it.
 */
import { createServer, type IncomingMessage } from "node:http"
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib"
import { codeOf, Guard, listen } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { codes, Problem } from "../exit.js"
import { type Addresses, type Forwarding, forward, tunnel } from "../pages/forward.js"
import type { Recorder } from "./index.js"
import { ofBytes as jsonOf } from "./json.js"

/** Bytes of an answer that are looked at: a larger one is passed on alone. */
const largest = 16 * 1024 * 1024

/** How bodies are unpacked, by their content encoding. The platform may pack them though it was asked not to. */
const unpack: Readonly<Record<string, (body: Uint8Array, options: ZlibOptions) => Uint8Array>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: (body, options) =>
    // Some servers send it without the header that zlib writes.
    ((body[0] ?? 0) & 15) === 8 ? inflateSync(body, options) : inflateRawSync(body, options)
}

const tooLarge = `it is larger than ${largest / 1024 / 1024} MiB`

/** Lets the recorder learn of an answer; says why it could not, if that is so. */
const learn = (
  recorder: Recorder,
  incoming: IncomingMessage,
  answer: IncomingMessage,
  packed: Uint8Array
) => {
  const encodings = (answer.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
  let body = packed
  for (const name of encodings.reverse()) {
    const step = Object.hasOwn(unpack, name) ? unpack[name] : undefined
    if (step === undefined) return `it is packed as ${name}`
    try {
      if (body.byteLength > 0) body = step(body, { maxOutputLength: largest })
    } catch (cause) {
      return codeOf(cause) === "ERR_BUFFER_TOO_LARGE" ? tooLarge : `it is not ${name}, as it says`
    }
  }
  const json = jsonOf(body)
  if (json === undefined) return "it is no JSON"
  const { headers, method = "GET", url = "/" } = incoming
  const calls = recorder.learn({ method, path: url, headers: Object.keys(headers) }, json.value)
  return calls.length === 0
    ? "it is of no call whose answers are recorded, or --client has to say of which"
    : undefined
}

/** Reads an answer as it passes; says at its end why it taught nothing, if that is so. */
const hear = (
  recorder: Recorder,
  incoming: IncomingMessage,
  answer: IncomingMessage,
  ended: (reason: string | undefined) => void
): void => {
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 299) {
    ended(undefined)
    return
  }
  const pieces: Array<Buffer> = []
  let size = 0
  answer.on("data", (piece: Buffer) => {
    size += piece.length
    if (size <= largest) pieces.push(piece)
    else pieces.length = 0
  })
  answer.on("close", () => {
    if (!answer.complete) ended("it broke off")
    else ended(size > largest ? tooLarge : learn(recorder, incoming, answer, Buffer.concat(pieces)))
  })
}

/** Who may use it besides programs and pages of this machine. */
export type Access = Required<Guard.Options>

interface Listening extends Access {
  readonly port: number
}

const host = "127.0.0.1"

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const checkOf = (access: Access): Either.Either<Guard.Check, Problem> =>
  Either.mapLeft(
    Guard.make({
      ...access,
      name: "quartet record",
      host,
      pages: "loopback",
      advise: (what, value) => `. Allow it with --allow-${what} ${value}`
    }),
    ({ field, rule }) => refuse(`${field} ${rule}`, "See: quartet record --help")
  )

/** Listens until the scope closes; answers the address. */
export const serve = (
  { port, ...access }: Listening,
  addresses: Addresses,
  recorder: Recorder,
  report: (line: string) => void
): Effect.Effect<string, Problem, Scope.Scope> =>
  Effect.gen(function* () {
    const check = yield* checkOf(access)
    const forwarding: Forwarding = {
      name: "quartet record",
      addresses,
      onAnswer: (incoming, answer) => {
        const line = `${answer.statusCode} ${incoming.method} ${(incoming.url ?? "").split("?")[0]}`
        hear(recorder, incoming, answer, (reason) =>
          report(reason === undefined ? line : `${line} (not learnt: ${reason})`)
        )
      }
    }
    const server = Guard.guard(createServer(forward(forwarding)), check, (message) =>
      report(`refused: ${message}`)
    )
    server.on("upgrade", tunnel(forwarding))
    // Others of the network have no business with what an app sends.
    const actual = yield* Effect.mapError(listen(server, { host, port }), ({ cause }) =>
      refuse(
        `cannot listen on port ${port}: ${codeOf(cause)}`,
        "Pass another one with --port; 0 takes any free one."
      )
    )
    return `http://${host}:${actual}`
  })

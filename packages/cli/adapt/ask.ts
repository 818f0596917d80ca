/**
 * Asks a platform: reads alone, and sign-ins. It asks the addresses that it was given, follows no redirect, and ends after a
 * number of requests and a time.
 */
import type { Address } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import { Problem } from "../exit.js"
import { progress } from "../output.js"
import * as Json from "../recording/json.js"
import { type Exchange, type Purpose, settled } from "./recognition/index.js"

/** Milliseconds until a request is given up. */
const patience = 10_000

/** Most bytes of an answer that are read. */
const maxBytes = 4 * 1024 * 1024

/** Most requests of a run. */
export const most = 60

/** What is asked. One with an input is a sign-in, and sent as POST; all others are reads. */
export interface Question {
  readonly purpose: Purpose
  readonly call: string
  readonly address: Address
  /** Path below the address, without a slash before it. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly id?: string
  readonly isAnonymous?: boolean
}

/** A sign-in. */
export interface SignInQuestion extends Question {
  readonly purpose: "sign-in of an admin" | "legacy sign-in of an admin" | "sign-in of an end user"
  readonly input: Readonly<Record<string, string>>
}

/** Reads a body up to a number of bytes; undefined where it is longer. */
const textOf = async (response: Response): Promise<string | undefined> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > maxBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces, size).toString("utf8")
}

/** The cookies that an answer sets, without their attributes. */
export const cookiesIn = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : []
    })
  )

/** The body of an answer: parsed JSON, its text, or undefined where it is empty. */
const bodyOf = (text: string | undefined): unknown => {
  if (text === undefined || text === "") return undefined
  const json = Json.parse(text)
  return json === undefined ? text : json.value
}

/** Asks one question after another. */
export interface Asker {
  /** An answer; undefined where none came, or where no more may be asked. */
  readonly ask: (question: Question | SignInQuestion) => Effect.Effect<Exchange | undefined, Problem>
  /** All that was answered so far. */
  readonly exchanges: () => ReadonlyArray<Exchange>
  /** How many requests may still be made. */
  readonly left: () => number
}

const send = async (
  question: Question | SignInQuestion,
  headers: Readonly<Record<string, string>>
): Promise<Exchange | { readonly cause: unknown }> => {
  const { address, path, query = {} } = question
  const url = new URL(`${address.origin}${address.prefix}/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  const input = "input" in question ? question.input : undefined
  try {
    const response = await fetch(url, {
      method: input === undefined ? "GET" : "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
      headers: {
        accept: "application/json",
        ...headers,
        ...(input === undefined ? {} : { "content-type": "application/json" })
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) })
    })
    const text = await textOf(response)
    return {
      purpose: question.purpose,
      call: question.call,
      method: input === undefined ? "GET" : "POST",
      path: `/${path}`,
      query,
      sent: headers,
      ...(input === undefined ? {} : { input }),
      status: response.status,
      headers: Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie")),
      cookies: cookiesIn(response.headers.getSetCookie()),
      body: bodyOf(text),
      ...(question.id === undefined ? {} : { id: question.id }),
      ...(question.isAnonymous === undefined ? {} : { isAnonymous: question.isAnonymous })
    }
  } catch (cause) {
    return { cause }
  }
}

/** Makes an asker; `standing` headers go with every request, and `look` says what is known of all answers together. */
export const make = (
  standing: Readonly<Record<string, string>>,
  look: (exchanges: ReadonlyArray<Exchange>) => ReadonlyArray<Exchange> = settled
): Asker => {
  const exchanges: Array<Exchange> = []
  let made = 0
  return {
    exchanges: () => look(exchanges),
    left: () => most - made,
    ask: (question) =>
      Effect.gen(function* () {
        if (made >= most) return undefined
        made++
        yield* progress(`asking ${question.path} (${made})`)
        const answer = yield* Effect.promise(() =>
          send(question, { ...lower(standing), ...lower(question.headers ?? {}) })
        )
        if (!("cause" in answer)) {
          exchanges.push(answer)
          return look(exchanges).at(-1)
        }
        // Without a first answer there is nobody to ask.
        if (exchanges.length > 0) return undefined
        const why = codeOf(answer.cause)
        return yield* new Problem({
          message: `${question.address.origin}${question.address.prefix} does not answer: ${why || (answer.cause instanceof Error && answer.cause.name === "TimeoutError" ? `nothing within ${patience / 1000} s` : "the connection failed")}`,
          next: "Check the address and the connection: quartet doctor"
        })
      })
  }
}

const lower = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

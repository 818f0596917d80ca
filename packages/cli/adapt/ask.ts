/**
 * Asks a platform: reads alone, and sign-ins. It asks the addresses that it was given, follows no redirect, and ends after a
 * number of requests and a time.
 */
import { type Address, parseBeyond, urlOf } from "@quartet/sdk/extend"
import type { Described } from "@quartet/sdk/extend/description"
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

/** Names and texts, such as headers or parameters. */
export type Texts = Readonly<Record<string, string>>

/** Whom to ask. */
export interface Asked {
  readonly api: Address
  readonly legacy: Address
  /** Headers that every request has. */
  readonly headers: Texts
  /** Paths of calls that are elsewhere. */
  readonly paths: Texts
  /** Looks at all that was answered by what is known of it. */
  readonly look?: (exchanges: ReadonlyArray<Exchange>) => ReadonlyArray<Exchange>
}

/** How a caller sends what a read needs. */
export interface Way {
  readonly headers: Texts
  readonly query: Texts
  /** What stands before the path of the new API. */
  readonly prefix: string
  /** The host of the new API, where it is another than that of its address. */
  readonly host?: string | undefined
}

/** What is asked. One with an input is a sign-in, and sent as POST; all others are reads. */
interface Question {
  readonly purpose: Purpose
  readonly call: string
  readonly address: Address
  /** Path below the address, without a slash before it. */
  readonly path: string
  readonly query: Texts
  readonly headers: Texts
  readonly input?: Texts
  readonly id?: string
  readonly isAnonymous?: boolean
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
export const cookiesIn = (lines: ReadonlyArray<string>): Texts =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : []
    })
  )

/** What a text holds. */
export interface Body {
  /** Parsed JSON, its text, or undefined where it is empty. Whole numbers beyond ±2⁵³ are their digits, as the SDK reads them. */
  readonly body: unknown
  /** Names of fields that hold such numbers. */
  readonly beyond?: ReadonlyArray<string>
}

export const bodyOf = (text: string | undefined): Body => {
  if (text === undefined || text === "") return { body: undefined }
  const json = Json.parse(text)
  if (json === undefined) return { body: text }
  const exact = parseBeyond(text.replace(/^\uFEFF/, ""))
  return exact === undefined
    ? { body: json.value }
    : {
        body: exact.value,
        beyond: exact.paths.map((path) => path.replace(/\[\]$/, "").split(".").at(-1) ?? "")
      }
}

/** Asks one question after another. */
export interface Asker {
  /** The answer to a sign-in; undefined where none came, or where no more may be asked. */
  readonly signIn: (
    way: Way,
    call: Described,
    purpose: Purpose,
    input: Texts
  ) => Effect.Effect<Exchange | undefined, Problem>
  /** The same for what a call reads. What `more` says goes before the way. */
  readonly read: (
    way: Way,
    call: Described,
    more?: Partial<Pick<Question, "purpose" | "query" | "id" | "headers" | "isAnonymous">>
  ) => Effect.Effect<Exchange | undefined, Problem>
  /** All that was answered so far. */
  readonly exchanges: () => ReadonlyArray<Exchange>
  /** How many requests may still be made. */
  readonly left: () => number
}

const send = async (question: Question, headers: Texts): Promise<Exchange | { readonly cause: unknown }> => {
  const { address, input, path, query } = question
  const url = new URL(`${address.origin}${address.prefix}/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
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
      sent: { ...headers, host: url.hostname },
      ...(input === undefined ? {} : { input }),
      status: response.status,
      headers: Object.fromEntries([...response.headers].filter(([name]) => name !== "set-cookie")),
      cookies: cookiesIn(response.headers.getSetCookie()),
      ...bodyOf(text),
      ...(question.id === undefined ? {} : { id: question.id }),
      ...(question.isAnonymous === undefined ? {} : { isAnonymous: question.isAnonymous })
    }
  } catch (cause) {
    return { cause }
  }
}

const lower = (headers: Texts): Texts =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Why nothing came. */
const whyOf = (cause: unknown): string =>
  cause instanceof Error && cause.name === "TimeoutError"
    ? `nothing came within ${patience / 1000} s`
    : codeOf(cause) || "the connection failed"

/** An address with another host; its scheme and port stay. */
const at = ({ origin, prefix }: Address, host: string): Address => {
  const url = urlOf(origin)
  return url === undefined
    ? { origin, prefix }
    : { origin: `${url.protocol}//${host}${url.port === "" ? "" : `:${url.port}`}`, prefix }
}

/** Makes an asker. Its `look` says what is known of all answers together. */
export const make = ({ api, headers: standing, legacy, look = settled, paths }: Asked): Asker => {
  const exchanges: Array<Exchange> = []
  let made = 0
  const ask = (question: Question): Effect.Effect<Exchange | undefined, Problem> =>
    Effect.gen(function* () {
      if (made >= most) return undefined
      made++
      yield* progress(`asking ${question.path} (${made})`)
      const answer = yield* Effect.promise(() =>
        send(question, { ...lower(standing), ...lower(question.headers) })
      )
      if (!("cause" in answer)) {
        exchanges.push(answer)
        return look(exchanges).at(-1)
      }
      // Without a first answer there is nobody to ask.
      if (exchanges.length > 0) return undefined
      return yield* new Problem({
        message: `${question.address.origin}${question.address.prefix} does not answer: ${whyOf(answer.cause)}`,
        next: "Check the address and the connection: quartet doctor"
      })
    })
  const pathOf = ({ audience, declared, name }: Described): string =>
    (paths[`${audience}.${name}`] ?? paths[name] ?? declared.path).split("?", 1).join("")
  const addressOf = ({ declared }: Described, { host }: Way): Address =>
    declared.host === "legacy" ? legacy : host === undefined ? api : at(api, host)
  return {
    signIn: (way, call, purpose, input) =>
      ask({
        purpose,
        call: call.name,
        address: addressOf(call, way),
        path: `${way.prefix}${pathOf(call)}`,
        query: way.query,
        headers: way.headers,
        input
      }),
    read: (way, call, { headers = way.headers, id, isAnonymous, purpose, query } = {}) =>
      ask({
        purpose: purpose ?? ("page" in call.declared.success ? "list" : "other"),
        call: call.name,
        address: addressOf(call, way),
        path: `${way.prefix}${pathOf(call).replace("{id}", encodeURIComponent(id ?? ""))}`,
        query: { ...way.query, ...query },
        headers,
        ...(purpose === "thing" && id !== undefined ? { id } : {}),
        ...(isAnonymous === undefined ? {} : { isAnonymous })
      }),
    exchanges: () => look(exchanges),
    left: () => most - made
  }
}

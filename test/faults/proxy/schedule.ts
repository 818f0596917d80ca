/**
 * Which request is hit by which fault. It depends on the seed, the call and its attempt alone, never on the order of
 * arrival: the same seed hits the same attempts of the same calls, however the machine schedules them.
 */
import { Random } from "@quartet/sandbox/extend"
import { weighted } from "../tally.js"

export const kinds = [
  /** The connection is reset before the platform sees the request. */
  "reset-before",
  /** The platform does its work, then the connection is reset without an answer. */
  "reset-after",
  /** A part of the answer, then a reset. */
  "reset-mid",
  /** A part of the answer, then an orderly end. */
  "truncate",
  /** The whole answer in small pieces, with pauses. */
  "dribble",
  /** The platform does its work; no answer, or a part of one, and then silence. */
  "stall",
  /** Some bytes after the status line are changed. */
  "corrupt",
  /** The whole answer twice. */
  "duplicate",
  /** 500, 502, 503 or 504 from a gateway; the platform does not see the request. */
  "server-error",
  /** 429 with all kinds of Retry-After; the platform does not see the request. */
  "too-many",
  /** The whole answer, late. */
  "latency",
  /** The connection is refused: neither the proxy nor the platform hears of it. Dealt out by the client's own side. */
  "refuse"
] as const

export type Kind = (typeof kinds)[number]

type Weights = Partial<Readonly<Record<Kind, number>>>

export interface FaultSchedule {
  readonly seed: number
  /** Share of the requests that are hit, from 0 to 1. */
  readonly rate: number
  /** How often each fault is chosen, relative to the others. */
  readonly weights: Weights
  /** What hits the attempts after the first, where it is not the same. */
  readonly later?: { readonly rate: number; readonly weights: Weights }
  /** Requests whose start line holds this text are let through. */
  readonly exempt?: string
  /** Only requests whose start line holds this text are hit. */
  readonly only?: string
  /** Gateways ask for no pause. */
  readonly asksNothing?: true
  /** The platform does not see the idempotency keys of requests whose start line holds this text. */
  readonly hidesKeys?: string
}

/** A fault for one request, with chance of its own for the details. */
export interface Fault {
  readonly kind: Kind
  readonly random: Random.Random
  readonly asksNothing?: true | undefined
}

/** All faults, most of them as often as each other; a stall costs its call the whole deadline and is rarer. */
export const everything: Weights = {
  ...Object.fromEntries(kinds.map((kind) => [kind, 3])),
  stall: 1
}

export const calm: FaultSchedule = { seed: 0, rate: 0, weights: {} }

/** Whether a schedule speaks of a request at all. */
export const applies = ({ exempt, only }: FaultSchedule, startLine: string): boolean =>
  !(exempt !== undefined && startLine.includes(exempt)) && (only === undefined || startLine.includes(only))

const callId = /qt-[a-z]+-\d+/

/** The id that a call carries in its path, its query, a header or its body. */
export const callIn = (text: string): string | undefined => callId.exec(text)?.[0]

/** The fault that an attempt of a call meets; undefined for none. */
export const faultOf = (schedule: FaultSchedule, call: string, attempt: number): Fault | undefined => {
  const { rate, weights } = attempt === 1 ? schedule : (schedule.later ?? schedule)
  if (rate === 0) return undefined
  const random = Random.make(schedule.seed, `${call}/${attempt}`)
  if (!random.chance(rate)) return undefined
  const weighed = kinds.flatMap((kind) => (weights[kind] ? [{ kind, weight: weights[kind] }] : []))
  if (weighed.length === 0) return undefined
  return { kind: weighted(random, weighed).kind, random, asksNothing: schedule.asksNothing }
}

/** More attempts than any client makes of one call. */
const many = 20

/** The number of the attempt that comes to the proxy after another: those that are refused on the way do not. */
export const attemptAfter = (
  schedule: FaultSchedule,
  call: string,
  last: number,
  startLine: string
): number => {
  let attempt = last + 1
  if (applies(schedule, startLine))
    while (attempt < many && faultOf(schedule, call, attempt)?.kind === "refuse") attempt += 1
  return attempt
}

const keyHeader = /(\r\n)idempotency-key(?=:[^\r]*\r\n)/i

/** A request as the platform is to see it: of the same length, with or without its key. */
export const shown = ({ hidesKeys }: FaultSchedule, startLine: string, bytes: Buffer): Buffer => {
  if (hidesKeys === undefined || !startLine.includes(hidesKeys)) return bytes
  return Buffer.from(bytes.toString("latin1").replace(keyHeader, "$1x-forgotten-key"), "latin1")
}

const statusTexts: Readonly<Record<number, string>> = {
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

const inASecond = (): string => new Date(Date.now() + 1000).toUTCString()

/** What gateways say in `Retry-After`, and what they should not. */
const retryAfters: ReadonlyArray<() => string | undefined> = [
  () => undefined,
  () => "0",
  () => "1",
  inASecond,
  () => "soon",
  () => "-5",
  () => "86400"
]

/** The answer of a gateway that does not ask the platform. */
export const synthesised = ({ asksNothing, kind, random }: Fault) => {
  const status = kind === "too-many" ? 429 : random.pick([500, 502, 503, 504])
  const drawn = kind === "too-many" || random.chance(0.2) ? random.pick(retryAfters)() : undefined
  const retryAfter = asksNothing === true ? undefined : drawn
  const isPage = random.chance(0.5)
  const body = isPage
    ? `<html><body><h1>${status}</h1></body></html>`
    : JSON.stringify({ error: { message: "planned" } })
  const bytes = Buffer.from(
    [
      `HTTP/1.1 ${status} ${statusTexts[status]}`,
      `content-type: ${isPage ? "text/html" : "application/json"}`,
      `content-length: ${body.length}`,
      ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
      "",
      body
    ].join("\r\n")
  )
  return { bytes, status, retryAfter }
}

/** Most milliseconds that a client waits because of a `Retry-After`; 0 where it says nothing that could be waited for. */
export const askedBy = (retryAfter: string | undefined): number => {
  if (retryAfter === undefined) return 0
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  return Number.isNaN(Date.parse(retryAfter)) || !retryAfter.endsWith("GMT") ? 0 : 1_000
}

export const corrupted = (bytes: Buffer, random: Random.Random): Buffer => {
  const copy = Buffer.from(bytes)
  const start = copy.indexOf("\r\n") + 2
  for (let count = random.int(1, 4); count > 0; count--) {
    const at = random.int(start, copy.length - 1)
    copy[at] = (copy[at] ?? 0) ^ random.int(1, 255)
  }
  return copy
}

export interface LoggedRequest {
  /** The id that the call carries; its start line where it carries none. */
  readonly call: string
  /** 1 for the first request of the call. */
  readonly attempt: number
  readonly kind: Kind | undefined
  retryAfter: string | undefined
  /** Whether the platform was sent the request. */
  forwarded: boolean
  /** The platform's status, or the gateway's. */
  status: number | undefined
  /** Whether the client was sent the whole answer. */
  delivered: boolean
  /** Whether the client closed the connection while the request was under way. */
  abandoned: boolean
  /** Whether an earlier answer on this connection was corrupted or duplicated. */
  readonly isTainted: boolean
}

export const logged = (
  call: string,
  attempt: number,
  kind: LoggedRequest["kind"],
  isTainted = false
): LoggedRequest => ({
  ...{ call, attempt, kind, isTainted, retryAfter: undefined, status: undefined },
  ...{ forwarded: false, delivered: false, abandoned: false }
})

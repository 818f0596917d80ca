/**
 * Compares the client's account of its calls with the far end's: the proxy's list of requests with the faults that it
 * dealt out, and the platform's list of effects. Whatever does not follow from them is a finding.
 */

import type { CallError, NetworkReason } from "../../core/kernel/errors/errors.js"
import { type Account, nameOf } from "./account.js"
import { askedBy, type Kind, type LoggedRequest } from "./proxy/schedule.js"
import { tally } from "./tally.js"

/** One call that the accounts do not explain. */
export interface Finding {
  readonly call: string
  readonly what: string
}

interface Limits {
  /** How often each write took effect on the platform. */
  readonly effects: ReadonlyMap<string, number>
  readonly attempts: number
  readonly deadline: number
}

interface Sources extends Limits {
  readonly accounts: ReadonlyArray<Account>
  readonly entries: ReadonlyArray<LoggedRequest>
}

/** Errors that a fault may cause; `unknown-` and its reason for an outcome that is unknown. */
type Reason =
  | "network"
  | "deadline"
  | "answer"
  | "status"
  | "limited"
  | `unknown-${"network" | "deadline" | "server"}`

const reasons: Readonly<Partial<Record<CallError["_tag"], Reason>>> = {
  NetworkError: "network",
  DeadlineExceeded: "deadline",
  AnswerError: "answer",
  RateLimited: "limited",
  ServerFault: "status"
}
const unknowns = {
  Network: "unknown-network",
  Deadline: "unknown-deadline",
  Server: "unknown-server",
  // React apps alone give a call up with that.
  Interrupted: undefined
} as const

const reasonOf = (error: CallError): Reason | undefined =>
  error._tag === "OutcomeUnknown" ? unknowns[error.reason] : reasons[error._tag]

/** What may come of bytes that are not what the platform said. */
const garbled = (isWrite: boolean): ReadonlyArray<Reason> =>
  isWrite ? ["answer", "unknown-network", "unknown-deadline"] : ["answer", "network", "deadline"]

interface Kinds {
  /** How a read and a write may fail whose last request met it. */
  readonly causes?: readonly [read: ReadonlyArray<Reason>, write: ReadonlyArray<Reason>]
  /** What a lost connection may be called. */
  readonly reasons?: ReadonlyArray<NetworkReason>
  /** After it the client cannot know whether the platform did its work. */
  readonly isLoss?: true
  /** After it a call that may be repeated has to be. */
  readonly isPassing?: true
}

const lost = { causes: [["network"], ["unknown-network"]], isLoss: true } as const
const reset = { ...lost, reasons: ["Reset"], isPassing: true } as const

const kindsOf: Readonly<Record<Kind, Kinds>> = {
  "reset-before": reset,
  "reset-after": reset,
  "reset-mid": reset,
  // An answer that is cut within its head is no HTTP.
  truncate: { ...reset, reasons: ["Reset", "Protocol"] },
  stall: { causes: [["deadline"], ["unknown-deadline"]], isLoss: true },
  corrupt: { causes: [garbled(false), garbled(true)], isLoss: true },
  "server-error": { causes: [["status"], ["status"]], isPassing: true },
  "too-many": { causes: [["limited"], ["limited"]], isPassing: true },
  // Nothing was sent, so that nothing can have been done.
  refuse: { causes: [["network"], ["network"]], reasons: ["Refused"], isPassing: true },
  dribble: {},
  duplicate: {},
  latency: {}
}
const kindOf = ({ kind }: LoggedRequest): Kinds => (kind === undefined ? {} : kindsOf[kind])
const isLoss = (entry: LoggedRequest): boolean => entry.isTainted || kindOf(entry).isLoss === true
const isPassing = (entry: LoggedRequest): boolean => !entry.isTainted && kindOf(entry).isPassing === true

/** Why the outcome of a call is unknown whose attempts met these faults; undefined where bytes were garbled. */
const doubtOf = (requests: ReadonlyArray<LoggedRequest>): "Network" | "Deadline" | "Server" | undefined => {
  if (requests.some(({ isTainted, kind }) => isTainted || kind === "corrupt")) return undefined
  const last = requests.at(-1)
  if (last?.kind === "stall") return "Deadline"
  if (last !== undefined && isLoss(last)) return "Network"
  const first = requests.find((entry) => isLoss(entry) || entry.kind === "server-error")
  return first?.kind === "server-error" ? "Server" : "Network"
}

/** What an error says of its faults that does not fit them; undefined where all of it does, or bytes were garbled. */
const misfit = (error: CallError, requests: ReadonlyArray<LoggedRequest>): string | undefined => {
  const last = requests.at(-1)
  if ("attempts" in error && error.attempts !== requests.length)
    return `says that it made ${error.attempts} attempts, of ${requests.length}`
  if (last === undefined || last.isTainted || last.kind === undefined || last.kind === "corrupt")
    return undefined
  if (error._tag === "NetworkError" && kindOf(last).reasons?.includes(error.reason) === false)
    return `met ${last.kind}, and calls it ${error.reason}`
  if ((error._tag === "ServerFault" || error._tag === "RateLimited") && error.status !== last.status)
    return `met HTTP ${last.status}, and calls it ${error.status}`
  const doubt = doubtOf(requests)
  if (error._tag === "OutcomeUnknown" && doubt !== undefined && error.reason !== doubt)
    return `is unknown by ${doubt}, and says by ${error.reason}`
  return undefined
}

/** Whether a call gave up that should have gone on. Which pause still fits into the deadline is left open. */
const gaveUp = (requests: ReadonlyArray<LoggedRequest>, { attempts, deadline }: Limits): boolean => {
  const asked = requests.reduce((sum, { retryAfter }) => sum + askedBy(retryAfter), 0)
  return requests.length < attempts && asked <= deadline / 2 && requests.every(isPassing)
}

const failing = (
  account: Account,
  error: CallError,
  requests: ReadonlyArray<LoggedRequest>,
  sources: Limits
) => {
  const { isKeyed, isWrite, took } = account
  const reason = reasonOf(error)
  const last = requests.at(-1)
  if (last === undefined) return "failed, and no request of it was seen"
  if ((reason === "deadline" || reason === "unknown-deadline") && took < sources.deadline - 5)
    return "says that its deadline passed, too early"
  if ((!isWrite || isKeyed) && gaveUp(requests, sources)) return "gave up, and could have been repeated"
  const causes = kindOf(last).causes?.[isWrite ? 1 : 0] ?? []
  const allowed = [...causes, ...(last.isTainted ? garbled(isWrite) : [])]
  const isUnknown = error._tag === "OutcomeUnknown"
  const earlier = requests.slice(0, -1)
  // An answer that cannot be read is one all the same: it was done.
  const isDone = error._tag === "AnswerError" && error.isDone === true
  if (isKeyed && allowed.length > 0 && !isDone) {
    // What may have happened at an earlier attempt stays unknown.
    const isLost = earlier.some((entry) => isLoss(entry))
    if (isLost && !isUnknown) return "an earlier answer was lost, and the outcome is not unknown"
    // So does what a gateway did not tell.
    const isFault = earlier.some(({ kind }) => kind === "server-error")
    if (isFault && !isUnknown) return "a gateway failed before, and the outcome is not unknown"
    if (isLost || isFault) return misfit(error, requests)
  }
  if (reason !== undefined && allowed.includes(reason)) return misfit(error, requests)
  return `met ${last.kind ?? "no fault"} (HTTP ${last.status ?? "none"}) and failed otherwise`
}

const checkCall = (
  account: Account,
  requests: ReadonlyArray<LoggedRequest>,
  sources: Limits
): string | undefined => {
  const { isKeyed, isWrite, outcome } = account
  const most = isWrite && !isKeyed ? 1 : sources.attempts
  if (requests.length > most) return `sent ${requests.length} requests, of at most ${most}`
  if (outcome._tag === "Defect") return `ended in a defect: ${outcome.text}`
  const answered = requests.slice(0, -1).find((entry) => !isPassing(entry) && !isLoss(entry))
  if (answered !== undefined) return `was repeated after ${answered.kind ?? "a whole answer"}`
  const isCorrupt = requests.some(({ isTainted, kind }) => isTainted || kind === "corrupt")
  const times = sources.effects.get(account.call) ?? 0
  if (isWrite && times > 1) return `took effect ${times} times`
  if (outcome._tag === "Value") {
    if (!outcome.isRight && requests.at(-1)?.kind !== "corrupt")
      return "got a value that the platform does not have"
    if (!requests.some(({ delivered, status }) => delivered && status !== undefined && status < 300))
      return "got a value, and no answer was delivered"
    return isWrite && times !== 1 ? `got a value and took effect ${times} times` : undefined
  }
  const isUnknown = outcome.error._tag === "OutcomeUnknown"
  const isDone = outcome.error._tag === "AnswerError" && outcome.error.isDone === true
  if (isDone && times !== 1 && requests.at(-1)?.isTainted === false)
    return `says that it was done, and took effect ${times} times`
  if (isWrite && times > 0 && !isUnknown && !isCorrupt) return "took effect, and says that it did not"
  return failing(account, outcome.error, requests, sources)
}

export const reconcile = ({ accounts, entries, ...sources }: Sources) => {
  const byCall = new Map<string, Array<LoggedRequest>>()
  for (const entry of [...entries].sort((a, b) => a.attempt - b.attempt))
    byCall.set(entry.call, [...(byCall.get(entry.call) ?? []), entry])
  const findings: Array<Finding> = []
  const seen = new Set<string>()
  const met = accounts.map(({ call }) => byCall.get(call) ?? [])
  for (const [at, account] of accounts.entries()) {
    const { call, outcome } = account
    const what = seen.has(call) ? "is accounted for twice" : checkCall(account, met[at] ?? [], sources)
    seen.add(call)
    if (what !== undefined) findings.push({ call, what: `${what} [${nameOf(outcome)}]` })
  }
  for (const call of sources.effects.keys())
    if (!seen.has(call)) findings.push({ call, what: "took effect, and no client asked for it" })
  return {
    findings,
    outcomes: tally(accounts.map(({ outcome }) => nameOf(outcome))),
    requests: met.flat().length,
    /** Calls of which at least one request was hit by a fault. */
    hit: met.filter((own) => own.some(({ kind }) => kind !== undefined)).length,
    /** Values that a corrupted answer changed, and that no client could tell from the platform's. */
    altered: accounts.filter(({ outcome }) => outcome._tag === "Value" && !outcome.isRight).length
  }
}

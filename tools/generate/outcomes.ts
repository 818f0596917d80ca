/**
 * Writes what docs/errors.md and docs/resilience.md say of each error: whether a write was done, and whether the client
 * sends it again. All of it is asked of the kernel that decides it.
 */

import { read } from "@quartet/support/files.js"
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { kinds } from "../../clients/description/errors.js"
import * as Errors from "../../core/errors.js"
import { type Subject, whole } from "../../core/kernel/dispatch/response.js"
import { mayHelp } from "../../core/kernel/dispatch/retry.js"
import { type CallError, type Done, doneOf } from "../../core/kernel/errors/errors.js"
import { isTransient } from "../../core/kernel/errors/outcomes.js"
import type { Audience } from "../../core/kernel/operation/operation.js"
import type { Outcome } from "../../core/ports/transport.js"

const operation = "things.create"

const statuses = Array.from({ length: 300 }, (_, at) => 300 + at)

/** What the kernel makes of an exchange of a read or a write. */
const errorOf = (outcome: Outcome, isWrite: boolean): CallError => {
  const subject: Subject = {
    operation,
    origin: "https://api.example.com",
    who: undefined,
    required: 0,
    isWrite,
    attempt: 1,
    wallClock: 0,
    form: undefined,
    secrets: () => []
  }
  const exit = whole(() => Either.left({ reason: "Shape", field: "", rule: "" }))(
    outcome,
    1,
    () => subject,
    () => undefined,
    false
  )
  if (exit._tag === "Success" || exit.cause._tag !== "Fail") throw new Error("the exchange is no failure")
  return exit.cause.error
}

const answered = (status: number, body = ""): Outcome => ({
  _tag: "Answered",
  status,
  header: () => undefined,
  body: new TextEncoder().encode(body)
})
const failed = (sent: boolean, reason: Errors.NetworkReason): Outcome => ({
  _tag: "Failed",
  reason,
  sent,
  cause: undefined
})

/** Statuses in words: `408, 429 and 5xx but 501, 505 and 511`. */
const inWords = (numbers: ReadonlyArray<number>): string => {
  const list = (words: ReadonlyArray<string | number>): string =>
    words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
  const parts = [3, 4, 5].flatMap((hundred): ReadonlyArray<string | number> => {
    const all = statuses.filter((status) => Math.trunc(status / 100) === hundred)
    const out = all.filter((status) => !numbers.includes(status))
    if (out.length > all.length / 2) return all.filter((status) => numbers.includes(status))
    return [`${hundred}xx${out.length === 0 ? "" : ` but ${list(out)}`}`]
  })
  return parts.slice(0, -1).some((part) => String(part).includes(" but ")) ? parts.join("; ") : list(parts)
}

/** What is told of one error in one case. */
interface Case {
  readonly when: string
  readonly read?: CallError
  readonly write?: CallError
}

const both = (when: string, outcome: Outcome): Case => ({
  when,
  read: errorOf(outcome, false),
  write: errorOf(outcome, true)
})

const same = (when: string, error: CallError): Case => ({ when, read: error, write: error })

const toldOf = ({ read, write }: Case): string =>
  JSON.stringify([
    write?._tag,
    write && doneOf(write),
    read && mayHelp(read),
    read?.retryable,
    write?.retryable
  ])

/** The statuses, those of which the same is to be told together. */
const byStatus: ReadonlyArray<Case> = [
  ...Object.values(Arr.groupBy(statuses, (status) => toldOf(both("", answered(status)))))
].map((group) => both(inWords(group), answered(group[0])))

const unanswered: ReadonlyArray<Case> = [
  same(
    "the input breaks a rule; `field` and `rule` say which. Nothing was sent",
    new Errors.InputError({ operation, field: "", rule: "" })
  ),
  same(
    "a stream to upload broke (`isCutOff`, see `cause`): no whole request was sent",
    new Errors.InputError({ operation, field: "", rule: "", isCutOff: true })
  ),
  same(
    "none given, malformed, refused at sign-in, cooling down, a private key in a browser",
    new Errors.CredentialsError({ operation, reason: "Missing", advice: "" })
  ),
  same(
    'the token does not grant it (`reason: "Grant"`). Nothing was sent',
    new Errors.PermissionDenied({ operation, reason: "Grant", resource: "", action: "", required: 0 })
  ),
  both(
    "no answer to a read, or the request provably never left; `reason` says why",
    failed(false, "Refused")
  ),
  both("the same after `Tls`: a certificate that is not accepted", failed(false, "Tls")),
  same(
    "the deadline passed on a read, or on a write that provably never left",
    new Errors.DeadlineExceeded({ operation, deadline: 1, attempts: 1 })
  ),
  both("a web page came in place of an answer (2xx)", answered(200, "<html>")),
  both("an answer (2xx) cannot be read, or is read strictly and not as declared", answered(200, "7")),
  {
    when: "`pages` met a list that repeats itself, has no end, or begins before its first page (`Paging`)",
    read: new Errors.AnswerError({ operation, reason: "Paging", rule: "" })
  },
  {
    when: "a write was sent, and its answer was lost (`Network`)",
    write: errorOf(failed(true, "Reset"), true)
  },
  {
    when: "a write was sent, and the deadline passed (`Deadline`)",
    write: new Errors.OutcomeUnknown({ operation, reason: "Deadline", attempts: 1 })
  },
  {
    when: "in React, a write that a sign-out gave up while it was sent (`Interrupted`)",
    write: new Errors.OutcomeUnknown({ operation, reason: "Interrupted", attempts: 1 })
  },
  {
    when: "a write was sent several times, and one of its answers leaves it in doubt (`Server`, `Network`); `cause` is the last failure",
    write: new Errors.OutcomeUnknown({ operation, reason: "Server", attempts: 2 })
  }
]

/** All cases, in the order of the tags. */
const cases: ReadonlyArray<readonly [tag: CallError["_tag"], of: Case]> = Object.keys(kinds).flatMap((tag) =>
  [...unanswered, ...byStatus].flatMap((answer) => {
    const error = answer.write ?? answer.read
    return error?._tag === tag ? [[error._tag, answer] as const] : []
  })
)

const words: Readonly<Record<Done, string>> = { no: "no", perhaps: "**perhaps**", yes: "yes" }

/** Of a session that is refused the kernel makes another attempt by another way. */
const againIn = (tag: CallError["_tag"], { read, write }: Case): string => {
  if (tag === "Unauthenticated") return "once, with a new session"
  const error = write ?? read
  if (error === undefined || !mayHelp(error)) return "no"
  return read?._tag === tag ? "reads, and writes with a key" : "writes with a key"
}

const retryableIn = (tag: CallError["_tag"], { read, write }: Case): string => {
  const [ofRead, ofWrite] = [read, write].map((error) => (error?._tag === tag ? error.retryable : undefined))
  if (ofRead === ofWrite || ofRead === undefined || ofWrite === undefined) return String(ofRead ?? ofWrite)
  return ofRead ? "reads" : "writes"
}

const row = ([tag, of]: (typeof cases)[number]): string =>
  `| \`${tag}\` | ${of.when} | ${of.write === undefined ? "–" : words[doneOf(of.write)]} | ${againIn(tag, of)} | ${retryableIn(tag, of)} |`

const table = [
  "| tag | when | was a write done? | sent again by the client | `retryable` |",
  "|---|---|---|---|---|",
  ...cases.map(row)
].join("\n")

const advice = [
  "| tag | what to do |",
  "|---|---|",
  ...Object.entries(kinds).map(([tag, kind]) => `| \`${tag}\` | ${kind.advice} |`)
].join("\n")

/** The clients of which a kind of call can fail with a tag. */
const clientsIn = (audiences: ReadonlyArray<Audience>): string =>
  audiences.length === 4 ? "yes" : audiences.join(", ") || "no"

const failures = [
  "| tag | a read | a write | a sign-in |",
  "|---|---|---|---|",
  ...Object.entries(Errors.failures).map(
    ([tag, { read, signIn, write }]) =>
      `| \`${tag}\` | ${clientsIn(read)} | ${clientsIn(write)} | ${clientsIn(signIn)} |`
  )
].join("\n")

/** A page with what stands between its marks `<!-- name -->` and `<!-- /name -->` written anew. */
const marked = (file: string, parts: Readonly<Record<string, string>>): readonly [string, string] => [
  file,
  Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`${file} has no ${begin} … ${end}`)
    return text.slice(0, from + begin.length) + part + text.slice(to)
  }, read(file))
]

const perhaps = statuses.filter((status) => doneOf(errorOf(answered(status), true)) === "perhaps")

export const files: ReadonlyArray<readonly [file: string, text: string]> = [
  marked("docs/errors.md", {
    outcomes: `\n${table}\n`,
    failures: `\n${failures}\n`,
    advice: `\n${advice}\n`
  }),
  marked("docs/resilience.md", {
    retried: inWords(statuses.filter(isTransient)),
    "in-doubt": inWords(perhaps)
  })
]

/** 100,000 calls of all clients over both transports, about 30 % of whose requests are hit by a fault. */
import { isDeepStrictEqual } from "node:util"
import type * as Effect from "effect/Effect"
import type * as Random from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallOptions } from "../../../core/kernel/dispatch/endpoint.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { type Outcome, ofPromise, outcomeOf } from "../account.js"
import { asAdmin, asEndUser, asServer, asVisitor, type Group, transportNames } from "../clients.js"
import type { Ready } from "../drive.js"
import { amountOf, boxOf, paymentOf, requestOf } from "../far/rows.js"
import { toldFloors } from "../floors.js"
import { grouped, type Line, listed, scaled, toldTally, verdict, weighted } from "../line.js"
import { everything } from "../proxy/plan.js"
import { storm } from "../storm.js"

const counts = { full: 100_000, quick: 5_000, sample: 600 }
const deadline = 2_000
/** Most milliseconds after its deadline at which a call has to have ended. */
const allowance = 100
const inFlights = { full: 256, quick: 256, sample: 16 }
/** Groups of clients for each transport. */
const groups = { full: 16, quick: 16, sample: 2 }

/** A kind of call: how it is made, and whether its value is right. */
interface Kind {
  readonly operation: string
  readonly client: string
  readonly weight: number
  readonly isWrite: boolean
  /** False where a key would not help: what is read while it is sent cannot be sent again. */
  readonly mayBeKeyed?: boolean
  readonly start: (group: Group, call: string, options: CallOptions) => Promise<Outcome>
}

const has = (value: unknown, field: string, wanted: unknown): boolean =>
  typeof value === "object" && value !== null && isDeepStrictEqual(Reflect.get(value, field), wanted)

const kind = <A>(
  [operation, client, weight, isWrite]: readonly [string, string, number, boolean],
  effect: (call: string, options: CallOptions) => (group: Group) => Effect.Effect<A, CallError>,
  isRight: (value: A, call: string) => boolean
): Kind => ({
  operation,
  client,
  weight,
  isWrite,
  start: (group, call, options) => outcomeOf(effect(call, options)(group), (value) => isRight(value, call))
})

/** The content of a file that follows from the id of its call, in pieces. */
const piecesOf = (call: string): ReadonlyArray<string> => [`the file of ${call}`, "x".repeat(4_000), call]

/** That content as a stream, which is read while it is sent. */
const streamOf = (call: string): ReadableStream<Uint8Array> => {
  const left = piecesOf(call).map((piece) => new TextEncoder().encode(piece))
  return new ReadableStream({
    pull: (controller) => {
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    }
  })
}

const kinds: ReadonlyArray<Kind> = [
  kind(
    ["boxes.get", "visitor", 20, false],
    (call, options) => asVisitor(Public.boxes.get({ id: call }, options)),
    (box, call) => isDeepStrictEqual(box, boxOf(call))
  ),
  {
    operation: "boxes.get",
    client: "visitor with Promises",
    weight: 20,
    isWrite: false,
    start: ({ promised }, call, options) =>
      ofPromise(promised.boxes.get({ id: call }, options), (box) => isDeepStrictEqual(box, boxOf(call)))
  },
  kind(
    ["payments.get", "admin", 15, false],
    (call, options) => asAdmin(Admin.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    ["payments.get", "server", 15, false],
    (call, options) => asServer(Private.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    ["boxes.create", "visitor", 8, true],
    (call, options) => asVisitor(Public.boxes.create({ payload: { ...boxOf(call), name: call } }, options)),
    (box, call) => has(box, "name", call) && has(box, "note", boxOf(call).note)
  ),
  kind(
    ["boxes.create", "end user", 8, true],
    (call, options) =>
      asEndUser(EndUser.boxes.create({ payload: { type: "SURVEY_RESULT", name: call } }, options)),
    (box, call) => has(box, "name", call) && box.type === "SURVEY_RESULT"
  ),
  kind(
    ["requests.addComment", "admin", 7, true],
    (call, options) =>
      asAdmin(Admin.requests.addComment({ id: call, payload: { text: `from ${call}` } }, options)),
    (request, call) => request._id === call && has(request, "title", requestOf(call, "").title)
  ),
  kind(
    ["payments.payWithLink", "server", 7, true],
    (call, options) =>
      asServer(
        Private.payments.payWithLink({ payload: { amount: amountOf(call), reference: call } }, options)
      ),
    (link, call) => has(link, "amount", amountOf(call))
  ),
  {
    ...kind(
      ["files.upload", "end user", 8, true],
      (call) => asEndUser(EndUser.files.upload({ file: { content: streamOf(call), name: `${call}.txt` } })),
      (file, call) => has(file, "name", `${call}.txt`) && has(file, "size", piecesOf(call).join("").length)
    ),
    mayBeKeyed: false
  }
]

/** Every operation, client and transport: none of them may be left out. */
const parts = [...new Set(kinds.flatMap(({ client, operation }) => [operation, client])), ...transportNames]

/** Every third write carries an idempotency key. */
const keyed = 1 / 3

const readyOf = (group: Group, call: string, random: Random.Random): Ready => {
  const chosen = weighted(random, kinds)
  const isKeyed = chosen.isWrite && chosen.mayBeKeyed !== false && random.chance(keyed)
  const options = isKeyed ? { idempotencyKey: call } : {}
  const { client, isWrite, operation } = chosen
  const parts = [operation, client, group.way]
  return { call, isWrite, isKeyed, parts, run: () => chosen.start(group, call, options) }
}

export const calls: Line = {
  name: "calls",
  title: (scale) => `${grouped(scaled(scale, counts))} calls, about 30 % of them hit by a fault`,
  run: async (context) => {
    const stormed = await storm(context, "call", {
      counts,
      inFlights,
      groups,
      deadline,
      rows: ["boxes", "payments", "requests"],
      effects: ["boxes", "comments", "files", "payments"],
      plan: { rate: 0.3, weights: everything },
      parts,
      ready: (clients, call, index, random) =>
        readyOf(clients[index % clients.length] ?? random.pick(clients), call, random)
    })
    const { accounts, altered, count, entries, findings, hit, hung, least, outcomes, received, requests } =
      stormed
    const late = accounts.filter(({ took }) => took > deadline + allowance)
    const defects = outcomes.get("defect") ?? 0
    const forwarded = entries.filter((entry) => entry.forwarded).length
    const values = outcomes.get("value") ?? 0
    const failures = accounts.length - values - altered - defects
    const isWhole = accounts.length === count && received.length <= forwarded
    return verdict({
      must: "every one ends in a value or a typed error; 0 hangs, 0 defects, 0 unexplained, none past its deadline; no operation, client or transport below its floor",
      got: `${grouped(values + altered)} values + ${grouped(failures)} typed failures = ${grouped(accounts.length)} calls; `,
      none: {
        hangs: hung.length,
        defects,
        unexplained: findings.length,
        late: late.length,
        "below a floor": least.findings.length
      },
      holds: isWhole,
      details: [
        `${grouped(hit)} calls hit (${((hit / count) * 100).toFixed(1)} %), ${grouped(requests)} requests, ${grouped(forwarded)} forwarded, ${grouped(received.length)} in the platform's own log`,
        `${grouped(count)} calls in ${stormed.seconds.toFixed(1)} s, ${stormed.inFlight} in flight; slowest ${accounts.reduce((most, { took }) => Math.max(most, took), 0).toFixed(0)} ms of ${deadline} ms + ${allowance}, longest pause of this process ${stormed.longestPause.toFixed(0)} ms`,
        `${altered} values changed by corrupted bytes that were still a valid answer: HTTP has no checksum (TLS has)`,
        toldTally([...outcomes].sort(([, a], [, b]) => b - a)),
        `at least by the plan, but for ${least.spoiled} calls on spoiled connections: ${toldFloors(least.all)}`,
        ...listed([...findings, ...least.findings])
      ],
      figures: { calls: count, requests, hit, values: values + altered, altered, failures }
    })
  }
}

/** 100,000 calls of all clients over both transports, about 30 % of whose requests are hit by a fault. */
import { isDeepStrictEqual } from "node:util"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallOptions } from "../../../core/kernel/dispatch/call-options.js"
import * as Raw from "../../../core/kernel/operation/raw.js"
import { type Outcome, ofPromise, outcomeOf } from "../account.js"
import { asAdmin, asEndUser, asServer, asVisitor, type Group, transportNames } from "../clients.js"
import { amountOf, boxOf, paymentOf, requestOf } from "../far/rows.js"
import { toldFloors } from "../floors.js"
import { everything } from "../proxy/schedule.js"
import { scenario } from "../scenario.js"
import { storm } from "../storm.js"
import { grouped, toldTally, weighted } from "../tally.js"

const deadline = 2_000
/** Most milliseconds after its deadline at which a call has to have ended. */
const allowance = 100

type Start = (group: Group, call: string, options: CallOptions) => Promise<Outcome>
const kind = (operation: string, client: string, weight: number, start: Start) => ({
  operation,
  client,
  weight,
  start,
  isWrite: !operation.endsWith(".get"),
  // What is read while it is sent cannot be sent again.
  mayBeKeyed: operation !== "files.upload"
})

const is = (wanted: unknown) => (value: unknown) => isDeepStrictEqual(value, wanted)
const has = (wanted: object) => (value: unknown) =>
  Object.entries(wanted).every(([field, expected]) =>
    isDeepStrictEqual(Reflect.get(Object(value), field), expected)
  )

/** The content of a file that follows from the id of its call, in pieces. */
const piecesOf = (call: string): ReadonlyArray<string> => [`the file of ${call}`, "x".repeat(4_000), call]

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

const kinds = [
  kind("boxes.get", "visitor", 20, (group, call, options) =>
    outcomeOf(asVisitor(Public.boxes.get({ id: call }, options))(group), is(boxOf(call)))
  ),
  kind("boxes.get", "visitor with Promises", 20, ({ promised }, call, options) =>
    ofPromise(promised.boxes.get({ id: call }, options), is(boxOf(call)))
  ),
  kind("payments.get", "admin", 15, (group, call, options) =>
    outcomeOf(asAdmin(Admin.payments.get({ id: call }, options))(group), is(paymentOf(call)))
  ),
  kind("payments.get", "server", 15, (group, call, options) =>
    outcomeOf(asServer(Private.payments.get({ id: call }, options))(group), is(paymentOf(call)))
  ),
  kind("boxes.create", "visitor", 8, (group, call, options) => {
    const box = { ...boxOf(call), name: call }
    const wanted = has({ name: call, note: boxOf(call).note })
    return outcomeOf(asVisitor(Public.boxes.create({ payload: box }, options))(group), wanted)
  }),
  kind("boxes.create", "end user", 8, (group, call, options) => {
    const payload = { type: "SURVEY_RESULT", name: call } as const
    return outcomeOf(asEndUser(EndUser.boxes.create({ payload }, options))(group), has(payload))
  }),
  kind("requests.addComment", "admin", 7, (group, call, options) => {
    const add = Admin.requests.addComment({ id: call, payload: { text: `from ${call}` } }, options)
    return outcomeOf(asAdmin(add)(group), has({ _id: call, title: requestOf(call, "").title }))
  }),
  kind("payments.payWithLink", "server", 7, (group, call, options) => {
    const payload = { amount: amountOf(call), reference: call }
    const pay = Private.payments.payWithLink({ payload: Raw.raw(payload) }, options)
    return outcomeOf(asServer(pay)(group), has({ amount: payload.amount }))
  }),
  kind("files.upload", "end user", 8, (group, call) => {
    const file = { content: streamOf(call), name: `${call}.txt` }
    const wanted = { name: file.name, size: piecesOf(call).join("").length }
    return outcomeOf(asEndUser(EndUser.files.upload({ file }))(group), has(wanted))
  })
]

/** Every third write carries an idempotency key. */
const keyed = 1 / 3

export const calls = scenario("calls", {
  sizes: {
    full: { count: 100_000, inFlight: 256, groups: 16 },
    quick: { count: 5_000, inFlight: 256, groups: 16 },
    sample: { count: 600, inFlight: 16, groups: 2 }
  },
  title: ({ count }) => `${grouped(count)} calls, about 30 % of them hit by a fault`,
  must: "every one ends in a value or a typed error; 0 hangs, 0 defects, 0 unexplained, none past its deadline; no operation, client or transport below its floor",
  run: async (world) => {
    const stormed = await storm(world, "call", {
      deadline,
      rows: ["boxes", "payments", "requests"],
      effects: ["boxes", "comments", "files", "payments"],
      schedule: { rate: 0.3, weights: everything },
      parts: [...kinds.flatMap(({ client, operation }) => [operation, client]), ...transportNames],
      ready: (group, call, random) => {
        const { client, isWrite, mayBeKeyed, operation, start } = weighted(random, kinds)
        const isKeyed = isWrite && mayBeKeyed && random.chance(keyed)
        const options = isKeyed ? { idempotencyKey: call } : {}
        const parts = [operation, client, group.way]
        return { isWrite, isKeyed, parts, run: () => start(group, call, options) }
      }
    })
    const { accounts, altered, entries, findings, hit, hung, least, outcomes, received, requests } = stormed
    const { count, inFlight } = world.size
    const defects = outcomes.get("defect") ?? 0
    const forwarded = entries.filter((entry) => entry.forwarded).length
    const values = (outcomes.get("value") ?? 0) + altered
    const failures = accounts.length - values - defects
    const slowest = accounts.reduce((most, { took }) => Math.max(most, took), 0)
    return {
      got: `${grouped(values)} values + ${grouped(failures)} typed failures = ${grouped(accounts.length)} calls; `,
      none: {
        hangs: hung.length,
        defects,
        unexplained: findings.length,
        late: accounts.filter(({ took }) => took > deadline + allowance).length,
        "below a floor": least.findings.length
      },
      holds: accounts.length === count && received.length <= forwarded,
      details: [
        `${grouped(hit)} calls hit (${((hit / count) * 100).toFixed(1)} %), ${grouped(requests)} requests, ${grouped(forwarded)} forwarded, ${grouped(received.length)} in the platform's own log`,
        `${grouped(count)} calls in ${stormed.seconds.toFixed(1)} s, ${inFlight} in flight; slowest ${slowest.toFixed(0)} ms of ${deadline} ms + ${allowance}, longest pause of this process ${stormed.longestPause.toFixed(0)} ms`,
        `${altered} values changed by corrupted bytes that were still a valid answer: HTTP has no checksum (TLS has)`,
        toldTally([...outcomes].sort(([, a], [, b]) => b - a)),
        `at least by the schedule, but for ${least.spoiled} calls on spoiled connections: ${toldFloors(least.all)}`
      ],
      findings: [...least.findings, ...findings],
      figures: { calls: count, requests, hit, values, altered, failures }
    }
  }
})

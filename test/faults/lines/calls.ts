/** 100,000 calls of all clients over both transports, about 30 % of whose requests are hit by a fault. */
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Random from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallOptions } from "../../../core/kernel/dispatch/endpoint.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { type Outcome, ofExit, ofPromise } from "../account.js"
import {
  asAdmin,
  asEndUser,
  asServer,
  asVisitor,
  endUserSession,
  type Group,
  makeGroup,
  openWay,
  signIn,
  transportNames
} from "../clients.js"
import { drive, type Ready } from "../drive.js"
import { amountOf, boxOf, paymentOf, requestOf } from "../far/rows.js"
import { floors, toldFloors } from "../floors.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import { calm, everything } from "../proxy/plan.js"
import { reconcile } from "../reconcile.js"
import { refusing } from "../refusing.js"

const counts = { full: 100_000, quick: 5_000, sample: 600 }
/** Repetitions cost nothing here: that they are bounded in an outage is the matter of another line. */
const policy = {
  attempts: 3,
  pause: 10,
  deadline: 2_000,
  longestRetryAfter: 60_000,
  retryCost: 0,
  timeoutCost: 0
}
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
  operation: string,
  client: string,
  weight: number,
  isWrite: boolean,
  effect: (call: string, options: CallOptions) => (group: Group) => Effect.Effect<A, CallError>,
  isRight: (value: A, call: string) => boolean
): Kind => ({
  operation,
  client,
  weight,
  isWrite,
  start: (group, call, options) =>
    Effect.runPromiseExit(effect(call, options)(group)).then((exit) =>
      ofExit(exit, (value) => isRight(value, call))
    )
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
    "boxes.get",
    "visitor",
    20,
    false,
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
    "payments.get",
    "admin",
    15,
    false,
    (call, options) => asAdmin(Admin.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    "payments.get",
    "server",
    15,
    false,
    (call, options) => asServer(Private.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    "boxes.create",
    "visitor",
    8,
    true,
    (call, options) => asVisitor(Public.boxes.create({ payload: { ...boxOf(call), name: call } }, options)),
    (box, call) => has(box, "name", call) && has(box, "note", boxOf(call).note)
  ),
  kind(
    "boxes.create",
    "end user",
    8,
    true,
    (call, options) =>
      asEndUser(EndUser.boxes.create({ payload: { type: "SURVEY_RESULT", name: call } }, options)),
    (box, call) => has(box, "name", call) && box.type === "SURVEY_RESULT"
  ),
  kind(
    "requests.addComment",
    "admin",
    7,
    true,
    (call, options) =>
      asAdmin(Admin.requests.addComment({ id: call, payload: { text: `from ${call}` } }, options)),
    (request, call) => request._id === call && has(request, "title", requestOf(call, "").title)
  ),
  kind(
    "payments.payWithLink",
    "server",
    7,
    true,
    (call, options) =>
      asServer(
        Private.payments.payWithLink({ payload: { amount: amountOf(call), reference: call } }, options)
      ),
    (link, call) => has(link, "amount", amountOf(call))
  ),
  {
    ...kind(
      "files.upload",
      "end user",
      8,
      true,
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
  let left = random.next() * kinds.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = kinds.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (chosen === undefined) throw new Error("the weights of the kinds do not add up")
  const isKeyed = chosen.isWrite && chosen.mayBeKeyed !== false && random.chance(keyed)
  const options = isKeyed ? { idempotencyKey: call } : {}
  const { client, isWrite, operation } = chosen
  const parts = [operation, client, group.way]
  return { call, isWrite, isKeyed, parts, run: () => chosen.start(group, call, options) }
}

export const calls: Line = {
  name: "calls",
  title: (scale) => `${grouped(scaled(scale, counts))} calls, about 30 % of them hit by a fault`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    const inFlight = scaled(scale, inFlights)
    const direct = await far.start(seed)
    for (const rows of ["boxes", "payments", "requests"] as const) await far.fill(rows, "call", count)
    const proxy = await far.openProxy(calm)
    // As many connections as calls: that a call waits for another one's connection would be a fault that nobody planned.
    const ways = transportNames.map((name) => openWay(name, inFlight))
    const refusals = await Promise.all(ways.map(({ transport }) => refusing(transport)))
    const session = await endUserSession(openWay("fetch"), direct)
    const clients = ways.flatMap((way, index) =>
      Array.from({ length: scaled(scale, groups) }, () =>
        makeGroup({ ...way, ...refusals[index] }, proxy.url, session, policy)
      )
    )
    for (const { admin } of clients) await signIn(admin)
    const plan = { seed, rate: 0.3, weights: everything, exempt: "/auth/" }
    await far.setPlan(proxy.id, plan)
    for (const { setPlan } of refusals) setPlan(plan)
    await far.takeReceived()
    await far.takeEntries(proxy.id)
    const random = Random.make(seed, "calls")
    const driven = await drive(count, inFlight, policy.deadline, (index) =>
      readyOf(clients[index % clients.length] ?? random.pick(clients), `qt-call-${index}`, random)
    )
    await Promise.all(ways.map((way) => way.close()))
    const seen = await far.takeEntries(proxy.id)
    const entries = [...seen, ...refusals.flatMap(({ take }) => take())]
    const received = await far.takeReceived()
    const effects = new Map<string, number>()
    for (const of of ["boxes", "comments", "files", "payments"] as const)
      for (const [call, times] of await far.effects(of)) effects.set(call, (effects.get(call) ?? 0) + times)
    await far.stop()

    const sources = {
      accounts: driven.accounts,
      entries,
      effects,
      attempts: policy.attempts,
      deadline: policy.deadline
    }
    const { altered, findings, hit, outcomes, requests } = reconcile(sources)
    const least = floors({ accounts: driven.accounts, entries, plan, bearing: policy, parts })
    const late = driven.accounts.filter(({ took }) => took > policy.deadline + allowance)
    const defects = outcomes.get("defect") ?? 0
    const forwarded = entries.filter((entry) => entry.forwarded).length
    const values = outcomes.get("value") ?? 0
    const failures = driven.accounts.length - values - altered - defects
    const isWhole = driven.accounts.length === count && received.length <= forwarded
    return {
      must: "every one ends in a value or a typed error; 0 hangs, 0 defects, 0 unexplained, none past its deadline; no operation, client or transport below its floor",
      got:
        `${grouped(values + altered)} values + ${grouped(failures)} typed failures = ${grouped(driven.accounts.length)} calls; ` +
        `${driven.hung.length} hangs, ${defects} defects, ${findings.length} unexplained, ${late.length} late, ${least.findings.length} below a floor`,
      holds:
        isWhole && driven.hung.length + defects + findings.length + late.length + least.findings.length === 0,
      details: [
        `${grouped(hit)} calls hit (${((hit / count) * 100).toFixed(1)} %), ${grouped(requests)} requests, ${grouped(forwarded)} forwarded, ${grouped(received.length)} in the platform's own log`,
        `${grouped(count)} calls in ${driven.seconds.toFixed(1)} s, ${inFlight} in flight; slowest ${driven.accounts.reduce((most, { took }) => Math.max(most, took), 0).toFixed(0)} ms of ${policy.deadline} ms + ${allowance}, longest pause of this process ${driven.longestPause.toFixed(0)} ms`,
        `${altered} values changed by corrupted bytes that were still a valid answer: HTTP has no checksum (TLS has)`,
        [...outcomes]
          .sort(([, a], [, b]) => b - a)
          .map(([name, times]) => `${name} ${grouped(times)}`)
          .join(", "),
        `at least by the plan, but for ${least.spoiled} calls on spoiled connections: ${toldFloors(least.all)}`,
        ...listed([...findings, ...least.findings])
      ],
      figures: {
        calls: count,
        requests,
        hit,
        values: values + altered,
        altered,
        failures,
        hangs: driven.hung.length,
        defects,
        unexplained: findings.length,
        belowFloors: least.findings.length,
        late: late.length
      }
    }
  }
}

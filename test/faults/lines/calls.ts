/** 100,000 calls of all clients over both transports, about 30 % of whose requests are hit by a fault. */
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Random from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import type { CallError } from "../../../core/kernel/errors.js"
import type { CallOptions } from "../../../core/kernel/gateway.js"
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
  transportNames
} from "../clients.js"
import { drive, type Ready } from "../drive.js"
import { amountOf, boxOf, paymentOf, requestOf } from "../far/rows.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import { calm, everything } from "../proxy/plan.js"
import { reconcile } from "../reconcile.js"

const counts = { full: 100_000, quick: 5_000, sample: 600 }
const policy = { attempts: 3, pause: 10, deadline: 2_000 }
const inFlights = { full: 256, quick: 256, sample: 16 }
/** Groups of clients for each transport; each client has a budget of its own. */
const groups = { full: 16, quick: 16, sample: 2 }

/** A kind of call: how it is made, and whether its value is right. */
interface Kind {
  readonly weight: number
  readonly isWrite: boolean
  readonly start: (group: Group, call: string, options: CallOptions) => Promise<Outcome>
}

const has = (value: unknown, field: string, wanted: unknown): boolean =>
  typeof value === "object" && value !== null && isDeepStrictEqual(Reflect.get(value, field), wanted)

const kind = <A>(
  weight: number,
  isWrite: boolean,
  effect: (call: string, options: CallOptions) => (group: Group) => Effect.Effect<A, CallError>,
  isRight: (value: A, call: string) => boolean
): Kind => ({
  weight,
  isWrite,
  start: (group, call, options) =>
    Effect.runPromiseExit(effect(call, options)(group)).then((exit) =>
      ofExit(exit, (value) => isRight(value, call))
    )
})

const kinds: ReadonlyArray<Kind> = [
  kind(
    20,
    false,
    (call, options) => asVisitor(Public.boxes.get({ id: call }, options)),
    (box, call) => isDeepStrictEqual(box, boxOf(call))
  ),
  {
    weight: 20,
    isWrite: false,
    start: ({ promised }, call, options) =>
      ofPromise(promised.boxes.get({ id: call }, options), (box) => isDeepStrictEqual(box, boxOf(call)))
  },
  kind(
    15,
    false,
    (call, options) => asAdmin(Admin.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    15,
    false,
    (call, options) => asServer(Private.payments.get({ id: call }, options)),
    (payment, call) => isDeepStrictEqual(payment, paymentOf(call))
  ),
  kind(
    8,
    true,
    (call, options) => asVisitor(Public.boxes.create({ payload: { ...boxOf(call), name: call } }, options)),
    (box, call) => has(box, "name", call) && has(box, "note", boxOf(call).note)
  ),
  kind(
    8,
    true,
    (call, options) =>
      asEndUser(EndUser.boxes.create({ payload: { type: "SURVEY_RESULT", name: call } }, options)),
    (box, call) => has(box, "name", call) && box.type === "SURVEY_RESULT"
  ),
  kind(
    7,
    true,
    (call, options) =>
      asAdmin(Admin.requests.addComment({ id: call, payload: { text: `from ${call}` } }, options)),
    (request, call) => request._id === call && has(request, "title", requestOf(call, "").title)
  ),
  kind(
    7,
    true,
    (call, options) =>
      asServer(
        Private.payments.payWithLink({ payload: { amount: amountOf(call), reference: call } }, options)
      ),
    (link, call) => has(link, "amount", amountOf(call))
  )
]

/** Every third write carries an idempotency key. */
const keyed = 1 / 3

const readyOf = (group: Group, call: string, random: Random.Random): Ready => {
  let left = random.next() * kinds.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = kinds.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (chosen === undefined) throw new Error("the weights of the kinds do not add up")
  const isKeyed = chosen.isWrite && random.chance(keyed)
  const options = isKeyed ? { idempotencyKey: call } : {}
  return { call, isWrite: chosen.isWrite, isKeyed, run: () => chosen.start(group, call, options) }
}

/** Signs in before the faults begin: calls that wait for a sign-in are the matter of another line. */
const signInAll = async (groups: ReadonlyArray<Group>): Promise<void> => {
  for (const group of groups) await Effect.runPromise(asAdmin(Admin.requests.list({ limit: 1 }))(group))
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
    const ways = transportNames.map((name) => openWay(name))
    const session = await endUserSession(openWay("fetch"), direct)
    const clients = ways.flatMap((way) =>
      Array.from({ length: scaled(scale, groups) }, () => makeGroup(way, proxy.url, session, policy))
    )
    await signInAll(clients)
    await far.setPlan(proxy.id, { seed, rate: 0.3, weights: everything, exempt: "/auth/" })
    await far.takeReceived()
    await far.takeEntries(proxy.id)
    const random = Random.make(seed, "calls")
    const driven = await drive(count, inFlight, policy.deadline, (index) =>
      readyOf(clients[index % clients.length] ?? random.pick(clients), `qt-call-${index}`, random)
    )
    await Promise.all(ways.map((way) => way.close()))
    const entries = await far.takeEntries(proxy.id)
    const received = await far.takeReceived()
    const effects = new Map<string, number>()
    for (const of of ["boxes", "comments", "payments"] as const)
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
    const late = driven.accounts.filter(({ took }) => took > policy.deadline + 1_000)
    const defects = outcomes.get("defect") ?? 0
    const forwarded = entries.filter((entry) => entry.forwarded).length
    const values = outcomes.get("value") ?? 0
    const failures = driven.accounts.length - values - altered - defects
    const isWhole = driven.accounts.length === count && received.length <= forwarded
    return {
      must: "every one ends in a value or a typed error; 0 hangs, 0 defects, 0 unexplained, none past its deadline + 1 s",
      got:
        `${grouped(values + altered)} values + ${grouped(failures)} typed failures = ${grouped(driven.accounts.length)} calls; ` +
        `${driven.hung.length} hangs, ${defects} defects, ${findings.length} unexplained, ${late.length} late`,
      holds: isWhole && driven.hung.length + defects + findings.length + late.length === 0,
      details: [
        `${grouped(hit)} calls hit (${((hit / count) * 100).toFixed(1)} %), ${grouped(requests)} requests, ${grouped(forwarded)} forwarded, ${grouped(received.length)} in the platform's own log`,
        `${grouped(count)} calls in ${driven.seconds.toFixed(1)} s, ${inFlight} in flight; slowest ${Math.max(...driven.accounts.map(({ took }) => took)).toFixed(0)} ms of ${policy.deadline} ms + 1 s, longest pause of this process ${driven.longestPause.toFixed(0)} ms`,
        `${altered} values changed by corrupted bytes that were still a valid answer: HTTP has no checksum (TLS has)`,
        [...outcomes]
          .sort(([, a], [, b]) => b - a)
          .map(([name, times]) => `${name} ${grouped(times)}`)
          .join(", "),
        ...listed(findings)
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
        late: late.length
      }
    }
  }
}

/** Calls that are cancelled while they are under way: each lets go of its connection, and nothing more is sent for it. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import {
  asAdmin,
  asVisitor,
  endUserSession,
  type Group,
  makeGroup,
  openWay,
  signIn,
  transportNames
} from "../clients.js"
import * as Clock from "../clock.js"
import type { Far } from "../far/far.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import { calm, type Entry, type Plan } from "../proxy/plan.js"
import type { Finding } from "../reconcile.js"

/** Calls of each kind, over each transport, in each phase. */
const counts = { full: 200, quick: 50, sample: 10 }
/** Longest pause before a repetition; the deadline is further off, so that nothing but its cancellation ends a call. */
const longestPause = 20_000
const policy = {
  attempts: 3,
  pause: longestPause,
  longestPause,
  deadline: 120_000,
  retryCost: 0,
  timeoutCost: 0
}
/** Most milliseconds that a cancellation is given to be seen at the other end, on the clock of the harness. */
const patience = 2_000

/** A call under way: `cancel` leaves it, and answers once its caller is free. */
interface Begun {
  readonly cancel: () => Promise<unknown>
}

/** A way to make a call, and to leave it. */
interface Style {
  readonly name: string
  readonly begin: (group: Group, call: string) => Begun
}

const fiberOf = <A, E>(effect: Effect.Effect<A, E>): Begun => {
  const fiber = Effect.runFork(effect)
  return { cancel: () => Effect.runPromise(Fiber.interrupt(fiber)) }
}

const styles: ReadonlyArray<Style> = [
  {
    name: "an interrupted read",
    begin: (group, call) => fiberOf(asVisitor(Public.boxes.get({ id: call }))(group))
  },
  {
    name: "an interrupted write",
    begin: (group, call) =>
      fiberOf(
        asAdmin(
          Admin.requests.addComment({ id: call, payload: { text: `from ${call}` } }, { idempotencyKey: call })
        )(group)
      )
  },
  {
    name: "an aborted Promise",
    begin: ({ promised }, call) => {
      const abort = new AbortController()
      const ended = promised.boxes.get({ id: call }, { signal: abort.signal }).catch(() => undefined)
      return {
        cancel: () => {
          abort.abort()
          return ended
        }
      }
    }
  },
  {
    name: "a download that is left",
    begin: ({ admin }, call) => {
      const bytes = Stream.provideService(Admin.payments.csv({ reference: call }), Admin.Client, admin)
      return fiberOf(Stream.runDrain(bytes))
    }
  }
]

interface Phase {
  readonly name: string
  readonly weights: Plan["weights"]
  /** Whether the calls have got there: `seen` came to the proxy, `pending` of them are held by it. */
  readonly isReached: (calls: number, seen: number, pending: number) => boolean
  /** Whether each call holds a connection, and so has to let it go. */
  readonly isHeld: boolean
}

const phases: ReadonlyArray<Phase> = [
  {
    // A stall is silence, or a part of an answer and then silence.
    name: "waiting for the answer, or within it",
    weights: { stall: 1 },
    isReached: (calls, _, pending) => pending >= calls,
    isHeld: true
  },
  {
    name: "in the pause before a repetition",
    weights: { "reset-before": 1 },
    isReached: (calls, seen) => seen >= calls,
    isHeld: false
  }
]

/** Waits until something is so, or says that it never was. */
const until = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  const limit = Clock.now() + patience
  while (Clock.now() < limit) {
    if (await isSo()) return true
    await Clock.sleep(20)
  }
  return isSo()
}

interface Cancelled {
  readonly name: string
  readonly calls: number
  readonly closed: number
  readonly findings: ReadonlyArray<Finding>
}

/** Begins the calls of one style, waits until they are where they are to be cancelled, and cancels them. */
const cancelAll = async (
  ground: { readonly far: Far; readonly proxy: number; readonly seed: number; readonly group: Group },
  { begin, name }: Style,
  { isHeld, isReached, name: where, weights }: Phase,
  calls: ReadonlyArray<string>
): Promise<Cancelled> => {
  const { far, group, proxy, seed } = ground
  await far.setPlan(proxy, { seed, rate: 1, weights, exempt: "/auth/" })
  const entries: Array<Entry> = []
  const take = async (): Promise<ReadonlyArray<Entry>> => {
    const taken = await far.takeEntries(proxy)
    entries.push(...taken)
    return taken
  }
  const begun = calls.map((call) => begin(group, call))
  let seen = 0
  const isThere = await until(async () => {
    // Entries are copies of what stands in the proxy's list: what becomes of a request that is held is read later.
    if (!isHeld) seen += (await take()).length
    return isReached(calls.length, seen, await far.pending(proxy))
  })
  let free = 0
  for (const { cancel } of begun)
    cancel().then(() => {
      free += 1
    })
  await until(async () => free === begun.length)
  const bound = begun.length - free
  await until(async () => (await far.pending(proxy)) === 0)
  await take()
  // Beyond every pause: a call that was not cancelled would go on now.
  Clock.skip(longestPause)
  await Clock.sleep(200)
  const later = await take()
  await far.setPlan(proxy, calm)

  const of = `${name}, ${where} (${group.way})`
  const mine = entries.filter(({ call }) => calls.includes(call))
  const closed = mine.filter(({ abandoned }) => abandoned).length
  const findings: Array<Finding> = []
  if (bound > 0) findings.push({ call: of, what: `${bound} callers could not leave their calls` })
  if (!isThere) findings.push({ call: of, what: `only ${mine.length} of ${calls.length} calls got there` })
  for (const { call } of later) findings.push({ call: of, what: `${call} was sent after it was cancelled` })
  for (const call of calls) {
    const own = mine.filter((entry) => entry.call === call)
    if (own.length === 0) findings.push({ call: of, what: `${call} was never seen` })
    else if (isHeld && !own.every(({ abandoned }) => abandoned))
      findings.push({ call: of, what: `${call} was cancelled, and its connection stayed open` })
  }
  return { name: of, calls: calls.length, closed: isHeld ? closed : 0, findings }
}

export const cancels: Line = {
  name: "cancels",
  title: (scale) =>
    `${grouped(scaled(scale, counts) * styles.length * phases.length * transportNames.length)} calls that are cancelled`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    const direct = await far.start(seed)
    const proxy = await far.openProxy(calm)
    const done: Array<Cancelled> = []
    let number = 0
    for (const name of transportNames) {
      const way = openWay(name, count)
      const session = await endUserSession(way, direct)
      const group = makeGroup(way, proxy.url, session, policy)
      await signIn(group.admin)
      await far.takeEntries(proxy.id)
      for (const phase of phases)
        for (const style of styles) {
          const calls = Array.from({ length: count }, (_, index) => `qt-cancel-${number + index}`)
          number += count
          done.push(await cancelAll({ far, proxy: proxy.id, seed, group }, style, phase, calls))
        }
      await way.close()
    }
    await far.stop()
    const findings = done.flatMap((one) => one.findings)
    const calls = done.reduce((sum, one) => sum + one.calls, 0)
    const held = number / phases.length
    const closed = done.reduce((sum, one) => sum + one.closed, 0)
    return {
      must: "every cancelled call is seen to close its connection, and is not sent again",
      got: `${grouped(closed)} of ${grouped(held)} connections closed by cancelled calls; ${findings.length} findings`,
      holds: findings.length === 0 && calls === number && closed === held,
      details: [done.map((one) => `${one.name} ${one.calls}`).join("; "), ...listed(findings)],
      figures: { calls, closed, findings: findings.length }
    }
  }
}

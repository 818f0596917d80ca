/** Calls that are cancelled while they are under way: each closes its connection, and nothing more is sent for it. */
import { Effect, Fiber, Stream } from "effect"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import {
  asAdmin,
  asVisitor,
  endUserSession,
  type Group,
  makeGroup,
  signIn,
  transportNames
} from "../clients.js"
import * as Clock from "../clock.js"
import { calm, type LoggedRequest } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped } from "../tally.js"

/** Longest pause before a repetition; the deadline is further off, so that nothing but its cancellation ends a call. */
const longestPause = 20_000
const policy = { pause: longestPause, longestPause, deadline: 120_000, retryCost: 0, timeoutCost: 0 }
/** Most milliseconds that a cancellation is given to be seen at the other end, on the clock of the harness. */
const patience = 2_000

/** Begins a call; what it answers cancels the call, and answers once its caller is free. */
type Begin = (group: Group, call: string) => () => Promise<unknown>

const forked = <A, E>(effect: Effect.Effect<A, E>): (() => Promise<unknown>) => {
  const fiber = Effect.runFork(effect)
  return () => Effect.runPromise(Fiber.interrupt(fiber))
}

const styles: Readonly<Record<string, Begin>> = {
  "an interrupted read": (group, call) => forked(asVisitor(Public.boxes.get({ id: call }))(group)),
  "an interrupted write": (group, call) => {
    const payload = { text: `from ${call}` }
    return forked(asAdmin(Admin.requests.addComment({ id: call, payload }, { idempotencyKey: call }))(group))
  },
  "an aborted Promise": ({ promised }, call) => {
    const abort = new AbortController()
    const ended = promised.boxes.get({ id: call }, { signal: abort.signal }).catch(() => undefined)
    return () => {
      abort.abort()
      return ended
    }
  },
  "a download that is left": ({ admin }, call) => {
    const bytes = Stream.provideService(
      Admin.payments.csv({ query: { reference: call } }),
      Admin.Client,
      admin
    )
    return forked(Stream.runDrain(bytes))
  }
}

/** Where calls are cancelled; `isHeld`: each of them holds a connection there, and so has to close it. */
const phases = [
  // A stall is silence, or a part of an answer and then silence.
  { where: "waiting for the answer, or within it", weights: { stall: 1 }, isHeld: true },
  { where: "in the pause before a repetition", weights: { "reset-before": 1 }, isHeld: false }
]

const until = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  const limit = Clock.now() + patience
  while (Clock.now() < limit) {
    if (await isSo()) return true
    await Clock.sleep(20)
  }
  return isSo()
}

export const cancels = scenario("cancels", {
  /** Calls of each style, over each transport, in each phase. */
  sizes: { full: 200, quick: 50, sample: 10 },
  title: (size) =>
    `${grouped(size * Object.keys(styles).length * phases.length * transportNames.length)} calls that are cancelled`,
  must: "every cancelled call is seen to close its connection, and is not sent again",
  run: async ({ far, open, seed, size }) => {
    const direct = await far.start(seed)
    const proxy = await far.openProxy(calm)
    const findings: Array<Finding> = []
    const details: Array<string> = []
    let calls = 0
    let held = 0
    let closed = 0

    /** Begins calls of one style, waits until they are where they are to be cancelled, and cancels them. */
    const cancelAll = async (
      group: Group,
      [name, begin]: readonly [string, Begin],
      { isHeld, weights, where }: (typeof phases)[number]
    ): Promise<void> => {
      const names = Array.from({ length: size }, (_, index) => `qt-cancel-${calls + index}`)
      calls += size
      const of = `${name}, ${where} (${group.way})`
      const find = (what: string) => findings.push({ call: of, what })
      await far.setSchedule(proxy.id, { seed, rate: 1, weights, exempt: "/auth/" })
      const entries: Array<LoggedRequest> = []
      const take = async (): Promise<ReadonlyArray<LoggedRequest>> => {
        const taken = await far.takeEntries(proxy.id)
        entries.push(...taken)
        return taken
      }
      const begun = names.map((call) => begin(group, call))
      const isThere = await until(async () => {
        // Entries are copies of what stands in the proxy's list: what becomes of a request that is held is read later.
        if (isHeld) return (await far.pending(proxy.id)) >= size
        await take()
        return entries.length >= size
      })
      let free = 0
      for (const cancel of begun)
        cancel().then(() => {
          free += 1
        })
      await until(async () => free === size)
      if (free < size) find(`${size - free} callers could not leave their calls`)
      await until(async () => (await far.pending(proxy.id)) === 0)
      await take()
      // Beyond every pause: a call that was not cancelled would go on now.
      Clock.skip(longestPause)
      await Clock.sleep(200)
      for (const { call } of await take()) find(`${call} was sent after it was cancelled`)
      await far.setSchedule(proxy.id, calm)

      const mine = entries.filter(({ call }) => names.includes(call))
      if (!isThere) find(`only ${mine.length} of ${size} calls got there`)
      for (const call of names) {
        const own = mine.filter((entry) => entry.call === call)
        if (own.length === 0) find(`${call} was never seen`)
        else if (isHeld && !own.every(({ abandoned }) => abandoned))
          find(`${call} was cancelled, and its connection stayed open`)
      }
      if (isHeld) {
        held += size
        closed += mine.filter(({ abandoned }) => abandoned).length
      }
      details.push(`${of} ${size}`)
    }

    for (const name of transportNames) {
      const way = open(name, size)
      const group = makeGroup(way, proxy.url, await endUserSession(way, direct), policy)
      await signIn(group.admin)
      await far.takeEntries(proxy.id)
      for (const phase of phases)
        for (const style of Object.entries(styles)) await cancelAll(group, style, phase)
    }
    return {
      got: `${grouped(closed)} of ${grouped(held)} connections closed by cancelled calls; `,
      none: { findings: findings.length },
      holds: closed === held,
      details: [details.join("; ")],
      findings,
      figures: { calls, closed }
    }
  }
})

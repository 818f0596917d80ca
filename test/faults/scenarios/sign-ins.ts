/** 1,000 calls at once without a session, with one that has ended, and with one that cannot be renewed. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { nameOf, outcomeOf } from "../account.js"
import { makeAdmin, transportNames } from "../clients.js"
import { paymentOf } from "../far/rows.js"
import { fateOf } from "../floors.js"
import { calm, type FaultSchedule } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped, tally, toldTally } from "../tally.js"

/** Milliseconds after a failed sign-in in which none is tried again: longer than the last of the calls takes. */
const cooldown = 120_000
const policy = { attempts: 3, deadline: 60_000, longestRetryAfter: 60_000, pause: 20 }

/** Of the refusals of an ended session, one in so many comes after the renewal; fewer than a client has connections. */
const lateOneIn = 4
const mostLate = 16

/** The sign-ins on the new and on the legacy service. */
const services = ["/auth/admin/login", "/auth/login"]

export const signIns = scenario("sign-ins", {
  sizes: { full: 1_000, quick: 1_000 },
  title: (size) => `${grouped(size)} concurrent 401s`,
  must: "1 sign-in (on each of the two services), also for calls that are refused after it; each call repeated at most once",
  run: async ({ far, open, seed, size }) => {
    const findings: Array<Finding> = []
    const details: Array<string> = []
    const got: Array<string> = []
    const figures: Record<string, number> = {}
    for (const name of transportNames) {
      await far.start(seed)
      await far.fill("payments", "sign", 1)
      const proxy = await far.openProxy(calm)
      const admin = makeAdmin(open(name), proxy.url, policy, cooldown)
      const wanted = paymentOf("qt-sign-0")
      const one = Effect.provideService(Admin.payments.get({ id: wanted._id }), Admin.Client, admin)
      const run = () => outcomeOf(one, ({ _id }) => _id === wanted._id)

      /** Makes the calls; what came of them, and what the platform received. */
      const situation = async () => {
        const ended = await Promise.all(Array.from({ length: size }, run))
        const received = await far.takeReceived()
        return {
          outcomes: tally(ended.map(nameOf)),
          signIns: services.map((path) => received.filter(({ line }) => line === `POST ${path}`).length),
          refusals: received.filter(({ status }) => status === 401).length,
          sent: received.filter(({ line }) => line.startsWith("GET ")).length,
          late: await far.lateRefusals(proxy.id)
        }
      }
      /** Holds a situation against what must be of it, where only some outcomes may be. */
      const check = (
        what: string,
        found: Awaited<ReturnType<typeof situation>>,
        due: Omit<typeof found, "outcomes">,
        ...allowed: ReadonlyArray<string>
      ) => {
        const { outcomes, ...counts } = found
        const call = `${name}, ${what}`
        const told = (of: object) => JSON.stringify(of).replaceAll(/[{}"]/g, "")
        details.push(`${call}: ${toldTally(outcomes)}; ${told(counts)}`)
        const other = [...outcomes.keys()].find((word) => !allowed.includes(word))
        if (other !== undefined) findings.push({ call, what: `a call ended as ${other}` })
        if (told(counts) !== told(due)) findings.push({ call, what: `${told(counts)}, not ${told(due)}` })
      }

      const cold = await situation()
      check("no session", cold, { signIns: [1, 1], refusals: 0, sent: size, late: 0 }, "value")
      await far.expireSessions()
      await far.holdRefusals(proxy.id, lateOneIn, mostLate)
      const ended = await situation()
      // Each call is sent once more.
      const twice = { signIns: [1, 1], refusals: size, sent: 2 * size, late: mostLate }
      check("session ended", ended, twice, "value")
      await far.expireSessions()
      const schedule: FaultSchedule = { seed, rate: 1, weights: { "server-error": 1 }, only: "/auth/" }
      await far.setSchedule(proxy.id, schedule)
      const hopeless = await situation()
      const attempts = (await far.takeEntries(proxy.id)).filter(({ kind }) => kind !== undefined)
      // Attempts beyond those that one sign-in makes by the schedule: none, and fewer on the service that did not make it fail.
      const over = services.map((path) => {
        const call = `POST ${path} HTTP/1.1`
        return (
          attempts.filter((entry) => entry.call === call).length -
          fateOf(schedule, call, true, policy).attempts
        )
      })
      const none = { signIns: [0, 0], refusals: size, sent: size, late: 0 }
      check("sign-in down", hopeless, none, "ServerFault", "CredentialsError Cooldown")
      details.push(`${name}, sign-in down: ${over.join(" + ")} attempts beyond those of one sign-in`)
      if (Math.max(...over) !== 0)
        findings.push({ call: name, what: `${over.join(" + ")} attempts too many` })
      got.push(`${name} ${ended.signIns.join(" + ")} sign-ins`)
      figures[`${name} sign-ins`] = ended.signIns[0] ?? 0
    }
    return { got: `${got.join(", ")}; `, none: { findings: findings.length }, details, findings, figures }
  }
})

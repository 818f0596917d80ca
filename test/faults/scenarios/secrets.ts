/** Servers that repeat every credential in every way, and every place where an error is written: none shows one. */
import { inspect } from "node:util"
import { canaries } from "@quartet/support/secrets/canaries.js"
import { Search } from "@quartet/support/secrets/search.js"
import { sinks } from "@quartet/support/secrets/sinks.js"
import { failures } from "@quartet/support/secrets/spill.js"
import { type Subject, subjects } from "@quartet/support/secrets/subjects.js"
import { writings } from "@quartet/support/secrets/writings.js"
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { Transport } from "../../../core/ports/transport.js"
import { quiet, transportNames, type Way } from "../clients.js"
import { idOf, slow } from "../far/spiller.js"
import { scenario } from "../scenario.js"
import { grouped, toldTally } from "../tally.js"

/**
 * Every so many of the combinations of a failure and a writing is tried, from another one on for each client. Each writing
 * is tried in the message of a refusal, which shows most of it, with every so many of the clients.
 */
interface Size {
  readonly step: number
  readonly stride: number
}

const inFlight = 16
const policy = { attempts: 2, pause: 1, deadline: 400, longestRetryAfter: 50 }

const searchSubject = async (search: Search, way: Way, baseUrl: string, size: Size, subject: Subject) => {
  const { step, stride } = size
  const place = subjects.indexOf(subject)
  const title = `${way.name}, ${subject.name}`
  const make = (id: string) => subject.make(way.transport, { baseUrl, policy, ...quiet }, id)
  const names = Object.keys(writings)
  const jobs = failures.flatMap(([failure], at) =>
    names.flatMap((writing, index) => {
      const isTurn = (at * names.length + index) % step === (place * 71) % step
      const isMessage = failure === "status 400, the message" && index % stride === place % stride
      if (!isTurn && !isMessage) return []
      const call = Effect.flatMap(make(idOf(at, index)), (world) => world.call)
      return [() => search.run(`${title}, ${failure}, ${writing}`, call, subject.canaries)]
    })
  )
  const worker = async (): Promise<void> => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job()
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { client } = await Effect.runPromise(make("plain"))
  const shown = inspect(client, { depth: Number.POSITIVE_INFINITY, showHidden: true })
  search.look(title, "the client", shown, subject.canaries)
}

/** An admin whose first token is refused while a call that was sent with it is still on its way. */
const overtaken = (way: Way, baseUrl: string): Effect.Effect<never, unknown> => {
  const { email, password } = canaries
  const config = { baseUrl, projectId: "p", signInCooldown: 0, policy: { attempts: 1, deadline: 2_000 } }
  const client = Admin.make({ ...config, email: email.value, password: password.value })
  return Effect.gen(function* () {
    const admin = yield* Effect.provideService(client, Transport, way.transport)
    const get = (id: string) => Effect.provideService(Admin.requests.get({ id }), Admin.Client, admin)
    // The sign-in first, then both calls with its token: the quick one is refused and renews it.
    yield* Effect.ignore(Effect.clockWith(admin.session.getCredentials))
    const [error] = yield* Effect.all([Effect.flip(get(slow)), get("plain")], { concurrency: 2 })
    return yield* Effect.fail(error)
  })
}

export const secrets = scenario("secrets", {
  sizes: {
    full: { step: 23, stride: 1 },
    quick: { step: 307, stride: 4 },
    sample: { step: 1_009, stride: 14 }
  },
  title: () => "secrets, spilled by the server in every way",
  must: "0 leaks in all canary × error × sink cases",
  run: async ({ far, open, size }) => {
    const url = await far.openSpiller()
    const search = new Search()
    const { accessToken, password, renewedToken, sessionId } = canaries
    const secrets = [password, accessToken, renewedToken, sessionId]
    for (const name of transportNames) {
      const way = open(name)
      await search.run(`${name}, overtaken by a new token`, overtaken(way, url), secrets)
      for (const subject of subjects) await searchSubject(search, way, url, size, subject)
    }
    const { cases, errors, leaks, outcomes, untyped } = search
    const kinds = [...outcomes.keys()].filter((name) => name !== "value").length
    const names = Object.keys(sinks)
    return {
      got: `${grouped(cases)} cases, `,
      none: { leaks: leaks.length, untyped },
      holds: kinds > 10,
      details: [
        `${grouped(errors)} errors of ${kinds} kinds in ${names.length} sinks: ${names.join(", ")}`,
        toldTally(outcomes)
      ],
      findings: leaks,
      figures: { cases, sinks: names.length, kinds }
    }
  }
})

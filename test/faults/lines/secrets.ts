/** Servers that repeat every credential in every way, and every place where an error is written: none shows one. */
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import { Transport } from "../../../core/ports/transport.js"
import { canaries } from "../../support/secrets/canaries.js"
import { Search } from "../../support/secrets/search.js"
import { sinks } from "../../support/secrets/sinks.js"
import { failures } from "../../support/secrets/spill.js"
import { type Subject, subjects } from "../../support/secrets/subjects.js"
import { writings } from "../../support/secrets/writings.js"
import { openWay, quiet, transportNames, type Way } from "../clients.js"
import { idOf, slow } from "../far/spiller.js"
import { grouped, type Line, listed, type Scale, scaled, toldTally } from "../line.js"

/** Every so many of the combinations of a failure and a writing is tried, from another one on for each client. */
const steps = { full: 23, quick: 307, sample: 1_009 }
/** Each writing is tried in the message of a refusal, which shows most of it, with every so many of the clients. */
const strides = { full: 1, quick: 4, sample: 14 }
const inFlight = 16
const policy = { attempts: 2, pause: 1, deadline: 400, longestRetryAfter: 50 }

const writes = Object.keys(writings).length

/** The combinations that are tried with a client, by its place. */
const chosen = (scale: Scale, place: number): ReadonlyArray<readonly [failure: number, writing: number]> =>
  failures.flatMap(([name], failure) =>
    Array.from({ length: writes }, (_, writing) => [failure, writing] as const).filter(([, writing]) => {
      const isTurn = writing % scaled(scale, strides) === place % scaled(scale, strides)
      const number = failure * writes + writing
      return (
        number % scaled(scale, steps) === (place * 71) % scaled(scale, steps) ||
        (name === "status 400, the message" && isTurn)
      )
    })
  )

const searchSubject = async (search: Search, way: Way, baseUrl: string, scale: Scale, subject: Subject) => {
  const title = `${way.name}, ${subject.name}`
  const make = (id: string) => subject.make(way.transport, { baseUrl, policy, ...quiet }, id)
  const jobs = chosen(scale, subjects.indexOf(subject)).map(([failure, writing]) => () => {
    const call = Effect.flatMap(make(idOf(failure, writing)), (one) => one.call)
    const name = `${title}, ${failures[failure]?.[0]}, ${Object.keys(writings)[writing]}`
    return search.run(name, call, subject.canaries)
  })
  const worker = async (): Promise<void> => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job()
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const { client } = await Effect.runPromise(make("plain"))
  search.look(
    title,
    "the client",
    inspect(client, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    subject.canaries
  )
}

/** An admin whose first token is refused while a call that was sent with it is still on its way. */
const overtaken = (way: Way, baseUrl: string): Effect.Effect<never, unknown> => {
  const { email, password } = canaries
  const config = { baseUrl, projectId: "p", signInCooldown: 0, policy: { attempts: 1, deadline: 2_000 } }
  const made = Admin.make({ ...config, email: email.value, password: password.value })
  return Effect.gen(function* () {
    const admin = yield* Effect.provideService(made, Transport, way.transport)
    const get = (id: string) => Effect.provideService(Admin.requests.get({ id }), Admin.Client, admin)
    // The sign-in first, then both calls with its token: the quick one is refused and renews it.
    yield* Effect.ignore(Effect.clockWith(admin.session.getCredentials))
    const [error] = yield* Effect.all([Effect.flip(get(slow)), get("plain")], { concurrency: 2 })
    return yield* Effect.fail(error)
  })
}

export const secrets: Line = {
  name: "secrets",
  title: () => "secrets, spilled by the server in every way",
  run: async ({ far, scale }) => {
    const url = await far.openSpiller()
    const search = new Search()
    for (const name of transportNames) {
      const way = openWay(name)
      const { accessToken, email, password, renewedToken, sessionId } = canaries
      const held = [email, password, accessToken, renewedToken, sessionId]
      await search.run(`${name}, overtaken by a new token`, overtaken(way, url), held)
      for (const subject of subjects) await searchSubject(search, way, url, scale, subject)
      await way.close()
    }
    await far.stop()
    const { cases, errors, leaks, outcomes, untyped } = search
    const kinds = [...outcomes.keys()].filter((name) => name !== "value")
    return {
      must: "0 leaks in all canary × error × sink cases",
      got: `${leaks.length} leaks in ${grouped(cases)} cases`,
      holds: leaks.length + untyped === 0 && kinds.length > 10,
      details: [
        `${grouped(errors)} errors of ${kinds.length} kinds in ${Object.keys(sinks).length} sinks: ${Object.keys(sinks).join(", ")}`,
        toldTally(outcomes),
        ...listed(leaks)
      ],
      figures: { cases, leaks: leaks.length, sinks: Object.keys(sinks).length, kinds: kinds.length }
    }
  }
}

/** Generated hostile input and answers: nothing crashes, nothing goes to another origin, no value changes in silence. */
import * as Effect from "effect/Effect"
import * as Random from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import * as Boxes from "../../../core/boxes/operations.js"
import { Transport } from "../../../core/ports/transport.js"
import { claims, jwt } from "../../support/jwt.js"
import { nameOf, ofExit } from "../account.js"
import { openWay, quiet, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { lists, paths, queries } from "../hostile/addresses.js"
import { answerOf, maxBytes } from "../hostile/answers.js"
import { contentV2, contentV3, forms, payloads } from "../hostile/bodies.js"
import { type Ended, type Family, type Ground, isRefusal, send } from "../hostile/cases.js"
import { baseUrls, headerNames, headers, keys, routes } from "../hostile/configurations.js"
import { difference, isPolluted, saidIn } from "../hostile/truth.js"
import { grouped, type Line, listed, scaled } from "../line.js"
import type { Finding } from "../reconcile.js"

const counts = { full: 24_000, quick: 3_000, sample: 600 }
const policy = { attempts: 1, deadline: 3_000, maxBytes }
const inFlight = 64
const projectId = "the-project"

const families: ReadonlyArray<Family> = [
  paths,
  queries,
  lists,
  payloads,
  contentV3,
  contentV2,
  forms,
  baseUrls,
  routes,
  headers,
  headerNames,
  keys
]

const groundsOf = (recorder: {
  readonly url: string
  readonly hostileUrl: string
  readonly evil: string
}): ReadonlyArray<Ground & { readonly close: () => Promise<void> }> =>
  transportNames.map((name) => {
    const way = openWay(name)
    const over = <A>(made: Effect.Effect<A, unknown, Transport>): A =>
      Effect.runSync(Effect.provideService(made, Transport, way.transport))
    const common = { baseUrl: recorder.url, ...quiet, policy }
    return {
      ...recorder,
      way,
      projectId,
      visitor: over(Public.make({ ...common, apiKey: "key" })),
      victim: over(Public.make({ ...common, baseUrl: recorder.hostileUrl, apiKey: "key" })),
      admin: over(Admin.make({ ...common, projectId, sessionId: "session", accessToken: jwt(claims) })),
      close: way.close
    }
  })

/** One call that is answered with hostility, and whether what it says of the answer is true. */
const answered = async ({ evil, victim }: Ground, seed: number, number: number): Promise<Ended> => {
  const { truth } = answerOf(seed, number, evil)
  let complaint: string | undefined
  const exit = await Effect.runPromiseExit(send(victim, Boxes.get, { id: `qt-ans-${number}` }))
  const outcome = ofExit(exit, (value) => {
    if (truth === undefined) return true
    complaint = difference(value, saidIn(truth))
    return complaint === undefined
  })
  if (outcome._tag === "Defect") complaint = outcome.text
  if (isPolluted()) complaint = "Object.prototype was polluted"
  return { outcome, complaint }
}

/** The family of a case, by the weights. */
const chosen = (random: Random.Random): Family => {
  let left = random.next() * families.reduce((sum, { weight }) => sum + weight, 0)
  for (const family of families) {
    left -= family.weight
    if (left < 0) return family
  }
  throw new Error("the weights of the families do not add up")
}

/** Every third case is an answer. */
const isAnswer = (number: number): boolean => number % 3 === 2

export const hostile: Line = {
  name: "hostile",
  title: (scale) => `hostile input, ${grouped(scaled(scale, counts))} generated cases`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    const grounds = groundsOf(await far.openRecorder(seed))
    const findings: Array<Finding> = []
    const tally = new Map<string, { sent: number; refused: number }>()
    const readings = new Map<string, number>()
    let sent = 0
    let silentlySent = 0
    const driven = await drive(count, inFlight, policy.deadline, (number) => {
      const ground = grounds[Math.floor(number / 3) % grounds.length] as Ground
      const random = Random.make(seed, `case ${number}`)
      const family = isAnswer(number) ? undefined : chosen(random)
      const name = family?.name ?? "answers"
      const call = `qt-hostile-${number}`
      const start = (): Promise<Ended> =>
        family === undefined
          ? answered(ground, seed, number)
          : family.run(ground, Random.make(seed, call), Random.make(seed, call))
      return {
        call,
        isWrite: false,
        isKeyed: false,
        parts: [],
        run: async () => {
          const ended = await start()
          const counted = tally.get(name) ?? { sent: 0, refused: 0 }
          if (isRefusal(ended)) counted.refused += 1
          else {
            counted.sent += 1
            sent += 1
          }
          tally.set(name, counted)
          const reading = nameOf(ended.outcome)
          if (family === undefined) readings.set(reading, (readings.get(reading) ?? 0) + 1)
          // Input that is sent must come back as the echo: another failure would mean that it broke the wire.
          if (family !== undefined && ended.outcome._tag === "Failure" && !isRefusal(ended)) {
            silentlySent += 1
            findings.push({
              call: `${call} (${ground.way.name}, ${name})`,
              what: `ended as ${nameOf(ended.outcome)}: ${ended.outcome.error.message}`
            })
          }
          if (ended.complaint !== undefined)
            findings.push({ call: `${call} (${ground.way.name}, ${name})`, what: ended.complaint })
          return ended.outcome
        }
      }
    })
    const { escapes, requests } = await far.takeRecorded()
    await Promise.all(grounds.map(({ close }) => close()))
    await far.stop()
    const defects = driven.accounts.filter(({ outcome }) => outcome._tag === "Defect").length
    const altered = driven.accounts.filter(
      ({ outcome }) => outcome._tag === "Value" && !outcome.isRight
    ).length
    return {
      must: "0 crashes, 0 origin escapes, 0 silent changes of a value",
      got: `${defects + driven.hung.length} crashes, ${escapes} origin escapes, ${altered} silent changes, ${silentlySent} broken on the wire`,
      holds:
        findings.length + escapes + driven.hung.length === 0 &&
        driven.accounts.length === count &&
        // What was refused was not sent, and what was sent was sent once.
        requests === sent,
      details: [
        `${grouped(sent)} sent and ${grouped(count - sent)} refused before anything was sent; the servers received ${grouped(requests)}`,
        [...tally]
          .map(
            ([name, { refused, sent: own }]) => `${name} ${grouped(own)} sent, ${grouped(refused)} refused`
          )
          .join("; "),
        `answers: ${[...readings]
          .sort(([, a], [, b]) => b - a)
          .map(([reading, times]) => `${reading} ${grouped(times)}`)
          .join(", ")}`,
        ...listed(findings)
      ],
      figures: {
        cases: count,
        sent,
        refused: count - sent,
        crashes: defects,
        escapes,
        altered,
        findings: findings.length
      }
    }
  }
}

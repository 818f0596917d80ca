/** Generated hostile input and answers: nothing crashes, nothing goes to another origin, no value changes in silence. */
import * as Effect from "effect/Effect"
import * as Random from "../../../adapters/sandbox/state/random.js"
import * as Boxes from "../../../core/boxes/operations.js"
import { nameOf, ofExit } from "../account.js"
import { openWay, transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { answerOf, maxBytes } from "../hostile/answers.js"
import { type Ended, families, type Ground, groundOf, isRefusal, send } from "../hostile/families.js"
import { difference, isPolluted, saidIn } from "../hostile/truth.js"
import { grouped, type Line, listed, scaled, tally, toldTally, verdict, weighted } from "../line.js"
import type { Finding } from "../reconcile.js"

const counts = { full: 24_000, quick: 3_000, sample: 600 }
const policy = { attempts: 1, deadline: 3_000, maxBytes }
const inFlight = 64

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

/** Every third case is an answer. */
const isAnswer = (number: number): boolean => number % 3 === 2

export const hostile: Line = {
  name: "hostile",
  title: (scale) => `hostile input, ${grouped(scaled(scale, counts))} generated cases`,
  run: async ({ far, scale, seed }) => {
    const count = scaled(scale, counts)
    const recorder = await far.openRecorder(seed)
    const ways = transportNames.map((name) => openWay(name))
    const grounds = ways.map((way) => groundOf(recorder, way, policy))
    const findings: Array<Finding> = []
    /** The cases of each family that were sent, those that were refused, and what answers were read as. */
    const sent: Array<string> = []
    const refused: Array<string> = []
    const readings: Array<string> = []
    let broken = 0
    const driven = await drive(count, inFlight, policy.deadline, (number) => {
      const ground = grounds[Math.floor(number / 3) % grounds.length] as Ground
      const family = isAnswer(number)
        ? undefined
        : weighted(Random.make(seed, `case ${number}`), Object.values(families))
      const name = family?.name ?? "answers"
      const call = `qt-hostile-${number}`
      const start = (): Promise<Ended> =>
        family === undefined
          ? answered(ground, seed, number)
          : family.run(ground, Random.make(seed, call), Random.make(seed, call))
      const find = (what: string) => findings.push({ call: `${call} (${ground.way.name}, ${name})`, what })
      const run = async () => {
        const ended = await start()
        const { complaint, outcome } = ended
        const into = isRefusal(ended) ? refused : sent
        into.push(name)
        if (family === undefined) readings.push(nameOf(outcome))
        // Input that is sent must come back as the echo: another failure would mean that it broke the wire.
        else if (outcome._tag === "Failure" && into === sent) {
          broken += 1
          find(`ended as ${nameOf(outcome)}: ${outcome.error.message}`)
        }
        if (complaint !== undefined) find(complaint)
        return outcome
      }
      return { call, isWrite: false, isKeyed: false, parts: [], run }
    })
    const { escapes, requests } = await far.takeRecorded()
    await Promise.all(ways.map(({ close }) => close()))
    await far.stop()
    const defects = driven.accounts.filter(({ outcome }) => outcome._tag === "Defect").length
    const altered = driven.accounts.filter(
      ({ outcome }) => outcome._tag === "Value" && !outcome.isRight
    ).length
    return verdict({
      must: "0 crashes, 0 origin escapes, 0 silent changes of a value",
      none: {
        crashes: defects + driven.hung.length,
        "origin escapes": escapes,
        "silent changes": altered,
        "broken on the wire": broken
      },
      // What was refused was not sent, and what was sent was sent once.
      holds: findings.length === 0 && driven.accounts.length === count && requests === sent.length,
      details: [
        `${grouped(sent.length)} sent and ${grouped(refused.length)} refused before anything was sent; the servers received ${grouped(requests)}`,
        `sent: ${toldTally(tally(sent))}`,
        `refused: ${toldTally(tally(refused))}`,
        `answers: ${toldTally([...tally(readings)].sort(([, a], [, b]) => b - a))}`,
        ...listed(findings)
      ],
      figures: { cases: count, sent: sent.length, refused: refused.length, findings: findings.length }
    })
  }
}

/** Generated hostile input and answers: nothing crashes, nothing goes to another origin, no value changes in silence. */

import { Random } from "@quartet/sandbox/extend"
import * as Effect from "effect/Effect"
import * as Boxes from "../../../core/boxes/operations.js"
import { nameOf, ofExit } from "../account.js"
import { transportNames } from "../clients.js"
import { drive } from "../drive.js"
import { answerOf, maxBytes } from "../hostile/answers.js"
import { type Ended, families, type Ground, groundOf, isRefusal, send } from "../hostile/families.js"
import { difference, isPolluted, saidIn } from "../hostile/truth.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped, tally, toldTally, weighted } from "../tally.js"

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

export const hostile = scenario("hostile", {
  sizes: { full: 24_000, quick: 3_000, sample: 600 },
  title: (size) => `hostile input, ${grouped(size)} generated cases`,
  must: "0 crashes, 0 origin escapes, 0 silent changes of a value",
  run: async ({ far, open, seed, size }) => {
    const recorder = await far.openRecorder(seed)
    const grounds = transportNames.map((name) => groundOf(recorder, open(name), policy))
    const findings: Array<Finding> = []
    /** The families of the cases that were sent and that were refused, and what answers were read as. */
    const sent: Array<string> = []
    const refused: Array<string> = []
    const readings: Array<string> = []
    let broken = 0
    const { accounts, hung } = await drive(size, inFlight, policy.deadline, (number) => {
      const call = `qt-hostile-${number}`
      const chance = () => Random.make(seed, call)
      const dealt = Random.make(seed, `case ${number}`)
      const ground = dealt.pick(grounds)
      // Every third case is an answer.
      const family = number % 3 < 2 ? weighted(dealt, Object.values(families)) : undefined
      const name = family?.name ?? "answers"
      const find = (what: string) => findings.push({ call: `${call} (${ground.way.name}, ${name})`, what })
      const run = async () => {
        const ended = await (family?.run(ground, chance(), chance()) ?? answered(ground, seed, number))
        const { complaint, outcome } = ended
        const isSent = !isRefusal(ended)
        if (isSent) sent.push(name)
        else refused.push(name)
        if (family === undefined) readings.push(nameOf(outcome))
        // Input that is sent must come back as the echo: another failure would mean that it broke the wire.
        else if (outcome._tag === "Failure" && isSent) {
          broken += 1
          find(`ended as ${nameOf(outcome)}: ${outcome.error.message}`)
        }
        if (complaint !== undefined) find(complaint)
        return outcome
      }
      return { call, isWrite: false, isKeyed: false, parts: [], run }
    })
    const { escapes, requests } = await far.takeRecorded()
    const outcomes = accounts.map(({ outcome }) => outcome)
    return {
      none: {
        crashes: outcomes.filter(({ _tag }) => _tag === "Defect").length + hung.length,
        "origin escapes": escapes,
        "silent changes": outcomes.filter((outcome) => outcome._tag === "Value" && !outcome.isRight).length,
        "broken on the wire": broken
      },
      // What was refused was not sent, and what was sent was sent once.
      holds: accounts.length === size && requests === sent.length,
      details: [
        `${grouped(sent.length)} sent and ${grouped(refused.length)} refused before anything was sent; the servers received ${grouped(requests)}`,
        `sent: ${toldTally(tally(sent))}`,
        `refused: ${toldTally(tally(refused))}`,
        `answers: ${toldTally([...tally(readings)].sort(([, a], [, b]) => b - a))}`
      ],
      findings,
      figures: { cases: size, sent: sent.length, refused: refused.length, findings: findings.length }
    }
  }
})

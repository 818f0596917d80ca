/** Servers that repeat every credential in every way, and every place where an error is written: none shows one. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import type { Span } from "effect/Tracer"
import { nameOf, ofExit } from "../account.js"
import { openWay, transportNames, type Way } from "../clients.js"
import { grouped, type Line, listed, type Scale, scaled } from "../line.js"
import type { Finding } from "../reconcile.js"
import { type Canary, canary, seenIn, token } from "../secrets/canaries.js"
import { keepingTracer, type Shown, sinksOf } from "../secrets/sinks.js"
import { overtaken, type Speaker, speakersOf } from "../secrets/speakers.js"
import { forms, type Treatment, treatments } from "../secrets/spill.js"

/** Every so many of the server's treatments is tried; prime to the numbers of forms and statuses, so that all are. */
const steps = { full: 1, quick: 29, sample: 47 }
/** Each form is tried with every so many of the clients. */
const strides = { full: 1, quick: 1, sample: 6 }

/** Whether a call meets a treatment, by its own place among so many calls of its client. */
type Chosen = (treatment: Treatment, number: number, call: number, calls: number) => boolean

/**
 * The losses are few, and always tried; so is each form with a refusal, which shows most of what the server says. The
 * rest is sampled.
 */
const chosenBy =
  (scale: Scale, speaker: number): Chosen =>
  (treatment, number, call, calls) => {
    if (treatment._tag === "Lost") return true
    const step = scaled(scale, steps)
    const stride = scaled(scale, strides)
    const form = forms.indexOf(treatment.form)
    const isTurn = form % stride === speaker % stride && form % calls === call
    return number % step === call % step || (treatment.status === 400 && isTurn)
  }

const inFlight = 16

/** What was looked at and what was seen. */
class Watch {
  looks = 0
  readonly errors = new Map<string, number>()
  readonly sinks = new Set<string>()
  readonly findings: Array<Finding> = []

  look(call: string, shown: ReadonlyArray<Shown>, canaries: ReadonlyArray<Canary>): void {
    for (const { sink, text } of shown) {
      this.sinks.add(sink)
      this.looks += canaries.length
      for (const { field } of seenIn(text, canaries))
        this.findings.push({ call, what: `${sink} shows the ${field}` })
    }
  }

  async watch(
    name: string,
    call: Effect.Effect<unknown, unknown>,
    canaries: ReadonlyArray<Canary>
  ): Promise<void> {
    const spans: Array<Span> = []
    const exit = await Effect.runPromiseExit(Effect.withTracer(call, keepingTracer(spans)))
    const word = nameOf(ofExit(exit, () => true))
    this.errors.set(word, (this.errors.get(word) ?? 0) + 1)
    if (exit._tag === "Failure") this.look(`${name}, ${word}`, sinksOf(exit, spans), canaries)
  }
}

const all = { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null }

const watchSpeaker = async (watch: Watch, way: Way, speaker: Speaker, isChosen: Chosen): Promise<void> => {
  const { calls, canaries, client, name } = speaker
  const jobs = calls.flatMap((call, index) =>
    treatments.flatMap((treatment, number) =>
      isChosen(treatment, number, index, calls.length)
        ? [() => watch.watch(`${way.name}, ${name}, ${inspect(treatment)}`, call(number), canaries)]
        : []
    )
  )
  const worker = async (): Promise<void> => {
    for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job()
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  if (client === undefined) return
  const shown = [
    { sink: "inspect(client)", text: inspect(client, all) },
    { sink: "JSON of the client", text: JSON.stringify(client) ?? "" }
  ]
  watch.look(`${way.name}, ${name}`, shown, canaries)
}

const script = fileURLToPath(new URL("../secrets/unhandled.js", import.meta.url))

/** What Node prints of rejections that nobody handles. */
const printed = (mode: "warn" | "throw", url: string, numbers: ReadonlyArray<number>): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = [`--unhandled-rejections=${mode}`, script, url, ...numbers.map(String)]
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 })
    let text = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString()
      })
    child.once("error", reject)
    child.once("close", () => resolve(text))
  })

const watchUnhandled = async (watch: Watch, url: string, scale: Scale): Promise<string> => {
  // In a test the harness is not compiled, and a bare Node could not run it.
  if (!existsSync(script)) return "rejections that nobody handles are part of the compiled runs only"
  const canaries = [canary("apiKey"), canary("sessionId"), token("accessToken")]
  const numbers = treatments.map((_, number) => number)
  const chosen = numbers.filter(
    (number) => number % scaled(scale, { full: 29, quick: 67, sample: 100 }) === 0
  )
  let rejections = 0
  const look = (text: string): void => {
    rejections +=
      text.split(/UnhandledPromiseRejectionWarning: |\n\s*throw |triggerUncaughtException/).length - 1
    watch.look("a bare program", [{ sink: "unhandled rejection", text }], canaries)
  }
  look(await printed("warn", url, numbers))
  for (const number of chosen) look(await printed("throw", url, [number]))
  if (rejections < chosen.length) watch.findings.push({ call: "a bare program", what: "printed nothing" })
  return `${grouped(rejections)} rejections printed by Node`
}

export const secrets: Line = {
  name: "secrets",
  title: () => "secrets, spilled by the server in every way",
  run: async ({ far, scale }) => {
    const url = await far.openSpiller()
    const watch = new Watch()
    for (const name of transportNames) {
      const way = openWay(name)
      const late = overtaken(way, url)
      await watch.watch(`${name}, overtaken by a new token`, late.call, late.canaries)
      for (const [place, speaker] of speakersOf(way, url).entries())
        await watchSpeaker(watch, way, speaker, chosenBy(scale, place))
      await way.close()
    }
    const unhandled = await watchUnhandled(watch, url, scale)
    await far.stop()
    const { errors, findings, looks, sinks } = watch
    const failures = [...errors].filter(([word]) => word !== "value")
    const isTyped = [...errors.keys()].every((word) => word !== "defect")
    return {
      must: "0 leaks in all canary × error × sink cases",
      got: `${findings.length} leaks in ${grouped(looks)} cases`,
      holds: findings.length === 0 && isTyped && failures.length > 10,
      details: [
        `${grouped(failures.reduce((sum, [, times]) => sum + times, 0))} errors of ${failures.length} kinds in ${sinks.size} sinks: ${[...sinks].join(", ")}`,
        unhandled,
        failures.map(([word, times]) => `${word} ${grouped(times)}`).join(", "),
        ...listed(findings)
      ],
      figures: { cases: looks, leaks: findings.length, sinks: sinks.size, kinds: failures.length }
    }
  }
}

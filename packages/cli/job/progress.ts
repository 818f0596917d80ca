/** What is said of a run while it goes on: a bar on a terminal, lines elsewhere. */

import type { Progress } from "@quartet/fleet/extend"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { codes, Problem } from "../exit.js"
import { line, note } from "../output.js"
import { inline, isColoured, paint, visible } from "../text.js"

const number = (value: number): string => value.toLocaleString("en")

/** A time that is left or has passed: `45s`, `12m 05s`, `3h 20m`. */
export const span = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`
}

/** Whether it waits for something that is out of reach: what ends meanwhile says nothing of how fast it goes. */
const isWaiting = ({ pages }: Progress): boolean => pages.some(({ state }) => state === "waiting")

const endedOf = ({ done, failed, unknown }: Progress): number => done + failed + unknown

/** How fast it goes: by what was seen since some seconds ago, so that a pause does not count for ever. */
export class Pace {
  private readonly seen: Array<{ readonly at: number; readonly ended: number }> = []

  /** Items in a second; undefined as long as that is not known, and while the run waits. */
  after(at: number, progress: Progress): number | undefined {
    if (isWaiting(progress)) {
      this.seen.length = 0
      return undefined
    }
    this.seen.push({ at, ended: endedOf(progress) })
    while ((this.seen[0]?.at ?? at) < at - 15_000 && this.seen.length > 2) this.seen.shift()
    const [first] = this.seen
    return first === undefined || at - first.at < 500
      ? undefined
      : (1000 * (endedOf(progress) - first.ended)) / (at - first.at)
  }
}

/** What waits, and for what. */
const waits = ({ error, pages }: Progress): string | undefined =>
  pages.find(({ state }) => state === "waiting")?.error ?? error

/** A run in words: how much was done, what was not, how fast it goes and how long it will take. Its state is for others to say. */
export const words = (progress: Progress, pace?: number): string => {
  const { done, failed, read, state, total, unknown } = progress
  const ended = endedOf(progress)
  const all =
    total === undefined && read === 0
      ? "nothing read yet"
      : `${number(done)} of ${total === undefined ? `at least ${number(read)}` : number(total)} done`
  const isGoing = pace !== undefined && pace > 0 && state === "running" && !isWaiting(progress)
  return [
    all,
    failed > 0 ? `${number(failed)} failed` : [],
    unknown > 0 ? `${number(unknown)} unknown` : [],
    isGoing ? `${number(Math.round(pace))}/s` : [],
    isGoing && total !== undefined && total > ended ? `${span((1000 * (total - ended)) / pace)} left` : [],
    inline(waits(progress) ?? "") || []
  ]
    .flat()
    .join(", ")
}

/** The same with the state of a run that is at rest. */
export const standing = (progress: Progress, pace?: number): string => {
  const text = words(progress, pace)
  return progress.state === "running" ? text : `${progress.state}: ${text}`
}

const width = 24

/** A bar as long as a part of all, and that part. */
export const bar = (progress: Progress): readonly [bar: string, part: string] => {
  const { total } = progress
  const part = total === undefined ? 0 : total === 0 ? 1 : Math.min(1, endedOf(progress) / total)
  const full = Math.floor(part * width)
  return [
    `${"█".repeat(full)}${"░".repeat(width - full)}`,
    total === undefined ? "  …" : `${String(Math.floor(part * 100)).padStart(3)}%`
  ]
}

/** Milliseconds between two lines where there is no terminal. */
const between = 5000

/** Tells how a run goes until it is at rest: done, cancelled or paused. Answers where it then is. */
export const follow = <E>(
  progress: Stream.Stream<Progress, E>,
  isJson: boolean,
  screen: {
    readonly isTTY?: boolean
    readonly columns?: number
    readonly write: (text: string) => unknown
  } = process.stderr
): Effect.Effect<Progress | undefined, E> =>
  Effect.gen(function* () {
    const pace = new Pace()
    const colours = paint(isColoured(screen))
    const isBar = screen.isTTY === true && !isJson
    let last: Progress | undefined
    let lastShown = Number.NEGATIVE_INFINITY
    const show = (step: Progress) =>
      Effect.gen(function* () {
        last = step
        const now = yield* Clock.currentTimeMillis
        const speed = pace.after(now, step)
        const text = standing(step, speed)
        if (isBar) {
          // A pseudo-terminal that was given no size has none.
          const room = Math.max(20, (screen.columns || 100) - 1)
          const [drawn, part] = bar(step)
          const words = visible(`${part} ${text}`)
          // Where there is little room, the words are worth more than the bar.
          const shown = drawn.length + 1 + words.length > room ? "" : `${colours.cyan(drawn)} `
          screen.write(`\r\u001b[K${shown}${words.trimStart().slice(0, room)}`)
          return
        }
        if (step.state === "running" && now - lastShown < (isJson ? 1000 : between)) return
        lastShown = now
        yield* isJson ? line(step) : note(text)
      })
    yield* Stream.runForEachWhile(progress, (step) => Effect.as(show(step), step.state === "running")).pipe(
      Effect.ensuring(Effect.sync(() => (isBar && last !== undefined ? screen.write("\n") : undefined)))
    )
    return last
  })

/**
 * What a person does about items that were not done, each step on a line. `words` are for further commands on the run. Those of a cancelled run
 * are not tried again: what was done of them can still be noted.
 */
export const remedies = (
  { failed, state, unknown }: Progress,
  id: string,
  words: string
): ReadonlyArray<string> => {
  const isCancelled = state === "cancelled"
  return [
    failed + unknown > 0 ? `See them: quartet job show ${id} --failures${words}` : [],
    failed > 0 && !isCancelled
      ? `Those that failed were not done: correct what their errors name, then: quartet job retry ${id}${words}, with --read-again where that was in the file`
      : [],
    unknown > 0
      ? [
          "Of those that are unknown nobody knows whether they were done. Look each up at the platform:",
          `  it is there: quartet job settle ${id} --items <numbers>${words}`,
          `  all of them are there: quartet job settle ${id} --all${words}`,
          ...(isCancelled
            ? []
            : [
                `  it is not: quartet job retry ${id} --items <numbers> --unknown --send${words}`,
                `  the platform can be asked again: quartet job retry ${id} --unknown${words}`
              ])
        ]
      : [],
    failed + unknown > 0 && isCancelled ? "The run is cancelled: none of them is tried again." : []
  ].flat()
}

/** How a command ends whose run is at rest. */
export const end = (progress: Progress, id: string, words: string): Effect.Effect<void, Problem> => {
  const { error, failed, state, unknown } = progress
  if (state === "paused") {
    const isRefused = /^(CredentialsError|Unauthenticated):/.test(error ?? "")
    return new Problem({
      message: `the run ${id} is paused${error === undefined ? "" : `: ${error}`}`,
      next: `${error === undefined ? "T" : "Once that is mended, t"}he same command goes on with it, or: quartet job resume ${id}${words}`,
      code: isRefused ? codes.credentials : codes.failed
    })
  }
  if (state === "cancelled") return new Problem({ message: `the run ${id} was cancelled` })
  return failed + unknown === 0
    ? Effect.void
    : new Problem({
        message: `the run ${id} is done, except for ${number(failed)} that failed and ${number(unknown)} that may have been done`,
        next: remedies(progress, id, words).join("\n")
      })
}

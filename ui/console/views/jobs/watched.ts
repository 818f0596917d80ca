/** What the handler of a fleet answers, looked at again while somebody looks, and in words. */
import { ask, type Failure, type Progress } from "@quartet/fleet/http"
import type * as Schema from "effect/Schema"
import { useCallback, useEffect, useRef, useState } from "react"
import { number } from "../../design/format.js"

/** Milliseconds between two looks. */
const interval = 1_000

/** Milliseconds for an answer. */
const patience = 15_000

const placeOf = (path: string | undefined): string | undefined => path?.split("?", 1)[0]

interface Seen<A> {
  readonly path?: string
  readonly data?: A | undefined
  readonly error?: unknown
  readonly updatedAt?: Date | undefined
}

/** The newest answer at a path, looked at each second while the page is to be seen. */
export const useWatched = <A, I>(schema: Schema.Schema<A, I>, path: string) => {
  const [seen, setSeen] = useState<Seen<A>>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = new AbortController()
    const look = async (): Promise<void> => {
      if (document.visibilityState === "visible") {
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patience)])
        const response = await ask(schema, path, { signal }).then(
          (data) => ({ data, error: undefined, updatedAt: new Date() }),
          (error: unknown) => ({ error })
        )
        if (stop.signal.aborted) return
        setSeen((before) => ({
          ...(placeOf(before.path) === placeOf(path) ? before : {}),
          path,
          ...response
        }))
      }
      timer = setTimeout(look, interval)
    }
    void look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [path, schema, round])
  const refetch = useCallback(() => setRound((count) => count + 1), [])
  // What is asked of the same place in other words takes the place of the answer that is there.
  const { data, error, updatedAt } = placeOf(seen.path) === placeOf(path) ? seen : {}
  return { data, error, updatedAt, refetch, isFetching: seen.path !== path }
}

/** A number of items in words. */
export const items = (value: number): string => `${number(value)} ${value === 1 ? "item" : "items"}`

/** Where a run stands in a few words: `1,200 of 2,000 done, 3 failed`. */
export const progressText = ({ done, failed, read, total, unknown }: Progress): string =>
  [
    total === undefined
      ? `${number(done)} done, ${number(read)} read`
      : `${number(done)} of ${number(total)} done`,
    failed > 0 && `${number(failed)} failed`,
    unknown > 0 && `${number(unknown)} unknown`
  ]
    .filter(Boolean)
    .join(", ")

/** What a run that goes on waits for, because it is out of reach. */
const outage = ({ pages, state }: Progress): Progress["pages"][number] | undefined =>
  state === "running" ? pages.find((page) => page.state === "waiting") : undefined

/** What a run waits for, or why it is paused; nothing of one that is over. */
export const reasons = (run: Progress): ReadonlyArray<string> =>
  run.state === "done" || run.state === "cancelled"
    ? []
    : [...new Set([outage(run)?.error, run.error])].filter((reason) => reason !== undefined)

/** Milliseconds of which a pace is taken, and which it takes at least to know one. */
const paceOf = { longest: 30_000, shortest: 3_000 }

/** How long a run still takes, by how fast it went of late. */
export class Pace {
  private readonly seen: Array<{ readonly at: number; readonly ended: number }> = []

  /** In words, such as `about 4 min left`; undefined as long as nobody knows. `at` is in milliseconds. */
  left(at: number, run: Progress): string | undefined {
    const { done, failed, state, total, unknown } = run
    const ended = done + failed + unknown
    // What ends meanwhile has a lost answer, and says nothing of how fast it goes.
    if (outage(run) !== undefined) this.seen.length = 0
    this.seen.push({ at, ended })
    while ((this.seen[0]?.at ?? at) < at - paceOf.longest) this.seen.shift()
    const [first] = this.seen
    if (state !== "running" || total === undefined || first === undefined) return undefined
    const took = at - first.at
    if (took < paceOf.shortest || ended <= first.ended || ended >= total) return undefined
    const minutes = ((total - ended) * took) / (ended - first.ended) / 60_000
    if (minutes < 1) return "less than a minute left"
    return minutes < 90 ? `about ${Math.round(minutes)} min left` : `about ${Math.round(minutes / 60)} h left`
  }
}

/** The same of a run that is looked at again and again. */
export const useTimeLeft = (run: Progress): string | undefined => {
  const pace = useRef(new Pace())
  const [left, setLeft] = useState<string>()
  useEffect(() => setLeft(pace.current.left(performance.now(), run)), [run])
  return left
}

/** A number with one digit that says something: of 4,321 it is 4,000. */
const rough = (value: number): number => {
  const unit = 10 ** Math.max(0, String(value).length - 1)
  return Math.floor(value / unit) * unit
}

const perCent = (ended: number, total: number): string => {
  const whole = total === 0 ? 100 : Math.floor((100 * ended) / total)
  return `${whole === 0 && ended > 0 ? "less than 1" : whole} per cent`
}

/** The same for those who listen. */
export const announced = ({ done, failed, state, total, unknown }: Progress): string => {
  const ended = done + failed + unknown
  const far =
    total === undefined ? `${ended < 10 ? "" : "over "}${items(rough(ended))}` : perCent(ended, total)
  return `The run is ${state}, ${far} through.`
}

/** Milliseconds between two words to those who listen, as long as the run is in the same state. */
const silence = 15_000

/** What is said of a run to those who listen: at once where its state is another one, else now and then. */
export class Voice {
  private last: { readonly at: number; readonly state: string; readonly text: string } | undefined

  /** `at` is in milliseconds. */
  says(at: number, run: Progress): string {
    if (this.last === undefined || this.last.state !== run.state || at - this.last.at >= silence)
      this.last = { at, state: run.state, text: announced(run) }
    return this.last.text
  }
}

/** The same of a run that is looked at again and again. */
export const useAnnounced = (run: Progress): string | undefined => {
  const voice = useRef(new Voice())
  const [said, setSaid] = useState<string>()
  useEffect(() => setSaid(voice.current.says(performance.now(), run)), [run])
  return said
}

/** Who works on a page, and what that waits for. */
export const workerOf = ({ error, runner }: Progress["pages"][number]): string =>
  [runner, error].filter(Boolean).join(": ")

/** How an item failed: `Rejected, tried 5 times`. */
export const tried = ({ attempts, tag }: Failure): string =>
  `${tag}, tried ${attempts === 1 ? "once" : `${attempts} times`}`

/** The items that a button is about: those that are ticked, or all. */
export const meant = (all: number, ticked: number): string => {
  if (ticked === 0) return all === 1 ? "the only item" : `all ${items(all)}`
  return ticked === 1 ? "the ticked item" : `the ${number(ticked)} ticked items`
}

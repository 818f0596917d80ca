/** What the handler of a fleet answers, looked at again while somebody looks, and in words. */
import { ask, type Failure, type Progress } from "@quartet/fleet/http"
import type * as Schema from "effect/Schema"
import { useCallback, useEffect, useState } from "react"
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

/** A number with one digit that says something: of 4,321 it is 4,000. */
const rough = (value: number): number => {
  const unit = 10 ** Math.max(0, String(value).length - 1)
  return Math.floor(value / unit) * unit
}

/** The same for those who listen, said anew only when much has changed. */
export const announced = ({ done, failed, state, total, unknown }: Progress): string => {
  const ended = done + failed + unknown
  const far =
    total === undefined
      ? `${ended < 10 ? "" : "over "}${items(rough(ended))}`
      : `${total === 0 ? 100 : Math.floor((10 * ended) / total) * 10} per cent`
  return `The run is ${state}, ${far} through.`
}

/** Who works on a page, and what that waits for. */
export const workerOf = ({ error, runner }: Progress["pages"][number]): string =>
  [runner, error].filter(Boolean).join(": ")

/** How an item failed: `Rejected, tried 5 times`. */
export const tried = ({ attempts, tag }: Failure): string =>
  `${tag}, tried ${attempts === 1 ? "once" : `${attempts} times`}`

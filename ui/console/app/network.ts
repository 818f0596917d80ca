/**
 * Whether the platform answers. That the browser is online proves nothing: an answer does. Where none has come for a
 * while, or an exchange has failed, a probe asks for one.
 */

import type { Signal } from "@quartet/react"
import type { Ending } from "@quartet/sdk/adapters/tap"
import { useEffect } from "react"
import { cell, registry } from "./cells.js"
import { baseUrl } from "./config.js"

/** Milliseconds without an answer until a probe. */
const quiet = 10_000

/** Milliseconds between two checks for that. */
const interval = 2_000

/** Milliseconds for the answer to a probe. */
const patience = 5_000

let lastAnswer = Date.now()

/** When the last answer came; undefined while the platform answers. */
export const lostSince = cell<Date | undefined>(undefined)

/** The platform answers again. */
export const back: Signal = (listener) =>
  registry.subscribe(lostSince, (since) => since === undefined && listener())

const onAnswer = (): void => {
  lastAnswer = Date.now()
  registry.set(lostSince, undefined)
}

/** Whether a gateway answers for a platform that does not. An answer of another origin to a probe has status 0. */
const isAway = (status: number): boolean => status >= 502 && status <= 504

let isProbing = false

/** Asks for an answer, at an address without secrets: browsers print that of a request that fails. */
export const probe = async (): Promise<void> => {
  if (isProbing) return
  isProbing = true
  try {
    const signal = AbortSignal.timeout(patience)
    const { status } = await fetch(baseUrl, { method: "HEAD", mode: "no-cors", cache: "no-store", signal })
    if (isAway(status)) throw status
    onAnswer()
  } catch {
    registry.update(lostSince, (since) => since ?? new Date(lastAnswer))
  } finally {
    isProbing = false
  }
}

/** Notes how an exchange ended. One that failed may be alone in that. */
export const note = (ending: Ending | undefined): void => {
  if (ending === undefined) return
  if (ending._tag === "Failed" || ("status" in ending && isAway(ending.status))) void probe()
  else if ("status" in ending) onAnswer()
}

const check = (): void => {
  const isDue = registry.get(lostSince) !== undefined || Date.now() - lastAnswer > quiet
  if (isDue && document.visibilityState === "visible") void probe()
}

/** Watches the platform while the console is open. */
export const useProbe = (): void =>
  useEffect(() => {
    const timer = setInterval(check, interval)
    const stop = new AbortController()
    for (const event of ["online", "offline"]) window.addEventListener(event, probe, { signal: stop.signal })
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [])

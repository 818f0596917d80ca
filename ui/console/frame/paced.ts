/** Which id is selected: at once, while the address follows at a pace that browsers take, and the detail where a held key rests. */
import { useEffect, useRef, useState } from "react"

/**
 * Milliseconds between two changes of the address. Chromium takes 200 in 10 seconds and Safari 100 in 30: a key that is held down
 * would soon make more, and move nothing.
 */
const pause = 350

/** The address has the one, and is about to have the other. */
interface Step {
  readonly from: string | undefined
  readonly to: string
}

/** The selected id, and what selects another; `turn` takes the address there. */
export const usePaced = (
  id: string | undefined,
  turn: (id: string) => void
): readonly [id: string | undefined, select: (id: string) => void] => {
  const [step, setStep] = useState<Step>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const turnedAt = useRef(0)
  // Where the address went elsewhere in the meantime, that counts.
  const ahead = step?.from === id ? step?.to : undefined
  const arrive = (at: string | undefined): void => {
    clearTimeout(timer.current)
    timer.current = undefined
    setStep(undefined)
    if (at === undefined) return
    turnedAt.current = Date.now()
    turn(at)
  }
  const latest = useRef<() => void>(undefined)
  latest.current = () => arrive(ahead)
  useEffect(() => () => clearTimeout(timer.current), [])
  const select = (next: string): void => {
    const wait = turnedAt.current + pause - Date.now()
    if (wait <= 0) return arrive(next)
    setStep({ from: id, to: next })
    timer.current ??= setTimeout(() => latest.current?.(), wait)
  }
  return [ahead ?? id, select]
}

/** Milliseconds without another step after which a key counts as let go, should nothing tell that it was. */
const rest = 2_000

/** Whether rows are passed with a key that is held down, and what each step says of that. */
export const usePassing = (): readonly [isPassing: boolean, step: (isHeld: boolean) => void] => {
  const [isPassing, setPassing] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const step = (isHeld: boolean): void => {
    clearTimeout(timer.current)
    setPassing(isHeld)
    if (isHeld) timer.current = setTimeout(() => setPassing(false), rest)
  }
  useEffect(() => {
    const end = (): void => step(false)
    for (const event of ["keyup", "blur"]) window.addEventListener(event, end)
    return () => {
      clearTimeout(timer.current)
      for (const event of ["keyup", "blur"]) window.removeEventListener(event, end)
    }
  }, [])
  return [isPassing, step]
}

/** What all lists find of a text, as they answer, and whether all have. */
import { useSession } from "@quartet/react"
import { useEffect, useState } from "react"
import { explain, notLoaded } from "./explain.js"
import type { Found } from "./find.js"
import { admin } from "./query-clients.js"

interface Finding {
  /** The text that it is about. */
  readonly text: string
  readonly found: ReadonlyArray<Found>
  readonly isOver: boolean
  /** The lists that the role may not read. */
  readonly unread: ReadonlyArray<string>
  readonly failure?: string
}

const none: Finding = { text: "", found: [], isOver: true, unread: [] }

/** Fewer letters than these are in too many rows. */
const least = 2

/** Milliseconds without a key until the lists are asked. */
const pause = 150

export const useFind = (typed: string): Finding => {
  const session = useSession(admin.session)
  const text = typed.trim()
  const isAsked = session.status === "signed-in" && text.length >= least
  const [finding, setFinding] = useState(none)
  useEffect(() => {
    if (!isAsked) return
    let isLeft = false
    const add = (change: (before: Finding) => Finding): void => {
      if (!isLeft)
        setFinding((before) => change(before.text === text ? before : { ...none, text, isOver: false }))
    }
    const look = async (): Promise<void> => {
      const { find } = await import("./find.js").catch((cause: unknown) => {
        throw notLoaded(cause)
      })
      const { unread } = await find(text, session.can, (one) =>
        add((before) => ({ ...before, found: [...before.found, one] }))
      )
      add((before) => ({ ...before, unread, isOver: true }))
    }
    const timer = setTimeout(
      () =>
        look().catch((cause: unknown) =>
          add((before) => ({ ...before, isOver: true, failure: explain(cause).title }))
        ),
      pause
    )
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [text, isAsked])
  if (!isAsked) return none
  return finding.text === text ? finding : { ...none, text, isOver: false }
}

/** Messages about what just happened: in a corner, for a few seconds, and read out by screen readers. */
import { type ReactElement, useEffect } from "react"
import { IconButton } from "../design/button.js"
import { Icon } from "../design/icon.js"
import { cell, change, useCellValue } from "./cells.js"
import { explain } from "./explain.js"
import styles from "./toasts.module.css"

interface Message {
  readonly id: number
  readonly tone: "good" | "bad"
  readonly title: string
  readonly text: string | undefined
}

/** How long a message is shown, in milliseconds; failures stay until they are dismissed. */
const shownFor = 6_000

const messages = cell<ReadonlyArray<Message>>([])
let last = 0

const add = (tone: Message["tone"], title: string, text?: string): void => {
  last += 1
  const message = { id: last, tone, title, text }
  change(messages, (all) => [...all.slice(-2), message])
}

const remove = (id: number): void => change(messages, (all) => all.filter((message) => message.id !== id))

/** Reports a success. */
export const addToast = (title: string, text?: string): void => add("good", title, text)

/** Reports a failure in plain words. */
export const warn = (error: unknown): void => {
  const { advice, title } = explain(error)
  add("bad", title, advice)
}

/** Reports how a call ended; returns whether it succeeded. */
export const report = (
  outcome: { readonly status: string; readonly error?: unknown },
  title: string,
  text?: string
): boolean => {
  if (outcome.status === "success") addToast(title, text)
  if (outcome.status === "error") warn(outcome.error)
  return outcome.status === "success"
}

const Toast = ({ id, text, title, tone }: Message): ReactElement => {
  useEffect(() => {
    if (tone === "bad") return
    const timer = setTimeout(() => remove(id), shownFor)
    return () => clearTimeout(timer)
  }, [id, tone])
  return (
    <li data-tone={tone}>
      <Icon name={tone === "bad" ? "alert" : "check"} />
      <div>
        <strong>{title}</strong>
        {text !== undefined && <p>{text}</p>}
      </div>
      <IconButton icon="close" label="Dismiss" size="s" onClick={() => remove(id)} />
    </li>
  )
}

/** The region is there from the start: screen readers announce only what is added to a known one. */
export const Toasts = (): ReactElement => (
  <div role="log" aria-label="Notifications" aria-live="polite">
    <ol className={styles.toasts}>
      {useCellValue(messages).map((message) => (
        <Toast key={message.id} {...message} />
      ))}
    </ol>
  </div>
)

/**
 * Messages about what just happened: for a few seconds, and read out by screen readers. They stand at the end of the page,
 * or of the dialog that is open above it, and take room there: they cover nothing that one needs.
 */
import { type ReactElement, useEffect, useId } from "react"
import { IconButton } from "../design/button.js"
import { Note } from "../design/state.js"
import { cell, registry, useCellValue } from "./cells.js"
import { explain } from "./explain.js"

interface Message {
  readonly id: number
  readonly tone: "good" | "bad"
  readonly title: string
  readonly text?: string | undefined
}

/** How long a message is shown, in milliseconds; failures stay until they are dismissed. */
const shownFor = 6_000

const messages = cell<ReadonlyArray<Message>>([])
/** The open dialogs, the upper one last. */
const dialogs = cell<ReadonlyArray<string>>([])
let last = 0

/** What is said again takes the place of what was said before. */
const add = (message: Omit<Message, "id">): void => {
  settle(message.title)
  last += 1
  registry.update(messages, (all) => [...all.slice(-2), { ...message, id: last }])
}

const remove = (id: number): void =>
  registry.update(messages, (all) => all.filter((message) => message.id !== id))

/** Reports a success. */
export const addToast = (title: string, text?: string): void => add({ tone: "good", title, text })

/** Reports a failure in plain words; returns its title. */
export const warn = (error: unknown): string => {
  const { advice, title } = explain(error)
  add({ tone: "bad", title, text: advice })
  return title
}

/** Takes away the messages of this title, which are over. */
export const settle = (title: string): void =>
  registry.update(messages, (all) => all.filter((message) => message.title !== title))

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
    <li className="relative animate-enter rounded-md shadow-md">
      <Note tone={tone}>
        <strong>{title}</strong>
        {text !== undefined && <p>{text}</p>}
      </Note>
      <IconButton
        icon="close"
        label="Dismiss"
        size="s"
        className="absolute top-1 right-1"
        onClick={() => remove(id)}
      />
    </li>
  )
}

/** The region is there from the start: screen readers announce only what is added to a known one. */
export const Toasts = ({ inDialog = false }: { readonly inDialog?: boolean }): ReactElement => {
  const id = useId()
  const isUppermost = useCellValue(dialogs).at(-1) === (inDialog ? id : undefined)
  const shown = useCellValue(messages)
  useEffect(() => {
    if (!inDialog) return
    registry.update(dialogs, (all) => [...all, id])
    return () => registry.update(dialogs, (all) => all.filter((dialog) => dialog !== id))
  }, [id, inDialog])
  return (
    <div
      role="log"
      aria-label="Notifications"
      aria-live="polite"
      // Without messages it leaves no gap.
      className={`px-4 pt-3 pb-4 not-has-[li]:sr-only ${inDialog ? "" : "w-full max-w-100 self-end"}`}
    >
      <ol className="stack">
        {isUppermost && shown.map((message) => <Toast key={message.id} {...message} />)}
      </ol>
    </div>
  )
}

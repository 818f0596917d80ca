/** Messages about what just happened: successes for a few seconds, failures until they are dismissed. */
import { type ReactElement, useSyncExternalStore } from "react"
import { type Message, makeMessages, Toasts as Region, type ToastAction } from "../design/toast.js"
import { useCommands } from "./commands.js"
import { explain } from "./explain.js"

/** How long a success is shown, in milliseconds: longer where something can be done about it. */
const shownFor = 6_000
const shownWithActionFor = 10_000

/** At most so many are shown; an older one does not come back when there is room again. */
const most = 3

const messages = makeMessages()

/** What is said again takes the place of what was said before. */
const add = (message: Message): void => {
  settle(message.title)
  const timeout = message.action === undefined ? shownFor : shownWithActionFor
  messages.add(message, message.tone === "bad" ? {} : { timeout })
  for (const { key } of messages.visibleToasts.slice(most)) messages.close(key)
}

/** Reports a success, and what can be done about it, such as to undo it. */
export const addToast = (title: string, text?: string, action?: ToastAction): void =>
  add({ tone: "good", title, text, action })

/** Reports a failure in plain words; returns its title. */
export const warn = (error: unknown): string => {
  const { advice, title } = explain(error)
  add({ tone: "bad", title, text: advice })
  return title
}

/** Takes away the messages of this title, which are over. */
export const settle = (title: string): void => {
  for (const { content, key } of messages.visibleToasts) if (content.title === title) messages.close(key)
}

/** Reports how a call ended; returns whether it succeeded. */
export const report = (
  outcome: { readonly status: string; readonly error?: unknown },
  title: string,
  text?: string,
  action?: ToastAction
): boolean => {
  if (outcome.status === "success") addToast(title, text, action)
  if (outcome.status === "error") warn(outcome.error)
  return outcome.status === "success"
}

const subscribe = (listener: () => void): (() => void) => messages.subscribe(listener)

/** Where messages appear: once in the page. What the newest one offers is a command, by its keys and in the palette. */
export const Toasts = (): ReactElement => {
  const shown = useSyncExternalStore(subscribe, () => messages.visibleToasts)
  const newest = shown.find(({ content }) => content.action !== undefined)
  const action = newest?.content.action
  useCommands(
    newest === undefined || action === undefined
      ? []
      : [
          {
            label: action.label,
            icon: "back",
            ...(action.keys === undefined ? {} : { keys: action.keys }),
            run: () => {
              messages.close(newest.key)
              action.run()
            }
          }
        ]
  )
  return <Region of={messages} />
}

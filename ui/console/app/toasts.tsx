/** Messages about what just happened: successes for a few seconds, failures until they are dismissed. */
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useSyncExternalStore } from "react"
import { type Message, makeMessages, Toasts as Region, type ToastAction } from "../design/toast.js"
import { useCommands } from "./commands.js"
import { explain, isOutcomeUnknown } from "./explain.js"

/** How long a success is shown, in milliseconds: longer where something can be done about it. */
const shownFor = 6_000
const shownWithActionFor = 10_000

/** At most so many are shown; an older one does not come back when there is room again. */
const most = 3

const messages = makeMessages()

/** What is said again takes the place of what was said before, but for what can be undone. */
const add = (message: Message): void => {
  if (message.tone === "bad" || message.action === undefined) settle(message.title, message.text)
  const timeout = message.action === undefined ? shownFor : shownWithActionFor
  messages.add(message, message.tone === "bad" ? {} : { timeout })
  for (const { key } of messages.visibleToasts.slice(most)) messages.close(key)
}

/** Reports a success, and what can be done about it, such as to undo it. */
export const addToast = (title: string, text?: string, action?: ToastAction): void =>
  add({ tone: "good", title, text, action })

/** Reports in words of one's own what could not be done. */
export const warnThat = (title: string, text?: string, action?: ToastAction): void =>
  add({ tone: "bad", title, text, action })

/** What was being done, such as "Confirm “A visit”", and where its thing is looked at. */
export interface Doing {
  readonly what: string
  readonly to?: string
  /** Whether the page that did it is not shown any more. */
  readonly isAway?: boolean
}

/** At most so much is said of what was being done: a title may be long. */
const mostOfWhat = 80

/** Reports a failure in plain words; returns its title. Of what may have happened all the same, or elsewhere, it says what that was. */
export const warn = (error: unknown, doing?: Doing): string => {
  const { advice, title } = explain(error)
  const isUnknown = isOutcomeUnknown(error)
  if (doing === undefined || !(isUnknown || doing.isAway)) {
    add({ tone: "bad", title, text: advice })
    return title
  }
  const { to, what } = doing
  const label = isUnknown ? "Check again" : "Show"
  const action = to === undefined ? undefined : { label, run: () => pushUnsafe(to) }
  const short = what.length > mostOfWhat ? `${what.slice(0, mostOfWhat)}…` : what
  const whole = `${short}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`
  add({ tone: "bad", title: whole, text: action === undefined ? advice : undefined, action })
  return whole
}

/** Takes away the messages of this title, and of this text if there is one, which are over. */
export const settle = (title: string, text?: string): void => {
  for (const { content, key } of messages.visibleToasts)
    if (content.title === title && (text === undefined || content.text === text)) messages.close(key)
}

/** Reports how a call ended; returns whether it succeeded. */
export const report = (
  outcome: { readonly status: string; readonly error?: unknown },
  title: string,
  doing?: Doing
): boolean => {
  if (outcome.status === "success") addToast(title)
  if (outcome.status === "error") warn(outcome.error, doing)
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

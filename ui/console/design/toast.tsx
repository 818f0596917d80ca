/**
 * Messages over the page, at the lower edge of what is read. They take no room from it, are seen over dialogs, are reached by F6,
 * and wait while the pointer or the focus is on them.
 */
import type { ReactElement } from "react"
import {
  Button as Close,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion
} from "react-aria-components"
import { Button } from "./button.js"
import { Icon } from "./icon.js"
import { Kbd, toneClass } from "./show.js"

/** What can be done about what a message says. */
export interface ToastAction {
  readonly label: string
  readonly run: () => void
  readonly keys?: string | undefined
}

export interface Message {
  readonly tone: "good" | "bad"
  readonly title: string
  readonly text?: string | undefined
  readonly action?: ToastAction | undefined
}

export type Messages = ToastQueue<Message>

export const makeMessages = (): Messages => new ToastQueue()

export const Toasts = ({ of }: { readonly of: Messages }): ReactElement => (
  <ToastRegion queue={of} aria-label="Messages" className="toasts">
    {({ toast }) => {
      const { action, text, title, tone } = toast.content
      // A key is that of the newest.
      const isNewest = toast.key === of.visibleToasts.find(({ content }) => content.action !== undefined)?.key
      return (
        <Toast toast={toast} className="toast">
          <Icon name={tone === "bad" ? "alert" : "check"} className={`mt-0.5 text-tone ${toneClass[tone]}`} />
          <ToastContent className="min-w-0 grow wrap-anywhere">
            <Text slot="title" className="block font-medium">
              {title}
            </Text>
            {text !== undefined && (
              <Text slot="description" className="block text-muted">
                {text}
              </Text>
            )}
          </ToastContent>
          {action !== undefined && (
            <Button
              size="s"
              className="-my-0.5"
              onClick={() => {
                of.close(toast.key)
                action.run()
              }}
            >
              {action.label}
              {isNewest && action.keys !== undefined && <Kbd keys={action.keys} />}
            </Button>
          )}
          <Close
            slot="close"
            aria-label="Dismiss"
            className="press -my-0.5 size-6.5 border-transparent text-muted"
          >
            <Icon name="close" />
          </Close>
        </Toast>
      )
    }}
  </ToastRegion>
)

/** Dialogs over Radix, which keeps the focus inside and closes on Escape. */
import * as Radix from "@radix-ui/react-dialog"
import { type ReactElement, type ReactNode, useRef, useState } from "react"
import { Toasts } from "../app/toasts.js"
import { Button, IconButton } from "./button.js"
import styles from "./dialog.module.css"
import typography from "./typography.module.css"

interface OverlayProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Gives the focus back to what opened a dialog; to the page where that is gone, or where an address opened it. */
const giveBack = (opener: Element | null): void => {
  if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus()
  else if (document.activeElement === document.body) document.querySelector("main")?.focus()
}

type Content = OverlayProps & Radix.DialogContentProps

const Overlay = ({ children, onClose, onOpenAutoFocus, open, ...content }: Content): ReactElement => {
  const opener = useRef<Element>(null)
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          {...content}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement
            onOpenAutoFocus?.(event)
          }}
          onCloseAutoFocus={(event) => {
            // Radix knows an opener that is a trigger of its own, and nothing opens by one here.
            event.preventDefault()
            giveBack(opener.current)
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const Head = (props: { readonly title: string; readonly description?: string }): ReactElement => (
  <div>
    <Radix.Title>{props.title}</Radix.Title>
    {props.description !== undefined && (
      <Radix.Description className={styles.description}>{props.description}</Radix.Description>
    )}
  </div>
)

/** The buttons at the end of a dialog. */
export const Actions = (props: { readonly children: ReactNode }): ReactElement => (
  <div className={styles.actions}>{props.children}</div>
)

export interface DialogProps extends OverlayProps {
  readonly title: string
  readonly description?: string
}

/** A question or a small form in the middle of the screen. */
export const Dialog = ({ children, onClose, open, ...head }: DialogProps): ReactElement => (
  <Overlay
    open={open}
    onClose={onClose}
    className={styles.dialog}
    {...(head.description === undefined ? { "aria-describedby": undefined } : {})}
  >
    <Head {...head} />
    {children}
    <Toasts inDialog />
  </Overlay>
)

/** The details of one item, beside its list. */
export const Sheet = ({
  children,
  title,
  ...rest
}: OverlayProps & { readonly title: string }): ReactElement => (
  <Overlay {...rest} className={styles.sheet} aria-describedby={undefined}>
    <header>
      <Radix.Title>{title}</Radix.Title>
      <Radix.Close asChild>
        <IconButton icon="close" label="Close" />
      </Radix.Close>
    </header>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
    <section tabIndex={0} aria-label={title}>
      {children}
    </section>
    <Toasts inDialog />
  </Overlay>
)

/** The navigation on narrow screens. */
export const Drawer = ({
  children,
  title,
  ...rest
}: OverlayProps & { readonly title: string }): ReactElement => (
  <Overlay {...rest} className={styles.sheet} data-from="left" aria-describedby={undefined}>
    <Radix.Title className={typography.hidden}>{title}</Radix.Title>
    {children}
  </Overlay>
)

export interface ConfirmProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly description: string
  /** The verb, such as "Refund $120.00". */
  readonly action: string
  /** What declining is called; "Cancel" if it is not given. */
  readonly decline?: string
  readonly danger?: boolean
  readonly busy?: boolean
  readonly children?: ReactNode
}

/** Asks before something that cannot be undone. The focus starts on Cancel, and a click outside does nothing. */
export const Confirm = (props: ConfirmProps): ReactElement => {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Overlay
      open={props.open}
      onClose={props.onClose}
      className={styles.dialog}
      role="alertdialog"
      onPointerDownOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        cancel.current?.focus()
      }}
    >
      <Head title={props.title} description={props.description} />
      {props.children}
      <Actions>
        <Button ref={cancel} onClick={props.onClose}>
          {props.decline ?? "Cancel"}
        </Button>
        <Button
          kind={props.danger === true ? "danger-solid" : "primary"}
          busy={props.busy ?? false}
          onClick={props.onConfirm}
        >
          {props.action}
        </Button>
      </Actions>
    </Overlay>
  )
}

/** What `useAsk` asks. */
export type Question = Omit<ConfirmProps, "open" | "onClose" | "onConfirm">

/** Asks in the middle of an action: the dialog to show, and a function that tells whether the person agreed. */
export const useAsk = (): readonly [dialog: ReactNode, ask: (question: Question) => Promise<boolean>] => {
  const [asked, setAsked] = useState<ConfirmProps>()
  return [
    asked && <Confirm {...asked} />,
    (question) =>
      new Promise((resolve) => {
        const end = (agreed: boolean) => (): void => {
          setAsked(undefined)
          resolve(agreed)
        }
        setAsked({ ...question, open: true, onClose: end(false), onConfirm: end(true) })
      })
  ]
}

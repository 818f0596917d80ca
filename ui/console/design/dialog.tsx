/** Dialogs over Radix, which keeps the focus inside, returns it, and closes on Escape. */
import * as Radix from "@radix-ui/react-dialog"
import { type ReactElement, type ReactNode, useRef } from "react"
import { Button, IconButton } from "./button.js"
import styles from "./dialog.module.css"
import typography from "./typography.module.css"

interface OverlayProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

const Overlay = ({ onClose, open, ...content }: OverlayProps & Radix.DialogContentProps): ReactElement => (
  <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className={styles.scrim} />
      <Radix.Content {...content} />
    </Radix.Portal>
  </Radix.Root>
)

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
          Cancel
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

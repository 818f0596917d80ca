/** Dialogs over Radix, which keeps the focus inside, gives it back, and closes on Escape. */
import * as Radix from "@radix-ui/react-dialog"
import { type ReactElement, type ReactNode, useRef } from "react"
import { Button, IconButton } from "./button.js"

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  readonly children: ReactNode
}

/** A question or a small form in the middle of the screen. */
export const Dialog = ({ children, description, onClose, open, title }: DialogProps): ReactElement => (
  <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="scrim" />
      <Radix.Content
        className="dialog"
        {...(description === undefined ? { "aria-describedby": undefined } : {})}
      >
        <div>
          <Radix.Title>{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="description">{description}</Radix.Description>
          )}
        </div>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

export interface SheetProps extends DialogProps {
  /** Shown under the title. */
  readonly about?: ReactNode
  readonly footer?: ReactNode
}

/** One thing in full, beside the list that it stands in. */
export const Sheet = ({ about, children, footer, onClose, open, title }: SheetProps): ReactElement => (
  <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="scrim" />
      <Radix.Content className="sheet" aria-describedby={undefined}>
        <header>
          <div>
            <Radix.Title>{title}</Radix.Title>
            {about}
          </div>
          <Radix.Close asChild>
            <IconButton icon="close" label="Close" />
          </Radix.Close>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section className="body" tabIndex={0} aria-label={title}>
          {children}
        </section>
        {footer !== undefined && <footer>{footer}</footer>}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** The navigation on narrow screens. */
export const Drawer = (props: {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}): ReactElement => (
  <Radix.Root open={props.open} onOpenChange={(next) => next || props.onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="scrim" />
      <Radix.Content className="sheet" data-from="left" aria-describedby={undefined}>
        <Radix.Title className="visually-hidden">{props.title}</Radix.Title>
        {props.children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
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

/** Asks before something that cannot be undone. The focus begins on the way back, and a press beside it does nothing. */
export const Confirm = (props: ConfirmProps): ReactElement => {
  const cancel = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root open={props.open} onOpenChange={(next) => next || props.onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="dialog"
          role="alertdialog"
          onPointerDownOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            cancel.current?.querySelector("button")?.focus()
          }}
        >
          <div>
            <Radix.Title>{props.title}</Radix.Title>
            <Radix.Description className="description">{props.description}</Radix.Description>
          </div>
          {props.children}
          <div className="actions" ref={cancel}>
            <Button onClick={props.onClose}>Cancel</Button>
            <Button
              kind={props.danger === true ? "danger-solid" : "primary"}
              busy={props.busy ?? false}
              onClick={props.onConfirm}
            >
              {props.action}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

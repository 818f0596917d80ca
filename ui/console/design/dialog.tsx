/** Dialogs over the browser's own, which keeps the focus inside, closes on Escape and gives the focus back. */
import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState
} from "react"
import { createPortal } from "react-dom"
import { Button, IconButton } from "./button.js"
import styles from "./dialog.module.css"

/** What stands at the end of every dialog: the page below it is inert. */
export const DialogEnd = createContext<ReactNode>(undefined)

interface OverlayProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

type Attributes = Pick<ComponentProps<"dialog">, "className" | "role" | "aria-describedby">

const Modal = ({
  children,
  from,
  onClose,
  title,
  ...attributes
}: Omit<OverlayProps, "open"> & Attributes & { readonly from?: "left" }): ReactNode => {
  const dialog = useRef<HTMLDialogElement>(null)
  const end = useContext(DialogEnd)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      // What opened it is gone, or an address opened it: the focus is still inside, or nowhere.
      const { activeElement, body } = document
      if (activeElement === body || shown?.contains(activeElement)) document.querySelector("main")?.focus()
    }
  }, [])
  return createPortal(
    <dialog
      {...attributes}
      ref={dialog}
      data-from={from}
      aria-label={title}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && attributes.role === undefined) onClose()
      }}
    >
      {children}
      {end}
    </dialog>,
    document.body
  )
}

/** The buttons at the end of a dialog. */
export const Actions = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className={styles.actions}>{children}</div>
)

/** A question or a small form in the middle of the screen. */
export const Dialog = ({
  children,
  description,
  open,
  role,
  ...rest
}: OverlayProps & Pick<Attributes, "role"> & { readonly description?: string }): ReactNode => {
  const id = useId()
  if (!open) return null
  return (
    <Modal {...rest} role={role} className={styles.dialog} aria-describedby={description && id}>
      <div>
        <div>
          <h2>{rest.title}</h2>
          {description !== undefined && <p id={id}>{description}</p>}
        </div>
        {children}
      </div>
    </Modal>
  )
}

/** The details of one item, beside its list. */
export const Sheet = ({ children, open, ...rest }: OverlayProps): ReactNode =>
  open && (
    <Modal {...rest} className={styles.sheet}>
      <header>
        <h2>{rest.title}</h2>
        <IconButton icon="close" label="Close" onClick={rest.onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={rest.title}>
        {children}
      </section>
    </Modal>
  )

/** The navigation on narrow screens. */
export const Drawer = ({ open, ...rest }: OverlayProps): ReactNode =>
  open && <Modal {...rest} className={styles.sheet} from="left" />

/** A question before something that cannot be undone. */
export interface Question {
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

interface ConfirmProps extends Question, Pick<OverlayProps, "open" | "onClose"> {
  readonly onConfirm: () => void
}

/** Asks. The focus starts on Cancel, and a click outside does nothing. */
export const Confirm = ({
  action,
  busy = false,
  children,
  danger = false,
  decline = "Cancel",
  onConfirm,
  ...rest
}: ConfirmProps): ReactElement => (
  <Dialog {...rest} role="alertdialog">
    {children}
    <Actions>
      {/* React would focus it before the dialog is shown, and the dialog looks for the attribute. */}
      <Button ref={(button) => button?.setAttribute("autofocus", "")} onClick={rest.onClose}>
        {decline}
      </Button>
      <Button kind={danger ? "danger-solid" : "primary"} busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </Actions>
  </Dialog>
)

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

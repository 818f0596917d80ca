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
import { Scroll } from "./show.js"

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
  className,
  onClose,
  title,
  ...attributes
}: Omit<OverlayProps, "open"> & Attributes): ReactNode => {
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
      className={`animate-enter text-ink shadow-lg backdrop:bg-scrim ${className}`}
      ref={dialog}
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
  <div className="row justify-end max-md:[&>button]:grow">{children}</div>
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
    <Modal
      {...rest}
      role={role}
      className="m-auto w-120 rounded-lg border bg-raised"
      aria-describedby={description && id}
    >
      <div className="grid gap-4 p-5">
        <div>
          <h2 className="text-lg">{rest.title}</h2>
          {description !== undefined && (
            <p id={id} className="mt-1 quiet">
              {description}
            </p>
          )}
        </div>
        {children}
      </div>
    </Modal>
  )
}

const sideClass = "flex h-dvh max-h-none max-w-[100vw] flex-col bg-surface"

/** The details of one item, beside its list; `tools` stand beside its title. */
export const Sheet = ({
  children,
  open,
  tools,
  ...rest
}: OverlayProps & { readonly tools?: ReactNode }): ReactNode =>
  open && (
    <Modal {...rest} className={`ml-auto w-132 border-l [--from:translateX(2rem)] ${sideClass}`}>
      <header className="flex items-center gap-3 border-b px-5 py-3">
        <h2 className="min-w-0 flex-1 text-lg">{rest.title}</h2>
        {tools}
        <IconButton icon="close" label="Close" onClick={rest.onClose} />
      </header>
      <Scroll label={rest.title} className="flex-1 p-5">
        {children}
      </Scroll>
    </Modal>
  )

/** The navigation on narrow screens. */
export const Drawer = ({ open, ...rest }: OverlayProps): ReactNode =>
  open && <Modal {...rest} className={`mr-auto w-72 [--from:translateX(-2rem)] ${sideClass}`} />

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
      <Button kind={danger ? "dangerSolid" : "primary"} busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </Actions>
  </Dialog>
)

let show: (question: ConfirmProps | undefined) => void = () => undefined

/** Where questions appear: once in the page. */
export const Questions = (): ReactNode => {
  const [question, setQuestion] = useState<ConfirmProps>()
  useLayoutEffect(() => {
    show = setQuestion
  }, [])
  return question && <Confirm {...question} />
}

/** Asks in the middle of an action, and tells whether the person agreed. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (agreed: boolean) => (): void => {
      show(undefined)
      resolve(agreed)
    }
    show({ ...question, open: true, onClose: end(false), onConfirm: end(true) })
  })

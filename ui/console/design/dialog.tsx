/** Dialogs: they keep the focus inside, close on Escape and give the focus back. It begins in their first field. */
import { type ReactElement, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react"
import { Modal, ModalOverlay, Dialog as Surface } from "react-aria-components"
import { Button, IconButton } from "./button.js"
import { giveBack } from "./focus.js"

interface OverlayProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
}

/** What the focus begins on: what asks for it, else the first field, never a button that closes. */
const starts = [
  "[data-autofocus]",
  "input:not([type=hidden], [aria-hidden], :disabled), textarea:not(:disabled), select:not([aria-hidden] *, :disabled), [aria-haspopup=listbox]"
]

/** The dialogs that are open, the upper one last; a surface beside a button is none. */
export const openDialogs = (): ReadonlyArray<Element> => [...document.querySelectorAll("[data-dialog]")]

const placeClass = {
  middle: "m-auto w-120 max-w-[calc(100vw-2rem)] rounded-lg border bg-raised",
  whole: "m-auto max-w-[calc(100vw-2rem)] rounded-lg border bg-raised",
  left: "mr-auto h-full w-72 max-w-full bg-surface [--from:translateX(-2rem)]",
  upper: "mx-auto mt-[max(1rem,12dvh)] w-150 self-start max-w-[calc(100vw-2rem)] rounded-lg border bg-raised",
  wide: "m-auto w-180 max-w-[calc(100vw-2rem)] rounded-lg border bg-raised",
  bare: "palette"
}

const innerClass = {
  middle: "max-h-[calc(100dvh-2rem)] overflow-auto",
  whole: "max-h-[calc(100dvh-2rem)] overflow-auto",
  left: "flex h-full flex-col",
  upper: "max-h-[80dvh] overflow-auto",
  wide: "max-h-[calc(100dvh-2rem)] overflow-auto",
  bare: "flex h-full flex-col"
}

const Overlay = (
  props: Omit<OverlayProps, "open"> & {
    readonly place: keyof typeof placeClass
    readonly role?: "dialog" | "alertdialog" | undefined
    readonly describedBy?: string | undefined
  }
): ReactElement => {
  const { children, describedBy, onClose, place, role = "dialog", title } = props
  const dialog = useRef<HTMLElement>(null)
  const [before] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const [first] = starts.flatMap((start) => dialog.current?.querySelector<HTMLElement>(start) ?? [])
    if (!dialog.current?.contains(document.activeElement)) first?.focus()
    return () => void giveBack(before)
  }, [])
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      // A question waits for its answer.
      isDismissable={role === "dialog"}
      className="fixed inset-0 z-40 flex bg-scrim"
    >
      <Modal className={`animate-enter text-ink shadow-lg ${placeClass[place]}`}>
        <Surface
          ref={dialog}
          role={role}
          aria-label={title}
          {...(describedBy && { "aria-describedby": describedBy })}
          data-dialog=""
          className={`outline-none ${innerClass[place]}`}
        >
          {children}
        </Surface>
      </Modal>
    </ModalOverlay>
  )
}

/** The buttons at the end of a dialog. */
export const Actions = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <div className="row justify-end max-md:[&>button]:grow">{children}</div>
)

/**
 * A question or a small form in the middle of the screen; `upper` where what it holds grows and shrinks, `whole` where it is as large as
 * that, `bare` where it is a field and what that finds.
 */
export const Dialog = (
  props: OverlayProps & {
    readonly description?: string
    readonly role?: "dialog" | "alertdialog"
    readonly place?: "middle" | "upper" | "whole" | "wide" | "bare"
    /** Whether it has a button that closes it, beside its title, which stays while one scrolls. */
    readonly hasClose?: boolean
  }
): ReactNode => {
  const { children, description, hasClose = false, onClose, open, place = "middle", role, title } = props
  const id = useId()
  if (!open) return null
  return (
    <Overlay onClose={onClose} title={title} place={place} role={role} describedBy={description && id}>
      <div className={place === "bare" ? "contents" : "grid gap-4 p-5"}>
        <div className={place === "bare" ? "sr-only" : hasClose ? "contents" : ""}>
          {hasClose ? (
            <div className="dialog-head">
              <h2 className="flex-1 text-lg">{title}</h2>
              <IconButton icon="close" label="Close" keys="Escape" onClick={onClose} />
            </div>
          ) : (
            <h2 className="text-lg">{title}</h2>
          )}
          {description !== undefined && (
            <p id={id} className="mt-1 quiet">
              {description}
            </p>
          )}
        </div>
        {children}
      </div>
    </Overlay>
  )
}

/** The navigation on narrow screens. */
export const Drawer = ({ open, ...rest }: OverlayProps): ReactNode =>
  open && <Overlay {...rest} place="left" />

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
const Confirm = ({
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
      <Button data-autofocus="" onClick={rest.onClose}>
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
  const decline = question?.onClose
  // What was asked about is left behind by whoever goes back.
  useEffect(() => {
    if (decline === undefined) return undefined
    window.addEventListener("popstate", decline)
    return () => window.removeEventListener("popstate", decline)
  }, [decline])
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

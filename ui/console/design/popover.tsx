/** A small surface beside the button that opens it; Escape and a press elsewhere close it. */
import { type ReactElement, type ReactNode, useContext } from "react"
import {
  DialogTrigger,
  OverlayTriggerStateContext,
  Pressable,
  Popover as Surface
} from "react-aria-components"
import { Button, type ButtonProps } from "./button.js"

type Placement = "bottom start" | "bottom end" | "top start" | "top end"

interface PopoverProps {
  /** What the surface is called, and the button where it shows nothing else. */
  readonly label: string
  /** What the button shows, if that is more than the label. */
  readonly shown?: ReactNode
  readonly button?: Omit<ButtonProps, "children" | "onClick">
  readonly placement?: Placement
  /** Whether it is open, where its owner has to know. */
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly className?: string
  readonly children: ReactNode | ((close: () => void) => ReactNode)
}

/** The kit names a surface by the button that opens it, which may show what is chosen there. */
const byItsLabel = { "aria-labelledby": "" }

const Content = ({ children, className }: Pick<PopoverProps, "children" | "className">): ReactElement => {
  const state = useContext(OverlayTriggerStateContext)
  return (
    <div className={className}>
      {typeof children === "function" ? children(() => state?.close()) : children}
    </div>
  )
}

export const Popover = (props: PopoverProps): ReactElement => {
  const {
    button,
    children,
    className = "w-72 p-3",
    isOpen,
    label,
    onOpenChange,
    placement,
    shown = label
  } = props
  return (
    <DialogTrigger {...(isOpen === undefined ? {} : { isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Pressable>
        <Button {...button}>{shown}</Button>
      </Pressable>
      {/* The surface is the dialog: the kit's buttons that dismiss it stand in it, too. */}
      <Surface
        {...byItsLabel}
        aria-label={label}
        placement={placement ?? "bottom start"}
        offset={4}
        className="floating outline-none"
      >
        <Content className={className}>{children}</Content>
      </Surface>
    </DialogTrigger>
  )
}

/** A small surface beside the button that opens it; Escape and a press elsewhere close it. */
import type { ReactElement, ReactNode } from "react"
import { Dialog, DialogTrigger, Pressable, Popover as Surface } from "react-aria-components"
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
      <Surface placement={placement ?? "bottom start"} offset={4} className="floating">
        <Dialog aria-label={label} className={`outline-none ${className}`}>
          {({ close }) => (typeof children === "function" ? children(close) : children)}
        </Dialog>
      </Surface>
    </DialogTrigger>
  )
}

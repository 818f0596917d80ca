/** Buttons, and their busy state. */
import type { ComponentProps, ReactElement } from "react"
import { Icon, type IconName } from "./icon.js"

export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: keyof typeof kindClass
  readonly size?: keyof typeof sizeClass
  readonly icon?: IconName
  /** Shows progress and ignores clicks. The focus stays. */
  readonly busy?: boolean
}

const kindClass = {
  plain: "border-line-strong bg-surface text-ink shadow-sm hover:bg-hover",
  primary: "border-transparent bg-accent text-on-accent shadow-sm hover:bg-accent/90",
  ghost: "border-transparent text-muted hover:bg-hover",
  danger: "border-line-strong bg-surface text-bad shadow-sm hover:bg-hover",
  dangerSolid: "border-transparent bg-danger text-on-accent shadow-sm hover:bg-danger/90"
}

const sizeClass = { m: "h-8 px-3 text-sm", s: "h-6.5 px-2 text-xs" }
const squareClass = { m: "size-8", s: "size-6.5" }

/** A button with a text, with an icon, or with both. */
export const Button = ({
  busy = false,
  children,
  className = "",
  icon,
  kind = "plain",
  onClick,
  size = "m",
  type = "button",
  ...rest
}: ButtonProps): ReactElement => (
  <button
    {...rest}
    type={type}
    className={`inline-flex items-center justify-center gap-1.75 rounded-md border leading-[1.2] font-medium whitespace-nowrap transition-colors duration-120 ${kindClass[kind]} ${(children === undefined ? squareClass : sizeClass)[size]} ${className}`}
    aria-disabled={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault()
      else onClick?.(event)
    }}
  >
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </button>
)

/** A button with an icon alone; its label is for screen readers. */
export const IconButton = ({
  label,
  ...rest
}: Omit<ButtonProps, "children"> & { readonly icon: IconName; readonly label: string }): ReactElement => (
  <Button kind="ghost" aria-label={label} title={label} {...rest} />
)

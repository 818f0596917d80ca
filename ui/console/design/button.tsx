/** Buttons, and their busy state. */
import type { ComponentProps, ReactElement } from "react"
import { Icon, type IconName } from "./icon.js"
import { Kbd } from "./show.js"
import { Tooltip } from "./tooltip.js"

export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: keyof typeof kindClass
  readonly size?: keyof typeof sizeClass
  readonly icon?: IconName
  /** Shows progress and ignores clicks. The focus stays. */
  readonly busy?: boolean
  /** The keys that do the same, beside its text. */
  readonly keys?: string | undefined
}

const kindClass = {
  plain: "border-line-strong bg-surface text-ink hover:bg-hover",
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent/90",
  ghost: "border-transparent text-muted hover:bg-hover hover:text-ink",
  danger: "border-line-strong bg-surface text-bad hover:bg-hover",
  dangerSolid: "border-transparent bg-danger text-on-accent hover:bg-danger/90",
  chip: "rounded-full border-line bg-surface text-muted hover:bg-hover chip-now"
}

const sizeClass = { m: "h-8 px-3 text-sm", s: "h-6.5 px-2 text-xs" }
const squareClass = { m: "size-8", s: "size-6.5" }

/** A button with a text, with an icon, or with both. */
export const Button = ({
  busy = false,
  children,
  className = "",
  icon,
  keys,
  kind = "plain",
  onClick,
  size = "m",
  type = "button",
  ...rest
}: ButtonProps): ReactElement => (
  <button
    {...rest}
    type={type}
    className={`press ${kindClass[kind]} ${(children === undefined ? squareClass : sizeClass)[size]} ${className}`}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault()
      else onClick?.(event)
    }}
  >
    {icon !== undefined && <Icon name={icon} />}
    {children}
    {keys !== undefined && (
      <span className="contents max-md:hidden" aria-hidden="true">
        <Kbd keys={keys} />
      </span>
    )}
  </button>
)

/** A button with an icon alone; its label is said by screen readers, and shown while the pointer rests on it. */
export const IconButton = ({
  keys,
  label,
  ...rest
}: Omit<ButtonProps, "children"> & {
  readonly icon: IconName
  readonly label: string
}): ReactElement => (
  <Tooltip text={label} keys={keys}>
    <Button kind="ghost" aria-label={label} {...rest} />
  </Tooltip>
)

/** Buttons, and their busy state. */
import type { ComponentProps, ReactElement, ReactNode } from "react"
import styles from "./button.module.css"
import { Icon, type IconName } from "./icon.js"

export interface ButtonProps extends Omit<ComponentProps<"button">, "type"> {
  readonly kind?: "primary" | "secondary" | "ghost" | "danger" | "danger-solid"
  readonly size?: "m" | "s"
  readonly icon?: IconName
  readonly submit?: boolean
  readonly wide?: boolean
  /** Shows progress and ignores clicks. The focus stays. */
  readonly busy?: boolean
  readonly children: ReactNode
}

/** A button with a text. */
export const Button = ({
  busy = false,
  children,
  icon,
  kind = "secondary",
  onClick,
  size = "m",
  submit = false,
  wide = false,
  ...rest
}: ButtonProps): ReactElement => (
  <button
    {...rest}
    type={submit ? "submit" : "button"}
    className={styles.button}
    data-kind={kind}
    data-size={size}
    data-wide={wide || undefined}
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

export interface IconButtonProps extends Omit<ComponentProps<"button">, "type" | "children"> {
  readonly icon: IconName
  /** Its name for screen readers. */
  readonly label: string
  readonly size?: "m" | "s"
}

/** A button with an icon alone. */
export const IconButton = ({
  className,
  icon,
  label,
  size = "m",
  ...rest
}: IconButtonProps): ReactElement => (
  <button
    {...rest}
    type="button"
    className={`${styles.button} ${className ?? ""}`}
    data-kind="ghost"
    data-square=""
    data-size={size}
    aria-label={label}
    title={label}
  >
    <Icon name={icon} />
  </button>
)

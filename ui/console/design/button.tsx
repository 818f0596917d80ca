/** Buttons, and their busy state. */
import type { ComponentProps, ReactElement } from "react"
import styles from "./button.module.css"
import { Icon, type IconName } from "./icon.js"

export interface ButtonProps extends Omit<ComponentProps<"button">, "type"> {
  readonly kind?: "primary" | "ghost" | "danger" | "danger-solid" | undefined
  readonly size?: "s"
  readonly icon?: IconName
  readonly submit?: boolean
  /** Shows progress and ignores clicks. The focus stays. */
  readonly busy?: boolean
}

/** A button with a text. */
export const Button = ({
  busy = false,
  children,
  className = "",
  icon,
  kind,
  onClick,
  size,
  submit = false,
  ...rest
}: ButtonProps): ReactElement => (
  <button
    {...rest}
    type={submit ? "submit" : "button"}
    className={`${styles.button} ${className}`}
    data-kind={kind}
    data-size={size}
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
  <Button kind="ghost" data-square="" aria-label={label} title={label} {...rest} />
)

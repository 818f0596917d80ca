/** What may be larger than its place. */
import type { ComponentProps, ReactElement } from "react"

const heightClass = "max-h-[max(22rem,100dvh-19rem)] scroll-pt-9"

/** Scrolls if there is too much for its place: a named region that the keyboard can reach. */
export const Scroll = ({
  className = heightClass,
  label,
  ...rest
}: ComponentProps<"section"> & { readonly label: string }): ReactElement => (
  <section
    {...rest}
    aria-label={label}
    className={`relative overflow-auto focus-visible:-outline-offset-2 ${className}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    tabIndex={0}
  />
)

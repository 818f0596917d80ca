/** What may be larger than its place. */
import type { ReactElement, ReactNode, Ref } from "react"

const heightClass = "max-h-[max(22rem,100dvh-19rem)] scroll-pt-9"

/** Scrolls if there is too much for its place: a named region that the keyboard can reach. */
export const Scroll = (props: {
  readonly label: string
  readonly className?: string
  readonly of?: Ref<HTMLElement>
  readonly children: ReactNode
}): ReactElement => (
  <section
    ref={props.of}
    aria-label={props.label}
    className={`relative overflow-auto focus-visible:-outline-offset-2 ${props.className ?? heightClass}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    tabIndex={0}
  >
    {props.children}
  </section>
)

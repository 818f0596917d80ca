/** What may be larger than its place. */
import type { ReactElement, ReactNode, Ref } from "react"
import styles from "./table.module.css"

/** Scrolls if there is too much for the screen: a named region that the keyboard can reach. */
export const Scroll = (props: {
  readonly label: string
  readonly of?: Ref<HTMLElement>
  readonly children: ReactNode
}): ReactElement => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={styles.wrap} ref={props.of} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
)

/** Links to the parts of a view. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import styles from "./tabs.module.css"

export interface Tab {
  readonly to: string
  readonly label: string
  readonly isCurrent: boolean
}

export const Tabs = (props: { readonly label: string; readonly tabs: ReadonlyArray<Tab> }): ReactElement => (
  <nav className={styles.tabs} aria-label={props.label}>
    {props.tabs.map(({ isCurrent, label, to }) => (
      <Link key={to} to={to} aria-current={isCurrent ? "page" : undefined}>
        {label}
      </Link>
    ))}
  </nav>
)

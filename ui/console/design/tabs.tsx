/** The parts of a list beside each other, as links with counts: which one is shown stands in the address. */
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { number } from "./format.js"

export interface TabLink {
  readonly to: string
  readonly label: ReactNode
  readonly count?: number | string | undefined
}

export interface LinksProps {
  readonly label: string
  /** The address of the one that is shown. */
  readonly current: string
  readonly tabs: ReadonlyArray<TabLink>
}

const Count = ({ of }: { readonly of: TabLink["count"] }): ReactNode =>
  of !== undefined && <span className="tabular-nums">{typeof of === "number" ? number(of) : of}</span>

const chipClass =
  "press h-6.5 rounded-full border-line bg-surface px-2.75 text-xs text-muted no-underline hover:bg-hover"

/** The parts of a list, with how much is in each. What narrows it further may stand after them. */
export const Chips = (props: LinksProps & { readonly children?: ReactNode }): ReactElement => (
  <div className="chips">
    <nav className="contents" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={`${chipClass} chip-now`}
          aria-current={tab.to === props.current ? "page" : undefined}
        >
          {tab.label} <Count of={tab.count} />
        </Link>
      ))}
    </nav>
    {props.children}
  </div>
)

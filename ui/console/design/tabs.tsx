/** Lists beside each other: as links with counts, as links under a line, and as panels of one page. */
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { Tab, TabList, TabPanel, Tabs as TabsOf } from "react-aria-components"
import { number } from "./format.js"

interface TabLink {
  readonly to: string
  readonly label: ReactNode
  readonly count?: number | string | undefined
}

interface LinksProps {
  readonly label: string
  /** The address of the one that is shown. */
  readonly current: string
  readonly tabs: ReadonlyArray<TabLink>
}

const Count = ({ of }: { readonly of: TabLink["count"] }): ReactNode =>
  of !== undefined && (
    <span className="opacity-75 tabular-nums">{typeof of === "number" ? number(of) : of}</span>
  )

const chipClass =
  "press h-6.5 rounded-full border-line bg-surface px-2.75 text-xs text-muted no-underline hover:bg-hover"

/** The parts of a list, with how much is in each. What narrows it further may stand after them. */
export const Chips = (props: LinksProps & { readonly children?: ReactNode }): ReactElement => (
  <div className="flex flex-wrap items-center gap-1.5">
    <nav className="contents" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          className={`${chipClass} aria-[current]:border-transparent aria-[current]:bg-ink aria-[current]:text-bg`}
          aria-current={tab.to === props.current ? "page" : undefined}
        >
          {tab.label} <Count of={tab.count} />
        </Link>
      ))}
    </nav>
    {props.children}
  </div>
)

const lineClass = "flex gap-4.5 overflow-x-auto border-b [scrollbar-width:none]"
const tabClass =
  "flex min-h-8 flex-none items-center gap-1.5 border-b-2 border-transparent px-0.5 text-sm font-medium text-muted no-underline -outline-offset-2 hover:text-ink"

/** Links to the parts of a view. */
export const Tabs = (props: LinksProps): ReactElement => (
  <nav className={`mb-4 ${lineClass}`} aria-label={props.label}>
    {props.tabs.map((tab) => (
      <Link
        key={tab.to}
        to={tab.to}
        className={`${tabClass} aria-[current]:border-accent-text aria-[current]:text-ink`}
        aria-current={tab.to === props.current ? "page" : undefined}
      >
        {tab.label} <Count of={tab.count} />
      </Link>
    ))}
  </nav>
)

/** Panels of which one is shown; the arrow keys choose. */
export const PanelTabs = <A extends string>(props: {
  readonly label: string
  readonly value: A
  readonly onChange: (value: A) => void
  readonly tabs: ReadonlyArray<{
    readonly value: A
    readonly label: ReactNode
    readonly content: () => ReactNode
  }>
}): ReactElement => (
  // The keys are those of the tabs.
  <TabsOf selectedKey={props.value} onSelectionChange={(key) => props.onChange(key as A)}>
    <TabList aria-label={props.label} className={lineClass}>
      {props.tabs.map(({ label, value }) => (
        <Tab
          key={value}
          id={value}
          className={`${tabClass} cursor-pointer data-selected:border-accent-text data-selected:text-ink`}
        >
          {label}
        </Tab>
      ))}
    </TabList>
    {props.tabs.map(({ content, value }) => (
      <TabPanel key={value} id={value} className="pt-4">
        {content()}
      </TabPanel>
    ))}
  </TabsOf>
)

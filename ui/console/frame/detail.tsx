/** The right pane: what one thing is, what can be done with it, and what is related to it. */

import { Link } from "@swan-io/chicane"
import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useState
} from "react"
import { useCommands } from "../app/commands.js"
import { onStep } from "../data/list-state.js"
import { Failed, type QueryView } from "../data/loaded.js"
import { Popover } from "../design/popover.js"
import { Scroll } from "../design/show.js"
import { Empty, SkeletonDetail } from "../design/state.js"

/** From this many characters on, a title is text rather than a heading: it is smaller, and never cut. */
const longTitle = 90

/** What a detail knows of the list beside it. */
export interface FrameState {
  /** The address of the list alone. */
  readonly to: string
  /** What the list is called. */
  readonly label: string
  /** Goes back to the list on a narrow screen. */
  readonly close: () => void
  /** Selects the next row. */
  readonly next: () => void
  /** Whether somebody chose the row: a list selects its first one by itself. */
  readonly isChosen: boolean
}

export const Frame = createContext<FrameState | undefined>(undefined)

export const useFrame = (): FrameState | undefined => useContext(Frame)

interface DetailProps {
  readonly title: ReactNode
  /** What stands before the title, such as a picture of a person. */
  readonly lead?: ReactNode
  /** One line below it: kind, time, state. */
  readonly about?: ReactNode
  /** What can be done, below that. */
  readonly actions?: ReactNode
  /** At the end of the line of the title. */
  readonly tools?: ReactNode
  /** Related things: beside what there is room for, else below it. */
  readonly aside?: ReactNode
  readonly asideLabel?: string
  /**
   * What a button says that opens the related things where there is no room for them: what one reads ends with the newest, and nothing
   * stands below that.
   */
  readonly asideButton?: string
  /** How what is read scrolls, where its view has to know. */
  readonly scroll?: Pick<ComponentProps<"section">, "ref" | "onScroll">
  /** What always stands at the bottom, such as an answer. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Opens what is related to a thing over it. */
const AsideButton = (props: { readonly label: string; readonly children: ReactNode }): ReactElement => {
  const [isOpen, setOpen] = useState(false)
  useCommands([{ label: props.label, icon: "user", keys: "i", run: () => setOpen(!isOpen) }])
  return (
    <span className="@2xl:hidden">
      <Popover
        label={props.label}
        button={{ kind: "ghost", size: "s" }}
        placement="bottom end"
        className="w-80 p-4"
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        {props.children}
      </Popover>
    </span>
  )
}

export const Detail = (props: DetailProps): ReactElement => {
  const { about, actions, aside, asideButton, asideLabel = "Related", children } = props
  const { foot, lead, scroll, title, tools } = props
  return (
    <div className="detail">
      <div className="detail-main">
        <header className="detail-head">
          <div className="flex items-start gap-3">
            {lead}
            <div className="min-w-0 flex-1">
              {/* Enter on a row leads here. */}
              <h2
                className="detail-title"
                tabIndex={-1}
                data-detail-title=""
                data-long={(typeof title === "string" && title.length >= longTitle) || undefined}
              >
                {title}
              </h2>
              {about !== undefined && <p className="quiet">{about}</p>}
            </div>
            {tools}
            {aside !== undefined && asideButton !== undefined && (
              <AsideButton label={asideButton}>{aside}</AsideButton>
            )}
          </div>
          {actions !== undefined && <div className="row mt-3">{actions}</div>}
        </header>
        <Scroll label="Details" className="detail-body" {...scroll}>
          {children}
          {aside !== undefined && asideButton === undefined && <div className="detail-below">{aside}</div>}
        </Scroll>
        {foot !== undefined && foot !== false && <footer className="detail-foot">{foot}</footer>}
      </div>
      {aside !== undefined && (
        <aside className="detail-aside" aria-label={asideLabel}>
          {aside}
        </aside>
      )}
    </div>
  )
}

/** A part of what is beside or in the detail: a heading, and what stands below it. */
export const Part = (props: {
  readonly title: string
  readonly tools?: ReactNode
  readonly children: ReactNode
}): ReactElement => (
  <section className="detail-part" aria-label={props.title}>
    <header className="flex items-center gap-2">
      <h3 className="flex-1 text-xs font-medium text-faint">{props.title}</h3>
      {props.tools}
    </header>
    {props.children}
  </section>
)

/** One line of a list of related things: a link, what it says at its end. */
export const PartLink = (props: {
  readonly to: string
  readonly children: ReactNode
  readonly end?: ReactNode
}): ReactElement => (
  <li className="part-line">
    <Link to={props.to} className="min-w-0 flex-[1_1_5rem] truncate text-ink">
      {props.children}
    </Link>
    {props.end}
  </li>
)

/** What is not there (any more), with a way out. */
export const Gone = ({ noun }: { readonly noun: string }): ReactElement => {
  const frame = useFrame()
  return (
    <div role="alert">
      <Empty icon="search" title={`This ${noun} no longer exists`}>
        <p>It may have been deleted.</p>
        {frame && (
          <Link to={frame.to} onClick={onStep(frame.close)}>
            Back to {frame.label}
          </Link>
        )}
      </Empty>
    </div>
  )
}

const isGone = (error: unknown): boolean => Object(error)._tag === "NotFound"

/**
 * What a row holds at once, then what its own call answers. What is not there (any more) says so, with a way out and without a
 * retry that cannot help.
 */
export const Thing = <A,>(props: {
  readonly of: QueryView<A>
  /** What the list knows of it. */
  readonly row: A | undefined
  /** What it is, such as "request". */
  readonly noun: string
  readonly children: (thing: A) => ReactNode
}): ReactNode => {
  const { noun, of, row } = props
  if (isGone(of.error)) return <Gone noun={noun} />
  const thing = of.data ?? row
  if (thing !== undefined) return props.children(thing)
  if (of.error !== undefined) return <Failed error={of.error} what={`The ${noun}`} onRetry={of.refetch} />
  return <SkeletonDetail />
}

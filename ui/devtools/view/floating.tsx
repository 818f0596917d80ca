/** The button that floats over the page, and the panel that it opens, as high as the user draws it. */
import * as React from "react"
import type { Registry } from "../../rx/registry.js"
import type { Section, ViewProps } from "../options.js"
import { Panel } from "./panel.js"
import { isEscape, onResize } from "./parts.js"

/** What the browser keeps of the panel. */
interface Kept {
  readonly isOpen: boolean
  readonly section: Section
  readonly height: number
}

const key = "quartet-devtools"

/** The height of the panel in pixels, and how low it may be drawn. */
const [usual, lowest] = [380, 160]

/** How high the panel may be drawn: as the window is now, which leaves some of the page. */
const useHighest = (): number =>
  React.useSyncExternalStore(onResize, () => Math.floor(0.9 * window.innerHeight))

/** Storage may be forbidden, and hold anything. */
const read = (): Partial<Kept> => {
  try {
    return Object(JSON.parse(localStorage.getItem(key) ?? "null"))
  } catch {
    return {}
  }
}

const write = (kept: Kept): void => {
  try {
    localStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // It is as it was at the next visit.
  }
}

const isHeight = (height: unknown): height is number => typeof height === "number" && Number.isFinite(height)

interface Props extends ViewProps {
  readonly host: HTMLElement
  readonly floating: NonNullable<ViewProps["floating"]>
  readonly registry: Registry
}

export const Floating = ({ floating, host, initialSection = "queries", ...props }: Props) => {
  const [kept, setKept] = React.useState((): Kept => {
    const { height, isOpen = floating.initialIsOpen ?? false, section = initialSection } = read()
    return { isOpen, section, height: isHeight(height) ? height : usual }
  })
  const panel = React.useRef<HTMLElement>(null)
  const button = React.useRef<HTMLButtonElement>(null)
  const wasOpened = React.useRef(false)
  const change = (part: Partial<Kept>): void => {
    const next = { ...kept, ...part }
    setKept(next)
    write(next)
  }
  const open = (isOpen: boolean): void => {
    wasOpened.current = true
    change({ isOpen })
  }
  const { isOpen, section } = kept
  const highest = useHighest()
  const bounded = (height: number): number => Math.min(highest, Math.max(lowest, height))
  // What was drawn in a higher window is kept for the next one.
  const height = bounded(kept.height)
  React.useLayoutEffect(() => host.style.setProperty("--height", `${height}px`), [host, height])
  React.useLayoutEffect(() => void host.toggleAttribute("data-open", isOpen), [host, isOpen])
  // The focus goes where the user has gone, but not on its own when the page is loaded.
  React.useEffect(() => {
    if (!wasOpened.current) return
    if (isOpen) panel.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus()
    else button.current?.focus()
  }, [isOpen])
  if (!isOpen)
    return (
      <aside aria-label="Quartet devtools">
        <button
          ref={button}
          type="button"
          className="open"
          data-at={floating.position}
          aria-expanded={false}
          onClick={() => open(true)}
        >
          Quartet devtools
        </button>
      </aside>
    )
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (!isEscape(event)) return
    event.stopPropagation()
    open(false)
  }
  const draw = ({ clientY, currentTarget, pointerId }: React.PointerEvent<HTMLElement>): void => {
    if (currentTarget.hasPointerCapture(pointerId)) change({ height: bounded(window.innerHeight - clientY) })
  }
  const onGripKey = (event: React.KeyboardEvent): void => {
    const by = { ArrowUp: 40, ArrowDown: -40 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    change({ height: bounded(height + by) })
  }
  return (
    <aside ref={panel} className="panel" aria-label="Quartet devtools" onKeyDown={onKeyDown}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved. */}
      <div
        className="grip"
        role="separator"
        aria-orientation="horizontal"
        aria-label="Height of the devtools"
        aria-valuenow={height}
        aria-valuemin={Math.min(lowest, highest)}
        aria-valuemax={highest}
        tabIndex={0}
        onKeyDown={onGripKey}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={draw}
      />
      <Panel
        {...props}
        section={section}
        onSection={(next) => change({ section: next })}
        onClose={() => open(false)}
      />
    </aside>
  )
}

/** The panel where the app has put it. */
export const Embedded = ({ initialSection = "queries", ...props }: ViewProps) => {
  const [section, setSection] = React.useState<Section>(initialSection)
  return (
    <div className="panel">
      <Panel {...props} section={section} onSection={setSection} />
    </div>
  )
}

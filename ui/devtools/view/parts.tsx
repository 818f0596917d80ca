/** What the sections are made of. */
import * as React from "react"

/** What a part of the panel needs of the whole. */
export interface Shared {
  /** Says something to the user. */
  readonly say: (text: string) => void
}

export type Tone = "good" | "warn" | "bad" | "calm" | "busy"

/** How often what is shown is read again, in milliseconds: nothing tells of an answer's age. */
const interval = 250

/** Reads again a few times a second while the page is visible. */
export const useTick = (): void => {
  const [, tick] = React.useReducer((count: number) => count + 1, 0)
  React.useEffect(() => {
    const timer = setInterval(() => document.visibilityState !== "hidden" && tick(), interval)
    return () => clearInterval(timer)
  }, [])
}

/** Calls a listener when the window is of another size, until the function that it returns is called. */
export const onResize = (listener: () => void): (() => void) => {
  window.addEventListener("resize", listener)
  return () => window.removeEventListener("resize", listener)
}

/** How long ago, or how long, in words. */
export const span = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3_600)} h`
}

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23"
})

/** A time of day, with a clock of 24 hours: `14:05:09`. */
export const time = (at: number): string => clock.format(at)

export const Button = ({
  children,
  disabled = false,
  onClick
}: {
  readonly children: React.ReactNode
  readonly disabled?: boolean
  readonly onClick: () => void
}): React.ReactElement => (
  <button type="button" className="button" disabled={disabled} onClick={onClick}>
    {children}
  </button>
)

/** What scrolls, and so is reached by the keyboard. */
const Scroll = ({
  children,
  className = "source",
  label
}: {
  readonly label: string
  readonly className?: string
  readonly children: React.ReactNode
}) => (
  // biome-ignore lint/a11y/useSemanticElements: no set of fields, and no landmark: those need names of their own.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is moved with the keyboard too.
  <div role="group" className={className} aria-label={label} tabIndex={0}>
    {children}
  </div>
)

/** A text that scrolls; nothing where it is empty. */
export const Source = ({ text, title }: { readonly text: string; readonly title: string }) =>
  text === "" ? null : (
    <div>
      <p className="title">{title}</p>
      <Scroll label={title}>
        <pre>{text}</pre>
      </Scroll>
    </div>
  )

export interface Line {
  readonly badge: string
  readonly tone: Tone
  readonly name: string
  readonly side: string
  readonly about: string
}

/** A line that opens: what is inside is rendered while it is open alone. */
export const Item = ({
  children,
  line
}: {
  readonly line: Line
  readonly children: () => React.ReactNode
}) => {
  const [isOpen, setOpen] = React.useState(false)
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={`badge ${line.tone}`}>{line.badge}</span>
          <strong className="name">{line.name}</strong>
          <span className="side">{line.side}</span>
          <code>{line.about}</code>
        </summary>
        {isOpen && <div className="more">{children()}</div>}
      </details>
    </li>
  )
}

/** How many lines are shown at first, and how many more each time: thousands are too many to render at each tick. */
const page = 100

/** The lines of a section, with what can be done with all of them above. */
export const List = <A,>({
  children,
  empty,
  items,
  label,
  tools
}: {
  readonly label: string
  readonly tools: React.ReactNode
  /** What is said where there are no lines. */
  readonly empty: string
  readonly items: ReadonlyArray<A>
  /** The line of an item. */
  readonly children: (item: A, place: number) => React.ReactNode
}): React.ReactElement => {
  const [most, setMost] = React.useState(page)
  const lines = React.useRef<HTMLOListElement>(null)
  // The focus goes on with the first new line.
  React.useEffect(() => {
    if (most > page) lines.current?.children[most - page]?.querySelector("summary")?.focus()
  }, [most])
  return (
    <>
      <div className="tools">{tools}</div>
      <Scroll className="list" label={label}>
        {items.length === 0 ? (
          <p className="empty">{empty}</p>
        ) : (
          <ol ref={lines}>{items.slice(0, most).map(children)}</ol>
        )}
        {items.length > most && (
          <div className="rest">
            <span className="faint">
              {most} of {items.length} are shown.
            </span>
            <Button onClick={() => setMost(most + page)}>Show more</Button>
          </div>
        )}
      </Scroll>
    </>
  )
}

/** Escape, unless it ends the composing of a character. */
export const isEscape = ({ key, nativeEvent }: React.KeyboardEvent): boolean =>
  key === "Escape" && !nativeEvent.isComposing

/** A field that Escape empties. */
export const Search = ({
  label,
  onChange,
  value
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
    onKeyDown={(event) => {
      if (value === "" || !isEscape(event)) return
      // Some browsers empty it by themselves, and one or the other counts.
      event.preventDefault()
      event.stopPropagation()
      onChange("")
    }}
  />
)

/** Whether any of the texts holds what is looked for. */
export const isMatch = (search: string, ...texts: ReadonlyArray<string>): boolean =>
  search === "" || texts.join(" ").toLowerCase().includes(search.toLowerCase())

/** The command palette: opens a row of any list, goes to a place, does a command. */

import * as Arr from "effect/Array"
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useState } from "react"
import { Button } from "../design/button.js"
import { Dialog } from "../design/dialog.js"
import { Icon, type IconName } from "../design/icon.js"
import { Kbd } from "../design/show.js"
import { arriveAt } from "./arrival.js"
import { useCellValue } from "./cells.js"
import type { Command } from "./commands.js"
import type { Found } from "./find.js"
import { type RecentRow, recentRows } from "./recent.js"
import { close, everywhere, here } from "./shortcuts.js"
import { useFind } from "./use-find.js"
import { places } from "./viewer.js"

interface Line {
  readonly label: string
  readonly icon: IconName
  /** Where it leads, if it is a row. */
  readonly to?: string
  readonly about?: string
  readonly keys?: string | undefined
  readonly run: () => void
}

interface Group {
  readonly title: string
  readonly lines: ReadonlyArray<Line>
}

/** At most so many lines of a place; all others are where it lists them. */
const few = 4

const go = (to: string) => (): void => arriveAt(to)

const ofCommand = ({ icon, keys, label, run }: Command): Line => ({ label, icon, keys, run })

const ofRow = ({ about, label, to }: RecentRow): Line => ({
  label,
  about,
  to,
  icon: places.find((place) => place.label === about)?.icon ?? "server",
  run: go(to)
})

/** What a row says and where it leads, wherever it stands. */
const keyOf = ({ about, label, to }: Pick<Line, "about" | "label" | "to">): string =>
  `${to} ${label} ${about}`

/** Whether each part of the text begins a word of the label. */
const begins = (label: string, parts: ReadonlyArray<string>): boolean =>
  parts.every((part) => ` ${label.toLowerCase()}`.includes(` ${part}`))

/** How well a label fits: the whole of it, its beginning, the beginning of a word, anywhere in it, not at all. */
const fitOf = (label: string, text: string): number => {
  const name = label.toLowerCase()
  if (name === text) return 0
  if (name.startsWith(text)) return 1
  return name.includes(` ${text}`) ? 2 : name.includes(text) ? 3 : 4
}

/** The places of what was found, what people look for most first; what has no place stands last. */
const groupsOf = (found: ReadonlyArray<Found>, text: string): ReadonlyArray<Group> => {
  const titles = [
    "Orders",
    "Payments",
    "Requests",
    "Customers",
    "Chat",
    ...places.map(({ label }) => label),
    "Data"
  ]
  // They answer in any order.
  const ranked = [...found].sort((left, right) => left.rank - right.rank)
  const rows = ranked.flatMap(({ all, group, matches }) => matches.map((match) => ({ ...match, group, all })))
  const all = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
  const [best] = [...all].sort((left, right) => fitOf(left.label, text) - fitOf(right.label, text))
  const ofPlaces = [...new Set(titles)].map((title): Group => {
    const others = all.filter((match) => match.group === title && match !== best)
    // What belongs to the customer that is meant stands before what belongs to others of that name.
    const [theirs, rest] = Arr.partition(
      others,
      ({ about }) => best === undefined || !about.includes(best.label)
    )
    const matches = [...theirs, ...rest]
    const lines = matches.slice(0, few).map((line): Line => ({ ...line, run: go(line.to) }))
    const [first] = matches
    const isMore = matches.length > few && first !== undefined && title !== "Data"
    return {
      title,
      lines: isMore ? [...lines, { label: `All in ${title}`, icon: "next", run: go(first.all) }] : lines
    }
  })
  const bestLine: ReadonlyArray<Line> = best === undefined ? [] : [{ ...best, run: go(best.to) }]
  return [{ title: "Best match", lines: bestLine }, ...ofPlaces]
}

/** A label with what was typed in it. */
const Marked = ({ label, text }: { readonly label: string; readonly text: string }): ReactNode => {
  const at = text === "" ? -1 : label.toLowerCase().indexOf(text)
  if (at < 0) return label
  return (
    <>
      {label.slice(0, at)}
      <b className="font-bold">{label.slice(at, at + text.length)}</b>
      {label.slice(at + text.length)}
    </>
  )
}

const Palette = (): ReactElement => {
  const id = useId()
  const recent = useCellValue(recentRows)
  const [typed, setText] = useState("")
  /** The line that somebody moved to; the first one until then. */
  const [marked, setMarked] = useState<string>()
  const { failure, found, isOver, unread } = useFind(typed)
  const text = typed.trim().toLowerCase()
  const parts = text.split(/\s+/)
  const commandsOf = (title: string, commands: ReadonlyArray<Command>): Group => ({
    title,
    lines: commands.filter(({ label }) => text === "" || begins(label, parts)).map(ofCommand)
  })
  const groups = [
    ...(text === "" ? [{ title: "Recently opened", lines: recent.map(ofRow) }] : []),
    ...(text === "" ? [] : groupsOf(found, text)),
    commandsOf("On this page", here()),
    commandsOf("Commands", everywhere())
  ].filter(({ lines }) => lines.length > 0)
  const lines = groups.flatMap(({ lines, title }) =>
    // A row stays the one that somebody moved to, wherever later answers put it.
    lines.map((line, at) => ({
      ...line,
      key: line.to === undefined ? `${title} ${at} ${line.label}` : keyOf(line)
    }))
  )
  const place = Math.max(
    0,
    lines.findIndex(({ key }) => key === marked)
  )
  const run = (line: Line | undefined): void => {
    if (line === undefined) return
    close()
    // After the palette has returned the focus, so that what runs may take it.
    setTimeout(line.run)
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1 + lines.length,
    PageDown: Math.min(place + 5, lines.length - 1),
    PageUp: Math.max(place - 5, 0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    if (event.key === "Enter") run(lines[place])
    else if (event.key === "Escape" && typed !== "") {
      event.stopPropagation()
      setText("")
    } else if (step !== undefined && lines.length > 0) setMarked(lines[step % lines.length]?.key)
    else return
    event.preventDefault()
  }
  const isWithout = isOver && lines.length === 0
  const failed = found.filter(({ hasFailed = false }) => hasFailed)
  const hasNone = failed.length > 0 && failed.length === found.length
  const lost = [...new Set(failed.map(({ group }) => group))].join(", ")
  const without = hasNone
    ? "Nothing could be searched. The platform is not answering as it should."
    : failed.length > 0
      ? `Nothing found for “${typed.trim()}” in what could be searched.`
      : `Nothing found for “${typed.trim()}”. Try fewer letters.`
  const notes = [
    ...(lost === "" || (hasNone && isWithout) ? [] : [hasNone ? without : `Not fully searched: ${lost}.`]),
    ...found.flatMap(({ among, group }) =>
      among === undefined ? [] : [`${group}: among the last ${among}.`]
    ),
    ...(failure === undefined ? [] : [`${failure}.`]),
    ...(unread.length > 0 ? [`Not searched: ${unread.join(", ").toLowerCase()}.`] : [])
  ]
  const state = !isOver
    ? "Searching…"
    : isWithout
      ? without
      : text === ""
        ? ""
        : `${lines.length} ${lines.length === 1 ? "result" : "results"}`
  let count = -1
  return (
    <Dialog open onClose={close} title="Search or run a command" place="bare">
      <div className="palette-field">
        <Icon name="search" className="text-faint" />
        <input
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={lines.length === 0 ? undefined : `${id}-${place}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a customer, an order, a place…"
          value={typed}
          onChange={(event) => {
            setText(event.target.value)
            setMarked(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        <span className="faint whitespace-nowrap" role="status">
          {state.startsWith("Nothing") ? <span className="sr-only">{state}</span> : state}
        </span>
        {/* Where there is no Esc. */}
        <Button kind="ghost" size="s" className="md:not-pointer-coarse:hidden" onClick={close}>
          Cancel
        </Button>
      </div>
      <div className="palette-lines" role="listbox" id={id} aria-label="Results">
        {groups.map(({ lines: own, title }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of choices of the list, and no set of fields.
          <div key={title} role="group" aria-label={title}>
            <div className="palette-title" aria-hidden="true">
              {title}
            </div>
            {own.map((line) => {
              count += 1
              const at = count
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
                // biome-ignore lint/a11y/useFocusableInteractive: it is named by the field's aria-activedescendant.
                <div
                  key={lines[at]?.key}
                  role="option"
                  className="palette-line"
                  id={`${id}-${at}`}
                  aria-selected={at === place}
                  ref={at === place ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
                  onClick={() => run(line)}
                >
                  <Icon name={line.icon} className="text-muted" />
                  <span className="truncate">
                    <Marked label={line.label} text={text} />
                  </span>
                  <span className="min-w-0 flex-1 truncate faint">{line.about}</span>
                  {line.keys !== undefined && <Kbd keys={line.keys} />}
                </div>
              )
            })}
          </div>
        ))}
        {isWithout && <p className="px-3 py-6 text-center quiet">{without}</p>}
      </div>
      {notes.length > 0 && (
        <ul className="palette-notes">
          {[...new Set(notes)].map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

export default Palette

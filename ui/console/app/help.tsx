/** The keys: those of the present view first, then those of the whole console; and the letters that may follow another. */
import { type ReactElement, type ReactNode, useState } from "react"
import { Button } from "../design/button.js"
import { Dialog, openDialogs } from "../design/dialog.js"
import { areKeysOn, isSingleKey, setKeysOn } from "../design/keys.js"
import { Kbd } from "../design/show.js"
import { Switch } from "../design/switch.js"
import { registry, useCellValue } from "./cells.js"
import { type Command, firstKey } from "./commands.js"
import { close, everywhere, here, opened, runnable } from "./shortcuts.js"
import { developers, places, useWhere } from "./viewer.js"

const title = "Keyboard shortcuts"

interface Key {
  readonly label: string
  readonly keys: string
  /** Other keys that do the same. */
  readonly also?: string
}

/** Keys that are for the focus, and so no commands; arrows do what `j` and `k` do. */
const ofFocus = (isOn: boolean): ReadonlyArray<Key> => [
  {
    label: "Next row, previous row",
    keys: "ArrowDown ArrowUp",
    ...(isOn && { also: "j k" })
  },
  { label: "First row, last row", keys: "Home End" },
  { label: "Tick and go to the next", keys: "Shift ArrowDown" },
  { label: "Open the detail", keys: "Enter" }
]

/** What every list can do, by its keys. */
const isOfLists = ({ keys }: Key): boolean => /^([xl.\d]|Escape)$/.test(keys)

/** What stands among the keys of the focus already. */
const isMove = ({ keys }: Key): boolean => /^[jk]$/.test(keys)

const keysOf = (commands: ReadonlyArray<Command>): ReadonlyArray<Key> =>
  commands.flatMap(({ keys, label }) => (keys === undefined ? [] : [{ label, keys }]))

const Keys = (props: { readonly title: string; readonly of: ReadonlyArray<Key> }): ReactNode =>
  props.of.length > 0 && (
    <section className="help-keys" aria-label={props.title}>
      <h3 className="faint">{props.title}</h3>
      <ul>
        {props.of.map(({ also, keys, label }) => (
          <li key={label} className="help-key">
            <span className="flex-1">{label}</span>
            {also !== undefined && (
              <>
                <Kbd keys={also} /> <span className="faint">or</span>
              </>
            )}
            <Kbd keys={keys} />
          </li>
        ))}
      </ul>
    </section>
  )

const Content = (): ReactElement => {
  const { place } = useWhere()
  const [isOn, setOn] = useState(areKeysOn)
  const [search, setSearch] = useState("")
  const label = [...places, developers].find(({ name }) => name === place)?.label ?? "This page"
  // Over another dialog less can be done.
  const isOver = openDialogs().some(({ ariaLabel }) => ariaLabel !== title)
  const can = new Set(runnable(isOver))
  const isShown = (key: Key): boolean =>
    (isOn || !isSingleKey(key.keys)) && key.label.toLowerCase().includes(search.trim().toLowerCase())
  const own = keysOf(here().filter((command) => can.has(command)))
  const all = keysOf(everywhere().filter((command) => can.has(command)))
  const isGo = ({ keys }: Key): boolean => /^g /.test(keys)
  const ofLists = [...(own.some(isMove) ? ofFocus(isOn) : []), ...own.filter(isOfLists)]
  // A message that offers it says the same.
  const undo: ReadonlyArray<Key> =
    isOver || own.some(({ keys }) => keys === "u") ? [] : [{ label: "Undo, while offered", keys: "u" }]
  const groups = [
    { title: label, of: own.filter((key) => !isOfLists(key) && !isMove(key)).filter(isShown) },
    { title: "In the list", of: ofLists.filter(isShown) },
    { title: "Everywhere", of: [...undo, ...all.filter((key) => !isGo(key))].filter(isShown) },
    { title: "Navigation", of: all.filter(isGo).filter(isShown) }
  ]
  const isEmpty = groups.every(({ of }) => of.length === 0)
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        <input
          type="search"
          className="flex-1"
          aria-label="Find a shortcut"
          placeholder="Find a shortcut"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <Switch
          label="Use letter shortcuts"
          isOn={isOn}
          onChange={(next) => {
            setKeysOn(next)
            setOn(next)
          }}
        />
      </div>
      {!isOn && (
        <p className="quiet" role="status">
          Letter shortcuts are off in this browser.
        </p>
      )}
      {isEmpty && (
        <div className="quiet" role="status">
          No shortcut does that. Try a command.{" "}
          <Button size="s" onClick={() => registry.set(opened, "palette")}>
            Search commands
          </Button>
        </div>
      )}
      <div className="help-columns">
        {groups.map((group) => (
          <Keys key={group.title} {...group} />
        ))}
      </div>
    </>
  )
}

export const Help = (): ReactElement => (
  <Dialog open={useCellValue(opened) === "help"} onClose={close} title={title} place="wide" hasClose>
    <Content />
  </Dialog>
)

/** Which letters may follow the one that was pressed, until one is, or the time for it is over. */
export const KeyHint = (): ReactElement => {
  const first = useCellValue(firstKey)
  const next = first === "" ? [] : keysOf(runnable(false)).filter(({ keys }) => keys.startsWith(`${first} `))
  return (
    <div role="status" className="key-hint">
      {next.length > 0 && (
        <ul className="key-hints">
          {next.map(({ keys, label }) => (
            <li key={keys} className="flex items-center gap-2">
              <Kbd keys={keys.slice(2)} /> {label.replace(/^Go to /, "")}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/**
 * Commands: what the palette offers, the keyboard runs and the help lists. Those of the whole console stand in `shortcuts.tsx`; a
 * view adds its own for as long as it is on the page.
 */
import { useEffect, useRef } from "react"
import type { IconName } from "../design/icon.js"
import { isMac } from "../design/keys.js"
import { cell, registry } from "./cells.js"

export interface Command {
  readonly label: string
  readonly icon: IconName
  /** The keys to press, one after another; `mod` is held down, and is Ctrl or ⌘. */
  readonly keys?: string
  /** Whether it can do something at this moment; always, if it is missing. */
  readonly isOffered?: () => boolean
  /** Whether its keys work over an open dialog too. */
  readonly worksOver?: boolean
  /** Whether a key that is held does it again and again. */
  readonly repeats?: boolean
  /** Does it; `isHeld` where its key is held and repeats. */
  readonly run: (isHeld?: boolean) => void
}

const sources = new Set<() => ReadonlyArray<Command>>()

/** What the views that are on the page add. */
export const viewCommands = (): ReadonlyArray<Command> => [...sources].reverse().flatMap((source) => source())

/** Offers commands while the component is on the page. */
export const useCommands = (commands: ReadonlyArray<Command>): void => {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    const source = () => latest.current
    sources.add(source)
    return () => void sources.delete(source)
  }, [])
}

/** Milliseconds within which the second key must follow the first. */
const patience = 3_000

/** The key that another may follow, while there is time for it; empty without one. */
export const firstKey = cell("")

let timer: ReturnType<typeof setTimeout> | undefined

const keepFirst = (key: string): void => {
  clearTimeout(timer)
  registry.set(firstKey, key)
  if (key !== "") timer = setTimeout(() => registry.set(firstKey, ""), patience)
}

type Pressed = Pick<KeyboardEvent, "code" | "key" | "shiftKey">

/**
 * The Latin letter of a key, by its place on the keyboard where its own is of another alphabet. Caps Lock makes no difference, and on
 * a Mac, ⌫ deletes.
 */
export const letterOf = ({ code, key, shiftKey }: Pressed): string => {
  if (key === "Backspace" && isMac()) return "Delete"
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127
  const letter = isForeign && /^Key[A-Z]$/.test(code) ? code.slice(3) : key
  return letter.length === 1 && (isForeign || !shiftKey) ? letter.toLowerCase() : letter
}

/** The command that a key runs: the second key of two goes before a key alone. Escape gives the first one up. */
export const commandOf = (event: KeyboardEvent, commands: ReadonlyArray<Command>): Command | undefined => {
  const isHeld = event.ctrlKey || event.metaKey
  const key = letterOf(event)
  const before = registry.get(firstKey)
  const first = isHeld ? "mod" : before
  const find = (pressed: string): Command | undefined => commands.find(({ keys }) => keys === pressed)
  const isGivenUp = before !== "" && key === "Escape"
  const command = isGivenUp ? undefined : (find(`${first} ${key}`) ?? (isHeld ? undefined : find(key)))
  const isFirst = !isHeld && command === undefined && commands.some(({ keys }) => keys?.startsWith(`${key} `))
  keepFirst(isFirst ? key : "")
  return command
}

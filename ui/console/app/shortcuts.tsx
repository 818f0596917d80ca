/**
 * The commands of the whole console, each once: the palette offers them, the keyboard runs them, and the help lists those
 * that the keyboard can run at this moment.
 */
import { pushUnsafe } from "@swan-io/chicane"
import { useEffect } from "react"
import { openDialogs } from "../design/dialog.js"
import { isPlainKey, markKeys } from "../design/keys.js"
import { isOpen as isWireOpen } from "../wire/log.js"
import { cell, registry } from "./cells.js"
import { type Command, commandOf, letterOf, viewCommands } from "./commands.js"
import { signOut } from "./query-clients.js"
import * as Theme from "./theme.js"
import { audiences, developerPages, developers, places, startOf, viewers } from "./viewer.js"

/** What is open above the page. */
export const opened = cell<"palette" | "help" | undefined>(undefined)

export const close = (): void => registry.set(opened, undefined)

const go = (to: string) => () => pushUnsafe(to)
const finder = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-shortcut='/']")

const commands: ReadonlyArray<Command> = [
  {
    label: "Search or run a command",
    icon: "search",
    keys: "mod k",
    worksOver: true,
    run: () => registry.update(opened, (now) => (now === "palette" ? undefined : "palette"))
  },
  ...[...places, developers].map(({ icon, key, label, to }) => ({
    label: `Go to ${label}`,
    icon,
    keys: `g ${key}`,
    run: go(to)
  })),
  ...developerPages.map(({ icon, label, to }) => ({ label: `Developers: ${label}`, icon, run: go(to) })),
  ...audiences
    .filter(({ value }) => value !== "admin")
    .map(({ label, value }) => ({
      label: `View as ${label.toLowerCase()}`,
      icon: viewers[value].icon,
      run: go(startOf(value))
    })),
  {
    label: "Find on this page",
    icon: "search",
    keys: "/",
    isOffered: () => finder() !== null,
    run: () => finder()?.focus()
  },
  {
    label: "Open or close the wire",
    icon: "wire",
    keys: "w",
    run: () => registry.update(isWireOpen, (is) => !is)
  },
  { label: "Sign out", icon: "signOut", run: () => void signOut("admin") },
  { label: "Change the theme", icon: "moon", keys: "t", run: Theme.next },
  { label: "Use the dark theme", icon: "moon", run: () => Theme.choose("dark") },
  {
    label: "Show keyboard shortcuts",
    icon: "keyboard",
    keys: "?",
    worksOver: true,
    run: () => registry.set(opened, "help")
  },
  {
    label: "Close the wire",
    icon: "close",
    keys: "Escape",
    isOffered: () => registry.get(isWireOpen),
    run: () => registry.set(isWireOpen, false)
  }
]

const isOffered = (command: Command): boolean => command.isOffered?.() !== false

/** What can be done on this page alone. */
export const here = (): ReadonlyArray<Command> => viewCommands().filter(isOffered)

/** What can be done on every page. */
export const everywhere = (): ReadonlyArray<Command> => commands.filter(isOffered)

/** What the keyboard can do: over an open dialog, less. */
export const runnable = (isOver: boolean): ReadonlyArray<Command> =>
  [...here(), ...everywhere()].filter(
    ({ keys, worksOver = false }) => keys !== undefined && (worksOver || !isOver)
  )

/** Escape and what is pressed with Ctrl or ⌘ work everywhere; letters where they are for nothing else, and are not switched off. */
const isForCommands = (event: KeyboardEvent): boolean => {
  if (event.altKey || event.defaultPrevented || event.isComposing || event.keyCode === 229) return false
  return event.ctrlKey || event.metaKey || event.key === "Escape" || isPlainKey(event)
}

const listen = (event: KeyboardEvent): void => {
  if (!isForCommands(event)) return
  const dialogs = openDialogs()
  const isOver = dialogs.length > 0
  const isPalette = registry.get(opened) === "palette" && letterOf(event) === "k"
  const isAsked =
    (registry.get(opened) !== undefined && !isPalette) || dialogs.some(({ role }) => role === "alertdialog")
  if (isOver && isAsked) return
  const command = commandOf(event, runnable(isOver))
  if (command === undefined) return
  event.preventDefault()
  // A key that is held goes on moving; all else it does once.
  if (!event.repeat || command.repeats === true) command.run(event.repeat)
}

/** Handles the shortcuts while the console is open. */
export const useShortcuts = (): void =>
  useEffect(() => {
    markKeys()
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [])

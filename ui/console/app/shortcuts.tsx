/**
 * All commands of the console, each once: the palette offers them, the keyboard runs them, and the help lists those that
 * the keyboard can run at this moment.
 */
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useEffect } from "react"
import { Button } from "../design/button.js"
import { Actions, Dialog, openDialogs } from "../design/dialog.js"
import { isPlainKey } from "../design/keys.js"
import { FactList, Kbd } from "../design/show.js"
import { isOpen as isWireOpen } from "../wire/log.js"
import { cell, registry, useCellValue } from "./cells.js"
import { type Command, commandOf, viewCommands } from "./commands.js"
import { admin, signOut } from "./query-clients.js"
import { Router } from "./routes.js"
import * as Theme from "./theme.js"
import { audiences, places, startOf, viewers } from "./viewer.js"

/** What is open above the page. */
export const opened = cell<"palette" | "help" | undefined>(undefined)

export const close = (): void => registry.set(opened, undefined)

const go = (to: string) => () => pushUnsafe(to)
const create = (slice: string) => go(Router.Data({ slice, id: "new" }))
const can = (slice: string, call: string) => () => admin.session.actions(registry).can(slice, call)
const finder = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-shortcut='/']")

const commands: ReadonlyArray<Command> = [
  {
    label: "Go, find or do anything",
    icon: "search",
    keys: "mod k",
    worksOver: true,
    isOffered: () => registry.get(opened) !== "palette",
    run: () => registry.set(opened, "palette")
  },
  ...places.map(({ icon, key, label, to }) => ({
    label: `Go to ${label.toLowerCase()}`,
    icon,
    keys: `g ${key}`,
    run: go(to)
  })),
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
  {
    label: "Notify an end user…",
    icon: "send",
    isOffered: can("notifications", "send"),
    run: go(Router.Data({ slice: "users" }))
  },
  { label: "New user", icon: "user", isOffered: can("users", "create"), run: create("users") },
  { label: "Invite an admin", icon: "people", isOffered: can("admins", "create"), run: create("admins") },
  { label: "Sign out", icon: "signOut", run: () => void signOut("admin") },
  { label: "Change the theme", icon: "moon", keys: "t", run: Theme.next },
  { label: "Use the dark theme", icon: "moon", run: () => Theme.choose("dark") },
  {
    label: "Show the keyboard shortcuts",
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

/** What can be done on this page. */
export const offered = (): ReadonlyArray<Command> =>
  [...viewCommands(), ...commands].filter(({ isOffered }) => isOffered === undefined || isOffered())

/** What the keyboard can do: over an open dialog, less. */
const runnable = (isOver: boolean): ReadonlyArray<Command> =>
  offered().filter(({ keys, worksOver = false }) => keys !== undefined && (worksOver || !isOver))

/** Escape and what is pressed with Ctrl or ⌘ work everywhere; letters where they are for nothing else, and are not switched off. */
const isForCommands = (event: KeyboardEvent): boolean => {
  if (event.altKey || event.defaultPrevented || event.isComposing || event.keyCode === 229) return false
  return event.ctrlKey || event.metaKey || event.key === "Escape" || isPlainKey(event)
}

const listen = (event: KeyboardEvent): void => {
  if (!isForCommands(event)) return
  const dialogs = openDialogs()
  const isOver = dialogs.length > 0
  const isAsked = registry.get(opened) !== undefined || dialogs.some(({ role }) => role === "alertdialog")
  if (isOver && isAsked) return
  const command = commandOf(event, runnable(isOver))
  if (command === undefined) return
  event.preventDefault()
  command.run()
}

/** Handles the shortcuts while the console is open. */
export const useShortcuts = (): void =>
  useEffect(() => {
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [])

/** The list of shortcuts. */
export const Help = (): ReactElement => (
  <Dialog open={useCellValue(opened) === "help"} onClose={close} title="Keyboard shortcuts">
    <FactList
      of={runnable(openDialogs().some((dialog) => dialog.ariaLabel !== "Keyboard shortcuts")).map(
        (command) => [command.label, <Kbd key="keys" keys={command.keys ?? ""} />]
      )}
    />
    <Actions>
      <Button onClick={close}>Close</Button>
    </Actions>
  </Dialog>
)

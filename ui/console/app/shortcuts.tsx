/** The keyboard: g and a letter goes to a place, / searches, w opens the wire, t switches the theme, ? lists all. */
import { pushUnsafe } from "@swan-io/chicane"
import { Fragment, type ReactElement, useEffect } from "react"
import { Dialog } from "../design/dialog.js"
import { isOpen as isWireOpen } from "../wire/log.js"
import { cell, change, useCellValue } from "./cells.js"
import styles from "./shell.module.css"
import * as Theme from "./theme.js"
import { places } from "./viewer.js"

/** Whether the list of shortcuts is shown. */
export const isHelpOpen = cell(false)

/** Milliseconds within which the letter after `g` must follow. */
const patience = 1_200

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null

const go = (letter: string): boolean => {
  const place = places.find(({ key }) => key === letter)
  if (place !== undefined) pushUnsafe(place.to)
  return place !== undefined
}

const actions: Readonly<Record<string, () => void>> = {
  "/": () => document.querySelector<HTMLElement>("main [data-shortcut='/']")?.focus(),
  w: () => change(isWireOpen, (open) => !open),
  t: () => Theme.next(),
  "?": () => change(isHelpOpen, () => true)
}

/** Handles the shortcuts while the console is open. */
export const useShortcuts = (): void => {
  useEffect(() => {
    let began = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target))
        return
      if (document.querySelector("[role=dialog], [role=alertdialog]") !== null) return
      const isSecond = event.timeStamp - began < patience
      began = Number.NEGATIVE_INFINITY
      if (isSecond && go(event.key)) {
        event.preventDefault()
        return
      }
      if (event.key === "g") began = event.timeStamp
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    window.addEventListener("keydown", listen)
    return () => window.removeEventListener("keydown", listen)
  }, [])
}

const others = [
  ["/", "Find on this page"],
  ["w", "Open or close the wire"],
  ["t", "Change the theme"],
  ["?", "Show this list"],
  ["Esc", "Close what is open"]
] as const

/** The list of shortcuts. */
export const Help = (): ReactElement => (
  <Dialog
    open={useCellValue(isHelpOpen)}
    onClose={() => change(isHelpOpen, () => false)}
    title="Keyboard shortcuts"
  >
    <dl className={styles.shortcuts}>
      {places.map(({ key, label }) => (
        <Fragment key={key}>
          <dt>Go to {label.toLowerCase()}</dt>
          <dd>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dd>
        </Fragment>
      ))}
      {others.map(([key, label]) => (
        <Fragment key={key}>
          <dt>{label}</dt>
          <dd>
            <kbd>{key}</kbd>
          </dd>
        </Fragment>
      ))}
    </dl>
  </Dialog>
)

/** Keys that do something by themselves: when they may, and how they stand on a keyboard. */

const stored = "quartet.keys"

/** Whether single keys do something; they can be switched off (WCAG 2.1.4). */
export const areKeysOn = (): boolean => localStorage.getItem(stored) !== "off"

/** Has the page show no keycaps of single keys while they are off. */
export const markKeys = (): void => {
  document.documentElement.toggleAttribute("data-keys-off", !areKeysOn())
}

/** Switches single keys on or off, for this browser. */
export const setKeysOn = (isOn: boolean): void => {
  if (isOn) localStorage.removeItem(stored)
  else localStorage.setItem(stored, "off")
  markKeys()
}

/** Whether it can be switched off: what is pressed with Ctrl or ⌘, and keys with names, always do something. */
export const isSingleKey = (keys: string): boolean => !/^(mod |[A-Z]\w)/.test(keys)

const fields = "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=file])"
/** Where letters choose among what is listed: a list, or the button of one. */
const lists = "select, [role=listbox], [role=menu], [role=combobox], [aria-haspopup=listbox]"

/** Whether a key is for what has the focus: a field, or a list in which letters choose; `/` is for fields alone. */
const isTyping = ({ key, target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(key === "/" ? fields : `${fields}, ${lists}`) !== null

/** Whether a key, alone, may do something: it is for nothing else, and no text is being composed with it. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !(event.altKey || event.ctrlKey || event.metaKey) &&
  !(event.isComposing || event.defaultPrevented) &&
  !isTyping(event) &&
  areKeysOn()

/** Whether its keyboard is one of a Mac: ⌘ is held down for commands, and ⌫ deletes. */
export const isMac = (): boolean => /Mac|iP/.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  Escape: "Esc",
  Enter: "↵",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Shift: "⇧",
  Delete: "Del",
  mod: "Ctrl"
}

const macNames: Readonly<Record<string, string>> = { ...names, mod: "⌘", Delete: "⌫" }

/** What is printed on a key; `mod` is the one that is held down for commands. */
export const keyName = (key: string): string => (isMac() ? macNames : names)[key] ?? key

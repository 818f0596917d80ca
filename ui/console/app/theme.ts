/** Light, dark, or the system's theme; stored in this browser. `boot.js` sets it before the first paint. */
import { cell, registry } from "./cells.js"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const key = "quartet.theme"

/** The chosen theme. */
export const theme = cell<Theme>(
  themes.find((candidate) => candidate === localStorage.getItem(key)) ?? "system"
)

/** Sets a theme. */
export const choose = (chosen: Theme): void => {
  localStorage.setItem(key, chosen)
  registry.set(theme, chosen)
  document.documentElement.dataset.theme = chosen
}

/** Sets the next one. */
export const next = (): void =>
  choose(themes[(themes.indexOf(registry.get(theme)) + 1) % themes.length] ?? "system")

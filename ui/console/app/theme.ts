/** Light, dark, or the system's theme; stored in this browser. */
import { type Cell, cell, change, registry } from "./cells.js"

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const key = "quartet.theme"

const kept = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? "system"

/** The chosen theme. */
export const theme: Cell<Theme> = cell<Theme>(kept())

const dark = matchMedia("(prefers-color-scheme: dark)")

const apply = (): void => {
  const chosen = registry.get(theme)
  const isDark = chosen === "dark" || (chosen === "system" && dark.matches)
  document.documentElement.dataset.theme = isDark ? "dark" : "light"
}

/** Sets a theme. */
export const choose = (chosen: Theme): void => {
  localStorage.setItem(key, chosen)
  change(theme, () => chosen)
  apply()
}

/** Sets the next one. */
export const next = (): void => {
  const index = themes.indexOf(registry.get(theme))
  choose(themes[(index + 1) % themes.length] ?? "system")
}

dark.addEventListener("change", apply)

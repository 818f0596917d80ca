/** The focus is never lost with what had it: it goes to the title of what is read, or to the page. */
const isLost = (): boolean => document.activeElement === document.body

export const keepFocus = (): void => {
  if (isLost()) document.querySelector<HTMLElement>("main [data-detail-title]")?.focus()
  // On a narrow screen it may not be shown.
  if (isLost()) document.querySelector("main")?.focus()
}

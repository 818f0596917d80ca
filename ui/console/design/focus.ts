/** The focus is never lost with what had it: it goes to the title of what is read, or to the page. */
const isLost = (): boolean => document.activeElement === document.body

export const keepFocus = (): void => {
  if (isLost()) document.querySelector<HTMLElement>("main [data-detail-title]")?.focus()
  // On a narrow screen it may not be shown.
  if (isLost()) document.querySelector("main")?.focus()
}

/** Moves the focus to where one looks for something in a list. */
export const focusSearch = (): void =>
  document.querySelector<HTMLElement>('main [data-shortcut="/"]')?.focus()

const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/**
 * Sees to the focus once a dialog is gone, where the kit has not given it back in the frame after: what had it before has it again,
 * unless that is gone, too, or an address opened the dialog.
 */
export const giveBack = async (before: Element | null): Promise<void> => {
  await nextFrame()
  await nextFrame()
  if (isLost() && before instanceof HTMLElement && before.isConnected) before.focus()
  keepFocus()
}

/** When a user is back and when the network is: moments at which old answers are asked for again. */

/** Calls a listener at each such moment, until the function that it returns is called. */
export type Signal = (listener: () => void) => () => void

/** A signal that never comes. */
export const never: Signal = () => () => undefined

const listen = (target: EventTarget, type: string, listener: () => void): (() => void) => {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}

/** The page is looked at again: its tab is shown, or its window gets the focus. Never outside of browsers. */
export const focus: Signal = (listener) => {
  if (typeof window === "undefined" || typeof document === "undefined") return () => undefined
  const shown = listen(document, "visibilitychange", () => {
    if (document.visibilityState === "visible") listener()
  })
  const focused = listen(window, "focus", listener)
  return () => {
    shown()
    focused()
  }
}

/** The browser is online again. Never outside of browsers. */
export const reconnect: Signal = (listener) =>
  typeof window === "undefined" || typeof window.addEventListener !== "function"
    ? () => undefined
    : listen(window, "online", listener)

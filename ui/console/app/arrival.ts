/** Where somebody goes to one thing by the keyboard: what opens there takes the focus. */
import { pushUnsafe } from "@swan-io/chicane"
import { cell, registry } from "./cells.js"

let awaited: string | undefined

/** How often somebody did: what stands there already takes the focus, too. */
export const arrivals = cell(0)

/** What is pressed meanwhile counts more. */
const forget = (): void => {
  awaited = undefined
  window.removeEventListener("keydown", forget, true)
  window.removeEventListener("pointerdown", forget, true)
}

/** Goes there. */
export const arriveAt = (to: string): void => {
  pushUnsafe(to)
  awaited = window.location.pathname
  registry.update(arrivals, (count) => count + 1)
  window.addEventListener("keydown", forget, true)
  window.addEventListener("pointerdown", forget, true)
}

/** Whether what stands at the present address is to take the focus. */
export const isArriving = (): boolean => awaited === window.location.pathname

export const arrived = forget

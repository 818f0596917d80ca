/** Where somebody goes to one thing by the keyboard: what opens there takes the focus. */
import { pushUnsafe } from "@swan-io/chicane"

let awaited: string | undefined

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
  window.addEventListener("keydown", forget, true)
  window.addEventListener("pointerdown", forget, true)
}

/** Whether what stands at the present address is to take the focus. */
export const isArriving = (): boolean => awaited === window.location.pathname

export const arrived = forget

/**
 * Renders the devtools into an element of their own: in a shadow root, where no style of the app reaches them and none of
 * theirs the app, and in a React root of their own, so that what goes wrong there stays there.
 */
import { RegistryContext } from "@effect-rx/rx-react"
import { createRoot } from "react-dom/client"
import type { ViewProps } from "../options.js"
import { Embedded, Floating } from "./floating.js"
import { styles } from "./styles.js"

export interface View {
  readonly render: (props: ViewProps) => void
  readonly unmount: () => void
}

const ofKeyboard = ["keydown", "keypress", "keyup"]
/** What an app closes its menus at, or holds the focus in its dialogs by. */
const ofPointer = ["click", "focusin", "mousedown", "pointerdown", "touchstart"]

const isTyping = ([target]: ReadonlyArray<EventTarget>): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

export const mount = (host: HTMLElement): View => {
  const shadow = host.attachShadow({ mode: "open" })
  // A policy that forbids inline styles allows this.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  shadow.adoptedStyleSheets = [sheet]
  // What is typed here is no shortcut of the app's, which sees the element alone and not that it is a field.
  for (const type of ofKeyboard)
    host.addEventListener(type, (event) => isTyping(event.composedPath()) && event.stopPropagation())
  for (const type of ofPointer)
    host.addEventListener(type, (event) => host.dataset.placed === "floating" && event.stopPropagation())
  const root = createRoot(shadow)
  return {
    render: ({ floating, ...props }) => {
      host.dataset.placed = floating === undefined ? "embedded" : "floating"
      host.dataset.theme = props.theme ?? "system"
      root.render(
        <RegistryContext.Provider value={props.registry}>
          {floating === undefined ? (
            <Embedded {...props} />
          ) : (
            <Floating {...props} floating={floating} host={host} />
          )}
        </RegistryContext.Provider>
      )
    },
    // Not at once: React may be in the middle of the app's own work.
    unmount: () => void setTimeout(() => root.unmount(), 0)
  }
}

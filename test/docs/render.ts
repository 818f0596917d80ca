/** A page's components in a document: `node render.mjs <module>` shows each that takes nothing, and prints its text. */
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { Window } from "happy-dom"

const window = new Window({ url: "http://localhost/" })
const own = [
  "document",
  "navigator",
  "HTMLElement",
  "HTMLIFrameElement",
  "Node",
  "Event",
  "CSSStyleSheet"
] as const
for (const name of own) Object.defineProperty(globalThis, name, { value: window[name], configurable: true })
Object.assign(globalThis, { window })

const { createElement } = await import("react")
const { createRoot } = await import("react-dom/client")
const page: Record<string, unknown> = await import(pathToFileURL(process.argv[2] ?? "").href)

/** Milliseconds to wait for a component that shows nothing, or says that it waits. */
const patienceOf = (text: string): number =>
  text === "" ? patient(1_000) : text.includes("Loading") ? patient(20_000) : 0

for (const [name, component] of Object.entries(page)) {
  if (!/^[A-Z]/.test(name) || typeof component !== "function" || component.length > 0) continue
  const place = document.createElement("div")
  document.body.append(place)
  const root = createRoot(place, {
    onUncaughtError: (error) => {
      console.error(error)
      process.exit(1)
    }
  })
  root.render(createElement(() => component()))
  for (let waited = 0; waited <= patienceOf(place.innerText); waited += 25) await sleep(25)
  console.log(place.innerText)
  root.unmount()
}
await window.happyDOM.close()
// With its page goes what still waits in it, such as for a network.
process.exit()

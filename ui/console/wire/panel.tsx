/** The devtools beside the page, and what the console adds to a call of the wire: code to copy, and to send it again. */

import { QuartetDevtoolsPanel, type WireAction, type WireCall } from "@quartet/react/devtools"
import { type ReactElement, useRef, useState } from "react"
import { registry, useCellValue, useSetCell } from "../app/cells.js"
import { settings } from "../app/config.js"
import { notLoaded } from "../app/explain.js"
import { theme } from "../app/theme.js"
import { warn } from "../app/toasts.js"
import { audiences } from "../app/viewer.js"
import { ask } from "../design/dialog.js"
import { boundedWidth, Edge } from "../design/edge.js"
import { useVariable } from "../design/variable.js"
import { isOpen, wire } from "./log.js"

/** What reads a line as a call: the operation that it is of, and the input that it was made with. Loaded on the first use. */
const read = async (call: WireCall) => {
  const [samples, { entryOf, sending }, { inputOf }] = await Promise.all([
    import("@quartet/sdk/extend/description/samples"),
    import("../app/catalogue.js"),
    import("./input.js")
  ]).catch((cause: unknown) => {
    throw notLoaded(cause)
  })
  const audience = audiences.find(({ value }) => value === call.source)?.value
  const entry = entryOf(`${audience}.${call.operation}`)
  if (audience === undefined || entry === undefined) return undefined
  return { ...samples, audience, entry, input: inputOf(entry.declared, call), sending }
}

const copy = (style: string): WireAction => ({
  label: `Copy as ${style}`,
  run: async (call) => {
    const known = await read(call)
    if (known === undefined) return "There is no such call."
    const { audience, entry, input, samplesOf } = known
    const called = { audience, operation: call.operation, declared: entry.declared, input }
    const sample = samplesOf(called, settings).find(({ label }) => label === style)
    await navigator.clipboard.writeText(sample?.source ?? "")
    return "Copied. Fill in the secrets yourself."
  }
})

/** Sends a call again with the credentials that its client has now, a write only after a question. */
const sendAgain: WireAction = {
  label: "Send again",
  // The wire shows all that was sent: neither a secret nor a file.
  isOffered: ({ body, path }) => !/••/.test(path + body) && /^([[{"]|$)/.test(body),
  run: async (call) => {
    const description = "This may make a change twice. The answer appears as a new line in the wire."
    const title = `Send ${call.operation} again?`
    if (call.method !== "GET" && !(await ask({ title, description, action: "Send again" }))) return undefined
    const known = await read(call)
    if (known === undefined) return "There is no such call."
    const outcome = await known.sending(known.entry).mutation.actions(registry).mutate(known.input)
    if (outcome.status === "error") throw outcome.error
    return undefined
  }
}

/** What fails is said as everywhere in the console. */
const actions = [copy("Effect"), copy("Promise"), sendAgain].map((action) => ({
  ...action,
  run: (call: WireCall) =>
    action.run(call).catch((cause: unknown) => {
      warn(cause)
      return undefined
    })
}))

const stored = "quartet.wire.width"
const least = 320
const most = 0.75

/** The panel, as wide as somebody has made it. */
const Panel = (): ReactElement => {
  const show = useSetCell(isOpen)
  const [width, setWidth] = useState(() =>
    boundedWidth(Number(localStorage.getItem(stored)) || 480, least, most)
  )
  const keep = (next: number): void => {
    setWidth(next)
    localStorage.setItem(stored, String(next))
  }
  const panel = useRef<HTMLElement>(null)
  useVariable(panel, "--wire", `${width}px`)
  return (
    <aside ref={panel} className="wire-panel" aria-label="Wire">
      <Edge
        label="Width of the wire"
        className="wire-bar"
        width={width}
        least={least}
        most={most}
        side="left"
        onChange={keep}
      />
      <QuartetDevtoolsPanel
        registry={registry}
        wire={wire}
        wireActions={actions}
        initialSection="wire"
        theme={useCellValue(theme)}
        onClose={() => show(false)}
      />
    </aside>
  )
}

export default Panel

/** The devtools beside the page, and what the console adds to a call of the wire: code to copy, and to send it again. */

import { QuartetDevtoolsPanel, type WireAction, type WireCall } from "@quartet/react/devtools"
import type { ReactElement } from "react"
import { registry, useCellValue, useSetCell } from "../app/cells.js"
import { settings } from "../app/config.js"
import { notLoaded } from "../app/explain.js"
import { theme } from "../app/theme.js"
import { warn } from "../app/toasts.js"
import { audiences } from "../app/viewer.js"
import { ask } from "../design/dialog.js"
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
    return "Copied. Secrets have to be filled in."
  }
})

/** Sends a call again with the credentials that its client has now, a write only after a question. */
const sendAgain: WireAction = {
  label: "Send again",
  // The wire shows all that was sent: neither a secret nor a file.
  isOffered: ({ body, path }) => !/••/.test(path + body) && /^([[{"]|$)/.test(body),
  run: async (call) => {
    const description = "It may change something a second time. Its answer appears as a new line of the wire."
    const title = `Send ${call.operation} again?`
    if (call.method !== "GET" && !(await ask({ title, description, action: "Send again" }))) return undefined
    const known = await read(call)
    if (known === undefined) return "There is no such call."
    void known.sending(known.entry).mutation.actions(registry).mutate(known.input)
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

/** The panel. It is beside the page if there is room, else above it. */
const Panel = (): ReactElement => {
  const show = useSetCell(isOpen)
  return (
    <aside
      className="flex flex-col border-l border-line bg-surface max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-40 max-xl:w-100 max-xl:max-w-full max-xl:shadow-lg print:hidden"
      aria-label="Wire"
    >
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

/** The terminal of the prompts: it asks on stderr, because stdout is for data. */
import * as Terminal from "@effect/platform/Terminal"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Whether somebody can be asked: there are a keyboard and a screen. */
export class CanAsk extends Context.Reference<CanAsk>()("quartet/CanAsk", {
  defaultValue: () => process.stdin.isTTY === true && process.stderr.isTTY === true
}) {}

/** Prompts colour what they show, and move the cursor: without colours they still have to move it. */
const uncoloured = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of.
  process.env.NO_COLOR ? text.replaceAll(/\u001b\[[\d;]*m/g, "") : text

export const layer: Layer.Layer<Terminal.Terminal> = Layer.scoped(
  Terminal.Terminal,
  Effect.map(NodeTerminal.make(), (terminal) => ({
    ...terminal,
    display: (text: string) =>
      Effect.async<void>((resume) => {
        process.stderr.write(uncoloured(text), () => resume(Effect.void))
      })
  }))
)

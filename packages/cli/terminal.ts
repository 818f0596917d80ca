/** The terminal of the prompts, which asks on stderr, because stdout is for data; and what asks before something that cannot be undone. */
import * as Prompt from "@effect/cli/Prompt"
import * as Terminal from "@effect/platform/Terminal"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { codes, Problem } from "./exit.js"

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

/**
 * Goes on if the user agrees, or has agreed by `--yes`. Fails with Problem if they do not, and where nobody can be asked.
 */
export const confirm = (
  question: string,
  isAgreed: boolean
): Effect.Effect<void, Problem | Terminal.QuitException, Prompt.Prompt.Environment> =>
  Effect.gen(function* () {
    if (isAgreed) return
    if (!(yield* CanAsk))
      return yield* new Problem({
        message: `${question} There is no terminal to ask on.`,
        next: "Pass --yes to do it without being asked.",
        code: codes.usage
      })
    const isYes = yield* Prompt.run(Prompt.confirm({ message: question, initial: false }))
    if (!isYes) return yield* new Problem({ message: "Nothing was done." })
  })

/** Asks before something that cannot be undone. */
import * as Prompt from "@effect/cli/Prompt"
import type * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import { codes, Problem } from "./exit.js"
import { CanAsk } from "./terminal.js"

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

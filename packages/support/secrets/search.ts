/** Looks at failures through every sink, and keeps an account of what was looked at and what was found. */

import { isCallError } from "@quartet/sdk/extend"
import type * as Effect from "effect/Effect"
import { type Canary, leaksIn } from "./canaries.js"
import { failure, sinks } from "./sinks.js"

export class Search {
  /** Canaries looked for, times texts that were looked at. */
  cases = 0
  /** How often each kind of error came about; `value` where there was none. */
  readonly outcomes = new Map<string, number>()
  /** Failures with what is no error of a call. */
  untyped = 0
  readonly leaks: Array<{ readonly call: string; readonly what: string }> = []

  get errors(): number {
    return [...this.outcomes].reduce((sum, [name, times]) => (name === "value" ? sum : sum + times), 0)
  }

  /** Looks at one text. */
  look(call: string, sink: string, text: string, canaries: ReadonlyArray<Canary>): void {
    this.cases += canaries.length
    for (const name of leaksIn(text, canaries)) this.leaks.push({ call, what: `${sink} shows the ${name}` })
  }

  /** Runs a call, and looks at its failure through every sink; answers the name of what it came to. */
  async run(
    call: string,
    effect: Effect.Effect<unknown, unknown>,
    canaries: ReadonlyArray<Canary>
  ): Promise<string> {
    const failed = await failure(effect)
    const parts = ["_tag", "reason"].map((part) => failed && Reflect.get(failed.error, part))
    const name = failed === undefined ? "value" : parts.filter(Boolean).join(".") || failed.error.name
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1)
    if (failed === undefined) return name
    if (!isCallError(failed.error)) this.untyped += 1
    for (const [sink, write] of Object.entries(sinks))
      this.look(`${call}, ${name}`, sink, write(failed), canaries)
    return name
  }
}

/** A new option cannot be forgotten where the names of all options stand. */
import type { Known } from "../../core/kernel/operation/options.js"

interface Sample {
  readonly limit?: number
  readonly onEnd?: () => void
}

export const all = { limit: "any", onEnd: "function" } satisfies Known<Sample>

// @ts-expect-error a name is missing, though the option may be left out
export const short = { limit: "any" } satisfies Known<Sample>

export const long = {
  ...all,
  // @ts-expect-error a name is none
  timeout: "any"
} satisfies Known<Sample>

export const wrong = {
  limit: "any",
  // @ts-expect-error a kind is none
  onEnd: "callback"
} satisfies Known<Sample>

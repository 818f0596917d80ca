/** What may be shown of the items of a run: all but the secrets of their input. */
import { concealed, isSecret, mask, textsIn } from "@quartet/sdk/extend"
import type { Failure } from "../jobs/run.js"

const secretsIn = (input: unknown): ReadonlyArray<string> => {
  const secrets: Array<string> = []
  textsIn(input, false, secrets)
  return secrets
}

/** The input of a run or an item as JSON, with fields named like secrets masked, and what is in them wherever it stands. */
export const shownInput = (input: unknown): unknown => concealed(input, secretsIn(input), isSecret)

/** An item that was not done. */
export const shownFailure = (failure: Failure): Failure => ({
  ...failure,
  error: mask(failure.error, secretsIn(failure.input)),
  input: shownInput(failure.input)
})

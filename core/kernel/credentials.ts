/** What a client sends to prove who it is, and where it gets that from. */
import type * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import type { CallError } from "./errors.js"
import { readingsOf } from "./readings.js"
import { formsOf, isShort } from "./secret-forms.js"

/** Credentials that are ready to send. */
export interface Credentials {
  /** Headers by lower-case name. Secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** The token's permission map; undefined for audiences that have none. */
  readonly grants: unknown
}

/** The source of a client's credentials. */
export interface Authority {
  /**
   * Credentials at hand, or undefined where they must be obtained first. `time` is `now` of the clock, on which those
   * that are about to end are renewed in the background.
   */
  readonly current: (time: number, clock: Clock.Clock) => Credentials | undefined
  /** Obtains credentials; concurrent callers share one sign-in. */
  readonly obtain: Effect.Effect<Credentials, CallError>
  /** The same for a call that begins now and may have to wait before it runs: a sign-out in between does not lead it to a session of its own. */
  readonly join: (clock: Clock.Clock) => Effect.Effect<Credentials, CallError>
  /**
   * Replaces credentials that the platform refused to an operation. Answers undefined where the refusal stands: others
   * would be refused too, or they were given up. Undefined for keys, which cannot be renewed.
   */
  readonly renew:
    | ((refused: Credentials, operation: string) => Effect.Effect<Credentials | undefined, CallError>)
    | undefined
  /** Is told of credentials that the platform took for an operation, whatever it answered to that. */
  readonly accepted: (credentials: Credentials, operation: string) => void
  /** Counts sign-outs: what was begun before one does not go on after it. Left out for keys, which nobody signs out of. */
  readonly signOuts?: () => number
  /** Everything that must never be shown; the same list for as long as nothing is added. */
  readonly secrets: () => ReadonlyArray<string>
}

/** A text this long is cut before it is masked: whoever shows it shows less. */
const longest = 32_768

/** Most characters that one character is written in, where escapes stand in escapes. */
const widest = 20

/** What access tokens look like, also those that nobody has told of. */
const token = /\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}/g

const isLetter = /[\p{L}\p{N}]/u

/** Where a text holds another: begin and end of each place. */
const placesOf = (text: string, form: string): ReadonlyArray<readonly [number, number]> => {
  const found: Array<readonly [number, number]> = []
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
    found.push([at, at + form.length])
  return found
}

const make = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const forms = [...new Set(secrets.flatMap(formsOf))]
  const short = [...new Set(secrets.filter(isShort))]
  const size = forms.reduce((most, { length }) => Math.max(most, length), 0)
  const hidden = (text: string): ReadonlyArray<readonly [number, number]> => [
    ...forms.flatMap((form) => placesOf(text, form)),
    ...short
      .flatMap((form) => placesOf(text, form))
      .filter(([from, to]) => !isLetter.test(text.charAt(from - 1)) && !isLetter.test(text.charAt(to))),
    ...Array.from(text.matchAll(token), ({ 0: { length }, index }) => [index, index + length] as const)
  ]
  return (text) => {
    const isCut = text.length > longest
    const looked = isCut ? text.slice(0, longest) : text
    const all = readingsOf(looked).flatMap((reading) =>
      hidden(reading.text).map(
        ([from, to]) => [reading.places?.[from] ?? from, reading.places?.[to] ?? to] as const
      )
    )
    let masked = ""
    let end = 0
    for (const [from, to] of all.sort(([one], [two]) => one - two)) {
      if (from >= end) masked += `${looked.slice(end, from)}•••`
      end = Math.max(end, to)
    }
    // A form that the cut goes through is not found: its beginning goes with the end of the text.
    return isCut
      ? masked + looked.slice(end, Math.max(end, longest - size * widest))
      : masked + looked.slice(end)
  }
}

const known = /*#__PURE__*/ new WeakMap<ReadonlyArray<string>, (text: string) => string>()

/** Replaces every secret in a text, whatever form it is written in, by dots. Of one list the forms are found out once. */
export const mask = (text: string, secrets: ReadonlyArray<string>): string => {
  const masker = known.get(secrets) ?? make(secrets)
  known.set(secrets, masker)
  return masker(text)
}

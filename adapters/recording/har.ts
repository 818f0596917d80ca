/** Learns from a HAR: of a browser's network panel, of `har` of `adapters/tap`, or of any other tool. */
import * as Either from "effect/Either"
import { InputError } from "../../core/kernel/errors/errors.js"
import { own } from "../../core/permissions/own.js"
import type { Recorder } from "./recording.js"

/** What was learnt of a HAR. @category models */
export interface Learnt {
  /** Entries whose answers were taken in. */
  readonly taken: number
  /** Entries of other requests, of failed calls and of answers that are no JSON, or that were cut short. */
  readonly left: number
}

const textOf = (value: unknown, name: string): string => {
  const found = own(value, name)
  return typeof found === "string" ? found : ""
}

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const found = own(value, name)
  return Array.isArray(found) ? found : []
}

/** The body of an answer; undefined where there is none that can be read. */
const bodyOf = (content: unknown): { readonly json: unknown } | undefined => {
  const raw = textOf(content, "text")
  if (raw === "") return own(content, "size") === 0 ? { json: undefined } : undefined
  return Either.getOrUndefined(
    Either.try(() => {
      const text =
        textOf(content, "encoding") === "base64"
          ? new TextDecoder().decode(Uint8Array.from(atob(raw), (character) => character.charCodeAt(0)))
          : raw
      return { json: JSON.parse(text) as unknown }
    })
  )
}

/** The operation's name, which a tap writes as the entry's comment. */
const nameIn = (comment: string): string | undefined =>
  /^[a-z]\w*\.[a-z]\w*$/i.test(comment) ? comment : undefined

const learnEntry = (recorder: Recorder, entry: unknown): boolean => {
  const [request, response] = [own(entry, "request"), own(entry, "response")]
  const url = textOf(request, "url")
  const status = own(response, "status")
  const body = bodyOf(own(response, "content"))
  if (!URL.canParse(url) || body === undefined) return false
  if (typeof status !== "number" || status < 200 || status > 299) return false
  const { pathname } = new URL(url)
  const headers = listOf(request, "headers").map((header) => textOf(header, "name"))
  const operation = nameIn(textOf(entry, "comment"))
  return (
    recorder.learn({ method: textOf(request, "method"), path: pathname, headers, operation }, body.json)
      .length > 0
  )
}

/** Takes the answers of a HAR in. InputError if the text is none. @category combinators */
export const learnHar = (recorder: Recorder, text: string): Either.Either<Learnt, InputError> => {
  const parsed = Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  const entries = own(own(parsed, "log"), "entries")
  if (!Array.isArray(entries))
    return Either.left(
      new InputError({
        operation: "Recording.learnHar",
        field: "text",
        rule: "must be a HAR: { log: { entries } }"
      })
    )
  const taken = entries.filter((entry: unknown) => learnEntry(recorder, entry)).length
  return Either.right({ taken, left: entries.length - taken })
}

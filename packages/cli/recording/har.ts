/** Learns from a HAR: of a browser's network panel, of `har` of `adapters/tap`, or of any other tool. */

import { type Address, address, InputError, own, read, urlOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { isOfPlatform } from "./calls.js"
import * as Json from "./json.js"
import type { Recorder } from "./recording.js"

/** What was learnt of a HAR. @category models */
export interface Learnt {
  /** Entries whose answers were taken in. */
  readonly taken: number
  /** Entries of other addresses and requests, of failed calls and of answers that are no JSON, or that were cut short. */
  readonly left: number
}

/** Which entries of a HAR are the platform's. @category models */
export interface HarOptions {
  /**
   * Addresses of the platform, the new API's and the legacy one's, as a client's `baseUrl` and `legacyUrl`. Without any it is
   * the one origin that requests with the platform's headers, such as `x-api-key`, were sent to.
   */
  readonly addresses?: ReadonlyArray<string>
}

const textOf = (value: unknown, name: string): string => {
  const text = own(value, name)
  return typeof text === "string" ? text : ""
}

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const text = own(value, name)
  return Array.isArray(text) ? text : []
}

/** The body of an answer; undefined where there is none that can be read. */
const bodyOf = (content: unknown): { readonly value: unknown } | undefined => {
  const raw = textOf(content, "text")
  if (raw === "") return own(content, "size") === 0 ? { value: undefined } : undefined
  if (textOf(content, "encoding") !== "base64") return Json.parse(raw)
  const bytes = Either.try(() => Uint8Array.from(atob(raw), (character) => character.charCodeAt(0)))
  return Either.isRight(bytes) ? Json.ofBytes(bytes.right) : undefined
}

/** The operation's name, which a tap writes as the entry's comment. */
const nameIn = (comment: string): string | undefined =>
  /^[a-z]\w*\.[a-z]\w*$/i.test(comment) ? comment : undefined

/** A request of a HAR, and how it was answered. */
interface Entry {
  readonly url: URL
  readonly method: string
  readonly headers: ReadonlyArray<string>
  readonly operation: string | undefined
  readonly response: unknown
}

const entryOf = (entry: unknown): ReadonlyArray<Entry> => {
  const request = own(entry, "request")
  const url = urlOf(textOf(request, "url"))
  if (url === undefined) return []
  return [
    {
      url,
      method: textOf(request, "method"),
      headers: listOf(request, "headers").map((header) => textOf(header, "name")),
      operation: nameIn(textOf(entry, "comment")),
      response: own(entry, "response")
    }
  ]
}

/** The path of an entry below an address. */
const below = (address: Address, { origin, pathname }: URL): string | undefined =>
  origin === address.origin && pathname.startsWith(`${address.prefix}/`)
    ? pathname.slice(address.prefix.length)
    : undefined

const learnEntry = (recorder: Recorder, entry: Entry, path: string, isWhole: boolean): boolean => {
  const body = bodyOf(own(entry.response, "content"))
  const status = own(entry.response, "status")
  if (body === undefined || typeof status !== "number" || status < 200 || status > 299) return false
  return recorder.learn({ ...entry, path, isWhole }, body.value).length > 0
}

const refuse = (field: string, rule: string) =>
  Either.left(new InputError({ operation: "Recording.learnHar", field, rule }))

const originsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  [...new Set(entries.map(({ url }) => url.origin))].sort()

/** The addresses that entries are taken of: those that are given, or the one that the entries show. */
const addressesOf = (
  entries: ReadonlyArray<Entry>,
  texts: ReadonlyArray<string>
): Either.Either<ReadonlyArray<Address>, InputError> => {
  if (texts.length > 0)
    return Either.flatMap(Either.all(texts.map((url) => address("addresses", url))), (addresses) =>
      entries.length === 0 ||
      entries.some(({ url }) => addresses.some((base) => below(base, url) !== undefined))
        ? Either.right(addresses)
        : refuse("addresses", `must be of the HAR, whose requests went to ${originsOf(entries).join(", ")}`)
    )
  const unclear = (why: string, all: ReadonlyArray<string>) =>
    refuse("addresses", `must name the platform, because ${why}: ${all.join(", ")}`)
  const origins = originsOf(entries.filter(isOfPlatform))
  if (origins.length > 1) return unclear("requests to several have its headers", origins)
  if (origins.length === 0 && entries.length > 0)
    return unclear("no request has its headers", originsOf(entries))
  return Either.right(origins.map((origin) => ({ origin, prefix: "" })))
}

/**
 * Takes the answers of a HAR in that came from the platform. InputError if the text is none, or if its entries do not say
 * which address is the platform's. @category combinators
 */
export const learnHar = (
  recorder: Recorder,
  text: string,
  options: HarOptions = {}
): Either.Either<Learnt, InputError> => {
  const checked = read<HarOptions>("Recording.learnHar", "options", options, { addresses: "any" })
  if (Either.isLeft(checked)) return Either.left(checked.left)
  const { addresses: texts = [] } = checked.right
  const all = own(own(Json.parse(text)?.value, "log"), "entries")
  if (!Array.isArray(all)) return refuse("text", "must be a HAR: { log: { entries } }")
  const entries = all.flatMap(entryOf)
  return Either.map(addressesOf(entries, texts), (addresses) => {
    const taken = entries.filter((entry) => {
      const path = addresses
        .map((base) => below(base, entry.url))
        .find((remainder) => remainder !== undefined)
      return path !== undefined && learnEntry(recorder, entry, path, texts.length > 0)
    }).length
    return { taken, left: all.length - taken }
  })
}

/** Answers as the text that a model reads: secrets masked, only the fields that were asked for, cut to a size. */
import { concealed, mask, own, type Page } from "@quartet/sdk/extend"

/** What a tool answers: one text, and a note on how to go on where the text is not all. */
export interface Reply {
  readonly text: string
  readonly note?: string
}

/** The most characters of one answer. Hosts cut longer ones themselves, or fill a model's memory with them. */
export const most = 20_000

/** Only some fields of an object, each by its dotted path; of other values all. */
const only = (value: unknown, fields: ReadonlyArray<string>): unknown => {
  if (fields.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    fields.flatMap((field) => {
      const inner = field.split(".").reduce(own, value as unknown)
      return inner === undefined ? [] : [[field, inner]]
    })
  )
}

/** How an answer is written. */
export interface Writing {
  /** What must not be shown, wherever it stands. */
  readonly secrets: ReadonlyArray<string>
  readonly fields: ReadonlyArray<string>
  /** Items of a list, or characters of any other answer, that are left out. */
  readonly from: number
}

const written = (value: unknown, { fields, secrets }: Writing): string =>
  JSON.stringify(concealed(only(value, fields), secrets)) ?? "null"

/** As many characters of a text as are shown at once. */
export const part = (text: string, from: number): Reply => {
  const end = from + most
  return text.length <= end
    ? { text: text.slice(from) }
    : {
        text: text.slice(from, end),
        note: `Cut: characters ${from} to ${end} of ${text.length}. Go on with "from": ${end}, or ask for less with "fields".`
      }
}

/** Long lines are masked in pieces: what is masked at once has a limit. */
const pieces = /[^\n]{1,16000}\n?|\n/g

/** A file that is text. */
export const file = (text: string, { from, secrets }: Omit<Writing, "fields">): Reply =>
  part(
    text.replaceAll(pieces, (piece) => mask(piece, secrets)),
    from
  )

/** How files of some kinds begin. */
const beginnings: ReadonlyArray<readonly [kind: string, beginning: string]> = [
  ["A PNG image", "\u0089PNG"],
  ["A JPEG image", "\u00ff\u00d8\u00ff"],
  ["A GIF image", "GIF8"],
  ["A PDF", "%PDF"],
  ["A ZIP archive, or an office document", "PK\u0003\u0004"]
]

/** What bytes that are no text seem to be. */
export const kindOf = (bytes: Uint8Array): string => {
  const beginning = String.fromCharCode(...bytes.subarray(0, 8))
  return beginnings.find(([, own]) => beginning.startsWith(own))?.[0] ?? "A file that is no text"
}

/** Any answer but a list. */
export const value = (answer: unknown, writing: Writing): Reply =>
  part(written(answer, writing), writing.from)

/** An item of a list on its line. One that is too long alone is a text of its beginning. */
const lineOf = (item: unknown, writing: Writing): string => {
  const line = written(item, writing)
  if (line.length <= most) return line
  return JSON.stringify(`${line.slice(0, most / 2)}… (cut: name the fields that you need in "fields")`)
}

/** Pages of a list, as far as they fit. */
export class Pages {
  readonly #lines: Array<string> = []
  #size = 0
  #pages = 0
  #paging: unknown = {}

  constructor(private readonly writing: Writing) {}

  /**
   * Takes a page as a whole; of the first one as many items as fit. Answers how many items are left out: a later page is
   * left out whole.
   */
  take({ items, paging }: Page<unknown>): number {
    const isFirst = this.#pages === 0
    const lines = items.slice(isFirst ? this.writing.from : 0).map((item) => lineOf(item, this.writing))
    let fitting = 0
    let size = this.#size
    for (const { length } of lines) {
      size += length + 2
      if (size > most && !(isFirst && fitting === 0)) break
      fitting += 1
    }
    const left = lines.length - fitting
    if (left > 0 && !isFirst) return left
    this.#lines.push(...lines.slice(0, fitting))
    this.#size = size
    this.#pages += 1
    this.#paging = paging
    return left
  }

  get count(): number {
    return this.#lines.length
  }

  text(): string {
    const lines = this.#lines.map((line) => `\n${line}`).join(",")
    return `{"items":[${lines}\n],"paging":${JSON.stringify(concealed(this.#paging, this.writing.secrets))}}`
  }
}

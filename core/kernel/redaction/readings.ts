/**
 * The readings of a text with its escapes decoded: percent-encoding, JSON, HTML, also nested. Servers may repeat an
 * input in any of them.
 */

import { own } from "../../permissions/own.js"

/** A text with escapes decoded. */
export interface Reading {
  readonly text: string
  /** The position in the original of each code unit, then of the end; undefined for the original. */
  readonly places: Uint32Array | undefined
}

/** The characters that an escape stands for, each with its position in the escape. */
type Undone = ReadonlyArray<readonly [characters: string, place: number]>

interface Escapes {
  readonly pattern: RegExp
  /** Undefined if it is not an escape. */
  readonly undo: (match: RegExpExecArray) => Undone | undefined
}

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "")

/** The length of a character in UTF-8, by its first byte; 1 for a byte that cannot start one. */
const lengthOf = (lead: number): number =>
  lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4

/** Bytes as UTF-8, or as Latin-1 if they are not valid UTF-8. */
const decoded = (bytes: ReadonlyArray<number>): Undone => {
  const parts: Array<readonly [string, number]> = []
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0
    const length = lengthOf(lead)
    const rest = bytes.slice(at + 1, at + length)
    const isWhole = rest.length === length - 1 && rest.every((byte) => byte >> 6 === 0b10)
    const bits = length === 1 ? lead : lead & (0xff >> (length + 1))
    const code = isWhole ? rest.reduce((sum, byte) => sum * 64 + (byte & 0x3f), bits) : lead
    parts.push([character(code), at])
    at += isWhole ? length : 1
  }
  return parts
}

const unpercent = ([text]: RegExpExecArray): Undone =>
  decoded(Array.from(text.matchAll(/[\da-f]{2}/gi), ([digits]) => Number.parseInt(digits, 16))).map(
    ([characters, at]) => [characters, at * 3]
  )

const percent: Escapes = { pattern: /(?:%[\da-f]{2})+/gi, undo: unpercent }

/** Form encoding: a plus is a space. */
const form: Escapes = {
  pattern: /\+|(?:%[\da-f]{2})+/gi,
  undo: (match) => (match[0] === "+" ? [[" ", 0]] : unpercent(match))
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** JSON's, and those of JavaScript. */
const json: Escapes = {
  pattern: /\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|(.))/gis,
  undo: ([, four, braced, two, letter = ""]) => {
    const digits = four ?? braced ?? two
    return [[digits === undefined ? (controls[letter] ?? letter) : character(Number.parseInt(digits, 16)), 0]]
  }
}

/** HTML's names for characters that occur in passwords: all ASCII punctuation, and some more. */
const characters = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}[]{}|\t\n\u00a0§°µß¿¡£¥€øØæÆ"
const names =
  "excl quot num dollar percnt amp apos lpar rpar ast plus comma hyphen period sol colon semi lt equals gt quest " +
  "commat lsqb bsol rsqb hat lowbar grave lcub verbar rcub lbrack rbrack lbrace rbrace vert tab newline nbsp sect " +
  "deg micro szlig iquest iexcl pound yen euro oslash Oslash aelig AElig"
const byName: ReadonlyMap<string, string> = /*#__PURE__*/ new Map(
  names.split(" ").map((name, at) => [name, characters.charAt(at)])
)

/** Accented letters are named by letter and accent: `auml`. */
const accents: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  breve: "\u0306",
  uml: "\u0308",
  ring: "\u030a",
  caron: "\u030c",
  cedil: "\u0327",
  ogon: "\u0328"
}

const named = (name: string): string | undefined => {
  const accent = own(accents, name.slice(1))
  return accent === undefined
    ? (byName.get(name) ?? byName.get(name.toLowerCase()))
    : (name.charAt(0) + String(accent)).normalize()
}

const html: Escapes = {
  pattern: /&(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|([a-z]+\d*));?/gi,
  undo: ([, decimal, hexadecimal, name = ""]) => {
    if (decimal !== undefined) return [[character(Number.parseInt(decimal, 10)), 0]]
    if (hexadecimal !== undefined) return [[character(Number.parseInt(hexadecimal, 16)), 0]]
    const text = named(name)
    return text === undefined ? undefined : [[text, 0]]
  }
}

const kinds: ReadonlyArray<Escapes> = [percent, form, json, html]

/** Decodes one kind of escape in a reading; undefined if it has none. */
const without = ({ pattern, undo }: Escapes, { places, text }: Reading): Reading | undefined => {
  // No escape is shorter than its decoded text.
  const positions = new Uint32Array(text.length + 1)
  let said = ""
  let end = 0
  const say = (characters: string, from: number, step: 0 | 1): void => {
    for (let at = 0; at < characters.length; at++)
      positions[said.length + at] = places?.[from + at * step] ?? from + at * step
    said += characters
  }
  for (const match of text.matchAll(pattern)) {
    const undone = undo(match)
    if (undone === undefined) continue
    say(text.slice(end, match.index), end, 1)
    for (const [characters, place] of undone) say(characters, match.index + place, 0)
    end = match.index + match[0].length
  }
  if (end === 0) return undefined
  say(text.slice(end), end, 1)
  positions[said.length] = places?.[text.length] ?? text.length
  return { text: said, places: positions }
}

/** The maximum nesting of escapes. */
const deepest = 3

/** The text itself, and its readings with the kinds of escapes decoded in turn. */
export const readingsOf = (text: string): ReadonlyArray<Reading> => {
  const all: Array<Reading> = [{ text, places: undefined }]
  if (!/[%+\\&]/.test(text)) return all
  const known = new Set([text])
  let outer: ReadonlyArray<Reading> = [...all]
  for (let depth = 0; depth < deepest; depth++) {
    const inner: Array<Reading> = []
    for (const reading of outer) {
      for (const kind of kinds) {
        const next = without(kind, reading)
        if (next === undefined || known.has(next.text)) continue
        known.add(next.text)
        inner.push(next)
      }
    }
    all.push(...inner)
    outer = inner
  }
  return all
}

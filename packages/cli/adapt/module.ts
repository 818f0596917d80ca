/** The module that says how a platform differs, with the reason of each line and what could not be told. */
import { createHash } from "node:crypto"
import { isCode, type Line, namesTo, type Recognised, type Value } from "./recognition/line.js"

/** A part of the definition: its lines, or what they say. */
interface Part {
  readonly reasons: ReadonlyArray<string>
  readonly value?: Value
  readonly parts: Map<string, Part>
}

const part = (): { reasons: Array<string>; value?: Value; parts: Map<string, Part> } => ({
  reasons: [],
  parts: new Map()
})

/** The order of the definition's fields. */
const order = [
  "signIn",
  "token",
  "permissionNames",
  "credentials",
  "lists",
  "entities",
  "errors",
  "dates",
  "routes",
  "downloads",
  "chat"
]

const tree = (lines: ReadonlyArray<Line>): Map<string, Part> => {
  const root = part()
  for (const { at, reason, value } of lines) {
    let node = root
    for (const name of namesTo(at)) {
      const next = (node.parts.get(name) as ReturnType<typeof part> | undefined) ?? part()
      node.parts.set(name, next)
      node = next
    }
    node.value = value
    node.reasons.push(reason)
  }
  return new Map([...root.parts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)))
}

const nameOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name))

/** A value as the module has it. */
export const codeOf = (value: Value): string => {
  if (typeof value !== "object") return JSON.stringify(value)
  if (isCode(value)) return value.code
  const fields = Object.entries(value).map(([name, inner]) => `${nameOf(name)}: ${codeOf(inner)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

const write = (parts: ReadonlyMap<string, Part>, indent: string): string =>
  [...parts]
    .map(([name, { parts: inner, reasons, value }]) => {
      const comments = reasons
        .map((reason) => `${indent}// ${reason[0]?.toUpperCase()}${reason.slice(1)}.\n`)
        .join("")
      const text = value === undefined ? `{\n${write(inner, `${indent}  `)}\n${indent}}` : codeOf(value)
      return `${comments}${indent}${nameOf(name)}: ${text}`
    })
    .join(",\n")

/** A token's `opaque` may stand beside other lines of it. */
const folded = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const ofToken = lines.filter(({ at }) => at.startsWith("token."))
  const [only] = ofToken
  return ofToken.length === 1 && only?.at === "token.kind"
    ? lines.map((line) => (line === only ? { ...line, at: "token" } : line))
    : lines
}

const list = (title: string, texts: ReadonlyArray<string>): string =>
  texts.length === 0 ? "" : `\n// ${title}\n${texts.map((text) => `// - ${text}\n`).join("")}`

const mark = "Written by `quartet adapt`"

/** The checksum of a whole text, without the one that stands in it. */
const checksum = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** The line that holds the checksum, which begins and ends as it does here. */
const markWith = (sum: string): string => `${mark} (${sum})`

const marked = /Written by `quartet adapt` \(([\da-f]{16})\)/

const withoutSum = (text: string): string => text.replace(marked, markWith(""))

const definitionCode = (lines: ReadonlyArray<Line>): string =>
  `{${lines.length === 0 ? "" : `\n${write(tree(folded(lines)), "  ")}\n`}}`

/** The definition that the module has, as whoever loads it finds it. */
export const definition = ({ lines }: Pick<Recognised, "lines">): object =>
  new Function(`"use strict"; return ${definitionCode(lines)}`)()

/** The text of the module. */
export const module = ({ fits, lines, unseen }: Pick<Recognised, "fits" | "lines" | "unseen">): string => {
  const text = `/**
 * How the platform differs from what the SDK assumes: give it to every client as its option \`platform\`.
 * ${markWith("")}. Edit it as you like: \`quartet adapt\` shows the difference before it writes again.
 */
import * as Platform from "@quartet/sdk/platform"

export default Platform.make(${definitionCode(lines)})
${list("What needs no line, since the SDK reads it so by itself:", fits)}${list("What could not be told:", unseen)}`
  return text.replace(markWith(""), markWith(checksum(text)))
}

/** Whether a text is a module as it was written, of which nobody has edited anything since. */
export const isUntouched = (text: string): boolean => {
  const lines = text.replaceAll("\r\n", "\n")
  return marked.exec(lines)?.[1] === checksum(withoutSum(lines))
}

/** Lines that only the one or the other text has, in their order, with `-` or `+` before them. */
export const difference = (before: string, after: string): ReadonlyArray<string> => {
  // The checksum differs whenever anything does.
  const linesOf = (text: string) => withoutSum(text.replaceAll("\r\n", "\n")).split("\n")
  const [a, b] = [linesOf(before), linesOf(after)]
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row !== undefined)
        row[j] = a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  const found: Array<string> = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    } else if (j >= b.length || (i < a.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1)))
      found.push(`- ${a[i++]}`)
    else found.push(`+ ${b[j++]}`)
  }
  return found
}

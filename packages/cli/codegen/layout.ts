/** Lays code out as Prettier does by itself: lines of 80 characters, parts on lines of their own where one is too long. */

/** Code that may be one line or several. */
export type Code = string | Group | Alternatives | Property

/** Parts between two ends, such as the arguments of a call. */
interface Group {
  readonly open: string
  readonly parts: ReadonlyArray<Code>
  readonly close: string
  /** Behind the last part too, where each has a line. */
  readonly isTrailing: boolean
  /** Whether each part has a line of its own, though all would fit on one. */
  readonly isBroken?: boolean
}

/** A union: each on a line of its own behind a bar, where they do not fit on one. */
interface Alternatives {
  readonly alternatives: ReadonlyArray<Code>
}

/** What is given to a name, by `:` or `=`: on the next line, where it cannot begin on the name's. */
interface Property {
  readonly name: string
  readonly value: Code
}

const width = 80

/** A call: `Schema.Array(Schema.String)`. */
export const call = (name: string, ...parts: ReadonlyArray<Code>): Group => ({
  open: `${name}(`,
  parts,
  close: ")",
  isTrailing: true,
  // Beside others, the call of a function that takes a function gets a line.
  isBroken: parts.length > 1 && parts.some((part) => flat(part).startsWith("Schema.suspend("))
})

/** A call whose argument is an object of fields. */
export const callOf = (
  name: string,
  fields: ReadonlyArray<readonly [name: string, value: Code]>,
  isBroken = false
): Group => ({
  open: `${name}({ `,
  parts: fields.map(([field, value]) => ({ name: `${field}:`, value })),
  close: " })",
  isTrailing: true,
  isBroken
})

/** A type with arguments: `ReadonlyArray<string>`. */
export const generic = (name: string, ...parts: ReadonlyArray<Code>): Code =>
  // One name stays on its line, however long it is.
  parts.length === 1 && typeof parts[0] === "string"
    ? `${name}<${parts[0]}>`
    : { open: `${name}<`, parts, close: ">", isTrailing: false }

export const alternatives = (codes: ReadonlyArray<Code>): Code => {
  const [only] = codes
  return only !== undefined && codes.length === 1 ? only : { alternatives: codes }
}

/** The code on one line. */
export const flat = (code: Code): string => {
  if (typeof code === "string") return code
  if ("alternatives" in code) return code.alternatives.map(flat).join(" | ")
  if ("value" in code) return `${code.name} ${flat(code.value)}`
  return `${code.open}${code.parts.map(flat).join(", ")}${code.close}`
}

const isBroken = (code: Code): boolean => {
  if (typeof code === "string") return false
  if ("alternatives" in code) return code.alternatives.some(isBroken)
  if ("value" in code) return isBroken(code.value)
  return code.isBroken === true || code.parts.some(isBroken)
}

/** The code between what stands before and behind it on its line; `indent` is that of the line. */
export const lay = (before: string, code: Code, behind: string, indent = ""): string => {
  const line = `${before}${flat(code)}${behind}`
  if (typeof code === "string" || (line.length <= width && !isBroken(code))) return line
  const inner = `${indent}  `
  if ("alternatives" in code) {
    const lines = code.alternatives.map((alternative, at) =>
      lay(`${inner}| `, alternative, at === code.alternatives.length - 1 ? behind : "", `${inner}  `)
    )
    return `${before.trimEnd()}\n${lines.join("\n")}`
  }
  if ("value" in code) {
    const { name, value } = code
    const begin = typeof value === "string" ? value : "open" in value ? value.open.trimEnd() : undefined
    if (begin === undefined || `${before}${name} ${begin}`.length <= width)
      return lay(`${before}${name} `, value, behind, indent)
    // Where the brace alone does not fit, the object gets lines of its own.
    if (
      `${before}${name} ${begin}`.length === width + 1 &&
      begin.endsWith("({") &&
      typeof value === "object" &&
      "parts" in value
    ) {
      const object: Group = { ...value, open: "{", close: "}" }
      return `${before}${name} ${begin.slice(0, -1)}\n${lay(inner, object, ",", inner)}\n${indent})${behind}`
    }
    return `${before}${name}\n${lay(inner, value, behind, inner)}`
  }
  const { close, isTrailing, open, parts } = code
  const lines = parts.map((part, at) =>
    lay(inner, part, isTrailing || at < parts.length - 1 ? "," : "", inner)
  )
  return `${before}${open.trimEnd()}\n${lines.join("\n")}\n${indent}${close.trimStart()}${behind}`
}

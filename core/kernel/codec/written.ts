/** JSON that people and programs write for us: what JSON.parse would change, or pass over, in silence is refused. */
import { visitNumbers } from "./json.js"

/** A number as JSON writes it. Other forms mean different things in different places: `0x10`, `010`, `1,000`, `1 000`. */
const written = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The digits that count and their power of ten: the same for all forms of one number, such as `2.50` and `25e-1`. */
const canonical = (text: string): string | undefined => {
  const [match, sign = "", whole = "", fraction = "", exponent = "0"] = written.exec(text) ?? []
  if (match === undefined) return undefined
  const digits = whole + fraction
  let first = 0
  while (digits[first] === "0") first += 1
  // Not a regular expression: on zeros before the end of the text it would take quadratic time.
  let end = digits.length
  while (end > first && digits[end - 1] === "0") end -= 1
  const power = Number(exponent) - fraction.length + digits.length - end
  return first === end ? "0" : `${sign}${digits.slice(first, end)}e${power}`
}

/** What a text that is to be a number is. `Changed`: it has digits that the number would not have. */
export const judgeNumber = (text: string): "Kept" | "Changed" | "TooLarge" | "NoNumber" => {
  const value = canonical(text)
  if (value === undefined) return "NoNumber"
  const number = Number(text)
  if (!Number.isFinite(number)) return "TooLarge"
  return canonical(String(number)) === value ? "Kept" : "Changed"
}

/** A name that one object of a JSON text has twice, of which a reader would take the last value. One pass. */
const findRepeated = (json: string): string | undefined => {
  /** The names of each open object; undefined for an open list. */
  const open: Array<Set<unknown> | undefined> = []
  let isName = false
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '"': {
        const from = at
        at += 1
        while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1
        if (!isName) break
        isName = false
        // One name may be written in several ways.
        const name: unknown = JSON.parse(json.slice(from, at + 1))
        const names = open.at(-1)
        if (names?.has(name)) return String(name)
        names?.add(name)
        break
      }
      case "{":
        open.push(new Set())
        isName = true
        break
      case "[":
        open.push(undefined)
        break
      case "}":
      case "]":
        open.pop()
        isName = false
        break
      case ",":
        isName = open.at(-1) !== undefined
        break
    }
  }
  return undefined
}

/** The rule that a valid JSON text breaks which somebody wrote, or undefined. It shows nothing of the text but a name. */
export const ruleOf = (json: string): string | undefined => {
  let isChanged = false
  visitNumbers(json, (token) => {
    isChanged = judgeNumber(token) !== "Kept"
    return isChanged
  })
  if (isChanged) return "has a number with more digits than a number holds: write it as text"
  const name = findRepeated(json)
  if (name === undefined) return undefined
  // Text that does not look like a name is data and is hidden.
  return /^[A-Za-z_$][\w$-]{0,63}$/.test(name)
    ? `has ${JSON.stringify(name)} twice: give it once`
    : "has a name twice: give it once"
}

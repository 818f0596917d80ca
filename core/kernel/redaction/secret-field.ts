/** Finds the field of an input that holds a secret, for what would keep the input: an outbox, a write that waits. */
import { sentOf } from "../operation/raw.js"
import { textsIn } from "./sent-secrets.js"

/** Deepest nesting that is looked into to name a field. */
const deepest = 20

/** The dotted path of the innermost field that breaks a rule; undefined where none does. What is raw stands where it is sent. */
export const pathOf = (
  holder: unknown,
  breaks: (name: string, item: unknown) => boolean,
  depth = 0
): string | undefined => {
  const value = sentOf(holder)
  if (typeof value !== "object" || value === null || depth > deepest) return undefined
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name)
    if (!breaks(Array.isArray(value) ? "" : name, item)) continue
    const inner = pathOf(item, breaks, depth + 1)
    return inner === undefined ? name : `${name}.${inner}`
  }
  return undefined
}

/**
 * The dotted path of a field that is named like a secret and has a value. The same names are masked in errors. Throws for
 * what holds itself.
 */
export const secretFieldOf = (value: unknown): string | undefined =>
  pathOf(value, (name, item) => {
    const texts: Array<string> = []
    textsIn({ [name]: item }, false, texts)
    return texts.some((text) => text !== "")
  })

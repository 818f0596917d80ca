/** What a person has said of a platform and answers do not speak against: it stays beside what is recognised. */
import { isObject } from "./recognition/exchange.js"
import { isCode, type Line, type Recognised, type Value } from "./recognition/line.js"

/** What is said at one field of a definition. */
interface Said {
  readonly at: string
  readonly value: unknown
}

/** Parts of a definition that have fields of their own; a party of the sign-in has further ones. */
const isPart = (at: string): boolean =>
  /^(signIn|token|credentials|lists|entities|errors|routes)$|^signIn\.(admin|legacy|endUser)$/.test(at)

/** All that a definition says, field by field as lines stand for them. */
const saidIn = (value: unknown, at = ""): ReadonlyArray<Said> => {
  if (value === undefined) return []
  if (at === "token" && typeof value === "string") return [{ at: "token.kind", value }]
  if (!isObject(value) || (at !== "" && !isPart(at))) return [{ at, value }]
  return Object.entries(value).flatMap(([name, inner]) => saidIn(inner, at === "" ? name : `${at}.${name}`))
}

/** Names that a module has for itself: what a function refers to by them stands elsewhere. */
const namesIn = (text: string): ReadonlyArray<string> => [
  ...[
    ...text.matchAll(/^\s*(?:export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+([\w$]+)/gm)
  ].map(([, name = ""]) => name),
  ...[...text.matchAll(/^\s*import\s+([^"']+?)\s+from\b/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/[\w$]+/g)].map(([name]) => name).filter((name) => name !== "as" && name !== "type")
  )
]

/** The code of a function, where it is whole by itself. */
const codeOf = (given: object, names: ReadonlyArray<string>): string | undefined => {
  const code = String(given)
  try {
    new Function(`return (${code})`)
  } catch {
    return undefined
  }
  return names.some((name) => new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(code))
    ? undefined
    : code
}

/** What is said as a line's value; undefined where it cannot be written. */
const written = (said: unknown, names: ReadonlyArray<string>): Value | undefined => {
  if (typeof said === "string" || typeof said === "number" || typeof said === "boolean") return said
  if (typeof said === "function") {
    const code = codeOf(said, names)
    return code === undefined ? undefined : { code }
  }
  if (Array.isArray(said)) return { code: JSON.stringify(said) }
  if (!isObject(said)) return undefined
  const fields = Object.entries(said)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, written(inner, names)] as const)
  return fields.some(([, inner]) => inner === undefined)
    ? undefined
    : Object.fromEntries(fields.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, inner]])))
}

/** Whether one stands at the place of the other, or in it. */
const areOne = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

const isSame = (a: Value, b: Value): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || isCode(a) || isCode(b))
    return JSON.stringify(a) === JSON.stringify(b)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => {
    const [left, right] = [(a as Record<string, Value>)[name], (b as Record<string, Value>)[name]]
    return left !== undefined && right !== undefined && isSame(left, right)
  })
}

/**
 * What is recognised, with what a definition says beside it. `moved` are the fields that answers speak against; `text` is the module's,
 * whose functions are written where they need nothing else of it.
 */
export const withKept = (
  now: Recognised,
  definition: unknown,
  moved: ReadonlyArray<string>,
  text: string
): Recognised => {
  const names = namesIn(text)
  const all = saidIn(definition).filter(({ at }) => !moved.some((other) => areOne(at, other)))
  const unwritten: Array<string> = []
  const kept = all.flatMap(({ at, value: said }): ReadonlyArray<Line> => {
    const found = now.lines.find((line) => line.at === at)
    if (found === undefined && now.lines.some((line) => areOne(line.at, at))) return []
    const value = written(said, names)
    if (value === undefined) {
      unwritten.push(
        `${at}: what is said of it by hand needs more of the module, and has to be taken over by hand`
      )
      return []
    }
    if (found !== undefined && isSame(found.value, value)) return [found]
    const reason =
      found === undefined
        ? "it is said so, and nothing that was seen speaks against it"
        : `it is said so, and says the same: ${found.reason}`
    return [{ at, value, reason }]
  })
  const byPlace = new Map(kept.map((line) => [line.at, line]))
  const found = new Set(now.lines.map(({ at }) => at))
  return {
    lines: [
      ...now.lines.map((line) => byPlace.get(line.at) ?? line),
      ...kept.filter(({ at }) => !found.has(at))
    ],
    fits: now.fits,
    unseen: [...now.unseen.filter((said) => !byPlace.has(said.split(/[: ]/)[0] ?? "")), ...unwritten]
  }
}

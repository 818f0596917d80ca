/** Whether the code of a function is whole by itself: what it closes over does not come along with its text. */

/** Words of the language. */
const words = new Set(
  "arguments async await break case catch const continue default delete do else false finally for function if in instanceof let new null of return switch this throw true try typeof undefined var void while yield".split(
    " "
  )
)

const identifiers = (code: string): ReadonlyArray<string> =>
  // A field's name stands after a dot, and what is spread after three.
  [...code.matchAll(/(?<![\w$#])(?<!(?<!\.\.)\.\s*)[a-z_$][\w$]*/gi)].map(([name]) => name)

/** Code without comments, texts and expressions of patterns. A template with something in it stays as it is. */
const bare = (code: string): string =>
  code
    .replaceAll(
      /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\$])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=(?:[=(,:?&|!;{}[]|=>|\breturn)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g,
      (_, text: string | undefined) => (text === undefined ? " 0 " : '""')
    )
    // Names of fields, such as in `{ name: value }`.
    .replaceAll(/(?<=[{,]\s*)[a-z_$][\w$]*(?=\s*:)/gi, '""')

/** Where the parenthesis opens that closes at a place. */
const openingOf = (code: string, closing: number): number => {
  let depth = 0
  for (let at = closing; at >= 0; at--) {
    if (code[at] === ")") depth++
    if (code[at] === "(" && --depth === 0) return at
  }
  return closing
}

/** The names that a list of parameters binds, or a pattern. What they are by default is not among them. */
const bound = (pattern: string): ReadonlyArray<string> =>
  identifiers(pattern.replaceAll(/=(?!>)[^,})\]]*/g, ""))

/** The names that code binds for itself. */
const declared = (code: string): ReadonlySet<string> => {
  const arrows = [...code.matchAll(/\)\s*=>/g)].flatMap(({ index }) =>
    bound(code.slice(openingOf(code, index) + 1, index))
  )
  const single = [...code.matchAll(/([a-z_$][\w$]*)\s*=>/gi)].map(([, name = ""]) => name)
  const functions = [
    ...code.matchAll(/\bfunction\b\s*\*?\s*([a-z_$][\w$]*)?\s*\(([^)]*)\)|\bcatch\s*\(([^)]*)\)/gi)
  ].flatMap(([, name = "", parameters = "", caught = ""]) => [name, ...bound(parameters), ...bound(caught)])
  const variables = [...code.matchAll(/\b(?:const|let|var)\s+([^=;]*?)(?=\s*(?:=|;|\bof\b|\bin\b|$))/g)]
    .map(([, pattern = ""]) => pattern)
    .flatMap(identifiers)
  return new Set([...arrows, ...single, ...functions, ...variables])
}

/** Whether code refers to nothing outside of it, except to what every runtime has. Where that cannot be told, it does. */
export const isClosed = (code: string): boolean => {
  try {
    new Function(`return (${code})`)
  } catch {
    return false
  }
  const text = bare(code)
  const own = declared(text)
  return identifiers(text).every((name) => words.has(name) || own.has(name) || name in globalThis)
}

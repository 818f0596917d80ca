/** Which keys of objects are names of fields by their spelling, and which are data: ids, tokens, people, numbers. */

/** What tokens and ids of known makers begin with. */
const makers = /^(sk|pk|rk|whsec|gh[oprsu]|github|xox[a-z]|glpat|auth0|google|twitter|facebook)[_-]/i

/** Letters that do not follow each other in words, in a word that is too long to be an abbreviation. */
const isNoise = (word: string): boolean =>
  word.length > 24 ||
  /[^aeiouy\d]{6}/i.test(word) ||
  (word.length > 7 && /q[^u]|v[^aeiouylrs]|[xz][bdfgjkmqvwxz]/i.test(word))

/** The parts that `_`, `$` and `-` join. */
const partsOf = (key: string): ReadonlyArray<string> => key.split(/[_$-]+/).filter((part) => part !== "")

/** The words of a key in `camelCase`, `snake_case` or `kebab-case`, as they are written. */
export const wordsOf = (key: string): ReadonlyArray<string> =>
  partsOf(key).flatMap((part) => part.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/))

/**
 * Whether a key looks like data. Names of fields are words of ASCII letters, joined as `camelCase`, `snake_case` or
 * `kebab-case`, with at most one number, behind a word. A name that mixes these forms, or whose letters make no words,
 * is taken for data.
 */
export const isData = (key: string): boolean => {
  if (!/^[_$]{0,2}[a-z][\w$-]{0,63}$/i.test(key) || /^[\da-f-]{16,}$/i.test(key) || makers.test(key))
    return true
  const [digits = "", ...others] = key.match(/\d+/g) ?? []
  if (others.length > 0 || digits.length > 3) return true
  if (digits !== "" && !/[a-z]\d+($|[A-Z])/.test(key)) return true
  const joined = partsOf(key)
  if (joined.length > 1 && /[a-z]/.test(key) && /[A-Z]/.test(key)) return true
  const words = wordsOf(key)
  const letters = words.reduce((sum, { length }) => sum + length, 0)
  // A word of capitals that is no abbreviation stands alone in codes.
  const isCode = joined.length === 1 && /^[A-Z]{6,}$/.test(key)
  return isCode || words.some(isNoise) || (words.length > 3 && letters < 3.5 * words.length)
}

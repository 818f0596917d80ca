/** Which known name is probably meant by one that is not known, for messages. */

/** Other libraries' names for our options, in lower case. */
const synonyms: Readonly<Record<string, string>> = {
  timeout: "deadline",
  retries: "attempts",
  maxretries: "attempts",
  token: "accesstoken",
  url: "baseurl",
  endpoint: "baseurl",
  key: "apikey",
  defaultheaders: "headers",
  username: "email",
  fetch: "transport"
}

/** The edit distance of two texts (insert, omit, swap, and change unless that is none); any number above `most` if it is larger. */
export const edits = (left: string, right: string, most: number, mayChange = true): number => {
  if (left === right || most < 1) return left === right ? 0 : 1
  const [first, second] = [left.slice(1), right.slice(1)]
  if (left[0] === right[0]) return edits(first, second, most, mayChange)
  const few = most - 1
  const isSwapped = left[0] === right[1] && left[1] === right[0]
  const [after, against] = isSwapped ? [left.slice(2), right.slice(2)] : [first, second]
  return (
    1 +
    Math.min(
      edits(first, right, few, mayChange),
      edits(left, second, few, mayChange),
      isSwapped || mayChange ? edits(after, against, few, mayChange) : most
    )
  )
}

/** The probably intended name, to append to a rule. `deadline` is also near to `policy.deadline`. */
export const meant = (name: string, names: ReadonlyArray<string>): string => {
  const small = name.toLowerCase()
  return nearest((Object.hasOwn(synonyms, small) ? synonyms[small] : undefined) ?? small, names)
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "")
const undoubled = (letters: string): string => letters.replaceAll(/(.)\1/g, "$1")

/** Words that are one letter away from a name that we know. */
const words = /^(boy|filed|flies|pace|palace|phoned|placed|stats|tall|tile|titled|uses)$/

/** Whether one letter after the first, in a name of four and more, is the one of a neighbouring key. */
const isKeyBeside = (left: string, right: string): boolean => {
  const at = [...left].findIndex((letter, index) => letter !== right[index])
  const keys = [`${left[at]}${right[at]}`, `${right[at]}${left[at]}`]
  const isBeside = keys.some((both) => "qwertyuiop asdfghjkl zxcvbnm".includes(both))
  return left.length > 3 && at > 0 && isBeside && left.slice(at + 1) === right.slice(at + 1)
}

/** The digits at the end, which count fields of one kind. */
const numberOf = (name: string): string => name.replace(/^.*\D/s, "")

const isPlural = (name: string, known: string): boolean =>
  name === `${known}es` || (name === `${known}s` && !known.endsWith("s"))

/**
 * Whether a name is another one with a slip of typing, and no name of its own. It is one in another case, with hyphens or underscores; with one
 * letter left out, added, swapped with its neighbour or typed on the key beside, and with two in names of eight letters and more. Any other
 * letter in the place of one makes another word (`date` and `data`), and so do another first letter, a plural, a number at the end, an ending of
 * two letters (`acceptedAt`), and a letter that is added to less than five, unless it doubles its neighbour (`sort` and `short`).
 */
const isSlip = (name: string, known: string): boolean => {
  const [left, right] = [lettersOf(name), lettersOf(known)]
  if (isPlural(left, right) || numberOf(left) !== numberOf(right) || known === `_${name}` || words.test(left))
    return false
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  const ending = long.startsWith(short) ? long.slice(short.length) : "…"
  if (/^(|s|es)$/.test(ending) || isKeyBeside(left, right)) return true
  if (short.length < 3 || left[0] !== right[0] || /^\w\w$/.test(ending)) return false
  if (left.length > right.length && right.length < 5) return undoubled(left) === undoubled(right)
  const most = short.length < 8 ? 1 : 2
  return edits(left, right, most, false) <= most
}

/** The known name of which another is a slip of typing, to append to a rule; empty where it is none. */
export const slipOf = (name: string, names: ReadonlyArray<string>): string => {
  const known = names.find((candidate) => isSlip(name, candidate))
  return known === undefined ? "" : suggested(known)
}

const suggested = (name: string): string => ` (did you mean "${name}"?)`

/** The same by how names are written alone: empty where none is near. */
export const nearest = (name: string, names: ReadonlyArray<string>): string => {
  const wanted = name.toLowerCase()
  let least = wanted.length > 4 ? 3 : 2
  let suggestion = ""
  for (const candidate of names) {
    const full = candidate.toLowerCase()
    for (const text of [full, full.slice(full.lastIndexOf(".") + 1)]) {
      const far = edits(wanted, text, least - 1)
      if (far >= least) continue
      least = far
      suggestion = suggested(candidate)
    }
  }
  return suggestion
}

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

/** The edit distance of two texts (insert, omit, change, swap); any number above `most` if it is larger. */
export const edits = (left: string, right: string, most: number): number => {
  if (left === right || most < 1) return left === right ? 0 : 1
  const [first, second] = [left.slice(1), right.slice(1)]
  if (left[0] === right[0]) return edits(first, second, most)
  const few = most - 1
  const isSwapped = left[0] === right[1] && left[1] === right[0]
  const [after, against] = isSwapped ? [left.slice(2), right.slice(2)] : [first, second]
  return 1 + Math.min(edits(first, right, few), edits(left, second, few), edits(after, against, few))
}

/** The probably intended name, to append to a rule. `deadline` is also near to `policy.deadline`. */
export const meant = (name: string, names: ReadonlyArray<string>): string => {
  const small = name.toLowerCase()
  return nearest((Object.hasOwn(synonyms, small) ? synonyms[small] : undefined) ?? small, names)
}

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
      suggestion = ` (did you mean "${candidate}"?)`
    }
  }
  return suggestion
}

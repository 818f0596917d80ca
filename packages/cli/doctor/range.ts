/**
 * Whether a version fits a range as package.json has them: comparators and carets that all have to hold, `>=0.90.10 <0.98.0`,
 * `^3.22.2`. A version before a release fits none, as with npm.
 */

type Numbers = readonly [major: number, minor: number, patch: number]

const numbers = (text: string): Numbers | undefined => {
  const [, major, minor = "0", patch = "0"] = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

const compare = (left: Numbers, right: Numbers): number =>
  left[0] - right[0] || left[1] - right[1] || left[2] - right[2]

/** The first version that a caret no longer lets in: the left-most number that is not zero goes up. */
const breaking = ([major, minor, patch]: Numbers): Numbers => {
  if (major > 0) return [major + 1, 0, 0]
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]
}

/**
 * The newest versions that a range lets in, as `npm install` takes them: `3` for `^3.22.2`, `0.97` for `>=0.90.10 <0.98.0`,
 * `19` for `>=18 <20`. Its upper bound has to be a whole major version, or a minor one of version 0.
 */
export const newest = (range: string): string => {
  const [, sign = "", text = ""] = /(\^|<)([^\s<^]+)$/.exec(range) ?? []
  const bound = numbers(text)
  if (bound === undefined) return range
  const [major, minor] = sign === "^" ? breaking(bound) : bound
  return major > 0 ? `${major - 1}` : `0.${minor - 1}`
}

export const fits = (version: string, range: string): boolean => {
  const versionNumbers = numbers(version)
  return (
    versionNumbers !== undefined &&
    range.split(/\s+/).every((part) => {
      const [, sign = "", text = ""] = /^(\^|>=|<)(.*)$/.exec(part) ?? []
      const bound = numbers(text)
      if (bound === undefined) return false
      const order = compare(versionNumbers, bound)
      if (sign === "<") return order < 0
      return order >= 0 && (sign === ">=" || compare(versionNumbers, breaking(bound)) < 0)
    })
  )
}

/** Names of a written module: identifiers that say what a platform calls a thing, each taken once. */

/** Words that cannot name a constant or a type of a module. */
const reserved =
  "any arguments as async await boolean break case catch class const continue debugger declare default delete do else " +
  "enum eval export extends false finally for from function get global if implements import in infer Infinity " +
  "instanceof interface is keyof let module NaN namespace never new null number object of package private protected " +
  "public readonly require return set static string super switch symbol this throw true try type typeof undefined " +
  "unique unknown var void while with yield"

/** What a written module, or the types of its fields, name themselves. */
const own =
  "Array Collection Date DateTime Error JSON Map Number Object ObjectId Promise ReadonlyArray Readonly Record " +
  "Recorded RecordedAnswers Schema SchemaOf Set String Symbol collection collections recorded tolerant"

/** Names, each given once. */
export interface Names {
  /** The name itself, or with the lowest number behind it that makes it free. */
  readonly take: (name: string) => string
}

export const make = (): Names => {
  const reservedNames = new Set(`${reserved} ${own}`.split(" "))
  return {
    take: (name) => {
      let free = name
      for (let count = 2; reservedNames.has(free); count += 1) free = `${name}${count}`
      reservedNames.add(free)
      return free
    }
  }
}

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .normalize()
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    // A mark joins the letter before it; where there is none, no identifier begins with it.
    .map((word) => word.replace(/^\p{M}+/u, ""))
    .filter((word) => word !== "")

/** The name of a type: `order-group` is `OrderGroup`. `prefix` goes before a name that no identifier may begin with. */
export const pascal = (name: string, prefix: string): string => {
  const joined = wordsOf(name)
    .map((word) => word.replace(/^./u, (first) => first.toUpperCase()))
    .join("")
  return /^\p{L}/u.test(joined) ? joined : `${prefix}${joined}`
}

/** The name of a constant: `order-group` is `orderGroup`. */
export const camel = (name: string, prefix: string): string =>
  pascal(name, prefix).replace(/^./u, (first) => first.toLowerCase())

/** A text as code: in double quotes, or where that escapes less, in single ones. */
export const quoted = (text: string): string => {
  const double = JSON.stringify(text)
  const doubles = text.split('"').length
  return doubles > text.split("'").length
    ? `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : double
}

/** A field's name as it stands in an object type or an object literal. */
export const property = (name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name)

/** The same in an object literal, where this one name would set the prototype. */
export const key = (name: string): string => (name === "__proto__" ? '["__proto__"]' : property(name))

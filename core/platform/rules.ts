/** The names, ids and dates of a platform's fields, by what is said of its entities. */
import { own } from "../permissions/own.js"
import type { DateForm, Definition, Entities } from "./definition.js"
import type { Rules } from "./fields.js"
import { fields } from "./names.js"

/** The words of a name, such as `full`, `Name`. A name that begins with an underscore is the platform's own. */
const styles = {
  snake_case: (name: string) => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  "kebab-case": (name: string) =>
    name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-"),
  PascalCase: (name: string) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

/** The styles that names may be written in. */
export const styleNames = Object.keys(styles)

/** The platform's name of one of our fields. */
const nameIn = ({ fields: single, id, names }: Entities): ((name: string) => string) => {
  const style = typeof names === "function" ? names : names === undefined ? undefined : styles[names]
  return (name) => {
    const said = own(single, name)
    if (typeof said === "string") return said
    if (name === "_id") return id ?? name
    return name.startsWith("_") ? name : (style?.(name) ?? name)
  }
}

/** Whether one form is said of all dates. */
export const isForm = (dates: unknown): dates is DateForm =>
  typeof dates === "string" || typeof own(dates, "read") === "function"

/** The rules of a platform. `json:api` has an `id`, whatever else is said. */
export const make = ({ dates, entities = {} }: Pick<Definition, "dates" | "entities">): Rules => {
  const id = entities.id ?? (entities.unwrap === "json:api" ? "id" : undefined)
  return {
    nameOf: nameIn(id === undefined ? entities : { ...entities, id }),
    hasNumericIds: entities.numericIds === true,
    ...(isForm(dates) ? { dates, datesByName: {} } : { dates: undefined, datesByName: dates ?? {} })
  }
}

/** Our name of a field that the platform names: the same, if we know none. */
export const ourNameOf = ({ nameOf }: Rules): ((name: string) => string) => {
  const ours = new Map(fields.map((name) => [nameOf(name), name]))
  return (name) => ours.get(name) ?? name
}

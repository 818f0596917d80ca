/** Values of any kind as people read them, and the facts of an object whose fields nobody has named before. */
import { plainOf } from "@quartet/sdk/extend"
import type { ReactNode } from "react"
import { money, number } from "../design/format.js"
import { FactList, type Facts, When, words } from "../design/show.js"

export const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.every(isNothing)) ||
  (typeof value === "object" && !(value instanceof Date) && Object.keys(value).length === 0)

/** A value of any kind: a list line by line, an object as its facts. */
export const AnyValue = ({ value }: { readonly value: unknown }): ReactNode => {
  if (value instanceof Date) return <When date={value} long />
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (typeof value === "number") return number(value)
  if (Array.isArray(value))
    return value.every((item) => typeof item !== "object")
      ? value.join(", ")
      : value.map((item, at) => (
          <div key={at} className="not-first:mt-2">
            <AnyValue value={item} />
          </div>
        ))
  if (typeof value === "object" && value !== null) return <FactList of={factsOf(value)} />
  return String(plainOf(value) ?? "")
}

const moneyNames = /price|amount|total|budget|rent$|cost|fee|sum$|balance/i

/** What an object says: its fields in words, without those that say nothing, and amounts in the currency beside them. */
export const factsOf = (of: object): Facts => {
  const { currency, ...rest }: Readonly<Record<string, unknown>> = { ...of }
  const isMoney = (name: string, value: unknown): value is number =>
    typeof currency === "string" && typeof value === "number" && moneyNames.test(name)
  const hasMoney = Object.entries(rest).some(([name, value]) => isMoney(name, value))
  return Object.entries(hasMoney ? rest : of)
    .filter(([, value]) => !isNothing(value))
    .map(([name, value]) => [
      name === "_id" ? "ID" : words(name),
      isMoney(name, value) ? money(value, String(currency)) : <AnyValue key="" value={value} />
    ])
}

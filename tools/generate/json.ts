/** Writes JSON as the formatter does. */
import type { Json } from "@quartet/cli/openapi"
import { width } from "./written.js"

/** A value that fits on one line is written on one. */
export const print = (value: Json, indent = "", lead = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const items: ReadonlyArray<readonly [string, Json]> = isList
    ? value.map((item: Json) => ["", item] as const)
    : Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item] as const)
  if (items.length === 0) return open + close
  const flat = items.map(([key, item]) => key + print(item, "", Number.NEGATIVE_INFINITY)).join(", ")
  const line = isList ? `[${flat}]` : `{ ${flat} }`
  if (indent.length + lead + line.length <= width || lead === Number.NEGATIVE_INFINITY) return line
  const inner = `${indent}  `
  const lines = items.map(([key, item], index) => {
    const comma = index < items.length - 1 ? 1 : 0
    return inner + key + print(item, inner, key.length + comma)
  })
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`
}

/** What an entry exports is shared by all that runs in the process: nobody changes it for the others. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { sources } from "@quartet/support/entries.js"
import { root } from "@quartet/support/files.js"
import { expect, it } from "vitest"

const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** The places where plain data can be changed. Dates always can: no constant holds one. */
const changeable = (value: unknown, path: string, seen: Set<unknown>): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null || seen.has(value)) return []
  seen.add(value)
  const isModule = Object.prototype.toString.call(value) === "[object Module]"
  if (value instanceof Date) return [path]
  if (!isModule && !isPlain(value)) return []
  const inner = Object.entries(value).flatMap(([name, field]) => changeable(field, `${path}.${name}`, seen))
  return isModule || Object.isFrozen(value) ? inner : [path, ...inner]
}

/** What packages take that extend the SDK: the kernel as it is, which apps do not reach. */
const isForPackages = (entry: string): boolean => /\/extend(\/|$)/.test(entry)

it.each([...sources].filter(([entry]) => !isForPackages(entry)))(
  "no constant of %s can be changed",
  async (entry, source) => {
    const path = join(root, source)
    const module = await import(existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.tsx`)
    expect(changeable(module, entry, new Set())).toEqual([])
  }
)

/** Whether an entry is published, where its fields say so: the platform has no name of its own for that. */
import type { Tone } from "../../design/show.js"
import { words } from "../../design/show.js"
import type { Entry } from "./data.js"
import type { EntryField } from "./fields.js"

/** What publishes entries, and what they are then called. */
export interface Publishing {
  readonly field: string
  readonly on: unknown
  readonly off: unknown
  /** What sets it on, and off. */
  readonly verbs: readonly [on: string, off: string]
  /** What was done by them. */
  readonly done: readonly [on: string, off: string]
  /** What an entry is that has it on, and off. */
  readonly labels: readonly [on: string, off: string]
}

type Words = Pick<Publishing, "verbs" | "done" | "labels">

const published: Words = {
  verbs: ["Publish", "Unpublish"],
  done: ["Published", "Unpublished"],
  labels: ["Published", "Draft"]
}
const active: Words = {
  verbs: ["Activate", "Deactivate"],
  done: ["Activated", "Deactivated"],
  labels: ["Active", "Inactive"]
}
const shown: Words = { verbs: ["Show", "Hide"], done: ["Shown", "Hidden"], labels: ["Shown", "Hidden"] }

/** Fields that are true of what is published. */
const flags: Readonly<Record<string, Words>> = {
  published,
  live: published,
  public: published,
  active,
  enabled: active,
  visible: shown
}

/** Fields that are true of what is not. */
const inverted: Readonly<Record<string, Words>> = { draft: published, unpublished: published, hidden: shown }

const statusNames = ["status", "state", "publishstatus", "publishstate"]
const onWords = ["published", "live", "public", "active"]
const offWords = ["draft", "unpublished", "hidden", "inactive"]

/** The bare name of a field: `isPublished` and `is_published` as `published`. */
const bare = (name: string): string =>
  name
    .replace(/^is(?=[A-Z_])/, "")
    .replaceAll("_", "")
    .toLowerCase()

/** The words of a status among those that entries have, or a usual one in the case that they have. */
const wordOf = (seen: ReadonlyArray<string>, usual: ReadonlyArray<string>): string | undefined => {
  const found = seen.find((word) => usual.includes(word.toLowerCase()))
  if (found !== undefined || seen.length === 0) return found
  const [first = ""] = usual
  return seen.every((word) => word === word.toUpperCase()) ? first.toUpperCase() : first
}

/** The fields of the model, and what entries have beside them: a status may be the platform's own. */
const candidates = (
  fields: ReadonlyArray<EntryField>,
  entries: ReadonlyArray<Entry>
): ReadonlyArray<Pick<EntryField, "kind" | "name">> => {
  const beside = new Set(
    entries.flatMap((entry) => Object.keys(entry)).filter((name) => statusNames.includes(bare(name)))
  )
  for (const { name } of fields) beside.delete(name)
  return [...fields, ...[...beside].map((name) => ({ kind: "text", name }) as const)]
}

export const publishingOf = (
  fields: ReadonlyArray<EntryField>,
  entries: ReadonlyArray<Entry>
): Publishing | undefined => {
  for (const { kind, name } of candidates(fields, entries)) {
    const flag = kind === "flag" ? flags[bare(name)] : undefined
    if (flag !== undefined) return { field: name, on: true, off: false, ...flag }
    const inverse = kind === "flag" ? inverted[bare(name)] : undefined
    if (inverse !== undefined) return { field: name, on: false, off: true, ...inverse }
    if (kind !== "text" || !statusNames.includes(bare(name))) continue
    const seen = [...new Set(entries.map((entry) => entry[name]).filter((word) => typeof word === "string"))]
    const [on, off] = [wordOf(seen, onWords), wordOf(seen, offWords)]
    // A status that knows no such word is another one.
    const isKnown = seen.some((word) => [...onWords, ...offWords].includes(word.toLowerCase()))
    if (isKnown && on !== undefined && off !== undefined) return { field: name, on, off, ...published }
  }
  return undefined
}

/** An entry that says nothing of it beside others that say they are drafts is none. */
export const isPublished = (of: Publishing, entry: Entry): boolean =>
  entry[of.field] === of.on || (typeof of.on === "string" && (entry[of.field] ?? "") === "")

/** The state of an entry in a word; nothing where it has none. */
export const stateOf = (
  of: Publishing | undefined,
  entry: Entry
): { readonly label: string; readonly tone: Tone } | undefined => {
  const value = of && entry[of.field]
  if (of === undefined || value === null || value === undefined || value === "") return undefined
  if (value === of.on) return { label: of.labels[0], tone: "good" }
  return { label: value === of.off ? of.labels[1] : words(String(value)), tone: "calm" }
}

/** Drafts: what was typed and not yet sent, kept in this tab while its form is closed and when the page is loaded again. */
import { isSecretData } from "@quartet/sdk/extend"
import { type Person, parse } from "./config.js"

const prefix = "quartet.draft."

type Texts = Readonly<Record<string, string>>

/** Whether a field is named like a secret, or one in its JSON, which may not be whole yet: no draft keeps it. */
const isSecret = (field: string, text: string): boolean =>
  isSecretData(field.slice(field.lastIndexOf(".") + 1)) ||
  (/^\s*[[{]/.test(text) &&
    [...text.matchAll(/(?<![\w$-])([\w$-]+)[\\"']*\s*:/g)].some(([, name = ""]) => isSecretData(name)))

/** The draft of a name, if there is one: the texts of the fields that its form still has, and what they began with. */
export const load = <T extends Texts>(name: string, fields: T) => {
  const { begun, texts } = parse(sessionStorage.getItem(prefix + name))
  if (texts === undefined) return undefined
  const ours = (stored: unknown): T => ({
    ...fields,
    ...Object.fromEntries(
      Object.entries(Object(stored)).filter(([field, text]) => field in fields && typeof text === "string")
    )
  })
  return { texts: ours(texts), begun: ours(begun) }
}

/** Whether there is a draft of this name. */
export const has = (name: string): boolean => sessionStorage.getItem(prefix + name) !== null

let isAnothers = false

/** The texts that a draft keeps. */
const keptOf = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([field, text]) => !isSecret(field, text)))

/** Keeps the texts of a form, but of one that another person left open; those that a form begins with are no draft. */
export const keep = (name: string, texts: Texts, begun: Texts): void => {
  if (isAnothers) return
  const kept = keptOf(texts)
  const chosen = (from: Texts): Texts =>
    Object.fromEntries(Object.keys(kept).map((field) => [field, from[field] ?? ""]))
  try {
    if (Object.keys(kept).every((field) => kept[field] === begun[field]))
      sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify({ texts: kept, begun: chosen(begun) }))
  } catch {
    // Storage that is full or shut: the draft lasts as long as its form.
  }
}

/** Drops the draft of what was sent, unless it holds something else by now. */
export const drop = (name: string, sent: Texts): void => {
  const { texts } = parse(sessionStorage.getItem(prefix + name))
  if (JSON.stringify(texts) === JSON.stringify(keptOf(sent))) sessionStorage.removeItem(prefix + name)
}

/** Forgets the drafts of who signs out. An administrator's are all that this tab has. */
export const forget = (audience: Person): void => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix + (audience === "admin" ? "" : `${audience}.`)))
      sessionStorage.removeItem(name)
}

/** Says whose the drafts are: those of another are forgotten. Returns whether there was another. */
export const claim = (audience: Person, person: string): boolean => {
  const owner = `${prefix}${audience}.owner`
  const isOther = (sessionStorage.getItem(owner) ?? person) !== person
  if (isOther) forget(audience)
  isAnothers ||= isOther
  sessionStorage.setItem(owner, person)
  return isOther
}

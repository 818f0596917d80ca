/** Drafts: what was typed and not yet sent, kept in this tab while its form is closed and when the page is loaded again. */

const prefix = "quartet.draft."

type Texts = Readonly<Record<string, string>>

/** The draft of a name, if there is one: the texts of the fields that its form still has. */
export const load = <T extends Texts>(name: string, fields: T): Partial<T> | undefined => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(prefix + name) ?? "null")
    if (stored === null) return undefined
    const isOurs = ([field, text]: [string, unknown]): boolean => field in fields && typeof text === "string"
    return Object.fromEntries(Object.entries(Object(stored)).filter(isOurs)) as Partial<T>
  } catch {
    return undefined
  }
}

/** Keeps the texts of a form; those that a form begins with are no draft. */
export const keep = (name: string, texts: Texts, initial: Texts): void => {
  try {
    if (Object.keys(texts).every((field) => texts[field] === initial[field]))
      sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(texts))
  } catch {
    // Storage that is full or shut: the draft lasts as long as its form.
  }
}

/** Forgets the drafts of who signs out. */
export const forgetAll = (): void => {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
}

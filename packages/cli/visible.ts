/** Texts of others without what a terminal obeys or what turns the order of what is read: shown as `\u202e` instead. */

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A text for a terminal. Lines, tabs and colours stay: these are ours. */
export const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  text.replaceAll(/\u001b(?!\[[\d;]*m)|(?![\n\t\u001b])[\p{Cc}\p{Bidi_Control}]/gu, escaped)

/** A text of others as a part of a line of ours: without lines, tabs and colours too. */
export const inline = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, escaped)

/** A value as JSON; what is escaped has the same value. */
export const jsonOf = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, undefined, indent) ?? "null").replaceAll(
    /[\p{Bidi_Control}\u007f-\u009f]/gu,
    escaped
  )

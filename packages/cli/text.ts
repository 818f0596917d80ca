/** Texts for a terminal: in colours, which NO_COLOR turns off, and without what a terminal obeys or what turns the order of what is read. */
import { stripVTControlCharacters } from "node:util"

const paintIf =
  (isOn: boolean) =>
  (open: number, close: number) =>
  (text: string): string =>
    isOn ? `\u001b[${open}m${text}\u001b[${close}m` : text

/** Functions that colour text, or return it unchanged. */
export const paint = (isOn: boolean) => {
  const by = paintIf(isOn)
  return {
    bold: by(1, 22),
    dim: by(2, 22),
    red: by(31, 39),
    green: by(32, 39),
    yellow: by(33, 39),
    cyan: by(36, 39)
  }
}

export interface Paint extends Readonly<ReturnType<typeof paint>> {}

/** Whether texts on a stream are coloured. */
export const isColoured = (stream: { readonly isTTY?: boolean }): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR

/** A text without its colours. */
export const plain: (text: string) => string = stripVTControlCharacters

/** A character as `\u202e`, which neither is obeyed nor turns anything. */
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

/** Colours for a terminal. NO_COLOR turns them off. */
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

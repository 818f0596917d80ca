/** The writings of a text that docs/security.md names: servers repeat in any of them what they were told. */

const html: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "/": "&sol;",
  "\\": "&bsol;",
  "+": "&plus;",
  "=": "&equals;",
  "%": "&percnt;",
  ".": "&period;",
  _: "&lowbar;",
  ä: "&auml;",
  ö: "&ouml;"
}

const each =
  (write: (character: string) => string) =>
  (text: string): string =>
    Array.from(text, write).join("")

const inside = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Writings in which each character is written for itself: a part of a text is written as it is in the whole. */
export const byCharacter = {
  hex: (text: string) => Buffer.from(text).toString("hex"),
  "hex in capitals": (text: string) => Buffer.from(text).toString("hex").toUpperCase(),
  "percent twice": (text: string) => encodeURIComponent(encodeURIComponent(text)),
  "decimal entities": each((one) => `&#${one.codePointAt(0)};`),
  "hexadecimal entities": each((one) => `&#x${one.codePointAt(0)?.toString(16)};`),
  "named entities": each((one) => html[one] ?? one),
  "JSON in JSON": (text: string) => inside(inside(text))
} satisfies Readonly<Record<string, (text: string) => string>>

const encodings = ["base64", "base64url"] as const
const offsets = [0, 1, 2] as const
type Offset = `${(typeof encodings)[number]} at ${(typeof offsets)[number]}`

/** Writings that depend on where in three bytes a text begins. */
export const byOffset: ReadonlyMap<Offset, (text: string) => string> = new Map(
  encodings.flatMap((encoding) =>
    offsets.map((offset): readonly [Offset, (text: string) => string] => [
      `${encoding} at ${offset}`,
      (text) => Buffer.from("x".repeat(offset) + text).toString(encoding)
    ])
  )
)

export type Writing = keyof typeof byCharacter | Offset

/** All of them by name. */
export const writings: ReadonlyMap<Writing, (text: string) => string> = new Map<
  Writing,
  (text: string) => string
>([...(Object.entries(byCharacter) as Array<[Writing, (text: string) => string]>), ...byOffset])

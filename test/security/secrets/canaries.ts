/** Secrets that can be told wherever they turn up, in whatever form, and the search for them. */
import { jwt } from "../../support/jwt.js"

/** A secret with a core that stands nowhere else. Only the core is searched for: a part of a secret is a leak too. */
export interface Canary {
  readonly name: string
  readonly value: string
  readonly core: string
}

/** All visible characters that some writing escapes. */
const ascii = "k/\"'\\<>&%+=~!*()"
const any = `p ä'\\<>&%+"🗝 `

const canary = (name: string, write: (core: string) => string): Canary => {
  const core = `C4n4ry${name}C4n4ry`
  return { name, value: write(core), core }
}

const inHeader = (core: string): string => `${ascii}${core}${ascii}z`
const inBody = (core: string): string => `${any}${core}${any}z`

export const canaries = {
  email: canary("Email", (core) => `${core}+a@example.test`),
  password: canary("Password", inBody),
  oldPassword: canary("OldPassword", inBody),
  newPassword: canary("NewPassword", inBody),
  apiKey: canary("ApiKey", inHeader),
  privateKey: canary("PrivateKey", inHeader),
  code: canary("Code", inBody),
  key: canary("Key", inBody),
  cardPin: canary("CardPin", inBody),
  cardCvv: canary("CardCvv", inBody),
  userOtp: canary("UserOtp", inBody),
  listed: canary("Listed", inBody),
  sessionId: canary("SessionId", inHeader),
  accessToken: canary("AccessToken", (core) =>
    jwt({ sub: "a", p: { "*": { "*": 9 } } }).replace(/signature$/, core)
  ),
  powerless: canary("Powerless", (core) => jwt({ sub: "a", p: {} }).replace(/signature$/, core))
} as const

const every = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join("")

const hex = (code: number): string => code.toString(16).padStart(2, "0")

/** The middle of a text's base64 wherever it stands in a longer text. */
const base64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from("x".repeat(offset) + text).toString("base64")
    const middle = encoded.replaceAll("=", "").slice(offset === 0 ? 0 : offset + 1, -2)
    return [middle, middle.replaceAll("+", "-").replaceAll("/", "_")]
  })

const known = new Map<string, ReadonlyArray<string>>()

/** The core in all forms, in lower case. */
const formsOf = (core: string): ReadonlyArray<string> => {
  const forms = known.get(core) ?? [
    ...[
      core,
      every(core, (code) => `%${hex(code)}`),
      every(core, (code) => `\\u00${hex(code)}`),
      every(core, (code) => `&#${code};`),
      every(core, hex)
    ].map((form) => form.toLowerCase()),
    ...base64(core).map((form) => form.toLowerCase())
  ]
  known.set(core, forms)
  return forms
}

const escapes =
  /%([\da-f]{2})|\\+u00([\da-f]{2})|\\+u\{([\da-f]{1,4})\}|&#x0*([\da-f]{1,4});?|&#0*(\d{1,4});?|&amp;/g

/** A text as it is, and with escapes of all kinds undone, again and again. Cores hold nothing that is escaped itself. */
const undone = (text: string): ReadonlyArray<string> => {
  const all = [text.toLowerCase()]
  for (let next = all[0] ?? ""; all.length < 6; ) {
    const found = next.replace(escapes, (_, percent, unicode, braced, hexadecimal, decimal) => {
      const digits = percent ?? unicode ?? braced ?? hexadecimal
      if (digits === undefined && decimal === undefined) return "&"
      return String.fromCharCode(
        digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
      ).toLowerCase()
    })
    if (found === next) break
    all.push(found)
    next = found
  }
  return all
}

/** The canaries that a text holds in some form. */
export const leaksIn = (text: string, among: ReadonlyArray<Canary>): ReadonlyArray<string> => {
  const texts = undone(text)
  return among
    .filter(({ core }) => formsOf(core).some((form) => texts.some((one) => one.includes(form))))
    .map(({ name }) => name)
}

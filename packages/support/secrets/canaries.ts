/** Secrets that can be told wherever they turn up, in whatever writing, and the search for them. */
import { hash } from "@quartet/sandbox/extend"
import { jwt } from "../jwt.js"

/** A secret with a core that stands nowhere else. Only the core is searched for: a part of a secret is a leak too. */
export interface Canary {
  readonly name: string
  readonly value: string
  readonly core: string
}

/** All visible characters that some writing escapes, and some that base64 writes as `/`. */
const ascii = "k/\"'\\<>&%+=~!*()???"
const any = `p ä'\\<>&%+"🗝 ???`

const canary = (name: string, write: (core: string) => string): Canary => {
  const digits = [name, `${name}'`].map((text) => hash(text).toString(16).padStart(8, "0"))
  const core = `c4n4ry${digits.join("")}`
  return { name, value: write(core), core }
}
const inHeader = (name: string): Canary => canary(name, (core) => `${ascii}${core}${ascii}z`)
const inBody = (name: string): Canary => canary(name, (core) => `${any}${core}${any}z`)
const token = (name: string, grants: object): Canary =>
  canary(name, (core) => jwt({ sub: "a", p: grants, canary: name }).replace(/signature$/, core))

export const canaries = {
  email: canary("email", (core) => `${core}+a@example.test`),
  password: inBody("password"),
  oldPassword: inBody("oldPassword"),
  newPassword: inBody("newPassword"),
  code: inBody("code"),
  key: inBody("key"),
  cardPin: inBody("cardPin"),
  cardCvv: inBody("cardCvv"),
  userOtp: inBody("userOtp"),
  listed: inBody("listed"),
  apiKey: inHeader("apiKey"),
  privateKey: inHeader("privateKey"),
  sessionId: inHeader("sessionId"),
  accessToken: token("accessToken", { "*": { "*": 9 } }),
  renewedToken: token("renewedToken", { "*": { "*": 9 } }),
  powerless: token("powerless", {})
} as const

export const allCanaries: ReadonlyArray<Canary> = Object.values(canaries)

/** Shortest part of a core whose sight counts as a leak, in characters. */
const shortest = 12

/** The middle of a text's base64 wherever it stands in a longer text. */
const base64 = (text: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from("x".repeat(offset) + text).toString("base64")
    const middle = encoded.replaceAll("=", "").slice(offset === 0 ? 0 : offset + 1, -2)
    return [middle, middle.replaceAll("+", "-").replaceAll("/", "_")]
  })

const known = new Map<string, ReadonlyArray<string>>()

/** Both ends of a core in the writings that `undone` does not undo, in lower case. */
const formsOf = (core: string): ReadonlyArray<string> => {
  const ends = [core.slice(0, shortest), core.slice(-shortest)]
  const forms =
    known.get(core) ??
    ends
      .flatMap((end) => [end, Buffer.from(end).toString("hex"), ...base64(end)])
      .map((form) => form.toLowerCase())
  known.set(core, forms)
  return forms
}

const escapes =
  /%([\da-f]{2})|\\+u00([\da-f]{2})|\\+u\{([\da-f]{1,4})\}|&#x0*([\da-f]{1,4});?|&#0*(\d{1,4});?|&amp;/g

/** A text as it is, and with escapes of all kinds undone, again and again. Cores hold nothing that is escaped itself. */
const undone = (text: string): ReadonlyArray<string> => {
  const all = [text.toLowerCase()]
  for (let next = all[0] ?? ""; all.length < 6; ) {
    const decoded = next.replace(escapes, (_, percent, unicode, braced, hexadecimal, decimal) => {
      const digits = percent ?? unicode ?? braced ?? hexadecimal
      if (digits === undefined && decimal === undefined) return "&"
      const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
      return String.fromCharCode(code).toLowerCase()
    })
    if (decoded === next) break
    all.push(decoded)
    next = decoded
  }
  return all
}

/** The names of the canaries that a text shows in some writing, whole or in a telling part. */
export const leaksIn = (text: string, among: ReadonlyArray<Canary> = allCanaries): ReadonlyArray<string> => {
  const texts = undone(text)
  return among
    .filter(({ core }) => formsOf(core).some((form) => texts.some((reading) => reading.includes(form))))
    .map(({ name }) => name)
}

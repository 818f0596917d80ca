/** The writings of a secret that docs/security.md names: servers repeat in any of them what they were told. */

const each = (text: string, write: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join("")
const byCharacter = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join("")
const byByte = (text: string, write: (byte: number) => string): string =>
  Array.from(Buffer.from(text), write).join("")
const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0")

const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const html = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const names: Readonly<Record<string, string>> = {
  ...{ "'": "apos", "/": "sol", "\\": "bsol", "+": "plus", "=": "equals", "%": "percnt" },
  ...{ "*": "ast", "(": "lpar", ")": "rpar", "!": "excl", "?": "quest", ä: "auml" }
}
/** As PHP's htmlentities has it, and more. */
const named = (text: string): string =>
  html(text).replaceAll(/['/\\+=%*()!?ä]/g, (character) => `&${names[character]};`)

const uri = encodeURIComponent
const form = (secret: string): string => new URLSearchParams({ a: secret }).toString()
const base64 =
  (offset: string, encoding: "base64" | "base64url" = "base64") =>
  (secret: string): string =>
    Buffer.from(offset + secret).toString(encoding)

export const writings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => `wrong ${secret}!`,
  "without spaces around it": (secret) => `wrong${secret}wrong`,
  "as a header": (secret) => `authorization: Bearer ${secret}`,
  "where the text is cut": (secret) => `${"x".repeat(490)}${secret}`,
  "after a long text": (secret) => `${"x".repeat(70_000)}${secret}`,
  "at the cut of a long text": (secret) => secret.repeat(2_000),
  "percent-encoded": uri,
  "percent-encoded in lower case": (secret) => uri(secret).replaceAll(/%\w\w/g, (code) => code.toLowerCase()),
  "percent-encoded as forms are": form,
  "percent-encoded to the last letter": (secret) => byByte(secret, (byte) => `%${hex(byte, 2)}`),
  "percent-encoded as an address": encodeURI,
  "percent-encoded twice": (secret) => uri(uri(secret)),
  "percent-encoded three times": (secret) => uri(uri(uri(secret))),
  "percent-encoded twice to the last letter": (secret) => byByte(secret, (byte) => `%25${hex(byte, 2)}`),
  "percent-encoded as forms are, twice": (secret) => uri(form(secret)),
  "percent-encoded as Latin-1": (secret) =>
    byCharacter(secret, (code) => (code < 256 ? `%${hex(code, 2)}` : uri(String.fromCodePoint(code)))),
  "escaped for JSON": json,
  "escaped for JSON in ASCII": (secret) =>
    json(secret).replaceAll(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
  "escaped for JSON to the last letter": (secret) => each(secret, (code) => `\\u${hex(code, 4)}`),
  "as JSON in JSON": (secret) => json(json(secret)),
  "as JSON in JSON in JSON": (secret) => json(json(json(secret))),
  "as JSON in JSON, to the last letter": (secret) => json(each(secret, (code) => `\\u${hex(code, 4)}`)),
  "as JSON in a URL": (secret) => uri(json(secret)),
  "escaped for JavaScript": (secret) => byCharacter(secret, (code) => `\\u{${code.toString(16)}}`),
  "escaped for HTML": (secret) => html(secret).replaceAll("'", "&#39;"),
  "escaped for HTML otherwise": (secret) => html(secret).replaceAll("'", "&#x27;"),
  "escaped for HTML in decimals": (secret) => byCharacter(secret, (code) => `&#${code};`),
  "escaped for HTML in decimals with zeros, without ends": (secret) =>
    byCharacter(secret, (code) => `&#${String(code).padStart(7, "0")}`),
  "escaped for HTML in hexadecimal": (secret) => byCharacter(secret, (code) => `&#x${code.toString(16)};`),
  "escaped for HTML in hexadecimal with zeros": (secret) =>
    byCharacter(secret, (code) => `&#X${hex(code, 6).toUpperCase()};`),
  "escaped for HTML by names": named,
  "escaped for HTML twice": (secret) => html(html(secret)),
  "escaped for HTML by names, twice": (secret) => html(named(secret)),
  "escaped for HTML within JSON": (secret) => json(byCharacter(secret, (code) => `&#${code};`)),
  "escaped for JSON within HTML": (secret) => html(json(secret)),
  "in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
  "in hexadecimal, in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "in base64": base64(""),
  "in base64 after a letter": base64("a"),
  "in base64 after a name": base64("a:"),
  "in base64 for URLs": base64("", "base64url"),
  "in base64 for URLs, after a letter": base64("a", "base64url"),
  "in base64 for URLs, after a name": base64("a:", "base64url"),
  "in base64 within a URL": (secret) => uri(base64("")(secret))
}

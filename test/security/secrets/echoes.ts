/** How a server may write what it should not repeat, and where in its answer. */
import type { Outcome } from "../../../core/ports/transport.js"

const each = (text: string, write: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join("")

const bytewise = (text: string, write: (byte: number) => string): string =>
  Array.from(Buffer.from(text), write).join("")

const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0")

const html = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const bracketed = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join("")

/** As PHP's htmlentities has it. */
const named = (text: string): string =>
  html(text)
    .replaceAll("'", "&apos;")
    .replaceAll("ä", "&auml;")
    .replaceAll("/", "&sol;")
    .replaceAll("\\", "&bsol;")

const once = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Writings of one secret. */
export const writings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => `wrong ${secret}!`,
  "without spaces around it": (secret) => `wrong${secret}wrong`,
  "as a header": (secret) => `authorization: Bearer ${secret}`,
  "where the text is cut": (secret) => `${"x".repeat(490)}${secret}`,
  "after a long text": (secret) => `${"x".repeat(70_000)}${secret}`,
  "at the cut of a long text": (secret) => `${secret.repeat(2_000)}`,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (secret) =>
    encodeURIComponent(secret).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  "percent-encoded as forms are": (secret) => new URLSearchParams({ a: secret }).toString(),
  "percent-encoded to the last letter": (secret) => bytewise(secret, (byte) => `%${hex(byte, 2)}`),
  "escaped for JSON": once,
  "escaped for JSON in ASCII": (secret) =>
    once(secret).replaceAll(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
  "escaped for JSON to the last letter": (secret) => each(secret, (code) => `\\u${hex(code, 4)}`),
  "escaped for HTML": (secret) => html(secret).replaceAll("'", "&#39;"),
  "escaped for HTML otherwise": (secret) => html(secret).replaceAll("'", "&#x27;"),
  "percent-encoded twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "percent-encoded three times": (secret) =>
    encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
  "percent-encoded twice to the last letter": (secret) => bytewise(secret, (byte) => `%25${hex(byte, 2)}`),
  "percent-encoded as forms are, twice": (secret) =>
    encodeURIComponent(new URLSearchParams({ a: secret }).toString()),
  "percent-encoded as Latin-1": (secret) =>
    bracketed(secret, (code) =>
      code < 256 ? `%${hex(code, 2)}` : encodeURIComponent(String.fromCodePoint(code))
    ),
  "as JSON in JSON": (secret) => once(once(secret)),
  "as JSON in JSON in JSON": (secret) => once(once(once(secret))),
  "as JSON in JSON, to the last letter": (secret) => once(each(secret, (code) => `\\u${hex(code, 4)}`)),
  "as JSON in a URL": (secret) => encodeURIComponent(once(secret)),
  "escaped for JavaScript": (secret) => bracketed(secret, (code) => `\\u{${code.toString(16)}}`),
  "escaped for HTML in decimals": (secret) => bracketed(secret, (code) => `&#${code};`),
  "escaped for HTML in decimals with zeros, without ends": (secret) =>
    bracketed(secret, (code) => `&#${String(code).padStart(7, "0")}`),
  "escaped for HTML in hexadecimal": (secret) => bracketed(secret, (code) => `&#x${code.toString(16)};`),
  "escaped for HTML in hexadecimal with zeros": (secret) =>
    bracketed(secret, (code) => `&#X${hex(code, 6).toUpperCase()};`),
  "escaped for HTML by names": named,
  "escaped for HTML twice": (secret) => html(html(secret)),
  "escaped for HTML by names, twice": (secret) => html(named(secret)),
  "escaped for HTML within JSON": (secret) => once(bracketed(secret, (code) => `&#${code};`)),
  "escaped for JSON within HTML": (secret) => html(once(secret)),
  "in base64 within a URL": (secret) => encodeURIComponent(Buffer.from(secret).toString("base64")),
  "in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "in base64 after a name": (secret) => Buffer.from(`a:${secret}`).toString("base64"),
  "in base64 after a longer name": (secret) => Buffer.from(`user:${secret}`).toString("base64")
}

/** Secrets one after the other, in one writing. */
export const echo = (write: (secret: string) => string, secrets: ReadonlyArray<string>): string =>
  secrets.map(write).join(" ")

/** An answer whose headers all repeat a text. */
export const answered = (status: number, body: string | Uint8Array, echoed: string): Outcome => ({
  _tag: "Answered",
  status,
  header: (name) => (name === "content-encoding" ? undefined : echoed),
  body: typeof body === "string" ? new TextEncoder().encode(body) : body
})

/** The places of a JSON error where a text may stand. */
export const places: ReadonlyArray<(text: string) => unknown> = [
  (message) => ({ message }),
  (error) => ({ error }),
  (text) => ({ error: { message: text, field: text } }),
  (text) => ({ message: text, field: text })
]

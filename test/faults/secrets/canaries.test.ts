// "0 leaks" means something: each writing of a canary is seen, whole or in part, and nothing else is taken for one.
import { describe, expect, test } from "vitest"
import { type Canary, canary, password, seenIn, token } from "./canaries.js"
import { writings as others } from "./writings.js"

const canaries: ReadonlyArray<Canary> = [
  canary("apiKey"),
  canary("sessionId"),
  password("password"),
  password("newPassword"),
  token("accessToken"),
  token("issued0")
]

const known: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "percent-encoded as a component": encodeURIComponent,
  "percent-encoded as an address": encodeURI,
  "within JSON": (text) => JSON.stringify({ text }),
  "within JSON within JSON": (text) => JSON.stringify({ text: JSON.stringify({ text }) }),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "as UTF-8 read as Latin-1": (text) => Buffer.from(text).toString("latin1")
}

const writings = { ...known, ...Object.fromEntries(others) }

const fieldsIn = (text: string): ReadonlyArray<string> => seenIn(text, canaries).map(({ field }) => field)
const around = (text: string): string => `the server said: ${text}; and then no more`

describe("a canary is seen", () => {
  for (const [name, write] of Object.entries(writings))
    test(`${name}, and no other is taken for it`, () => {
      for (const { field, text } of canaries) expect(fieldsIn(around(write(text)))).toEqual([field])
    })

  test("where only its last 12 characters are left, in each writing", () => {
    for (const name of ["plain", "percent-encoded as a component", "base64", "base64url"])
      for (const { field, text } of canaries)
        expect(fieldsIn(around(writings[name]?.(text).slice(-12) ?? "")), name).toEqual([field])
  })

  test("where its end was cut off, and at least 60 % of it are left", () => {
    for (const { field, text } of canaries)
      expect(fieldsIn(around(text.slice(0, Math.ceil(text.length * 0.6))))).toContain(field)
  })

  test("together with all others", () => {
    expect(fieldsIn(canaries.map(({ text }) => text).join(" "))).toEqual(canaries.map(({ field }) => field))
  })
})

describe("no canary is seen", () => {
  test("in what a masked message says", () => {
    for (const text of ["", "***", around("Bearer ***"), "cnry-", canaries.map(({ field }) => field).join()])
      expect(fieldsIn(text)).toEqual([])
  })

  test("in fewer than 12 characters of its end", () => {
    for (const { text } of canaries) expect(fieldsIn(around(text.slice(-11)))).toEqual([])
  })
})

test("canaries hold what encoders write otherwise, and a token is a JWT that may do everything", () => {
  for (const { text } of [canary("a"), password("a")]) {
    expect(encodeURIComponent(text)).not.toBe(text)
    expect(JSON.stringify(text)).not.toBe(`"${text}"`)
    for (const offset of [0, 1, 2])
      expect(Buffer.from("x".repeat(offset) + text).toString("base64")).toContain("/")
  }
  const [, claims = ""] = token("a").text.split(".")
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ p: { "*": { "*": 9 } } })
})

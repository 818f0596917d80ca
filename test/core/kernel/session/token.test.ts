// What a client reads from an access token, and what it refuses to take for one.
import { describe, expect, it } from "@effect/vitest"
import { base64url, claims, jwt } from "@quartet/support/jwt.js"
import { Either, FastCheck as FC } from "effect"
import * as Token from "../../../../core/kernel/session/token.js"

const right = (token: string) => Either.getOrThrow(Token.read(token))
const advice = (token: string) => Either.getOrThrow(Either.flip(Token.read(token))).advice

describe("a token", () => {
  // Spec 1.9, 3.2, 3.3
  it("names the admin: subject, e-mail, name and permissions", () => {
    expect(right(jwt({ ...claims, exp: 1_900_000_000 }))).toEqual({
      _id: "admin-1",
      email: "ada@example.test",
      fullName: "Ada",
      permissions: { "*": { "*": 9 } },
      expiresAt: new Date(1_900_000_000_000)
    })
  })

  it.each([0, 42, Number.MAX_SAFE_INTEGER])("may name its subject by a number: %s", (sub) => {
    expect(right(jwt({ ...claims, sub }))._id).toBe(String(sub))
  })

  it("may name its subject by a number of 64 bits, of which no digit is lost", () => {
    expect(right(jwt('{"sub":175928847299117063}'))._id).toBe("175928847299117063")
    expect(right(jwt('{"sub":12345678901234567890,"exp":1900000000}'))).toMatchObject({
      _id: "12345678901234567890",
      expiresAt: new Date(1_900_000_000_000)
    })
  })

  it("may leave out all but its subject", () => {
    expect(right(jwt({ sub: "a" }))).toEqual({
      _id: "a",
      email: undefined,
      fullName: undefined,
      permissions: {},
      expiresAt: undefined
    })
  })

  it.prop("may hold names in any script", [FC.string({ unit: "grapheme", minLength: 1 })], ([name]) => {
    expect(right(jwt({ sub: "a", name })).fullName).toBe(name)
  })

  it.each([
    ["text", "1900000000"],
    ["negative", -1],
    ["nought", 0],
    ["null", null],
    ["beyond the last Date", 8.64e12 + 1]
  ])("whose exp is %s says nothing of its end that could be trusted", (_, exp) => {
    expect(right(jwt({ sub: "a", exp })).expiresAt).toBeUndefined()
  })

  it("whose exp would be Infinity or NaN says nothing of its end", () => {
    for (const text of ['{"sub":"a","exp":1e400}', '{"sub":"a","exp":-1e400}']) {
      expect(right(jwt(text)).expiresAt).toBeUndefined()
    }
    expect(advice(jwt('{"sub":"a","exp":NaN}'))).toBe(
      "the access token must hold two parts of base64url JSON"
    )
  })

  it("whose exp is a fraction ends to the millisecond", () => {
    expect(right(jwt({ sub: "a", exp: 1.5 })).expiresAt).toEqual(new Date(1_500))
  })

  it("takes no claim from a prototype", () => {
    const token = right(jwt('{"sub":"a","__proto__":{"email":"x","p":{"*":{"*":9}},"exp":1900000000}}'))
    expect(token).toEqual({
      _id: "a",
      email: undefined,
      fullName: undefined,
      permissions: {},
      expiresAt: undefined
    })
  })

  it("takes claims of the wrong kind for none", () => {
    expect(right(jwt({ sub: "a", email: 7, name: { first: "A" } }))).toMatchObject({
      email: undefined,
      fullName: undefined
    })
  })
})

describe("what is no token is refused:", () => {
  const good = jwt(claims)
  const [header = "", payload = ""] = good.split(".")

  it.each([
    ["nothing", "", "must have three parts"],
    ["an opaque id", "0123456789abcdef", "must have three parts"],
    ["two parts", `${header}.${payload}`, "must have three parts"],
    ["four parts", `${good}.more`, "must have three parts"],
    ["three empty parts", "..", "must hold two parts of base64url JSON"],
    ["no signature", `${header}.${payload}.`, "must be signed"],
    ["alg none", jwt(claims, { alg: "none" }), "must be signed"],
    ["alg NONE", jwt(claims, { alg: "NONE" }), "must be signed"],
    ["bad base64url in the claims", `${header}.!!!.signature`, "must hold two parts of base64url JSON"],
    ["bad base64url in the header", `***.${payload}.signature`, "must hold two parts of base64url JSON"],
    ["claims that are no JSON", jwt("{"), "must hold two parts of base64url JSON"],
    ["claims that are a list", jwt([]), "must hold two parts of base64url JSON"],
    ["claims that are null", jwt("null"), "must hold two parts of base64url JSON"],
    [
      "claims that are no UTF-8",
      `${header}.${Buffer.from([0x7b, 0xff]).toString("base64url")}.s`,
      "must hold"
    ],
    ["a header that is text", jwt(claims, '"HS256"'), "must hold two parts of base64url JSON"],
    ["no subject", jwt({ email: "a" }), "must name its subject (sub)"],
    ["an empty subject", jwt({ sub: "" }), "must name its subject (sub)"],
    ["a fraction for a subject", jwt({ sub: 7.5 }), "must name its subject (sub)"],
    ["a subject that JSON cannot hold exactly", jwt({ sub: 2 ** 53 }), "must name its subject (sub)"],
    ["true for a subject", jwt({ sub: true }), "must name its subject (sub)"],
    ["a megabyte", jwt({ sub: "a", name: "x".repeat(1_000_000) }), "is longer than 65536 characters"]
  ])("%s", (_, token, rule) => {
    expect(advice(token)).toContain(`the access token ${rule}`)
  })

  it("in no time worth naming, however long it is", () => {
    const long = `${base64url({ alg: "HS256" })}.${"A".repeat(50_000_000)}.s`
    expect(Either.isLeft(Token.read(long))).toBe(true)
  })

  it.prop("whatever text it is, nothing is thrown", [FC.string()], ([text]) => {
    for (const token of [text, `${text}.${text}.${text}`, `${base64url(text)}.${base64url(text)}.x`]) {
      expect(() => Token.read(token)).not.toThrow()
    }
  })

  it("without showing anything of it", () => {
    const canary = "canary-4711"
    for (const token of [canary, `${canary}.${canary}.${canary}`, jwt({ sub: true, email: canary })]) {
      const error = Either.getOrThrow(Either.flip(Token.read(token)))
      expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain(canary)
    }
  })
})

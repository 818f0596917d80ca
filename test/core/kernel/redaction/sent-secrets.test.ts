// Which values of a call are secrets: told by the names of their fields.
import { describe, expect, it } from "@effect/vitest"
import { isSecret, sentSecrets, withSent } from "../../../../core/kernel/redaction/sent-secrets.js"

describe("a field", () => {
  const secret = `
    password oldPassword PASSWORD pass_phrase passcode user-pwd userpassword token accessToken access_token
    tokens refreshtoken jwt secret clientSecret credential credentials session sessionId authorization code
    codes verificationCode verification_code verificationcode smsCode 2faCode key keys licenseKey
    license-key licensekey apiKey APIKey x-api-key privateKeys pin PIN cardPin card_pin pinCode cardCvv
    cardCVV2 cvc otp userOtp userOTPCode cardNumber card_number cardpin cardcvv userotp smsotp PINs userOTPs
    JWTs productKey phoneCode pass userPass pw code_verifier privateKeyPem apiKeyV2 cookie bearer signature sig
  `
  it.each(secret.trim().split(/\s+/))("named %s holds a secret", (name) => {
    expect(isSecret(name)).toBe(true)
  })

  const plain = `
    shipping pinned opinion spin laptop option hotpot countryCode country_code zipCode zipcode ZIP
    postalCode postcode currencyCode statusCode errorCode languageCode areaCode barcode keyboard keyword
    keywords keyId codeName sortKey publicKey idempotencyKey monkey turkey possession secretary maxTokens
    tokenCount totalSessions name email passenger compass amount k v _id 1
  `
  it.each(["", ...plain.trim().split(/\s+/)])("named %s holds none", (name) => {
    expect(isSecret(name)).toBe(false)
  })
})

describe("the secrets of a request", () => {
  const request = { path: "/x", headers: {}, body: undefined }
  const json = (value: unknown) =>
    sentSecrets({ ...request, body: { _tag: "Json", text: JSON.stringify(value) } })

  it("are the texts and the numbers below such a name, in lists and objects too, and nothing else", () => {
    const body = {
      email: "a@b.test",
      cardPin: 1234,
      code: "483920",
      tokens: ["t-1", ["t-2"]],
      credentials: [{ value: "c-1", at: 7 }],
      card: { number: "n", cvv: 123 },
      token: null,
      session: true
    }
    expect(json(body)).toEqual(["1234", "483920", "t-1", "t-2", "c-1", "7", "123"])
  })

  it("are no counts: a number under the name of many things", () => {
    expect(json({ sessions: 1000, tokens: 5, codes: [4821], maxTokens: 7, pin: 12 })).toEqual(["4821", "12"])
  })

  it("are found in a document that stands in a text", () => {
    const data = '{"password":"p-1","list":[{"pin":"9876"}]}'
    expect(json({ data, note: "[not JSON" })).toEqual(["p-1", "9876"])
  })

  it("are found in a query, where lists are joined by commas", () => {
    const secrets = sentSecrets({ ...request, path: "/x?page=1&%74oken=a%20b&codes=11,22" })
    expect(secrets).toEqual(["a b", "a b", "11,22", "11", "22"])
  })

  it("are found in the fields of a form, and in the documents that these hold", () => {
    const parts = [
      { name: "userOtp", text: "5521" },
      { name: "form", text: '{"apiKey":"k-1"}' },
      { name: "file", file: new Blob(["x"]), fileName: "password.txt" }
    ]
    expect(sentSecrets({ ...request, body: { _tag: "Form", parts } })).toEqual(["5521", "k-1"])
  })

  it("are found in a path, by the names of its template; a bare key there is the name of a thing", () => {
    const template = "/v1/verify/{code}/of/{key}/{id}"
    expect(sentSecrets({ ...request, path: "/v1/verify/48%2F20/of/theme/7?x=1" }, template)).toEqual([
      "48/20"
    ])
    expect(sentSecrets({ ...request, path: "/v1/other" }, template)).toEqual([])
  })

  it("are found in its headers", () => {
    const headers = { accept: "application/json", "x-tenant": "acme", "x-tenant-token": "t-1" }
    expect(sentSecrets({ ...request, headers })).toEqual(["t-1"])
  })

  it("are found out once, and only when they are asked for", () => {
    let times = 0
    const own = ["own"]
    const secrets = withSent(
      () => own,
      () => [`sent ${++times}`]
    )
    expect(times).toBe(0)
    expect(secrets()).toEqual(["own", "sent 1"])
    expect(secrets()).toBe(secrets())
    expect(times).toBe(1)
    const nothing = withSent(
      () => own,
      () => []
    )
    expect(nothing()).toBe(own)
  })
})

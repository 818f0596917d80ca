// Making a Promise client: nothing is sent, and a configuration that cannot work is thrown at once, as a typed error.
import { describe, expect, test } from "vitest"
import {
  type AdminClient,
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient,
  Errors
} from "../../clients/promise/index.js"

const baseUrl = "https://api.example.com"

/** What a program without types may pass. */
const createUntyped = createAdminClient as (config: object) => AdminClient

const thrown = (make: () => unknown): unknown => {
  try {
    make()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}

describe("an admin client", () => {
  // Spec 5.1, 5.2, 8.1
  test.each([
    {},
    { email: "ada@example.com" },
    { password: "secret" },
    { email: "", password: "" },
    { sessionId: "session-1" },
    { accessToken: "a.b.c" },
    { sessionId: "session-1", email: "ada@example.com" }
  ])("is not made of %j", (credentials) => {
    const error = thrown(() => createUntyped({ baseUrl, projectId: "p1", ...credentials }))
    expect(error).toBeInstanceOf(Errors.CredentialsError)
    expect(error).toMatchObject({
      tag: "CredentialsError",
      reason: "Missing",
      message: "Session ID and access token or email and password must be provided"
    })
  })

  test("is not made of a token that cannot be one, and the error does not show it", () => {
    const make = () =>
      createAdminClient({ baseUrl, projectId: "p1", sessionId: "session-1", accessToken: "not-a-token" })
    const error = thrown(make)
    expect(error).toMatchObject({ tag: "CredentialsError", reason: "Malformed" })
    expect(`${error}`).not.toContain("not-a-token")
  })
})

describe.each([
  ["public", (url: string) => createPublicClient({ baseUrl: url, apiKey: "key-1" })],
  ["private", (url: string) => createPrivateClient({ baseUrl: url, privateKey: "key-1" })],
  [
    "end-user",
    (url: string) => createEndUserClient({ baseUrl: url, apiKey: "key-1", sessionId: "session-1" })
  ]
] as const)("the %s client", (_, create) => {
  test.each([
    "",
    "api.example.com",
    "ftp://api.example.com",
    "https://a:b@example.com",
    "https://example.com?x=1"
  ])("is not made for the base URL %j", (url) => {
    const error = thrown(() => create(url))
    expect(error).toBeInstanceOf(Errors.InputError)
    expect(error).toMatchObject({ field: "baseUrl" })
  })

  test("is made for a base URL with a path", () => {
    expect(() => create("https://api.example.com/v1/")).not.toThrow()
  })
})

test.each(["two words", "line\nbreak", "ключ"])(
  "a key is not %j, and the error does not show it",
  (apiKey) => {
    const error = thrown(() => createPublicClient({ baseUrl, apiKey }))
    expect(error).toBeInstanceOf(Errors.CredentialsError)
    expect(error).toMatchObject({ reason: "Malformed" })
    expect(`${error}`).not.toContain(apiKey)
  }
)

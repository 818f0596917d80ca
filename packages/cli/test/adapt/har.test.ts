// Whose sign-in a HAR shows, where both services have the same route for it.
import * as Either from "effect/Either"
import { expect, it } from "vitest"
import { exchangesIn } from "../../adapt/har.js"

const signIn = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    log: {
      entries: [
        {
          request: {
            method: "POST",
            url: "https://api.example.com/auth/login",
            headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
            postData: { text: "{}" }
          },
          response: { status: 200, headers: [], content: { text: "{}" } }
        }
      ]
    }
  })

it.each([
  ["sign-in of an end user", "a key's header", { "x-api-key": "key-123456" }],
  ["sign-in of an end user", "a key under authorization", { authorization: "ApiKey key-123456" }],
  ["legacy sign-in of an admin", "no key", {}]
])("a %s has %s", (purpose, _, headers) => {
  const found = exchangesIn(signIn(headers), { api: undefined, legacy: undefined })
  expect(Either.getOrThrow(found).map((each) => each.purpose)).toEqual([purpose])
})

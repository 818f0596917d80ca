// A store's URL that its driver could not read, or would read as another one.
import * as Fleet from "@quartet/fleet"
import { rows } from "@quartet/support/crew.js"
import { live } from "@quartet/support/effect.js"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { placeOf } from "../store/store.js"

describe("the URL of a store", () => {
  it.each([
    "postgres://u:p@host/d",
    "postgres://u:p%23%2F%40@host:5432/d?schema=shop",
    "postgres://u:50%@host/d",
    "postgres://u:p@/d?host=/run/postgresql",
    "postgres:///d?host=/run/postgresql&user=me@here",
    "postgres://[::1]:5432/d"
  ])("is taken where it can be read: %s", (url) => {
    expect(placeOf(url)).toMatchObject({ _tag: "Right" })
  })

  it.each([
    ["a # in its password", "postgres://u:secret#pw@host/d"],
    ["a # behind digits", "postgres://u:12#secret@host/d"],
    ["a # in its query", "postgres://host/d?password=secret#pw"],
    ["a / in its password", "postgres://u:secret/pw@host/d"],
    ["a / behind digits", "postgres://u:12/secret@host/d"],
    ["a ? in its password", "postgres://u:secret?pw@host/d"],
    ["an escape that is none of a text", "postgres://u:secret%E4@host/d"],
    ["a port that is none", "postgres://u:secret@host:abc/d"]
  ])("is refused with %s, and no word of the password", (_, url) => {
    const refused = placeOf(url)
    expect(refused).toMatchObject({
      _tag: "Left",
      left: {
        _tag: "InputError",
        field: "store",
        rule: expect.stringMatching(/^cannot be read as a URL: .*# is written as %23, \/ as %2F/)
      }
    })
    expect(JSON.stringify(refused)).not.toMatch(/secret|pw/)
  })
})

it("names one schema: a second one is refused", () => {
  expect(placeOf("postgres://host/d?schema=aa&schema=bb")).toMatchObject({
    _tag: "Left",
    left: { _tag: "InputError", field: "store", rule: "names more than one schema: a fleet has one" }
  })
})

for (const [name, layer] of [
  ["one who works", (store: string) => Fleet.layer({ jobs: [rows], store })],
  ["one who looks", (store: string) => Fleet.layerClient({ store })]
] as const)
  live(
    `a URL that cannot be read is refused to ${name}, before anything is asked of a database`,
    function* () {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer("postgres://u:secret#pw@host/d"))))
      expect(error).toMatchObject({ _tag: "InputError", field: "store" })
      expect(String(error)).not.toContain("secret")
    }
  )

// An option that there is not is refused by its name, wherever options are taken: ignored in silence, it would be missing.

import * as OpenApi from "@quartet/cli/openapi"
import * as Recording from "@quartet/cli/recording"
import * as Csv from "@quartet/fleet/csv"
import { makeQueryClient } from "@quartet/react"
import { makeWire } from "@quartet/react/devtools"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminLayer } from "@quartet/support/react.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Admin from "../../clients/admin/index.js"

const client = () => makeQueryClient(adminLayer(Fake.make([])))

/** Calls a function as a program without types may. */
const untyped = (call: (...args: ReadonlyArray<never>) => unknown, ...args: ReadonlyArray<unknown>) =>
  Reflect.apply(call, undefined, args)

const takers: ReadonlyArray<readonly [string, (options: object) => unknown, string, string]> = [
  ["Recording.make", (options) => untyped(Recording.make, options), "enum", "enums"],
  ["OpenApi.make", (options) => untyped(OpenApi.make, "admin", options), "titel", "title"],
  ["makeWire", (options) => untyped(makeWire, options), "capactiy", "capacity"],
  [
    "makeQueryClient",
    (options) => untyped(makeQueryClient, adminLayer(Fake.make([])), options),
    "staleTme",
    "staleTime"
  ],
  [
    "query",
    (options) => untyped(client().query, Admin.requests.get, { id: "a" }, options),
    "staletime",
    "staleTime"
  ],
  [
    "infiniteQuery",
    (options) => untyped(client().infiniteQuery, Admin.requests.list, {}, options),
    "limti",
    "limit"
  ],
  [
    "mutation",
    (options) => untyped(client().mutation, Admin.requests.markSeen, options),
    "invalidate",
    "invalidates"
  ],
  [
    "upload",
    (options) => untyped(client().upload, Admin.requests.markSeen, options),
    "invalidate",
    "invalidates"
  ],
  ["chat", (options) => untyped(client().chat, Effect.never, options), "kep", "keep"]
]

describe("an option that there is not", () => {
  test.each(takers)("is refused by %s, with the one that is meant", (_, take, odd, meant) => {
    expect(() => take({ [odd]: undefined })).not.toThrow()
    expect(() => take({ [odd]: "x" })).toThrow(
      `the field "${odd}" is not an option (did you mean "${meant}"?)`
    )
  })

  test("is refused by Recording.learnHar, with the one that is meant", () => {
    const learnt = untyped(Recording.learnHar, Recording.make(), '{"log":{"entries":[]}}', { adresses: [] })
    expect(Either.flip(learnt as ReturnType<typeof Recording.learnHar>)).toMatchObject({
      right: { field: "adresses", rule: 'is not an option (did you mean "addresses"?)' }
    })
  })

  test.each([
    ["delimeter", 'is not an option (did you mean "delimiter"?)', ";"],
    ["delimiter", "must be text", null]
  ])("and what is none is refused by Csv.rows: %s", async (name, rule, value) => {
    const row = Schema.Record({ key: Schema.String, value: Schema.String })
    const read = untyped(Csv.rows, row, { [name]: value }) as ReturnType<
      typeof Csv.rows<{ readonly [x: string]: string }, unknown>
    >
    const error = await Effect.runPromise(Effect.flip(Stream.runDrain(read(Stream.empty))))
    expect(error).toMatchObject({
      _tag: "CsvError",
      message: `the CSV cannot be read: the option "${name}" ${rule}`
    })
  })
})

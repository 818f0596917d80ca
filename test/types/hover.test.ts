// What an editor shows, asked of the language servers of the supported compilers: of a call what it does, who may make it, how it fails
// and how to write it; of a field and an option what it is. Of the sources, and of what is built of them.
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { compilers, serve } from "./language-servers.js"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** What a call's docstring has in both faces. */
const ofCall = [
  "Marks a request as seen at the version that the caller has read.",
  "PUT request-action/{id}/seen",
  "the admin's token must grant Write on `requests.markSeen`",
  "requests.markSeen({ id:"
]

/** An expression, the name in it that the pointer rests on or that is to be completed, and what is shown of it. */
const shown: ReadonlyArray<readonly [expression: string, name: string, texts: ReadonlyArray<string>]> = [
  [
    'Admin.requests.markSeen({ id: "a", version: 1 })',
    "markSeen",
    [...ofCall, "MarkSeen", "RequestAction", "Fails with", "OutcomeUnknown"]
  ],
  [
    'await admin.requests.markSeen({ id: "a", version: 1 })',
    "markSeen",
    [...ofCall, "@throws", "OutcomeUnknown", "and nobody knows whether it was done"]
  ],
  [
    "await endUser.requests.list()",
    "list",
    ["a signed-in end user", "an end user sees their own", "Filters: `inUserIds`"]
  ],
  ["page.pages", "pages", ["Pages in the whole list."]],
  [
    'Admin.layer({ baseUrl: "", projectId: "", email: "", password: "" })',
    "projectId",
    ["Fills `{projectId}` in paths"]
  ],
  [
    'await admin.requests.markSeen({ id: "a", version: 1 }, { idempotencyKey: "k" })',
    "idempotencyKey",
    ["Sent as `idempotency-key`, the same for all attempts."]
  ],
  ["admin.orders.search({ statusIn: [] })", "statusIn", ["Only what has one of these statuses."]],
  ["order.total", "total", ["Sum of its lines", "Assumed."]],
  ["error.retryAfter", "retryAfter", ["Milliseconds that the server asked to wait"]],
  ["Errors.RateLimited", "RateLimited", ["429: too many calls."]]
]

/**
 * What a type makes of another one member by member: Effect's schemas make their types so, and its errors their fields. TypeScript 7.0 shows
 * no docstring of such a member, which 5.9, 6.0 and the builds of 7.1 do: when it does, this list is to be empty. In the declarations that
 * are built, the members of entities and inputs are written out.
 */
const unsaid = (compiler: string, folder: string): ReadonlyArray<string> =>
  compiler === "typescript" ? ["retryAfter", ...(folder.endsWith("dist") ? [] : ["statusIn", "total"])] : []

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

const sourceFrom = (folder: string): ReadonlyArray<string> => [
  `import { Admin, Errors, type Paging, type Schemas } from "${folder}/clients/index.js"`,
  `import type { AdminClient, EndUserClient } from "${folder}/clients/promise/index.js"`,
  "declare const admin: AdminClient",
  "declare const endUser: EndUserClient",
  "declare const page: Paging",
  "declare const order: Schemas.Orders.Order",
  "declare const error: Errors.RateLimited",
  ...shown.map(([expression]) => expression)
]

describe.each(compilers)("%s", (compiler) => {
  describe.each(["../..", "../../dist"])("of %s", (folder) => {
    const server = serve(compiler)
    const file = join(root, "test/types", `hover-${folder.length}.ts`)
    const source = sourceFrom(folder)
    beforeAll(() => server.open(file, source.join("\n")))
    afterAll(() => server.stop())

    const placeOf = (expression: string, name: string) => {
      const [line, character] = [source.indexOf(expression), expression.lastIndexOf(name)]
      return { line, character }
    }

    test.each(shown)("%s: %s", { timeout: patient(120_000) }, async (expression, name, texts) => {
      const place = placeOf(expression, name)
      const hover = onOneLine(await server.hover(file, place))
      const completion = onOneLine(await server.complete(file, place, name))
      const isSaid = !unsaid(compiler, folder).includes(name)
      for (const text of texts) {
        expect(hover.includes(text), hover).toBe(isSaid)
        expect(completion.includes(text), completion).toBe(isSaid)
      }
    })
  })
})

// What an editor shows, asked of the language servers of the supported compilers: of a call what it does, who may make it, how it fails
// and how to write it; of a field and an option what it is. Of the sources, and of what is built of them.
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Auth from "../../core/auth/model.js"
import * as Query from "../../core/content/query.js"
import * as Notifications from "../../core/notifications/model.js"
import * as Orders from "../../core/orders/model.js"
import * as Requests from "../../core/requests/model.js"
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
  [
    'EndUser.auth.updatePassword({ oldPassword: "a", newPassword: "b" })',
    "updatePassword",
    ["a signed-in end user", "auth/self/updatePassword", "Fails with", "OutcomeUnknown"]
  ],
  [
    'Public.content.list({ apiId: "news", lang: "en" })',
    "list",
    [
      "the project's API key",
      "Filters: `filter`, `search`",
      "Language: `lang`",
      "Order: `sort`",
      "Fails with"
    ]
  ],
  [
    'await visitor.content.list({ apiId: "news" })',
    "list",
    ["the project's API key", "Filters: `filter`, `search`", "@throws", "const { items } = await visitor"]
  ],
  [
    "Private.payments.payWithLink({ payload: { amount: 5 } })",
    "payWithLink",
    ["the private key: on servers alone", "PaymentLink", "Fails with", "Private.payments.payWithLink({"]
  ],
  [
    "await server.payments.payWithLink({ payload: { amount: 6 } })",
    "payWithLink",
    ["the private key: on servers alone", "PaymentLink", "@throws", "server.payments.payWithLink({"]
  ],
  [
    "Admin.payments.csv()",
    "csv",
    [
      "Answers a CSV, as a stream.",
      "the admin's token must grant Read on `payments.csv`",
      "Filters: `inUserIds`"
    ]
  ],
  [
    "await admin.payments.csv.text()",
    "csv",
    ["Answers a CSV, as a stream.", "Filters: `inUserIds`", "@throws"]
  ],
  ["admin.files.list({ limit: 1 })", "list", ["Filters: none that is known; others go into `query`"]],
  ['admin.requests.markSeen({ id: "b", version: 2 })', "version", ["The version that was read"]],
  ['Public.content.list({ apiId: "blog" })', "apiId", ["Name of the model in paths"]],
  ["admin.files.list({ query: {} })", "query", ["Further parameters, each sent under its own name"]],
  [
    'admin.payments.refund({ id: "p", payload: { amount: 5 } })',
    "amount",
    ["What is refunded, in whole units of the payment's currency, not cents: the whole if omitted."]
  ],
  [
    'EndUser.requests.create({ payload: { type: "BUY", title: "A flat" } })',
    "title",
    ["What it is about, in a few words."]
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
  ["order.total", "total", ["Sum of its lines", "Assumed: the platform may differ."]],
  ["request.version", "version", ["Counts its changes: `markSeen` wants the one that was read."]],
  ["message.sender", "sender", ["Who wrote it. Assumed: the platform may differ."]],
  ["error.retryAfter", "retryAfter", ["Milliseconds that the server asked to wait"]],
  ["Errors.RateLimited", "RateLimited", ["429: too many calls."]],
  ["Admin.ordersV2.csv()", "ordersV2", ["Orders by the second version of the API"]],
  ["admin.ordersV2.csv()", "ordersV2", ["Orders by the second version of the API"]],
  ["admin.profiles.getBasic", "profiles", ["Their accounts are `users`."]],
  ["EndUser.auth.self()", "auth", ["What others see is `profile`."]],
  ["endUser.auth.self()", "auth", ["What others see is `profile`."]],
  ["visitor.cms.structure()", "cms", ["`content` has filters and languages."]],
  ["server.files.upload", "files", ["Uploads of a server"]],
  ["admin.chat.open()", "chat", ["The chat of admins", "End users have none here."]],
  ["admin.session.signOut()", "session", ["The admin's session"]],
  ["admin.onDemand.project()", "onDemand", ["reads once"]],
  ["Admin.chat.open()", "chat", ["The chat of admins"]],
  ["admin.orders.search.pages()", "pages", ["All items of the list, page after page"]],
  ["orders.items", "items", ["The items of this page"]],
  ['admin.profiles.get({ id: "p" })', "id", ["Id of what the call is about"]],
  ['admin.requests.addComment({ id: "p", payload: { text: "a" } })', "payload", ["The body of the call"]],
  [
    'Public.content.list({ apiId: "a", filter: [{ k: "c", v: 2 }] })',
    "v",
    ["The value that it is compared with."]
  ]
]

/** A name that an entry exports, and what is shown of it where it is imported. */
const imported: ReadonlyArray<readonly [name: string, text: string]> = [
  ["Admin", "The client of project administrators"],
  ["EndUser", "The client of one end user"],
  ["Errors", "All errors that calls can fail with"],
  ["Private", "The client of your own servers"],
  ["Public", "The client of visitors"]
]

/** An expression, and the type that is shown of its last name: an entity that an entity holds by its own name. */
const typed: ReadonlyArray<readonly [expression: string, type: RegExp]> = [
  ["order.lines", /lines\?: readonly (?:\w+\.)*OrderLine\[\]/],
  ["message.sender", /sender\?: (?:\w+\.)*Author/],
  ["request.comments", /comments\?: readonly (?:\w+\.)*Comment\[\]/],
  ["request.comments?.[0]?.author", /author\?: (?:\w+\.)*Author/],
  ["project.providers", /providers\?: readonly (?:\w+\.)*Provider\[\]/],
  ["login.user", /user\?: (?:\w+\.)*Admin/]
]

/** An expression, the place in it that is typed at, and all names that are offered there: those of the fields, and nothing of `Input.raw`. */
const offered: ReadonlyArray<readonly [expression: string, before: string, names: ReadonlyArray<string>]> = [
  ['admin.payments.refund({ id: "r", payload: {} })', "} })", ["amount", "reason"]],
  ['Admin.payments.refund({ id: "r", payload: {} })', "} })", ["amount", "reason"]],
  [
    'admin.orders.search({ statusIn: [""] })',
    '"] })',
    ["cancelled", "confirmed", "delivered", "new", "paid"]
  ],
  ['order.status === ""', '"', Orders.orderStatuses],
  ['admin.profiles.search({ statusIn: [""] })', '"] })', Auth.userStatuses],
  ['admin.profiles.search({ typeIn: [""] })', '"] })', Auth.userTypes],
  ['admin.requests.update({ id: "a", payload: { status: "" } })', '" } })', Requests.statuses],
  [
    'admin.requests.create({ payload: { type: "" } })',
    '" } })',
    [...Requests.generalTypes, ...Requests.homeAppTypes]
  ],
  ['admin.content.update({ id: "a", payload: {} })', "} })", ["title", "translations"]],
  ['Admin.content.create({ id: "a", payload: {} })', "} })", ["title", "translations"]],
  ['admin.notifications.send({ payload: { channel: "" } })', '" } })', Notifications.channels],
  ['Public.content.list({ apiId: "a", filter: [{ k: "n", v: 1, op: "" }] })', '" }] })', Query.operators],
  ['Public.content.list({ apiId: "a", filter: [{ k: "n", v: 1, t: "" }] })', '" }] })', Query.filterTypes],
  ['Public.content.list({ apiId: "a", sort: [{ k: "n", v: "" }] })', '" }] })', Query.directions]
]

/** Fields of entities and inputs, which stand above. */
const ofSchemas = ["statusIn", "total", "version", "apiId", "query", "amount", "title", "sender", "id", "v"]

/**
 * What a type makes of another one member by member: Effect's schemas make their types so, and its errors their fields. TypeScript 7.0 shows
 * no docstring of such a member, which 5.9, 6.0 and the builds of 7.1 do: when it does, this list is to be empty. In the declarations that
 * are built, the members of entities, inputs and bodies are written out.
 */
const unsaid = (compiler: string, folder: string): ReadonlyArray<string> => [
  ...(compiler === "typescript" ? ["retryAfter"] : []),
  ...(!folder.endsWith("dist") && compiler === "typescript" ? ofSchemas : [])
]

/** Groups of calls that are modules: of such a name TypeScript 7.0 shows no docstring, which 5.9 and 6.0 do. When it does, this list is to be empty. */
const ofModules = ["Admin.ordersV2.csv()", "EndUser.auth.self()", "Admin.chat.open()"]

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

const sourceFrom = (folder: string): ReadonlyArray<string> => [
  `import { Admin, EndUser, Errors, Private, Public, type Page, type Paging, type Schemas } from "${folder}/clients/index.js"`,
  `import type { AdminClient, EndUserClient, PrivateClient, PublicClient } from "${folder}/clients/promise/index.js"`,
  "declare const admin: AdminClient",
  "declare const endUser: EndUserClient",
  "declare const server: PrivateClient",
  "declare const visitor: PublicClient",
  "declare const page: Paging",
  "declare const orders: Page<Schemas.Orders.Order>",
  "declare const order: Schemas.Orders.Order",
  "declare const request: Schemas.Requests.RequestAction",
  "declare const message: Schemas.Conversations.Message",
  "declare const project: Schemas.Projects.Project",
  "declare const login: Schemas.Auth.AdminLogin",
  "declare const error: Errors.RateLimited",
  ...typed.map(([expression]) => expression),
  ...shown.map(([expression]) => expression),
  ...offered.map(([expression]) => expression)
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

    test.each(typed)("the type of %s", { timeout: patient(120_000) }, async (expression, type) => {
      const name = expression.split(".").at(-1) ?? ""
      const hover = onOneLine(await server.hover(file, placeOf(expression, name)))
      expect(hover).toMatch(type)
    })

    test.each(imported)("the import of %s", { timeout: patient(120_000) }, async (name, text) => {
      const place = { line: 0, character: source[0]?.indexOf(name) ?? 0 }
      const completion = onOneLine(await server.complete(file, place, name))
      // TypeScript 7.0 shows of a module what `ofModules` says.
      expect(completion.includes(text), completion).toBe(compiler !== "typescript")
    })

    test.each(offered)("what %s offers", { timeout: patient(120_000) }, async (expression, before, names) => {
      const own = await server.offer(file, placeOf(expression, before))
      expect([...own].sort()).toEqual([...names].sort())
    })

    test.each(shown)("%s: %s", { timeout: patient(120_000) }, async (expression, name, texts) => {
      const place = placeOf(expression, name)
      const hover = onOneLine(await server.hover(file, place))
      const completion = onOneLine(await server.complete(file, place, name))
      const isSaid =
        !unsaid(compiler, folder).includes(name) &&
        !(compiler === "typescript" && ofModules.includes(expression))
      for (const text of texts) {
        expect(hover.includes(text), hover).toBe(isSaid)
        expect(completion.includes(text), completion).toBe(isSaid)
      }
    })
  })
})

// What the sandbox answers is declared: every key of every answer is a field of its model, or stands below with a reason.
import { expect, it } from "@effect/vitest"
import * as Sandbox from "@quartet/sandbox"
import { Transport, type TransportService } from "@quartet/sdk/extend"
import { Effect, Layer } from "effect"
import * as AST from "effect/SchemaAST"
import { afterAll } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import { type Described, described } from "../../clients/description/described.js"
import { meant, modelOf } from "../../clients/description/fields.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { firstOf, inputOf } from "../../tools/pages/inputs.js"

/** What a model does not declare, and why. */
const undeclared: Readonly<Record<string, string>> = {
  "Auth.User.home": "a field of the sandbox's project alone, as other projects have theirs",
  "Content.Content": "a content model of the project decides which fields an entry has",
  "Content.ContentText": "so it does for each language",
  "Entities.ProjectEntity": "the project decides which fields its kinds have",
  "Items.Item.description": "a field of the sandbox's project alone",
  "Items.Item.pictures": "a field of the sandbox's project alone",
  "Items.Item.stock": "a field of the sandbox's project alone",
  "Requests.RequestAction.data": "the project decides what it asks for of a request",
  "Requests.RequestAction.review": "an end user's app says what it likes of an answer",
  "Users.Preference.value": "an admin's app stores what it likes"
}

const reasonOf = (field: string): string | undefined =>
  Object.keys(undeclared).find((known) => field === known || field.startsWith(`${known}.`))

const { accounts } = Sandbox
const place = { baseUrl: "http://sandbox.test", apiKey: accounts.apiKey, policy: { attempts: 1 } }

/** Makes calls as a client of its own. */
const as =
  <Id>(client: Effect.Effect<Bindable, never, Id>, layer: Layer.Layer<Id, unknown, Transport>) =>
  (call: Described): Effect.Effect<unknown, unknown, Transport> =>
    Effect.flatMap(client, ({ dispatcher }) =>
      // The samples are made for their calls.
      dispatcher.call(call.operation, inputWhole(call) as never)
    ).pipe(Effect.provide(layer))

const ana = Layer.unwrapEffect(
  Effect.map(Public.auth.login(accounts.endUsers.ana), ({ sessionId }) =>
    EndUser.layer({ ...place, sessionId: sessionId ?? "" })
  ).pipe(Effect.provide(Public.layer(place)))
)

const made = {
  admin: as(Admin.Client, Admin.layer({ ...place, projectId: accounts.projectId, ...accounts.admin })),
  public: as(Public.Client, Public.layer(place)),
  private: as(
    Private.Client,
    Private.layer({ baseUrl: place.baseUrl, privateKey: accounts.privateKey, policy: place.policy })
  ),
  endUser: as(EndUser.Client, ana)
}

/** A transport that notes the bodies of the answers. */
const noting = (transport: TransportService, bodies: Array<Uint8Array>): TransportService => ({
  ...transport,
  start: (request, settle) =>
    transport.start(request, (outcome) => {
      if (outcome._tag === "Answered") bodies.push(outcome.body)
      settle(outcome)
    })
})

/** The sample of a call, which asks a list for all that it has. */
const inputWhole = (call: Described) => {
  const { filter, search, sort, statusIn, typeIn, ...input } = inputOf(call)
  return call.fields.some(({ name }) => name === "limit") ? { ...input, limit: 500 } : inputOf(call)
}

/** What a fresh sandbox answers to the sample of a call, as it comes over the wire. */
const answerOf = (call: Described) =>
  Effect.gen(function* () {
    const bodies: Array<Uint8Array> = []
    const { transport } = yield* Sandbox.make()
    const make = (one: Described) =>
      Effect.provideService(made[one.audience](one), Transport, noting(transport, bodies))
    const before = described.find(({ key }) => key === `${call.audience}.${firstOf[call.name]}`)
    if (before !== undefined) yield* make(before)
    yield* make(call)
    const text = new TextDecoder().decode(bodies.at(-1))
    return text === "" ? undefined : (JSON.parse(text) as unknown)
  })

/** The kinds of a value that a schema describes, without what makes it optional or turns its text into something else. */
const kindsOf = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  if (AST.isUnion(ast)) return ast.types.flatMap(kindsOf)
  if (AST.isRefinement(ast)) return kindsOf(ast.from)
  if (AST.isTransformation(ast)) return kindsOf(ast.from)
  if (AST.isSuspend(ast)) return kindsOf(ast.f())
  return [ast]
}

const named = new Set<string>()

/** What a value holds that its schema does not declare: `Order.colour` of a model, `orders.get.colour` of what has no name. */
const beyond = (value: unknown, ast: AST.AST, path: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const kinds = kindsOf(meant(ast))
  if (Array.isArray(value)) {
    const list = kinds.find(AST.isTupleType)
    const item = list?.rest[0]?.type
    return item === undefined ? [path] : value.flatMap((entry) => beyond(entry, item, path))
  }
  const object = kinds.find(AST.isTypeLiteral)
  if (object === undefined) return [path]
  const name = modelOf({ ast: object }) ?? modelOf({ ast }) ?? path
  const fields = new Map(
    AST.getPropertySignatures(object).map((field) => [String(field.name), field.type] as const)
  )
  const others = fields.size === 0 ? object.indexSignatures[0]?.type : undefined
  return Object.entries(value).flatMap(([key, entry]) => {
    const type = fields.get(key) ?? others
    return type === undefined ? [`${name}.${key}`] : beyond(entry, type, `${name}.${key}`)
  })
}

const itemsIn = (answer: unknown, key = "items"): unknown =>
  Array.isArray(answer) ? answer : Object(answer)[key]

for (const call of described) {
  const { success } = call.declared
  if ("bytes" in success) continue
  it.effect(`the answer of ${call.key}`, () =>
    Effect.gen(function* () {
      const answer = yield* answerOf(call)
      const found =
        "page" in success
          ? [itemsIn(answer, success.key)].flat().flatMap((item) => beyond(item, success.page.ast, call.name))
          : beyond(answer, success.ast, call.name)
      for (const field of found) named.add(reasonOf(field) ?? field)
      expect([...new Set(found)].filter((field) => reasonOf(field) === undefined)).toEqual([])
    })
  )
}

it("has no reason for what nobody answers", () => {
  expect(Object.keys(undeclared).filter((field) => !named.has(field))).toEqual([])
})

afterAll(() => named.clear())

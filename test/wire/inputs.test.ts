// What leaves of an input over real HTTP, and what never does: bodies, filters, further parameters, and the one door past their types.

import type { Exchange } from "@quartet/support/scripted-server.js"
import { thrown } from "@quartet/support/thrown.js"
import { afterAll, describe, expect, test } from "vitest"
import {
  createPrivateClient,
  createPublicClient,
  Input,
  request,
  withOptions
} from "../../clients/promise/index.js"
import { playAdmin, rejected, serve } from "../promise/served.js"

const { admin, endUser, server, visitor } = await serve()
const [desk, person, guest] = [admin(), endUser(), visitor()]
const backend = createPrivateClient({ baseUrl: server.url, privateKey: "key-1" })
afterAll(() => Promise.all([desk, person, guest, backend].map((client) => client.close())))

/** What a program without types calls. */
type Untyped = (input?: unknown, options?: unknown) => Promise<unknown>
const untyped = (call: (...parameters: Array<never>) => Promise<unknown>): Untyped =>
  call as unknown as Untyped

const isSignIn = ({ target }: Exchange): boolean => target.startsWith("/auth")

/** Answers each call with nothing but success, or as the test says. */
const play = (answer: (exchange: Exchange, at: number) => void = ({ json }) => json({})): void => {
  let at = 0
  server.play((exchange) => (isSignIn(exchange) ? playAdmin(exchange) : answer(exchange, at++)))
}

/** The bodies that arrived, beside those of sign-ins. */
const bodies = () => server.exchanges.filter((exchange) => !isSignIn(exchange)).map(({ body }) => body)
const queries = () =>
  server.exchanges
    .filter((exchange) => !isSignIn(exchange))
    .map(({ target }) => Object.fromEntries(new URL(target, server.url).searchParams))

const { refund } = desk.payments
const mark = "@quartet/raw"

describe("a program without types sends nothing", () => {
  test.each<readonly [string, Untyped, unknown, string, string]>([
    ["a misspelt amount", untyped(refund), { id: "p1", payload: { amout: 5 } }, "payload.amout", '"amount"'],
    [
      "an amount in capitals",
      untyped(refund),
      { id: "p1", payload: { Amount: 5 } },
      "payload.Amount",
      '"amount"'
    ],
    [
      "an unheard field of a refund",
      untyped(refund),
      { id: "p1", payload: { sum: 5 } },
      "payload.sum",
      "Input.raw"
    ],
    [
      "no amount under another name",
      untyped(refund),
      { id: "p1", payload: { amout: undefined } },
      "payload.amout",
      '"amount"'
    ],
    [
      "a refund of an undefined body",
      untyped(refund),
      { id: "p1", payload: undefined },
      "payload",
      "is undefined"
    ],
    [
      "a raw refund whose amount is hidden",
      untyped(refund),
      { id: "p1", payload: Input.raw(Object.defineProperty({}, "amount", { value: 1 })) },
      "payload.amount",
      "must be an own field"
    ],
    [
      "a raw refund whose amount is inherited",
      untyped(refund),
      { id: "p1", payload: Input.raw(Object.create(Object.assign(Object.create(null), { amount: 1 }))) },
      "payload",
      "must be plain data"
    ],
    [
      "a refund whose misspelt amount is inherited",
      untyped(refund),
      { id: "p1", payload: Object.create(Object.assign(Object.create(null), { amout: 1 })) },
      "payload",
      "must be a plain object"
    ],
    [
      "further parameters that an instance holds",
      untyped(desk.orders.search),
      {
        query: new (class {
          readonly sort = "-createdAt"
          get owner(): string {
            return "u1"
          }
        })()
      },
      "query",
      "must be a plain object"
    ],
    [
      "a raw refund of nothing",
      untyped(refund),
      { id: "p1", payload: Input.raw(undefined) },
      "payload",
      "Input.raw of undefined"
    ],
    [
      "a raw amount",
      untyped(refund),
      { id: "p1", payload: { amount: Input.raw(5) } },
      "payload.amount",
      "must be a number"
    ],
    [
      "a raw in a raw",
      untyped(refund),
      { id: "p1", payload: Input.raw({ amount: Input.raw(5) }) },
      "payload.amount",
      "must not be Input.raw"
    ],
    [
      "a misspelt field of a link",
      untyped(backend.payments.payWithLink),
      { payload: { amount: 5, curency: "USD" } },
      "payload.curency",
      '"currency"'
    ],
    [
      "a misspelt field of a request",
      untyped(person.requests.create),
      { payload: { typ: "VISIT" } },
      "payload.typ",
      '"type"'
    ],
    [
      "a refund that says by itself that it is raw",
      untyped(refund),
      { id: "p1", payload: JSON.parse(`{"${mark}":{"amout":5}}`) },
      `payload.${mark}`,
      "is not a field of this body"
    ],
    [
      "a raw refund that was kept as JSON",
      untyped(refund),
      JSON.parse(JSON.stringify({ id: "p1", payload: Input.raw({ amount: 5, note: "late" }) })),
      `payload.${mark}`,
      "is not a field of this body"
    ],
    [
      "a request that says by itself that it is raw",
      untyped(person.requests.create),
      { payload: JSON.parse(`{"${mark}":{"typ":"VISIT"}}`) },
      "payload",
      "must not be Input.raw, nor JSON of it"
    ],
    [
      "a word that says by itself that it is raw",
      untyped(desk.requests.list),
      { statusIn: [{ [mark]: "on_hold" }] },
      "statusIn.0",
      "must be one of"
    ],
    ["no body", untyped(guest.boxes.create), {}, "payload", "is required"],
    ["an undefined body", untyped(guest.boxes.create), { payload: undefined }, "payload", "is required"],
    ["a body of null", untyped(guest.boxes.create), { payload: null }, "payload", "must be an object"],
    ["a list for a body", untyped(guest.boxes.create), { payload: [] }, "payload", "must be an object"],
    [
      "a body that is under way",
      untyped(guest.boxes.create),
      { payload: Promise.resolve({}) },
      "payload",
      "await it"
    ],
    [
      "a misspelt filter",
      untyped(desk.requests.list),
      { statusesIn: ["pending"] },
      "statusesIn",
      '"statusIn"'
    ],
    [
      "a parameter that is not known",
      untyped(desk.requests.list),
      { since: "2026" },
      "since",
      "query takes further parameters"
    ],
    [
      "a filter among further parameters",
      untyped(desk.requests.list),
      { query: { statusIn: ["pending"] } },
      "query.statusIn",
      "beside query"
    ],
    [
      "a content filter among further parameters",
      untyped(guest.content.list),
      { apiId: "news", filter: [{ k: "a", v: 1 }], query: { "p.a": "other" } },
      "query.p.a",
      "is written by the call"
    ],
    [
      "a content filter of the second version among further parameters",
      untyped(guest.content.listV2),
      { apiId: "news", query: { "f.a": "other" } },
      "query.f.a",
      "is written by the call"
    ],
    [
      "another project among further parameters",
      untyped(desk.requests.list),
      { query: { projectId: "p2" } },
      "query.projectId",
      "is written by the call"
    ],
    [
      "a link without an amount",
      untyped(backend.payments.payWithLink),
      { payload: {} },
      "payload.amount",
      "is required"
    ],
    [
      "an unheard word of a search by a body",
      untyped(guest.items.search),
      { payload: { statusIn: ["on_hold"] } },
      "payload.statusIn.0",
      "must be one of"
    ],
    ["a misspelt word", untyped(desk.requests.list), { statusIn: ["pendng"] }, "statusIn.0", '"pending"'],
    [
      "a raw list",
      untyped(desk.requests.list),
      { statusIn: Input.raw(["pending"]) },
      "statusIn",
      "must be a list"
    ],
    [
      "a raw word with a comma",
      untyped(desk.requests.list),
      { statusIn: [Input.raw("a,b")] },
      "statusIn",
      "comma"
    ],
    ["a raw page", untyped(desk.requests.list), { page: Input.raw(2) }, "page", "must be a number"],
    ["a raw input", untyped(desk.requests.list), Input.raw({ page: 2 }), "toJSON", "is not a field"],
    ["a raw id", untyped(desk.payments.get), { id: Input.raw("p1") }, "id", "must be a string"],
    [
      "a raw form",
      untyped(guest.files.upload),
      { file: { content: new Blob(["a"]), name: "a" }, form: Input.raw({}) },
      "form",
      "must not be Input.raw"
    ],
    [
      "a raw file",
      untyped(guest.files.upload),
      { file: Input.raw(new Blob(["a"])), form: "a" },
      "file",
      "must be"
    ]
  ])("of %s", async (_, call, input, field, rule) => {
    play()
    expect(await rejected(call(input))).toMatchObject({
      tag: "InputError",
      field,
      rule: expect.stringContaining(rule)
    })
    expect(server.exchanges).toEqual([])
  })

  test("of what is raw where a text identifies or allows", async () => {
    play()
    const raw = Input.raw("key-1")
    expect(
      thrown(() => createPublicClient({ baseUrl: server.url, apiKey: raw as unknown as string }))
    ).toMatchObject({
      operation: "client"
    })
    expect(
      thrown(() => withOptions(guest, { headers: { "x-tag": raw as unknown as string } }))
    ).toMatchObject({
      tag: "InputError"
    })
    for (const options of [{ headers: { "x-tag": raw } }, { idempotencyKey: raw }])
      expect(await rejected(untyped(guest.boxes.create)({ payload: {} }, options))).toMatchObject({
        tag: "InputError"
      })
    expect(server.exchanges).toEqual([])
  })
})

describe("what goes through the door", () => {
  test("arrives as a body as it is, whatever the call knows", async () => {
    play()
    const body = { amout: 5, "a.b": [null, { deep: "ñ" }], at: new Date(0), left: undefined }
    await refund({ id: "p1", payload: Input.raw(body) })
    await backend.payments.payWithLink({ payload: Input.raw(body) })
    await guest.boxes.create({ payload: Input.raw([body]) })
    await desk.content.create({ id: "m1", payload: Input.raw(null) })
    const text = '{"amout":5,"a.b":[null,{"deep":"ñ"}],"at":"1970-01-01T00:00:00.000Z"}'
    expect(bodies()).toEqual([text, text, `[${text}]`, "null"])
  })

  test("arrives as a word of a filter, beside words that are known", async () => {
    play()
    await desk.requests.list({ statusIn: ["pending", Input.raw("on hold")], query: { since: 2026 } })
    expect(queries()).toEqual([{ statusIn: "pending,on hold", since: "2026", projectId: "p1" }])
  })

  test("arrives as a word of a search by a body, beside words that are known", async () => {
    play()
    await person.orders.search({ payload: { statusIn: ["paid", Input.raw("on_hold")], limit: 5 } })
    await desk.notifications.send({ payload: { toAll: true, channel: Input.raw("PIGEON"), title: "Hi" } })
    expect(bodies()).toEqual([
      '{"statusIn":["paid","on_hold"],"limit":5}',
      '{"toAll":true,"channel":"PIGEON","title":"Hi"}'
    ])
  })

  test("is sent again byte for byte, under one idempotency key", async () => {
    play(({ json }, at) => (at < 2 ? json({}, 503) : json({})))
    await refund(
      { id: "p1", payload: Input.raw({ amount: 5, note: "late" }) },
      { idempotencyKey: "k1", policy: { pause: 0 } }
    )
    expect(bodies()).toEqual(Array.from({ length: 3 }, () => '{"amount":5,"note":"late"}'))
    const keys = server.exchanges.map(({ response }) => response.req.headers["idempotency-key"])
    expect(keys.filter((key) => key !== undefined)).toEqual(["k1", "k1", "k1"])
  })

  test("takes the number of each page, and no more changes", async () => {
    play(({ json }, at) => json({ items: at < 2 ? [{ _id: `i${at}` }] : [], paging: { pages: 2 } }))
    const payload = Input.raw({ cursed: true, page: 1 })
    const items: Array<unknown> = []
    for await (const item of guest.items.search.pages({ payload }, { limit: 1 })) items.push(item)
    expect(items).toHaveLength(2)
    expect(bodies().map((body) => JSON.parse(body))).toEqual([
      { cursed: true, page: 1, limit: 1 },
      { cursed: true, page: 2, limit: 1 }
    ])
    expect(payload).toEqual(Input.raw({ cursed: true, page: 1 }))
  })

  test("has pages only where it is an object", async () => {
    play()
    const pages = guest.items.search.pages({ payload: Input.raw([1]) })
    expect(await rejected(pages[Symbol.asyncIterator]().next())).toMatchObject({
      tag: "InputError",
      field: "payload"
    })
    expect(server.exchanges).toEqual([])
  })

  test("is the body of a call that the SDK does not know, too", async () => {
    play()
    const call = { method: "POST", path: "v2/reports" } as const
    await request(guest, { ...call, body: Input.raw({ a: 1 }) })
    expect(bodies()).toEqual(['{"a":1}'])
    for (const [body, field] of [
      [Input.raw(undefined), "body"],
      [{ a: Input.raw(1) }, "body.a"]
    ] as const)
      expect(await rejected(request(guest, { ...call, body }))).toMatchObject({
        tag: "InputError",
        field,
        rule: expect.stringContaining("must not be Input.raw")
      })
    expect(server.exchanges).toHaveLength(1)
  })
})

test("a body of the caller's own data arrives under any name", async () => {
  play()
  await guest.boxes.create({ payload: { type: "QUIZ_RESULT", unheard: { amout: 1 } } })
  await desk.entities.create({ kind: "flat", payload: { tpye: "house" } })
  await person.requests.create({ payload: JSON.parse('{"type":"VISIT","unheard":[1]}') })
  expect(bodies()).toEqual([
    '{"type":"QUIZ_RESULT","unheard":{"amout":1}}',
    '{"tpye":"house"}',
    '{"type":"VISIT","unheard":[1]}'
  ])
})

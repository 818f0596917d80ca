// Neither an answer nor a polluted Object.prototype changes what is sent, what is read, or anyone's prototype.
import { afterEach, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Admin from "../../clients/admin/index.js"
import * as Boxes from "../../core/boxes/operations.js"
import { jwt } from "../support/jwt.js"
import { json } from "../support/raw-server.js"
import { ended } from "../support/transports.js"
import { overEachTransport } from "../support/wire.js"

const prototype = Object.prototype as unknown as Record<string, unknown>
const clean = Object.getOwnPropertyNames(Object.prototype).sort()

/** What an attacker who can write to Object.prototype would set. HTTP clients stumble over some other names by themselves. */
const pollution: Readonly<Record<string, unknown>> = {
  apiKey: "evil-key",
  sessionId: "evil-session",
  accessToken: "evil-token",
  privateKey: "evil-key",
  headerNames: { apiKey: "x-evil" },
  routes: { "boxes.get": { path: "evil" } },
  "boxes.get": { path: "evil", method: "DELETE" },
  legacyUrl: "http://evil.test",
  permissions: "off",
  permissionNames: { boxes: "evil" },
  policy: { attempts: 20 },
  attempts: 20,
  idempotencyKey: "evil",
  projectId: "evil",
  payload: { evil: true },
  defaults: { evil: true },
  isReadOnly: true,
  credentials: "none",
  host: "legacy",
  evil: "evil",
  q: "evil",
  v: 1,
  "*": { "*": 9 },
  boxes: { "*": 9 },
  requests: { list: 9 },
  retryAfter: 1,
  "retry-after": "1",
  "content-encoding": "gzip",
  items: [{ _id: "evil" }],
  paging: { total: 99 },
  total: 99,
  message: "evil",
  field: "evil"
}

/** Names that Node's own HTTP client stumbles over. */
const pollutionOfRequests: Readonly<Record<string, unknown>> = { path: "evil", method: "DELETE" }

const polluted = async <A>(run: () => Promise<A>, more: object = {}): Promise<A> => {
  Object.assign(prototype, pollution, more)
  try {
    return await run()
  } finally {
    for (const name of Object.keys({ ...pollution, ...more })) delete prototype[name]
  }
}

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(clean)
})

overEachTransport((wire) => {
  const get = (text: string) => {
    wire.reply = json(text)
    return wire.call(Boxes.get, { id: "1" }, { answers: "strict" })
  }

  it.each([
    ["__proto__", '{"_id":"1","__proto__":{"polluted":true,"_id":"evil"}}'],
    ["__proto__ without an id of its own", '{"_id":"1","a":{"__proto__":{"polluted":true}}}'],
    ["__proto__ in a list", '{"_id":"1","a":[{"__proto__":{"polluted":true}},{"__proto__":null}]}'],
    ["__proto__ in escapes", '{"_id":"1","\\u005f_proto__":{"polluted":true}}'],
    ["constructor and prototype", '{"_id":"1","constructor":{"prototype":{"polluted":true}}}'],
    ["a __proto__ that is a date", '{"_id":"1","__proto__":"2024-01-01T00:00:00.000Z"}']
  ])("%s in an answer is own data, and no prototype is touched", async (_, text) => {
    const { value } = await get(text)
    expect(value?._id).toBe("1")
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((value as Record<string, unknown>).polluted).toBeUndefined()
    expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(text))
  })

  it("an id that only __proto__ holds is no id", async () => {
    expect((await get('{"__proto__":{"_id":"evil"}}')).error).toMatchObject({ reason: "Shape", field: "_id" })
  })

  it("names of methods in an answer are data", async () => {
    const text =
      '{"_id":"1","toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4,"then":5,"isPrototypeOf":6}'
    expect((await get(text)).value).toEqual(JSON.parse(text))
  })

  it("__proto__ in what is sent is a field like any other", async () => {
    wire.reply = json('{"_id":"1"}')
    const payload: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
    await wire.call(Boxes.create, { payload })
    expect(wire.last()?.body.toString()).toBe('{"__proto__":{"a":1},"constructor":2}')
  })

  it("a polluted prototype changes nothing in a request, for any method", async () => {
    wire.reply = json('{"_id":"1"}')
    const calls = () => {
      const dispatcher = wire.dispatcher()
      return [
        dispatcher.call(Boxes.get, { id: "1" }),
        dispatcher.call(Boxes.list, { a: "1" }),
        dispatcher.call(Boxes.create, { payload: { a: 1 } }),
        dispatcher.call(Boxes.update, { id: "1", payload: [{ a: null }] }),
        dispatcher.call(Boxes.remove, { id: "1" })
      ]
    }
    const heads = async () => {
      const before = wire.server.requests.length
      for (const call of calls()) await ended<unknown>(call)
      return wire.server.requests.slice(before).map(({ body, head }) => [head, body.toString()])
    }
    const honest = await heads()
    expect(honest).toHaveLength(5)
    const more = wire.name.endsWith("node:http") ? {} : pollutionOfRequests
    expect(await polluted(heads, more)).toEqual(honest)
  })

  it("a polluted prototype adds nothing to an answer, an error or a page", async () => {
    const [box, failure, list] = await polluted(async () => {
      const first = await get('{"_id":"1","n":1}')
      const second = await get("{}")
      wire.reply = json("[]")
      const third = await wire.call(Boxes.list, {})
      return [first, second, third] as const
    })
    expect(Object.keys(box.value ?? {})).toEqual(["_id", "n"])
    expect(failure.error).toMatchObject({ _tag: "AnswerError", field: "_id" })
    expect(JSON.stringify(failure.error)).not.toContain("evil")
    expect(list.value).toEqual({ items: [], paging: {} })
  })

  it("a polluted prototype grants nothing: permissions are the token's own", async () => {
    const error = await polluted(async () => {
      const session = { sessionId: "s-1", accessToken: jwt({ sub: "a", p: {} }) }
      const config = {
        baseUrl: wire.server.url,
        projectId: "p",
        permissions: "intended",
        ...session
      } as const
      const admin = wire.over(Admin.make(config))
      return (await ended(Effect.provideService(Admin.requests.list({}), Admin.Client, admin))).error
    })
    expect(error).toMatchObject({ _tag: "PermissionDenied", reason: "Grant" })
    expect(wire.sent()).toHaveLength(0)
  })
})

// A polluted Object.prototype changes neither what is sent nor what is read.

import { afterEach, expect, it } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import { jwt } from "@quartet/support/jwt.js"
import { json } from "@quartet/support/raw-server.js"
import { ended } from "@quartet/support/transports.js"
import { overEachTransport } from "@quartet/support/wire.js"
import * as Effect from "effect/Effect"
import * as Admin from "../../clients/admin/index.js"
import * as Boxes from "../../core/boxes/operations.js"

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

  it("a polluted prototype changes nothing in a request, for any method", async () => {
    wire.reply = json('{"_id":"1"}')
    const calls = () => {
      const dispatcher = wire.dispatcher()
      return [
        dispatcher.call(Boxes.get, { id: "1" }),
        dispatcher.call(Boxes.list, { query: { a: "1" } }),
        dispatcher.call(Boxes.create, { payload: { a: 1 } }),
        dispatcher.call(Boxes.update, { id: "1", payload: Input.raw([{ a: null }]) }),
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

  it("a polluted prototype grants nothing, and sends no password elsewhere", async () => {
    wire.reply = json(JSON.stringify({ accessToken: jwt({ sub: "a", p: {} }), user: {}, sessionId: "s-1" }))
    const signIn = { projectId: "p", email: "a@b.test", password: "x" }
    const error = await polluted(async () => {
      const admin = wire.over(Admin.make({ baseUrl: wire.server.url, permissions: "intended", ...signIn }))
      return (await ended(Effect.provideService(Admin.requests.list({}), Admin.Client, admin))).error
    })
    expect(error).toMatchObject({ _tag: "PermissionDenied", reason: "Grant" })
    const targets = wire.sent().map(({ target }) => target)
    expect(targets.sort()).toEqual(["/auth/admin/login", "/auth/login"])
  })
})

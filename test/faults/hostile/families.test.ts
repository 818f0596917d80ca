// The families of hostile input notice what they are there for: a client that changes on the way out what it was given.
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Random from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import { type Body, type Request, type Service, Transport } from "../../../core/ports/transport.js"
import { claims, jwt } from "../../support/jwt.js"
import { openWay, type Way } from "../clients.js"
import * as Recorder from "../far/recorder.js"
import { lists, paths, queries } from "./addresses.js"
import { contentV2, contentV3, forms, payloads } from "./bodies.js"
import { type Ended, type Family, type Ground, isRefusal } from "./cases.js"
import { baseUrls, headerNames, headers, keys, routes } from "./configurations.js"

const cases = 60

let recorder: Recorder.Recorder | undefined
let honest: Way | undefined
beforeAll(async () => {
  recorder = await Recorder.open(1)
  honest = openWay("undici")
})
afterAll(async () => {
  await honest?.close()
  await recorder?.close()
})

type Change = (request: Request, evil: string) => Partial<Request>

/** The ground of a case, whose transport changes every request before it leaves. */
const groundOf = (change: Change): Ground => {
  if (recorder === undefined || honest === undefined) return expect.unreachable("nothing was opened")
  const { evil, hostileUrl, url } = recorder
  const { close, name, transport: real } = honest
  const transport: Service = {
    start: (request, settle) => real.start({ ...request, ...change(request, evil) }, settle)
  }
  const over = <A>(made: Effect.Effect<A, unknown, Transport>): A =>
    Effect.runSync(Effect.provideService(made, Transport, transport))
  const common = { baseUrl: url, policy: { attempts: 1, deadline: 3_000 } }
  return {
    way: { name, transport, close },
    url,
    evil,
    projectId: "the-project",
    visitor: over(Public.make({ ...common, apiKey: "key" })),
    victim: over(Public.make({ ...common, baseUrl: hostileUrl, apiKey: "key" })),
    admin: over(
      Admin.make({
        ...common,
        projectId: "the-project",
        sessionId: "session",
        accessToken: jwt(claims)
      })
    )
  }
}

const runAll = async (family: Family, change: Change): Promise<ReadonlyArray<Ended>> => {
  const ground = groundOf(change)
  const all: Array<Ended> = []
  for (let number = 0; number < cases; number++)
    all.push(await family.run(ground, Random.make(number, family.name), Random.make(number, family.name)))
  return all
}

const more: Change = ({ path }) => ({ path: `${path}${path.includes("?") ? "&" : "?"}statusIn=more` })
const elsewhere: Change = (_request, evil) => ({ origin: `http://${evil}` })
const header =
  (name: string): Change =>
  ({ headers }) => ({ headers: { ...headers, [name]: `${headers[name]}x` } })
const bodyOf =
  (change: (body: Body) => Body): Change =>
  ({ body }) => ({ body: body && change(body) })

const changes: ReadonlyArray<readonly [family: Family, what: string, change: Change]> = [
  [paths, "a path that goes on", ({ path }) => ({ path: `${path}/more` })],
  [paths, "a path that is cut", ({ path }) => ({ path: path.slice(0, -1) })],
  [queries, "a parameter more", more],
  [lists, "an item more", more],
  [payloads, "another body", bodyOf(() => ({ _tag: "Json", text: '{"not":"given"}' }))],
  [contentV3, "a filter more", more],
  [contentV2, "a filter more", more],
  [
    forms,
    "another file name",
    bodyOf((body) =>
      body._tag === "Json"
        ? body
        : {
            ...body,
            parts: body.parts.map((part) =>
              "file" in part ? { ...part, fileName: `${part.fileName}x` } : part
            )
          }
    )
  ],
  [baseUrls, "another origin", elsewhere],
  [routes, "another origin", elsewhere],
  [headers, "another key", header("x-api-key")],
  [
    headerNames,
    "a key in another header",
    ({ headers: all }) => ({
      headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [`other-${name}`, value]))
    })
  ],
  [keys, "another idempotency key", header("idempotency-key")]
]

const sent = (all: ReadonlyArray<Ended>): ReadonlyArray<Ended> => all.filter((ended) => !isRefusal(ended))

describe("an honest client gives no reason to complain:", () => {
  for (const family of new Set(changes.map(([family]) => family)))
    test(family.name, async () => {
      const all = await runAll(family, () => ({}))
      expect(all.flatMap(({ complaint }) => complaint ?? [])).toEqual([])
      expect(sent(all).length).toBeGreaterThan(0)
    })
})

describe("a complaint is made of every request that left with", () => {
  for (const [family, what, change] of changes)
    test(`${what} (${family.name})`, async () => {
      const changed = sent(await runAll(family, change))
      expect(changed.length).toBeGreaterThan(0)
      expect(changed.filter(({ complaint }) => complaint === undefined)).toEqual([])
    })
})

test("a request to another origin is counted there", async () => {
  recorder?.take()
  const all = sent(await runAll(routes, elsewhere))
  expect(recorder?.take().escapes).toBe(all.length)
})

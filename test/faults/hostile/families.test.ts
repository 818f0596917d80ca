// The families of hostile input notice what they are there for: a client that changes on the way out what it was given.

import { Random } from "@quartet/sandbox/extend"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Body, Request, Service } from "../../../core/ports/transport.js"
import { openWay, type Way } from "../clients.js"
import * as Recorder from "../far/recorder.js"
import { type Ended, type Family, families, type Ground, groundOf, isRefusal } from "./families.js"

const { contentV2, contentV3, headerNames, headers, keys, payloads } = families
const { baseUrls, forms, lists, paths, queries, routes } = families
const cases = 60

let recorder: Awaited<ReturnType<typeof Recorder.open>> | undefined
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
const changing = (change: Change): Ground => {
  if (recorder === undefined || honest === undefined) return expect.unreachable("nothing was opened")
  const { close, name, transport: real } = honest
  const { evil } = recorder.addresses
  const transport: Service = {
    start: (request, settle) => real.start({ ...request, ...change(request, evil) }, settle)
  }
  return groundOf(recorder.addresses, { name, transport, close }, { attempts: 1, deadline: 3_000 })
}

const runAll = async (family: Family, change: Change): Promise<ReadonlyArray<Ended>> => {
  const ground = changing(change)
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
    bodyOf((body) => {
      if (body._tag === "Json") return body
      const renamed = body.parts.map((part) =>
        "file" in part ? { ...part, fileName: `${part.fileName}x` } : part
      )
      return { ...body, parts: renamed }
    })
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

for (const family of Object.values(families))
  test(`an honest client gives no reason to complain: ${family.name}`, async () => {
    const all = await runAll(family, () => ({}))
    expect(all.flatMap(({ complaint }) => complaint ?? [])).toEqual([])
    expect(sent(all).length).toBeGreaterThan(0)
  })

for (const [family, what, change] of changes)
  test(`a complaint is made of every request that left with ${what} (${family.name})`, async () => {
    const changed = sent(await runAll(family, change))
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.filter(({ complaint }) => complaint === undefined)).toEqual([])
  })

test("a request to another origin is counted there", async () => {
  recorder?.take()
  const all = sent(await runAll(routes, elsewhere))
  expect(recorder?.take().escapes).toBe(all.length)
})

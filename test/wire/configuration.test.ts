// What a configuration changes on the wire: routes, names of credential headers, the address of the legacy service;
// and what an admin's sign-in sends.

import { Input } from "@quartet/sdk"
import { type Client, clients, partsOf, type Row, rows, rowsOf } from "@quartet/support/wire-rows.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import { createAdminClient } from "../../clients/promise/index.js"
import { answerTo } from "./answers.js"
import { expectation, percent, type Sent } from "./expectation.js"
import * as Forms from "./forms.js"
import { taken } from "./observation.js"
import { type Config, json, type Platform, prefixes, projectId, secrets, start, tokenOf } from "./platform.js"

let platform: Platform

beforeAll(async () => {
  platform = await start()
})

afterAll(() => platform.close())

const nameOf = ({ id }: Row): string => `${partsOf(id).slice}.${partsOf(id).call}`
/** Makes calls with what they need and no more, each answered as its row says; tells what was on the wire. */
const send = async (config: Config, calls: ReadonlyArray<Row>): Promise<ReadonlyArray<Sent>> => {
  const form = Forms.promises(config, FetchTransport.make())
  const sent: Array<Sent> = []
  for (const row of calls) {
    const { reply } = answerTo(row)
    platform.api.answer(() => reply)
    platform.legacy.answer(() => reply)
    await form.call(row, expectation(row, "least").input)
    sent.push(...taken(platform))
  }
  await form.close()
  return sent
}

const pathOf = ({ target }: Sent): string => target.split("?")[0] ?? ""

describe("routes", () => {
  test.each(clients)("move each call of the %s client to another method and path", async (client) => {
    const calls = rowsOf(client)
    const routes = Object.fromEntries(
      calls.map((row) => [nameOf(row), { method: "PUT" as const, path: `/moved/${nameOf(row)}` }])
    )
    const config = { ...platform.config, [client]: { ...platform.config[client], routes } }
    const sent = await send(config, calls)
    expect(sent.map((request) => `${request.service} ${request.method} ${pathOf(request)}`)).toEqual(
      calls.map((row) => `${row.service} PUT ${prefixes[row.service]}/moved/${nameOf(row)}`)
    )
  })

  const admin = (routes: Record<string, object>) => createAdminClient({ ...platform.config.admin, routes })

  test("lose nothing: a field that the other path leaves out goes to the query, beside a whole body", async () => {
    platform.api.answer(() => json({ _id: "r1" }))
    const client = admin({ "requests.addComment": { path: "request-action/comment" } })
    await client.requests.addComment({ id: "r 1", payload: { text: "yes" } })
    expect(taken(platform)).toMatchObject([
      {
        target: `${prefixes.api}/request-action/comment?id=r%201&projectId=${percent(projectId)}`,
        body: '{"text":"yes"}'
      }
    ])
  })
})

describe("headerNames", () => {
  const headerNames = {
    authorization: "X-Token",
    session: "X-Sid",
    apiKey: "X-Project-Key",
    privateKey: "X-Server-Key"
  }
  const expected: Readonly<Record<Client, Readonly<Record<string, string>>>> = {
    admin: { "x-token": `Bearer ${secrets.accessToken}`, "x-sid": secrets.adminSession },
    public: { "x-project-key": secrets.apiKey },
    private: { "x-server-key": secrets.privateKey },
    endUser: { "x-sid": secrets.userSession, "x-project-key": secrets.apiKey }
  }

  test.each(clients)(
    "rename the credential headers of the %s client, and send none by its old name",
    async (client) => {
      const config = { ...platform.config, [client]: { ...platform.config[client], headerNames } }
      const sent = await send(config, rowsOf(client))
      const signIns = sent.filter(({ target }) => /auth\/(admin\/)?login$/.test(target) && client === "admin")
      expect(signIns.map(({ credentials }) => credentials)).toEqual(client === "admin" ? [{}, {}] : [])
      expect(
        sent.filter((request) => !signIns.includes(request)).map(({ credentials }) => credentials)
      ).toEqual(Array.from({ length: rowsOf(client).length - signIns.length }, () => expected[client]))
    }
  )
})

test("legacyUrl is where the legacy calls go, and no other", async () => {
  const legacyRows = rows.filter(({ service }) => service === "legacy")
  expect(legacyRows.map(({ id }) => partsOf(id).client)).toEqual(legacyRows.map(() => "admin"))
  const sent = await send(platform.config, rowsOf("admin"))
  expect(sent.filter(({ service }) => service === "legacy")).toHaveLength(legacyRows.length)
})

// Spec 4.5
describe("an admin's sign-in", () => {
  const login = { email: "ada@example.com", password: "pä55 wörd" }
  const fresh = tokenOf("admin-2")

  const signIn = () => {
    platform.api.answer(({ target }) =>
      json(target.endsWith("/login") ? { accessToken: fresh, user: { _id: "admin-2" } } : { _id: "i1" })
    )
    platform.legacy.answer(({ target }) =>
      json(target.endsWith("/login") ? { sessionId: "fresh-session" } : { _id: "o1" })
    )
    const { baseUrl, legacyUrl = baseUrl } = platform.config.admin
    return createAdminClient({ baseUrl, legacyUrl, projectId, apiKey: secrets.apiKey, ...login })
  }

  // Spec 4.7
  test("sends e-mail and password to both services before the first call, and no credentials", async () => {
    await signIn().items.get({ id: "i1" })
    const signIns = taken(platform).filter(({ method }) => method === "POST")
    const sent = { method: "POST", credentials: {}, type: "application/json", body: JSON.stringify(login) }
    expect(signIns).toEqual([
      { ...sent, service: "api", target: `${prefixes.api}/auth/admin/login` },
      { ...sent, service: "legacy", target: `${prefixes.legacy}/auth/login` }
    ])
  })

  // Spec 1.2, 4.7, 7.1
  test("happens once; its token and session are then sent to both services", async () => {
    const client = signIn()
    await Promise.all([client.items.get({ id: "i1" }), client.items.get({ id: "i2" })])
    await client.orders.update({ payload: Input.raw({}) })
    const calls = taken(platform).filter(({ target }) => !target.endsWith("/login"))
    const credentials = { authorization: `Bearer ${fresh}`, "x-session-id": "fresh-session" }
    expect(calls.map(({ method, service }) => `${service} ${method}`)).toEqual([
      "api GET",
      "api GET",
      "legacy PUT"
    ])
    expect(calls.map((call) => call.credentials)).toEqual([credentials, credentials, credentials])
  })

  test("happens again after a refusal, and carries no credentials then either", async () => {
    const client = signIn()
    let refusals = 1
    platform.api.answer(({ target }) => {
      if (target.endsWith("/login")) return json({ accessToken: fresh, user: {} })
      return refusals-- > 0 ? json({}, 401) : json({ _id: "i1" })
    })
    await client.items.get({ id: "i1" })
    const sent = taken(platform)
    expect(sent.filter(({ method }) => method === "GET")).toHaveLength(2)
    const signIns = sent.filter(({ target }) => target.endsWith("/login"))
    expect(signIns.map(({ credentials }) => credentials)).toEqual([{}, {}, {}, {}])
  })
})

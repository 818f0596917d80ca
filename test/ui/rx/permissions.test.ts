// What the one who is signed in may do, as far as the token tells.
import { Registry } from "@effect-rx/rx-react"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import { Level, makeQueryClient } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminLayer, token, turn, watch } from "./scripted.js"

const base = { baseUrl: "https://api.example.com", projectId: "p1" }

describe("permissions", () => {
  const canWith = async (permissions: unknown, options: Parameters<typeof makeQueryClient>[1] = {}) => {
    const client = makeQueryClient(adminLayer(Fake.make([]), token(permissions)), options)
    const registry = Registry.make()
    watch(registry, client.session)
    await turn()
    return client.session.actions(registry).can
  }

  test("a call is permitted where its own level is granted", async () => {
    const can = await canWith({ requests: { "*": 1, markSeen: 3 } })
    expect(can(Admin.requests.list)).toBe(true)
    expect(can(Admin.requests.markSeen)).toBe(true)
    expect(can(Admin.requests.update)).toBe(false)
    expect(can(Admin.items.list)).toBe(false)
  })

  test("by names, the level is Write unless it is given", async () => {
    const can = await canWith({ requests: { "*": 1, markSeen: 3 } })
    expect(can("requests", "markSeen")).toBe(true)
    expect(can("requests", "list")).toBe(false)
    expect(can("requests", "list", Level.Read)).toBe(true)
  })

  test("by names, the level is the call's own where the client knows the calls", async () => {
    const can = await canWith({ requests: { "*": 1 } }, { calls: Admin })
    expect(can("requests", "list")).toBe(true)
    expect(can("requests", "markSeen")).toBe(false)
    expect(can("constructor", "name")).toBe(false)
  })

  test("the client's own names and reading count", async () => {
    const fake = Fake.make([])
    const config = { ...base, sessionId: "s", accessToken: token({ "request-action": { "*": 1 } }) }
    const layer = Admin.layer({
      ...config,
      permissions: "asBuilt",
      permissionNames: { requests: "request-action" }
    })
    const client = makeQueryClient(Layer.provide(layer, fake.layer))
    const registry = Registry.make()
    watch(registry, client.session)
    await turn()
    expect(client.session.actions(registry).can(Admin.requests.markSeen)).toBe(true)
    expect(client.session.actions(registry).can(Admin.items.list)).toBe(false)
  })

  test("nothing is permitted while nobody is signed in", () => {
    const client = makeQueryClient((accessToken: string) => adminLayer(Fake.make([]), accessToken))
    const registry = Registry.make()
    expect(client.session.actions(registry).can(Admin.requests.list)).toBe(false)
  })
})

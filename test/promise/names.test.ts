// The Promise clients offer what the Effect clients offer, under the same names: derived, so that nothing is left out.
import { describe, expect, test } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Promised from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import { Operation } from "../../core/kernel/operation/operation.js"
import { configure } from "../wire/platform.js"
import { type Client, rowsOf } from "../wire/rows.js"

const config = configure("https://api.example.com", "https://legacy.example.com")

const clients: Readonly<Record<Client, readonly [effects: object, promises: object]>> = {
  admin: [Admin, Promised.createAdminClient(config.admin)],
  public: [Public, Promised.createPublicClient(config.public)],
  private: [Private, Promised.createPrivateClient(config.private)],
  endUser: [EndUser, Promised.createEndUserClient(config.endUser)]
}

const members = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

const isBound = (value: unknown): value is { readonly operation: Operation<never, unknown, never> } =>
  typeof value === "function" && "operation" in value && Operation.isOperation(value.operation)

/** The lists for whose query the specification names nothing, and so no page. */
const answeredAtOnce = ["contentModels.list", "preferences.list", "providers.list"]

/** The calls of an Effect client: each with the words by which its Promise form is known. */
const offered = (client: object): ReadonlyArray<readonly [name: string, extras: string]> =>
  members(client).flatMap(([slice, namespace]) =>
    members(namespace).flatMap(([call, bound]) => {
      if (!isBound(bound)) return []
      const { success } = bound.operation.declaration()
      const isPaged = "page" in success && !answeredAtOnce.includes(bound.operation.name)
      const extras = "bytes" in success ? "bytes,text" : isPaged ? "as,pages" : "as"
      return [[`${slice}.${call}`, extras] as const]
    })
  )

/** The methods of a Promise client's slices that are calls: functions with functions on them. */
const promised = (client: object): ReadonlyArray<readonly [name: string, extras: string]> =>
  members(client).flatMap(([slice, namespace]) =>
    members(namespace).flatMap(([call, method]) => {
      const extras = typeof method === "function" ? Object.keys(method) : []
      return extras.length === 0 ? [] : [[`${slice}.${call}`, extras.sort().join(",")] as const]
    })
  )

describe.each(Object.entries(clients))("the %s client", (name, [effects, promises]) => {
  // Spec 1.1
  test("offers every call of the Effect client by the same name, and no other", () => {
    expect(promised(promises)).toHaveLength(rowsOf(name as Client).length)
    expect([...promised(promises)].sort()).toEqual([...offered(effects)].sort())
  })

  test("reads the same values on demand", () => {
    const names = (client: object) => members(Reflect.get(client, "onDemand")).map(([member]) => member)
    expect(names(promises)).not.toEqual([])
    expect(names(promises)).toEqual(names(effects))
  })

  test("can be closed", () => {
    expect(Reflect.get(promises, "close")).toBeTypeOf("function")
    expect(Reflect.get(promises, Symbol.asyncDispose)).toBe(Reflect.get(promises, "close"))
  })
})

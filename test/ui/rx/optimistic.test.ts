// Changes that are shown before they are confirmed, laid one over the other and undone one by one.
import { Result } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import type { Page } from "../../../core/kernel/operation/answer.js"
import type { RequestAction } from "../../../core/requests/model.js"
import { change } from "../../../ui/rx/index.js"
import { json } from "../../support/fake-transport.js"
import { adminClient, answerOf, reads, readsAnswer, request, turn, watch, writes } from "./scripted.js"

describe("optimistic changes", () => {
  const setup = async () => {
    const given = adminClient(readsAnswer(), { staleTime: 1_000_000 })
    const query = given.client.query(Admin.requests.get, { id: "r1" })
    const list = given.client.query(Admin.requests.list)
    const rename = given.client.mutation(Admin.requests.update, {
      optimistic: ({ id, payload }) => [
        change(query, (value) => ({ ...value, type: String(payload) })),
        change(Admin.requests.list, (page: Page<RequestAction>) => ({
          ...page,
          items: page.items.map((item) => (item._id === id ? { ...item, type: String(payload) } : item))
        }))
      ]
    })
    const one = watch(given.registry, query)
    const all = watch(given.registry, list)
    await turn()
    const types = () => [answerOf(one.last()).type, ...answerOf(all.last()).items.map(({ type }) => type)]
    const run = async (payload: string) => {
      given.registry.set(rename, { id: "r1", payload })
      await turn()
      const exchange = writes(given.fake).at(-1)
      return async (status: number) => {
        exchange?.settle(json(status, request("r1")))
        await turn()
      }
    }
    return { ...given, one, types, run }
  }

  test("are shown at once, in every query that they name", async () => {
    const { run, types } = await setup()
    await run("BUY")
    expect(types()).toEqual(["BUY", "BUY", "VISIT"])
  })

  test("are undone when the call fails", async () => {
    const { fake, run, types } = await setup()
    const before = reads(fake)
    const settle = await run("BUY")
    await settle(409)
    expect(types()).toEqual(["VISIT", "VISIT", "VISIT"])
    expect(reads(fake)).toBe(before)
  })

  test("stay when it succeeds, until the platform's own answer replaces them", async () => {
    const { fake, one, run } = await setup()
    const settle = await run("BUY")
    await settle(200)
    const seen = one.seen.map((result) => Result.value(result).pipe(Option.map(({ type }) => type)))
    expect(seen.slice(-3)).toEqual([Option.some("BUY"), Option.some("BUY"), Option.some("VISIT")])
    expect(reads(fake)).toBe(4)
  })

  test("are undone one by one: a later change outlives an earlier one that failed", async () => {
    const { run, types } = await setup()
    const first = await run("BUY")
    const second = await run("SELL")
    expect(types()[0]).toBe("SELL")
    await first(409)
    expect(types()[0]).toBe("SELL")
    await second(409)
    expect(types()[0]).toBe("VISIT")
  })

  test("are laid over an answer that comes while the call is under way", async () => {
    const { client, one, registry, run, types } = await setup()
    const settle = await run("BUY")
    client.invalidate(registry, "requests.get")
    await turn()
    expect(types()[0]).toBe("BUY")
    await settle(409)
    expect(types()[0]).toBe("VISIT")
    expect(answerOf(one.last()).version).toBe(3)
  })
})

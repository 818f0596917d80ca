// How requests are let in where the project stands in the host.
import { described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import type { Asker, Way } from "../../adapt/ask.js"
import { findWay, type Manner } from "../../adapt/way.js"
import { list, refusal, rows } from "./exchanges.js"

const lists = described.filter(({ key }) => key === "admin.requests.list")

/** The ways in which a platform is asked that lets in those that `isLetIn` says. */
const asked = (origin: string, project: string, manner: Manner, isLetIn: (way: Way) => boolean) => {
  const ways: Array<Way> = []
  const asker: Asker = {
    signIn: () => Effect.succeed(undefined),
    read: (way) =>
      Effect.sync(() => {
        ways.push(way)
        return isLetIn(way) ? list(rows("a", "b")) : refusal(400, { message: "which project?" })
      }),
    exchanges: () => [],
    left: () => 60
  }
  return Effect.map(
    findWay(asker, {
      api: { origin, prefix: "" },
      audience: "admin",
      lists,
      manner,
      secrets: { accessToken: "token-0123456789", project },
      key: { headers: {}, query: {} }
    }),
    (entry) => ({ entry, ways })
  )
}

const usual = "http://api.example.com"
const withProject = "http://shop-7.api.example.com"

it.each<[string, string, Manner, string]>([
  ["is named by the parameter of the SDK first", usual, {}, "shop-7"],
  ["is first left out elsewhere where the address has it in its host", withProject, {}, ""]
])("a project %s", async (_, origin, manner, first) => {
  const { entry, ways } = await Effect.runPromise(asked(origin, "shop-7", manner, () => true))
  expect(entry?.way.query.projectId ?? "").toBe(first)
  expect(ways).toHaveLength(1)
})

it("a project is named otherwise where its host is not enough", async () => {
  const { entry } = await Effect.runPromise(
    asked(withProject, "shop-7", {}, ({ query }) => query.projectId === "shop-7")
  )
  expect(entry?.way.query).toEqual({ projectId: "shop-7" })
})

it("asks the host that a module says, and no other one by itself", async () => {
  const manner: Manner = { project: { host: (id) => `${id}.api.example.com` } }
  const told = await Effect.runPromise(asked(usual, "shop-7", manner, () => true))
  expect(told.ways.map(({ host }) => host)).toEqual(["shop-7.api.example.com"])
  const untold = await Effect.runPromise(asked(usual, "shop-7", {}, () => false))
  expect(untold.entry).toBeUndefined()
  expect(untold.ways.filter(({ host }) => host !== undefined)).toEqual([])
})

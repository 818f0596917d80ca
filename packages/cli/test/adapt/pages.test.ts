// What a module says of paging is asked for, and confirmed by nothing else.
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { moved, unconfirmed } from "../../adapt/check.js"
import { collect } from "../../adapt/collect.js"
import { withKept } from "../../adapt/kept.js"
import { type Exchange, recognise } from "../../adapt/recognition/index.js"
import { toldBy } from "../../adapt/told.js"
import { list, refusal, rows } from "./exchanges.js"

afterEach(() => {
  vi.unstubAllGlobals()
})

const ids = ["a1", "b2", "c3", "d4", "e5"]

/** A platform whose lists have pages by a cursor, and by offsets too if it is said so. Another parameter has no effect, or is refused. */
const platform =
  (offsets: "taken" | "idle" | "refused") =>
  async (address: URL): Promise<Response> => {
    const { searchParams } = address
    const offset = searchParams.get("offset")
    if (offset !== null && offsets === "refused") return Response.json({ message: "no" }, { status: 400 })
    const start = Number(searchParams.get("cursor") ?? (offsets === "taken" ? offset : null) ?? 0)
    const end = start + Number(searchParams.get("limit") ?? 20)
    return Response.json({ items: rows(...ids.slice(start, end)), next: end < 5 ? `${end}` : null, total: 5 })
  }

const definitionOf = (page: object) => ({ lists: { next: "next", page } })

const asked = async (definition: object, offsets: "taken" | "idle" | "refused") => {
  vi.stubGlobal("fetch", platform(offsets))
  const address = { origin: "https://api.example.com", prefix: "" }
  const { exchanges, secrets } = await Effect.runPromise(
    collect({
      api: address,
      legacy: address,
      admin: undefined,
      endUser: undefined,
      secrets: { apiKey: "key-0123456789" },
      userSession: undefined,
      ...toldBy({}, definition)
    })
  )
  const found = recognise(exchanges, secrets)
  return {
    exchanges,
    found,
    changes: moved(definition, found, exchanges, secrets).filter(({ isNew }) => !isNew),
    open: unconfirmed(definition, found, exchanges)
  }
}

describe("a module that says how a page is asked for", () => {
  it.each(["idle", "refused"] as const)(
    "is not as the platform is where its own parameter is %s",
    async (offsets) => {
      const { changes, exchanges } = await asked(definitionOf({ by: "offset" }), offsets)
      expect(exchanges.some(({ query }) => query.offset === "1")).toBe(true)
      expect(changes.map(({ at }) => at)).toEqual(["lists.page"])
    }
  )

  it("fits where its own parameter leads on, though another one would too", async () => {
    const said = await asked(definitionOf({ by: "offset" }), "taken")
    expect([said.changes, said.open]).toEqual([[], []])
    const cursor = await asked(definitionOf({ by: "cursor" }), "taken")
    expect([cursor.changes, cursor.open]).toEqual([[], []])
  })
})

it("what is found is shown as a module has it, functions as code", () => {
  const code = '({ header }) => /\\/(\\d+)$/.exec(header("content-range") ?? "")?.[1]'
  const now = { lines: [{ at: "lists.total", value: { code }, reason: "so" }], fits: [], unseen: [] }
  expect(moved({}, now, []).map(({ says }) => says)).toEqual([`nothing is said of it, but it is ${code}: so`])
})

describe("a parameter of pages that was never tried", () => {
  const page = (start: number, query: Readonly<Record<string, string>>): Exchange =>
    list(
      { items: rows(...ids.slice(start, start + 2)), next: `n${start + 2}` },
      { query: { limit: "2", ...query } }
    )
  const exchanges = [page(0, {}), page(2, { cursor: "n2" })]
  const definition = definitionOf({ by: "offset" })
  const found = recognise(exchanges)
  const open = unconfirmed(definition, found, exchanges)

  it("is told of as such where others led on", () => {
    expect(moved(definition, found, exchanges).filter(({ at }) => at === "lists.page")).toEqual([])
    expect(open.join()).toContain("lists.page: no page was asked for by `offset`")
    expect(unconfirmed(definitionOf({ by: "cursor" }), found, exchanges)).toEqual([])
  })

  it("is kept without being confirmed", () => {
    const kept = withKept(found, definition, [], { unconfirmed: open })
    expect(kept.lines.find(({ at }) => at === "lists.page")).toEqual({
      at: "lists.page",
      value: { by: "offset" },
      reason: "it is said so, and nothing that was seen speaks against it"
    })
    expect(kept.unseen).toContain(open[0])
  })

  it("is none that was asked for its first page alone", () => {
    const first = [page(0, { offset: "0" }), ...exchanges]
    expect(moved(definition, recognise(first), first).filter(({ at }) => at === "lists.page")).toEqual([])
    const refused = [...exchanges, refusal(500, {}, { purpose: "list", query: { limit: "2", offset: "2" } })]
    expect(unconfirmed(definition, recognise(refused), refused)).toHaveLength(1)
  })
})

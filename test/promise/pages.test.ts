// All items of a list as an AsyncIterable: page after page, only as far as they are read, and nothing left open.

import type { Exchange } from "@quartet/support/scripted-server.js"
import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { Errors } from "../../clients/promise/index.js"
import { serve } from "./served.js"

const { admin, over, server, targets } = await serve()

/** A list of seven boxes, three a page. */
const boxes = Array.from({ length: 7 }, (_, index) => ({ _id: `b${index + 1}` }))

const paged = ({ json, target }: Exchange): void => {
  const page = Number(new URL(target, "http://host").searchParams.get("page"))
  json({ items: boxes.slice((page - 1) * 3, page * 3), paging: { page, limit: 3, total: boxes.length } })
}

/** Reads items until their end, or until the reader has seen enough; answers the ids seen, and the error. */
const read = async (items: AsyncIterable<{ readonly _id: string }>, enough?: (seen: number) => boolean) => {
  const ids: Array<string> = []
  let error: unknown
  try {
    for await (const { _id } of items) if (enough?.(ids.push(_id))) break
  } catch (reason) {
    error = reason
  }
  return { error, ids }
}
const all = () => false

over("pages", ({ visitor: { boxes: list } }) => {
  test("give every item of a list in its order, anew with each loop, and send nothing before", async () => {
    server.play(paged)
    const pages = list.list.pages()
    await list.list()
    expect(targets()).toEqual(["GET /v1/box"])
    const whole = { error: undefined, ids: boxes.map(({ _id }) => _id) }
    for (let loop = 0; loop < 2; loop++) expect(await read(pages, all)).toEqual(whole)
    const targetsOfPages = [1, 2, 3].map((page) => `GET /v1/box?page=${page}`)
    expect(targets()).toEqual(["GET /v1/box", ...targetsOfPages, ...targetsOfPages])
  })

  test("send the input with each page, and begin where they are told", async () => {
    server.play(paged)
    const pages = list.list.pages({ type: "QUIZ_RESULT" }, { first: 2, limit: 3 })
    expect((await read(pages, all)).ids).toEqual(["b4", "b5", "b6", "b7"])
    // How many were on page 1 is not known, so that the total does not say that page 3 is the last one.
    expect(targets()).toEqual([2, 3, 4].map((page) => `GET /v1/box?type=QUIZ_RESULT&page=${page}&limit=3`))
  })

  test("are not there where a call takes no page", async () => {
    await using client = admin()
    for (const call of [client.contentModels.list, client.providers.list, client.preferences.list]) {
      expect(call).not.toHaveProperty("pages")
      expect(call.as(Schema.Unknown)).not.toHaveProperty("pages")
    }
    expect(client.permissions.list).toHaveProperty("pages")
  })

  test("are of the caller's own type where its schema is given", async () => {
    server.play(({ json, target }) => json(target.includes("page=1") ? [{ _id: "b1", score: 7 }] : []))
    const Quiz = Schema.Struct({ _id: Schema.String, score: Schema.Number })
    const scores: Array<number> = []
    for await (const { score } of list.list.as(Quiz).pages()) scores.push(score)
    expect(scores).toEqual([7])
  })

  test("ask for no further page once a loop is left, or throws", async () => {
    server.play(paged)
    expect((await read(list.list.pages(), (seen) => seen === 4)).ids).toEqual(["b1", "b2", "b3", "b4"])
    expect(targets()).toHaveLength(2)
    const failure = new Error("cannot use it")
    const fail = () => {
      throw failure
    }
    expect(await read(list.list.pages(), fail)).toEqual({ error: failure, ids: ["b1"] })
    expect(targets()).toHaveLength(3)
  })

  test("reject at the page that fails, after the items before it", async () => {
    server.play((exchange) => (exchange.target.includes("page=2") ? exchange.json({}, 404) : paged(exchange)))
    const { error, ids } = await read(list.list.pages(), all)
    expect(error).toBeInstanceOf(Errors.NotFound)
    expect(ids).toEqual(["b1", "b2", "b3"])
  })

  test("hang up when the signal is aborted while a page is on its way", async () => {
    server.play((exchange) => (exchange.target.includes("page=2") ? undefined : paged(exchange)))
    const controller = new AbortController()
    const reading = read(list.list.pages({}, { signal: controller.signal }), all)
    const { over } = await server.exchange(1)
    controller.abort()
    expect((await reading).error).toMatchObject({ name: "AbortError" })
    expect(await over).toBe(false)
  })

  test("give no further item once the signal is aborted, not even of the present page", async () => {
    server.play(paged)
    const controller = new AbortController()
    const reason = new Error("enough")
    const abort = () => {
      controller.abort(reason)
      return false
    }
    const pages = list.list.pages({}, { signal: controller.signal })
    expect(await read(pages, abort)).toEqual({ error: reason, ids: ["b1"] })
  })
})

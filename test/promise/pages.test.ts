// All items of a list as an AsyncIterable: page after page, only as far as they are read, and nothing left open.
import * as Schema from "effect/Schema"
import { afterAll, describe, expect, test } from "vitest"
import { createAdminClient, createPublicClient, Errors } from "../../clients/promise/index.js"
import { type Exchange, listen } from "../support/scripted-server.js"
import { transports } from "../support/transports.js"

/** A list of seven boxes, three a page. */
const boxes = Array.from({ length: 7 }, (_, index) => ({ _id: `b${index + 1}` }))

const paged = ({ json, target }: Exchange): void => {
  const page = Number(new URL(target, "http://host").searchParams.get("page"))
  json({ items: boxes.slice((page - 1) * 3, page * 3), paging: { page, limit: 3, total: boxes.length } })
}

const idsOf = async (items: AsyncIterable<{ readonly _id: string }>): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for await (const { _id } of items) ids.push(_id)
  return ids
}

const server = await listen()
afterAll(() => server.close())

describe.each(transports)("over $name, pages", ({ open }) => {
  const opened = open()
  const client = createPublicClient({
    baseUrl: server.url,
    apiKey: "key-1",
    transport: opened.transport,
    policy: { attempts: 1 }
  })
  afterAll(async () => {
    await client.close()
    await opened.close()
  })

  const targets = () => server.exchanges.map(({ target }) => target)

  test("give every item of a list in its order", async () => {
    server.play(paged)
    expect(await idsOf(client.boxes.list.pages())).toEqual(boxes.map(({ _id }) => _id))
    expect(targets()).toEqual(["/v1/box?page=1", "/v1/box?page=2", "/v1/box?page=3"])
  })

  /** Bare arrays of three, which say nothing of the rest. */
  const bare = ({ json, target }: Exchange): void => {
    const page = Number(new URL(target, "http://host").searchParams.get("page"))
    json(boxes.slice((page - 1) * 3, page * 3))
  }

  test("send the input with each page, begin where they are told, and end at a page that is empty", async () => {
    server.play(bare)
    const pages = client.boxes.list.pages({ type: "QUIZ_RESULT" }, { first: 2, limit: 3 })
    expect(await idsOf(pages)).toEqual(["b4", "b5", "b6", "b7"])
    expect(targets()).toEqual([
      "/v1/box?type=QUIZ_RESULT&page=2&limit=3",
      "/v1/box?type=QUIZ_RESULT&page=3&limit=3",
      "/v1/box?type=QUIZ_RESULT&page=4&limit=3"
    ])
  })

  test("begin and are as large as the input says", async () => {
    server.play(bare)
    expect(await idsOf(client.boxes.list.pages({ page: 3, limit: 3 }))).toEqual(["b7"])
    expect(targets()).toEqual(["/v1/box?page=3&limit=3", "/v1/box?page=4&limit=3"])
  })

  test("are not there where a call takes no page", async () => {
    await using admin = createAdminClient({
      baseUrl: server.url,
      projectId: "p1",
      email: "a@b.c",
      password: "x",
      transport: opened.transport
    })
    for (const call of [admin.contentModels.list, admin.providers.list, admin.preferences.list]) {
      expect(call).not.toHaveProperty("pages")
      expect(call.as(Schema.Unknown)).not.toHaveProperty("pages")
    }
    expect(admin.permissions.list).toHaveProperty("pages")
  })

  test("ask in the payload where the list is a search", async () => {
    server.play(({ json }) => json([]))
    expect(await idsOf(client.items.search.pages({ payload: { term: "ü" } }, { limit: 50 }))).toEqual([])
    expect(server.exchanges.map(({ body }) => body)).toEqual(['{"term":"ü","page":1,"limit":50}'])
  })

  test("are of the caller's own type where its schema is given", async () => {
    server.play(({ json, target }) => json(target.includes("page=1") ? [{ _id: "b1", score: 7 }] : []))
    const Quiz = Schema.Struct({ _id: Schema.String, score: Schema.Number })
    const scores: Array<number> = []
    for await (const { score } of client.boxes.list.as(Quiz).pages()) scores.push(score)
    expect(scores).toEqual([7])
  })

  test("send nothing before they are read", async () => {
    server.play(paged)
    client.boxes.list.pages()
    await client.boxes.list()
    expect(targets()).toEqual(["/v1/box"])
  })

  test("begin anew with each loop over them", async () => {
    server.play(paged)
    const pages = client.boxes.list.pages()
    expect(await idsOf(pages)).toEqual(await idsOf(pages))
    expect(targets()).toHaveLength(6)
  })

  test("ask for no further page once a loop is left", async () => {
    server.play(paged)
    const seen: Array<string> = []
    for await (const { _id } of client.boxes.list.pages()) {
      seen.push(_id)
      if (seen.length === 4) break
    }
    expect(seen).toEqual(["b1", "b2", "b3", "b4"])
    expect(targets()).toHaveLength(2)
  })

  test("ask for no further page once a loop throws", async () => {
    server.play(paged)
    const failure = new Error("cannot use it")
    const loop = async () => {
      for await (const _ of client.boxes.list.pages()) throw failure
    }
    await expect(loop()).rejects.toBe(failure)
    expect(targets()).toHaveLength(1)
  })

  test("reject at the page that fails, after the items before it", async () => {
    server.play((exchange) => (exchange.target.includes("page=2") ? exchange.json({}, 404) : paged(exchange)))
    const seen: Array<string> = []
    const loop = async () => {
      for await (const { _id } of client.boxes.list.pages()) seen.push(_id)
    }
    await expect(loop()).rejects.toBeInstanceOf(Errors.NotFound)
    expect(seen).toEqual(["b1", "b2", "b3"])
  })

  test("end where the platform answers a page after the last one with 404, 204 or null", async () => {
    for (const [status, body] of [
      [404, "{}"],
      [204, ""],
      [200, "null"],
      [200, ""]
    ] as const) {
      server.play(({ json, response, target }) => {
        if (target.includes("page=1")) json(boxes.slice(0, 3))
        else response.writeHead(status, { "content-type": "application/json" }).end(body)
      })
      expect(await idsOf(client.boxes.list.pages()), `${status} ${body}`).toEqual(["b1", "b2", "b3"])
      expect(targets()).toHaveLength(2)
    }
  })

  test("reject where the platform answers one page again and again", async () => {
    server.play(({ json }) => json({ items: boxes.slice(0, 3), paging: { total: 100 } }))
    await expect(idsOf(client.boxes.list.pages())).rejects.toMatchObject({
      tag: "AnswerError",
      reason: "Paging"
    })
    expect(targets()).toHaveLength(2)
  })

  test("reject where the platform answers two pages in turns, and name the page that was met", async () => {
    server.play(({ json, target }) => json([boxes[Number(/page=(\d+)/.exec(target)?.[1]) % 2]]))
    await expect(idsOf(client.boxes.list.pages())).rejects.toThrow("page 3 is page 1 again")
    expect(targets()).toHaveLength(3)
  })

  test("hang up when the signal is aborted while a page is on its way", async () => {
    server.play((exchange) => (exchange.target.includes("page=2") ? undefined : paged(exchange)))
    const controller = new AbortController()
    const ids = idsOf(client.boxes.list.pages({}, { signal: controller.signal }))
    const second = await server.exchange(1)
    controller.abort()
    await expect(ids).rejects.toMatchObject({ name: "AbortError" })
    expect(await second.over).toBe(false)
  })

  test("give no further item once the signal is aborted, not even of the present page", async () => {
    server.play(paged)
    const controller = new AbortController()
    const seen: Array<string> = []
    const loop = async () => {
      for await (const { _id } of client.boxes.list.pages({}, { signal: controller.signal })) {
        seen.push(_id)
        controller.abort(new Error("enough"))
      }
    }
    await expect(loop()).rejects.toThrow("enough")
    expect(seen).toEqual(["b1"])
  })
})

// What a Transport makes of the answers on a wire: of their status and headers, of redirects, compression and size.
import { expect, test } from "vitest"
import { aWhile, eventually } from "../support/eventually.js"
import { text } from "../support/odd-server.js"
import { utf8, type Wire } from "./transport-exchanges.js"

/** What an adapter does beyond what all do. */
export interface Abilities {
  /** Content encodings that it undoes even where it did not offer them. */
  readonly forced: ReadonlyArray<string>
  /** Whether it notices that compressed bytes are cut short. Where it does not, the kernel finds JSON that is cut. */
  readonly noticesCuts: boolean
}

export const transportAnswers = ({ get, server }: Wire, abilities: Abilities): void => {
  test("hands over the headers of an answer, those that stand twice joined", async () => {
    const outcome = await get("/headers")
    if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
    const names = ["x-request-id", "retry-after", "x-twice", "constructor"]
    expect(names.map(outcome.header)).toEqual(["r-1", "3", "one, two", "own"])
  })

  for (const status of [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503]) {
    test(`answers status ${status} with its body`, async () => {
      const outcome = await get(`/status/${status}`)
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      expect([outcome.status, utf8.decode(outcome.body)]).toEqual([status, '{"message":"as asked"}'])
    })
  }

  test("answers 407 by its status, and not as an exchange that failed", async () => {
    for (const method of ["GET", "POST"] as const)
      expect(await get("/status/407", { method })).toMatchObject({ _tag: "Answered", status: 407 })
  })

  test("answers 204 with an empty body", async () => {
    const outcome = await get("/empty")
    if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
    expect([outcome.status, outcome.body.byteLength]).toEqual([204, 0])
  })

  test("passes over a provisional answer", async () => {
    expect(await get("/hints")).toMatchObject({ _tag: "Answered", status: 200 })
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`does not follow a redirect (${status}): nothing gets there`, async () => {
      const headers = { authorization: "Bearer canary", "content-type": "application/json" }
      const body = { _tag: "Json", text: '"canary"' } as const
      for (const method of ["GET", "POST"] as const) {
        const outcome = await get(`/redirect/${status}`, {
          method,
          headers,
          body: method === "POST" ? body : undefined
        })
        if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
        expect(outcome.status).toBe(status)
      }
      await aWhile(20)
      expect(server().strays).toEqual([])
    })
  }

  for (const encoding of ["gzip", "deflate", "br"]) {
    test(`undoes ${encoding} where it offered it`, async () => {
      const outcome = await get(`/offered/${encoding}`)
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      expect(utf8.decode(outcome.body)).toBe(text)
    })

    if (!abilities.forced.includes(encoding)) continue

    test(`undoes ${encoding} where the server takes it upon itself`, async () => {
      const outcome = await get(`/forced/${encoding}`)
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      expect(utf8.decode(outcome.body)).toBe(text)
    })

    test(`never hands over all of a body where ${encoding} is cut short`, async () => {
      const outcome = await get(`/truncated/${encoding}`)
      if (abilities.noticesCuts) expect(outcome).toMatchObject({ _tag: "Failed", sent: true })
      else if (outcome._tag === "Answered") expect(outcome.body.byteLength).toBeLessThan(text.length)
      else expect(outcome).toMatchObject({ _tag: "Failed", sent: true })
    })

    test(`does not let a bomb of ${encoding} grow beyond the bound`, async () => {
      // The first one is made while it is asked for.
      await get(`/bomb/${encoding}`, { maxBytes: 100_000 })
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      expect(await get(`/bomb/${encoding}`, { maxBytes: 100_000 })).toMatchObject({
        _tag: "TooLarge",
        status: 200
      })
      const now = process.memoryUsage()
      expect(now.heapUsed + now.arrayBuffers - heapUsed - arrayBuffers).toBeLessThan(128 * 1024 * 1024)
    })
  }

  for (const said of ["stated", "unstated", ...abilities.forced]) {
    for (const answer of ["bytes", "stream"] as const) {
      test(`keeps the status and the headers of an error beyond the bound (${said}, asked for as ${answer}), and lets go`, async () => {
        const outcome = await get(`/wordy-error/${said}`, { answer, maxBytes: 5_000 })
        if (outcome._tag !== "TooLarge") return expect.unreachable(outcome._tag)
        const names = ["x-request-id", "retry-after", "x-nothing"]
        expect([outcome.status, ...names.map(outcome.header)]).toEqual([503, "r-1", "3", undefined])
        await aWhile(20)
        // What was let go is not in the way of the next exchange.
        expect(await get("/status/200", { maxBytes: 5_000 })).toMatchObject({ _tag: "Answered" })
        if (said.endsWith("stated"))
          await eventually(() => expect(server().held.at(-1)?.destroyed).toBe(true))
      })
    }
  }

  for (const oddity of ["large", "chunks"]) {
    test(`is TooLarge beyond the bound, whether the length is stated or not (${oddity}), and lets go`, async () => {
      const before = server().held.length
      expect(await get(`/${oddity}/5000`, { maxBytes: 5_000 })).toMatchObject({ _tag: "Answered" })
      expect(await get(`/${oddity}/3000000`, { maxBytes: 5_000 })).toMatchObject({
        _tag: "TooLarge",
        status: 200
      })
      await eventually(() => expect(server().held.at(-1)?.destroyed).toBe(true))
      expect(server().held).toHaveLength(before + 2)
    })
  }
}

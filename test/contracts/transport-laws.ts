// The laws of the port, which every Transport keeps, also one in the same process.
import type * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import type { Outcome, Request, Transport } from "../../core/ports/transport.js"
import { aWhile, eventually } from "../support/eventually.js"
import { exchange, plainRequest } from "../support/transports.js"
import { using, utf8 } from "./transport-exchanges.js"

/** Requests whose answers are known. */
export interface Subject {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** A path whose answer is 2xx, longer than 10 bytes, and has a `content-type`. */
  readonly found: string
  /** A path whose answer is 404. */
  readonly missing: string
}

/** The laws of the port. */
export const transportLaws = (name: string, layer: Layer.Layer<Transport>, subject: () => Subject): void => {
  describe(`the Transport ${name} keeps the laws of the port:`, () => {
    const transport = using(layer)
    const request = (more: Partial<Request> = {}): Request => {
      const { found, headers, origin } = subject()
      return { ...plainRequest, origin, headers, path: found, ...more }
    }
    const get = (more: Partial<Request> = {}) => exchange(transport(), request(more))

    test("an answer has a status, headers by lower-case name, and its body", async () => {
      const outcome = await get()
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      expect(outcome.status).toBeGreaterThanOrEqual(200)
      expect(outcome.status).toBeLessThan(300)
      expect(outcome.header("content-type")).toContain("json")
      expect(outcome.body.byteLength).toBeGreaterThan(10)
    })

    test("a header that is not there is undefined, whatever an object's prototype has", async () => {
      const outcome = await get()
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      for (const missing of ["x-nothing", "tostring", "constructor", "__proto__"])
        expect(outcome.header(missing)).toBeUndefined()
    })

    test("an error status is an answer", async () => {
      expect(await get({ path: subject().missing })).toMatchObject({ _tag: "Answered", status: 404 })
    })

    test("an answer of just as many bytes as it may have is answered, one byte more is TooLarge", async () => {
      const outcome = await get()
      if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
      const maxBytes = outcome.body.byteLength
      expect(await get({ maxBytes })).toMatchObject({ _tag: "Answered" })
      expect(await get({ maxBytes: maxBytes - 1 })).toMatchObject({
        _tag: "TooLarge",
        status: outcome.status
      })
    })

    test("an error of more bytes than it may have keeps its status and its headers", async () => {
      const outcome = await get({ path: subject().missing, maxBytes: 1 })
      if (outcome._tag !== "TooLarge") return expect.unreachable(outcome._tag)
      expect(outcome.status).toBe(404)
      expect(outcome.header("content-type")).toContain("json")
    })

    test("an answer that is asked for as a stream holds the same bytes, unbounded", async () => {
      const whole = await get()
      const streamed = await get({ answer: "stream", maxBytes: 1 })
      if (whole._tag !== "Answered" || streamed._tag !== "Streaming")
        return expect.unreachable(`${whole._tag}, ${streamed._tag}`)
      expect(streamed.status).toBe(whole.status)
      expect(await new Response(streamed.body).text()).toBe(utf8.decode(whole.body))
    })

    test("an error status is answered whole, also where a stream was asked for", async () => {
      const outcome = await get({ answer: "stream", path: subject().missing })
      expect(outcome).toMatchObject({ _tag: "Answered", status: 404 })
    })

    test("what is abandoned never settles", async () => {
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(), (outcome) => settled.push(outcome))
      abandon()
      abandon()
      await aWhile()
      expect(settled).toEqual([])
    })

    test("what has settled settles once, and can be abandoned to no effect", async () => {
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(), (outcome) => settled.push(outcome))
      await eventually(() => expect(settled).toHaveLength(1))
      abandon()
      await aWhile(20)
      expect(settled).toHaveLength(1)
    })

    test("many exchanges at once each get their own answer", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, n) => get(n % 2 === 0 ? {} : { path: subject().missing }))
      )
      expect(outcomes.map((outcome) => "status" in outcome && outcome.status === 404)).toEqual(
        outcomes.map((_, n) => n % 2 === 1)
      )
    })
  })
}

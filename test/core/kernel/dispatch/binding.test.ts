// A bound call: the function that programs use, its pages, and its download.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { json } from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Chunk, Context, Effect, Fiber, Schema, Stream, TestClock } from "effect"
import { pipe } from "effect/Function"
import { type Bindable, binder } from "../../../../core/kernel/dispatch/dispatcher.js"
import { downloader, pages, text } from "../../../../core/kernel/dispatch/streaming.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"

class Client extends Context.Tag("test/Client")<Client, Bindable>() {}
const bind = binder<"admin">()(Client)
const get = bind(Things.get)
const list = bind(Things.list)
const download = downloader<"admin">()(Client)(Things.download)({ id: "a" })

/** Provides a client over a scripted transport. */
const over = (script: Fake.Script, options: Sample.Options = {}) => {
  const { fake, dispatcher } = Sample.make(script, options)
  return { fake, provide: Effect.provideService(Client, { dispatcher }) }
}

describe("a bound call", () => {
  effect("calls its operation through the client that is provided, and hands its options on", function* () {
    expect([get.operation, get.client]).toEqual([Things.get, "test/Client"])
    const { fake, provide } = over([json(200, { _id: "a" }), json(503, {})])
    expect(yield* provide(get({ id: "a" }))).toEqual({ _id: "a" })
    yield* Effect.flip(provide(get({ id: "a" }, { policy: { attempts: 1, maxBytes: 5 } })))
    expect(fake.exchanges).toHaveLength(2)
    expect(fake.at(1).request).toMatchObject({ path: "/v9/things/a", maxBytes: 5 })
  })

  effect("takes no input for an empty one, where nothing is required", function* () {
    const { fake, provide } = over([json(200, [])])
    yield* provide(list())
    expect(fake.at(0).request.path).toBe("/v9/things")
  })

  effect("narrowed by `as` reads by the caller's schema, through the same client", function* () {
    const { provide } = over([json(200, { _id: "a", size: "5" })])
    const sized = get.as(Schema.Struct({ _id: Entity.Id, size: Schema.NumberFromString }))
    expect(sized.client).toBe("test/Client")
    expect(yield* provide(sized({ id: "a" }))).toEqual({ _id: "a", size: 5 })
    const piped = bind(Things.get.pipe(Operation.as(Schema.Struct({ _id: Schema.Literal("b") }))))
    const refused = Effect.flip(over([json(200, { _id: "a" })]).provide(piped({ id: "a" })))
    expect((yield* refused)._tag).toBe("AnswerError")
  })
})

describe("pages of a bound call", () => {
  const answer = (request: { readonly path: string }) => {
    const { searchParams } = new URL(`https://x.test${request.path}`)
    const page = Number(searchParams.get("page"))
    return json(200, { items: [{ _id: `a${page}` }, { _id: `b${page}` }], pages: 3 })
  }

  effect("are read in a pipe as well, with the input and the options at each page", function* () {
    const { fake, provide } = over(answer)
    const all = yield* provide(
      Stream.runCollect(pipe(list, pages({ typeIn: ["x"] }, { limit: 2, policy: { maxBytes: 999 } })))
    )
    expect([...Chunk.map(all, ({ _id }) => _id)]).toEqual(["a1", "b1", "a2", "b2", "a3", "b3"])
    expect(fake.requests()[1]).toMatchObject({ path: "/v9/things?typeIn=x&page=2&limit=2", maxBytes: 999 })
  })
})

describe("a download", () => {
  /** A body of pieces, which tells whether it was given up. */
  const body = (pieces: ReadonlyArray<string>, ending: "ends" | "waits" | Error = "ends") => {
    const state = { cancelled: false }
    const rest = [...pieces]
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const piece = rest.shift()
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
          else if (ending === "ends") controller.close()
          else if (ending !== "waits") controller.error(ending)
          else return new Promise(() => undefined)
          return undefined
        },
        cancel: () => {
          state.cancelled = true
        }
      },
      { highWaterMark: 0 }
    )
    return { state, outcome: Fake.streaming(stream) }
  }

  effect(
    "is asked for when its stream is run, comes piece by piece, and is repeated until it has begun",
    function* () {
      const busy = json(503, {}, { "retry-after": "0" })
      const { fake, provide } = over([busy, busy, body(["one,", "two,", "ü"]).outcome], {
        policy: { pause: 0 }
      })
      expect(fake.exchanges).toHaveLength(0)
      expect(yield* provide(text(download))).toBe("one,two,ü")
      expect(fake.exchanges).toHaveLength(3)
    }
  )

  effect("is held in memory up to `maxBytes`, and broken off past it", function* () {
    const { outcome, state } = body(["one,", "two,", "ü"], "waits")
    const limited = text(download, { maxBytes: 7, operation: "things.csv" })
    const error = { _tag: "AnswerError", operation: "things.csv", reason: "TooLarge" }
    expect(yield* Effect.flip(over([outcome]).provide(limited))).toMatchObject(error)
    expect(state.cancelled).toBe(true)
  })

  effect.each([
    ["Reset", new TypeError("terminated: canary")],
    ["Protocol", new DOMException("not gzip: canary", "EncodingError")]
  ] as const)(
    "that breaks off fails with a network error (%s), after what has come, without its cause's text",
    function* ([reason, ending]) {
      const { provide } = over([body(["one,"], ending).outcome])
      const pieces: Array<Uint8Array> = []
      const read = Stream.runForEach(download, (piece) => Effect.sync(() => pieces.push(piece)))
      const error = yield* Effect.flip(provide(read))
      expect(error).toMatchObject({ _tag: "NetworkError", reason, operation: "things.download" })
      expect(String(error.cause)).not.toContain("canary")
      expect(pieces).toHaveLength(1)
    }
  )

  effect("that is no longer wanted, or is interrupted, is given up", function* () {
    const wanted = body(["one,", "two,", "three"])
    yield* over([wanted.outcome]).provide(Stream.runDrain(Stream.take(download, 1)))
    const slow = body(["one,"], "waits")
    const fiber = yield* Effect.fork(over([slow.outcome]).provide(Stream.runDrain(download)))
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(fiber)
    expect([wanted.state, slow.state]).toEqual(Array(2).fill({ cancelled: true }))
  })

  effect("that stands still for longer than a call may take fails, and is given up", function* () {
    const { outcome, state } = body(["one,"], "waits")
    const { provide } = over([outcome], { policy: { deadline: 1_000 } })
    const fiber = yield* Effect.fork(Effect.flip(provide(Stream.runDrain(download))))
    yield* TestClock.adjust("999 millis")
    expect(state.cancelled).toBe(false)
    yield* TestClock.adjust("1 millis")
    const late = { _tag: "DeadlineExceeded", operation: "things.download" }
    expect(yield* Fiber.join(fiber)).toMatchObject(late)
    expect(state.cancelled).toBe(true)
  })
})

// Files that are streams: sent as they come where the transport can, read into memory where it cannot, and never empty.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { renewing, settled } from "@quartet/support/dispatcher.js"
import { effect, live } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { json } from "@quartet/support/fake-transport.js"
import { Effect, Either, Exit, Fiber, Schema, TestClock } from "effect"
import { type File, FileSchema, form } from "../../../../core/kernel/codec/form.js"
import { launch } from "../../../../core/kernel/dispatch/launch.js"
import type { CallError } from "../../../../core/kernel/errors/errors.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import { Operation } from "../../../../core/kernel/operation/operation.js"
import * as Level from "../../../../core/permissions/level.js"
import type { AnyRequest, Service } from "../../../../core/ports/transport.js"

const upload: Operation<{ readonly file: File }, unknown, "admin"> = Operation.make("things.upload", () => ({
  method: "POST",
  path: "things/upload",
  audiences: ["admin"],
  input: Schema.Struct({ file: FileSchema }),
  body: form,
  success: Entity.Anything,
  requires: Level.Write
}))

const bytesOf = (text: string) => new Blob([text]).stream()
const file = (content: ReadableStream<Uint8Array> = bytesOf("bytes")) => ({
  file: { content, name: "a.txt", type: "text/plain" }
})
const key = { idempotencyKey: "k-1" }

/** A dispatcher over a transport that can send streams. */
const streaming = (script: Fake.Script, options?: Sample.Options) => {
  const fake = Fake.make(script)
  const streamed: Array<AnyRequest> = []
  const stream: Service["stream"] = (request, settle) => {
    streamed.push(request)
    // The script looks at no body.
    return fake.service.start({ ...request, body: undefined }, settle)
  }
  return { fake, streamed, ...Sample.over({ start: fake.service.start, stream }, options) }
}

const failure = <A>(call: Effect.Effect<A, CallError>) =>
  Effect.map(settled(call), (ended) => Either.getOrThrow(Either.flip(ended)))

/** The text of the file that a request holds. */
const sentIn = ({ body }: AnyRequest) =>
  Effect.promise(async () => {
    const part = body?._tag === "Form" ? body.parts[0] : undefined
    return part !== undefined && "file" in part ? `${part.file.type}: ${await part.file.text()}` : undefined
  })

describe("over a transport that can send streams, a streamed file", () => {
  effect("is handed over unread, once: with another call it would be an empty file", function* () {
    const { call, fake, streamed } = streaming([json(200, {})])
    const input = file()
    yield* settled(call(upload, input))
    const part = { name: "file", stream: input.file.content, type: "text/plain", fileName: "a.txt" }
    expect(streamed.map(({ body }) => body)).toEqual([{ _tag: "Form", parts: [part] }])
    const rule = "was given to a call before: a stream can be read only once"
    const error = yield* failure(call(upload, input))
    expect(error).toMatchObject({ _tag: "InputError", field: "file.content", rule })
    expect(fake.exchanges).toHaveLength(1)
  })

  const failures = [
    ["503", json(503, {}), "ServerFault"],
    ["429", json(429, {}), "RateLimited"],
    ["401, with renewed credentials", json(401, {}), "Unauthenticated"],
    ["a lost answer", Fake.failed("Reset"), "OutcomeUnknown"],
    ["a refused connection", Fake.failed("Refused", false), "NetworkError"]
  ] as const
  effect.each(failures)("is not sent again after %s, with a key or without", function* ([, outcome, tag]) {
    for (const options of [{}, key]) {
      const { call, fake } = streaming([outcome, json(200, {})], renewing())
      expect((yield* failure(call(upload, file(), options)))._tag).toBe(tag)
      expect(fake.exchanges).toHaveLength(1)
    }
  })

  effect("that has no stream is sent as ever", function* () {
    const { call, fake, streamed } = streaming([json(503, {}), json(200, {})])
    yield* settled(call(upload, { file: { content: new Blob(["bytes"]), name: "a.txt" } }, key))
    expect([streamed.length, fake.exchanges.length]).toEqual([0, 2])
  })

  effect("whose call was refused for its input or its options is left to the next one", function* () {
    const { call, fake } = streaming([json(200, {})])
    const { file: original } = file()
    yield* failure(call(upload, { file: { ...original, name: "" } }))
    yield* failure(call(upload, { file: original }, { policy: { attempts: 0 } }))
    expect(fake.exchanges).toHaveLength(0)
    yield* settled(call(upload, { file: original }))
    expect(fake.exchanges).toHaveLength(1)
  })
})

describe("over any other transport, a streamed file", () => {
  effect("is read before it is sent, and so can be sent again, whole", function* () {
    const script = [json(401, {}), json(503, {}), json(200, { _id: "f" })]
    const { fake, dispatcher } = Sample.make(script, renewing())
    const fiber = yield* Effect.fork(dispatcher.call(upload, file(), key))
    while (fiber.unsafePoll() === null) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("1 second")
    }
    expect(yield* Fiber.join(fiber)).toEqual({ _id: "f" })
    expect(yield* Effect.all(fake.requests().map(sentIn))).toEqual(Array(3).fill("text/plain: bytes"))
  })

  live("is sent by a launched call too", function* () {
    const { fake, dispatcher } = Sample.make([json(200, { _id: "f" })])
    const exit = yield* Effect.async<Exit.Exit<unknown, CallError>>((resume) => {
      launch(dispatcher, upload, file(), undefined, (ended) => resume(Effect.succeed(ended)))
    })
    expect(exit).toEqual(Exit.succeed({ _id: "f" }))
    expect(yield* sentIn(fake.at(0).request)).toBe("text/plain: bytes")
  })

  live("that breaks is an error of the input, and nothing is sent", function* () {
    const { fake, dispatcher } = Sample.make([json(200, {})])
    const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("canary"))
    const error = yield* Effect.flip(dispatcher.call(upload, file(new ReadableStream({ pull }))))
    expect(error).toMatchObject({ _tag: "InputError", operation: "things.upload", field: "file.content" })
    expect(JSON.stringify(error)).not.toContain("canary")
    expect(fake.exchanges).toHaveLength(0)
  })

  effect.each(["deadline", "interruption", "close"])("that stands still is given up: %s", function* (end) {
    const { fake, dispatcher } = Sample.make([json(200, {})], { policy: { deadline: 5_000 } })
    let isCancelled = false
    const cancel = () => {
      isCancelled = true
    }
    const fiber = yield* Effect.fork(
      Effect.flip(dispatcher.call(upload, file(new ReadableStream({ cancel }))))
    )
    yield* Effect.yieldNow()
    if (end === "deadline") {
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(fiber))._tag).toBe("DeadlineExceeded")
    } else {
      yield* end === "close" ? dispatcher.lifetime.close : Fiber.interrupt(fiber)
      expect(Exit.isInterrupted(yield* Fiber.await(fiber))).toBe(true)
    }
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    expect([isCancelled, fake.exchanges.length]).toEqual([true, 0])
  })

  effect("is not read where the call is not permitted", function* () {
    const { dispatcher } = Sample.make([json(200, {})], { credentialsProvider: Sample.keys({}) })
    const content = bytesOf("bytes")
    expect((yield* failure(dispatcher.call(upload, file(content))))._tag).toBe("PermissionDenied")
    expect(content.locked).toBe(false)
  })
})

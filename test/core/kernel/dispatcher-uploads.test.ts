// Files that are streams: sent as they come where the transport can, read into memory where it cannot, and never empty.

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { fork } from "../../../clients/promise/run.js"
import { type File, FileSchema } from "../../../core/kernel/codec/form.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { Operation } from "../../../core/kernel/operation/operation.js"
import * as Level from "../../../core/permissions/level.js"
import type { AnyRequest, Service } from "../../../core/ports/transport.js"
import * as Fake from "../../support/fake-transport.js"
import { json } from "../../support/fake-transport.js"
import { renewing } from "./fake-credentials-provider.js"
import { settled } from "./running.js"
import * as Sample from "./sample-dispatcher.js"

const upload: Operation<{ readonly file: File }, unknown, "admin"> = Operation.make("things.upload", () => ({
  method: "POST",
  path: "things/upload",
  audiences: ["admin"],
  input: Schema.Struct({ file: FileSchema }),
  body: "form",
  success: Entity.Anything,
  requires: Level.Write
}))

const bytesOf = (text: string) => new Blob([text]).stream()
const file = (content: ReadableStream<Uint8Array> = bytesOf("bytes")) => ({
  file: { content, name: "a.txt", type: "text/plain" }
})

/** A transport that can send streams, and one that cannot, over one script. */
const streaming = (script: Fake.Script) => {
  const fake = Fake.make(script)
  const streamed: Array<AnyRequest> = []
  const service: Service = {
    start: fake.service.start,
    stream: (request, settle) => {
      streamed.push(request)
      // The script looks at no body.
      return fake.service.start({ ...request, body: undefined }, settle)
    }
  }
  return { fake, streamed, service }
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
  it.effect("is handed over unread", () =>
    Effect.gen(function* () {
      const { fake, service, streamed } = streaming([json(200, {})])
      const content = bytesOf("bytes")
      yield* settled(Sample.over(service).call(upload, file(content)))
      expect(streamed.map(({ body }) => body)).toEqual([
        { _tag: "Form", parts: [{ name: "file", stream: content, type: "text/plain", fileName: "a.txt" }] }
      ])
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  const failures = [
    ["503", json(503, {}), "ServerFault"],
    ["429", json(429, {}), "RateLimited"],
    ["a lost answer", Fake.failed("Reset"), "OutcomeUnknown"],
    ["a refused connection", Fake.failed("Refused", false), "NetworkError"]
  ] as const
  it.effect.each(failures)("is not sent again after %s, with a key or without", ([, outcome, tag]) =>
    Effect.gen(function* () {
      for (const options of [{}, { idempotencyKey: "k-1" }]) {
        const { fake, service } = streaming([outcome, json(200, {})])
        const error = yield* failure(Sample.over(service).call(upload, file(), options))
        expect(error._tag).toBe(tag)
        expect(fake.exchanges).toHaveLength(1)
      }
    })
  )

  it.effect("is not sent again with renewed credentials: the call fails as refused", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = renewing()
      const { fake, service } = streaming([json(401, {}), json(200, {})])
      const error = yield* failure(Sample.over(service, { credentialsProvider }).call(upload, file()))
      expect(error._tag).toBe("Unauthenticated")
      expect(fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("that has no stream is sent as ever", () =>
    Effect.gen(function* () {
      const { fake, service, streamed } = streaming([json(503, {}), json(200, {})])
      const whole = { file: { content: new Blob(["bytes"]), name: "a.txt" } }
      yield* settled(Sample.over(service).call(upload, whole, { idempotencyKey: "k-1" }))
      expect(streamed).toHaveLength(0)
      expect(fake.exchanges).toHaveLength(2)
    })
  )
})

describe("over any other transport, a streamed file", () => {
  it.live("is read before it is sent, and so can be sent again, whole", () =>
    Effect.gen(function* () {
      const { credentialsProvider } = renewing()
      const script = [json(401, {}), json(503, {}), json(200, { _id: "f" })]
      const { fake, dispatcher } = Sample.make(script, { credentialsProvider })
      expect(yield* dispatcher.call(upload, file(), { idempotencyKey: "k-1" })).toEqual({ _id: "f" })
      const sent = yield* Effect.all(fake.requests().map(sentIn))
      expect(sent).toEqual(Array(3).fill("text/plain: bytes"))
    })
  )

  it.live("is sent by a launched call too", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(200, { _id: "f" })])
      const exit = yield* Effect.async<Exit.Exit<unknown, CallError>>((resume) => {
        dispatcher.launch(upload, file(), undefined, fork, (ended) => resume(Effect.succeed(ended)))
      })
      expect(exit).toEqual(Exit.succeed({ _id: "f" }))
      expect(yield* sentIn(fake.at(0).request)).toBe("text/plain: bytes")
    })
  )

  it.live("that breaks is an error of the input, and nothing is sent", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(200, {})])
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new Error("canary"))
      })
      const error = yield* Effect.flip(dispatcher.call(upload, file(broken)))
      expect(error).toMatchObject({ _tag: "InputError", operation: "things.upload", field: "file.content" })
      expect(JSON.stringify(error)).not.toContain("canary")
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("that stands still is given up at the deadline, with the call, and with the client", () =>
    Effect.gen(function* () {
      for (const end of ["deadline", "interruption", "close"]) {
        const { fake, dispatcher } = Sample.make([json(200, {})], { policy: { deadline: 5_000 } })
        let isCancelled = false
        const idle = new ReadableStream<Uint8Array>({
          cancel: () => {
            isCancelled = true
          }
        })
        const fiber = yield* Effect.fork(Effect.either(dispatcher.call(upload, file(idle))))
        yield* Effect.yieldNow()
        if (end === "deadline") {
          yield* TestClock.adjust("5 seconds")
          const ended = yield* Fiber.join(fiber)
          expect(Either.getOrThrow(Either.flip(ended))._tag).toBe("DeadlineExceeded")
        } else if (end === "interruption") yield* Fiber.interrupt(fiber)
        else {
          yield* dispatcher.lifetime.close
          expect(Exit.isInterrupted(yield* Fiber.await(fiber))).toBe(true)
        }
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        expect(isCancelled, end).toBe(true)
        expect(fake.exchanges).toHaveLength(0)
      }
    })
  )

  it.effect("is not read where the call is not permitted", () =>
    Effect.gen(function* () {
      const { dispatcher } = Sample.make([json(200, {})], { credentialsProvider: Sample.keys({}) })
      const content = bytesOf("bytes")
      expect((yield* failure(dispatcher.call(upload, file(content))))._tag).toBe("PermissionDenied")
      expect(content.locked).toBe(false)
    })
  )
})

it.effect("a stream that a call was given is refused by the next one: it would send an empty file", () =>
  Effect.gen(function* () {
    const { fake, service } = streaming([json(200, {})])
    const input = file()
    yield* settled(Sample.over(service).call(upload, input))
    expect(yield* failure(Sample.over(service).call(upload, input))).toMatchObject({
      _tag: "InputError",
      field: "file.content",
      rule: "was given to a call before: a stream can be read only once"
    })
    expect(fake.exchanges).toHaveLength(1)
  })
)

it.effect("a stream whose call was refused for its input or its options is left to the next one", () =>
  Effect.gen(function* () {
    const { fake, service } = streaming([json(200, {})])
    const { call } = Sample.over(service)
    const content = bytesOf("bytes")
    yield* failure(call(upload, { file: { content, name: "" } }))
    yield* failure(call(upload, file(content), { policy: { attempts: 0 } }))
    expect(fake.exchanges).toHaveLength(0)
    yield* settled(call(upload, file(content)))
    expect(fake.exchanges).toHaveLength(1)
  })
)

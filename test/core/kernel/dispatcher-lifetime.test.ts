// The end of a client: what is under way ends with it, whatever it waits for, and nothing is sent afterwards.

import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import { fork } from "../../../clients/promise/run.js"
import * as Public from "../../../clients/public/index.js"
import { Lifetime } from "../../../core/kernel/dispatch/lifetime.js"
import { bytes } from "../../../core/kernel/dispatch/streaming.js"
import type { Transport } from "../../../core/ports/transport.js"
import { aWhile } from "../../support/eventually.js"
import * as Fake from "../../support/fake-transport.js"
import { counting } from "./counting-clock.js"
import * as Sample from "./sample-dispatcher.js"
import { busy, thing } from "./sample-dispatcher.js"
import * as Things from "./sample-operations.js"

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

/** A body of so many pieces, whose end never comes, and its cancellation. */
const endless = (pieces: number) => {
  let told: () => void = () => undefined
  const cancelled = new Promise<void>((resolve) => {
    told = resolve
  })
  let count = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      count += 1
      if (count <= pieces) controller.enqueue(Uint8Array.from([count]))
    },
    cancel: () => told()
  })
  return { body, cancelled }
}

/** Ends a dispatcher in the middle of a call, and answers how the call ended. */
const endedDuring = <A, E>(call: Effect.Effect<A, E>, { dispatcher }: Sample.Made) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.exit(call))
    yield* TestClock.adjust(60)
    yield* dispatcher.lifetime.close
    const exit = yield* Fiber.join(fiber)
    yield* TestClock.adjust("1 hours")
    return exit
  })

describe("the end of a client", () => {
  it.effect("interrupts the calls that wait for their answers, and abandons their exchanges", () =>
    Effect.gen(function* () {
      const made = Sample.make(["waits"])
      const calls = Array.from({ length: 100 }, () =>
        Effect.exit(made.dispatcher.call(Things.get, { id: "a" }))
      )
      const exit = yield* endedDuring(Effect.all(calls, { concurrency: "unbounded" }), made)
      expect(Exit.getOrElse(exit, () => []).filter(isInterrupted)).toHaveLength(100)
      expect(made.fake.count("abandoned")).toBe(100)
    })
  )

  it.effect("interrupts a write too: nobody knows whether it was done", () =>
    Effect.gen(function* () {
      const made = Sample.make(["waits"])
      expect(
        isInterrupted(yield* endedDuring(made.dispatcher.call(Things.create, { payload: {} }), made))
      ).toBe(true)
    })
  )

  it.effect("ends the pause before a repetition, which is not sent", () =>
    Effect.gen(function* () {
      const made = Sample.make([Fake.json(503, {}, { "retry-after": "20" }), thing])
      expect(isInterrupted(yield* endedDuring(made.dispatcher.call(Things.get, { id: "a" }), made))).toBe(
        true
      )
      expect(made.fake.exchanges).toHaveLength(1)
    })
  )

  it.effect("cancels a body that is being read, and never passes its beginning off as the whole", () =>
    Effect.gen(function* () {
      const { body, cancelled } = endless(1)
      const made = Sample.make([Fake.streaming(body)])
      const download = Stream.runCollect(bytes(made.dispatcher, Things.download, { id: "a" }, undefined))
      const fiber = yield* Effect.fork(Effect.exit(download))
      yield* Effect.promise(() => aWhile(20))
      yield* made.dispatcher.lifetime.close
      expect(isInterrupted(yield* Fiber.join(fiber))).toBe(true)
      yield* Effect.promise(() => cancelled)
    })
  )

  it.effect("cancels a body whose reader is busy, and interrupts it when it comes back", () =>
    Effect.gen(function* () {
      const { body, cancelled } = endless(10)
      const made = Sample.make([Fake.streaming(body)])
      const [isReading, mayGoOn] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const busy = Effect.zipRight(Deferred.succeed(isReading, undefined), Deferred.await(mayGoOn))
      const download = Stream.runForEach(
        bytes(made.dispatcher, Things.download, { id: "a" }, undefined),
        () => busy
      )
      const fiber = yield* Effect.fork(Effect.exit(download))
      yield* Deferred.await(isReading)
      yield* made.dispatcher.lifetime.close
      yield* Effect.promise(() => cancelled)
      yield* Deferred.succeed(mayGoOn, undefined)
      expect(isInterrupted(yield* Fiber.join(fiber))).toBe(true)
    })
  )

  it.effect("is told to later calls as an InputError, and nothing is sent", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([thing])
      yield* dispatcher.lifetime.close
      const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
      expect(error).toMatchObject({ _tag: "InputError", operation: "things.get", field: "client" })
      expect(error.message).toContain("is closed: make a new one")
      const exits: Array<Exit.Exit<unknown, unknown>> = []
      dispatcher.launch(Things.get, { id: "a" }, undefined, fork, (exit) => void exits.push(exit))
      expect(exits).toMatchObject([{ _tag: "Failure", cause: { error: { field: "client" } } }])
      expect(fake.exchanges).toHaveLength(0)
    })
  )

  it.effect("leaves other clients alone, on the same transport and the same clock", () =>
    Effect.gen(function* () {
      const fake = Fake.make(["waits"])
      const [one, other] = [Sample.over(fake.service), Sample.over(fake.service)]
      const fiber = yield* Effect.fork(Effect.flip(other.call(Things.get, { id: "a" })))
      yield* TestClock.adjust(60)
      yield* one.lifetime.close
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "DeadlineExceeded" })
    })
  )

  it.effect("can come twice, and in the middle of a call's own end", () =>
    Effect.gen(function* () {
      const made = Sample.make([busy, "waits"])
      const fiber = yield* Effect.fork(Effect.exit(made.dispatcher.call(Things.get, { id: "a" })))
      yield* TestClock.adjust(300)
      yield* Effect.all(
        [Fiber.interruptFork(fiber), made.dispatcher.lifetime.close, made.dispatcher.lifetime.close],
        {
          concurrency: "unbounded"
        }
      )
      expect(isInterrupted(Exit.flatten(yield* Fiber.await(fiber)))).toBe(true)
      expect(made.fake.count("open")).toBe(0)
    })
  )
})

/** A lifetime that counts what it had to end. */
class Counting extends Lifetime {
  ended = 0
  override enter(end: () => Effect.Effect<void>): () => void {
    return super.enter(() => {
      this.ended += 1
      return end()
    })
  }
}

describe("a call that is over", () => {
  /** What is left of calls that have come to their end: entries that the client ends with itself, and sleeps. */
  const remains = (
    script: Fake.Script,
    call: (made: Sample.Made) => Effect.Effect<unknown>
  ): Effect.Effect<{ readonly entries: number; readonly sleeps: number }> =>
    Effect.gen(function* () {
      const lifetime = new Counting(Effect.runFork)
      const made = Sample.make(script, { lifetime })
      const { clock, open } = yield* counting
      yield* Effect.withClock(call(made), clock)
      // Past the first look for deadlines: the next one is only for those that were kept.
      yield* TestClock.adjust(60)
      const sleeps = open()
      yield* lifetime.close
      return { entries: lifetime.ended, sleeps }
    })

  const nothing = { entries: 0, sleeps: 0 }
  const get = ({ dispatcher }: Sample.Made) => Effect.exit(dispatcher.call(Things.get, { id: "a" }))
  /** Leaves a call after some time. */
  const left =
    (millis: number) =>
    (made: Sample.Made): Effect.Effect<unknown> =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(get(made))
        yield* TestClock.adjust(millis)
        return yield* Fiber.interrupt(fiber)
      })
  const download = ({ dispatcher }: Sample.Made) => bytes(dispatcher, Things.download, { id: "a" }, undefined)

  it.effect("with its answer leaves neither a deadline nor an entry in its client", () =>
    Effect.gen(function* () {
      expect(yield* remains([thing], get)).toEqual(nothing)
    })
  )
  it.effect("with a failure leaves none", () =>
    Effect.gen(function* () {
      expect(yield* remains([Fake.json(404, {})], get)).toEqual(nothing)
    })
  )
  it.effect("after repetitions leaves none", () =>
    Effect.gen(function* () {
      const again = (made: Sample.Made) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(get(made))
          yield* TestClock.adjust("20 seconds")
          return yield* Fiber.join(fiber)
        })
      expect(yield* remains([busy, busy, thing], again)).toEqual(nothing)
    })
  )
  it.effect("because its caller left leaves none, neither while it waits nor in a pause", () =>
    Effect.gen(function* () {
      expect(yield* remains(["waits"], left(1))).toEqual(nothing)
      expect(yield* remains(["waits"], left(1_000))).toEqual(nothing)
      expect(yield* remains([Fake.json(503, {}, { "retry-after": "20" })], left(100))).toEqual(nothing)
    })
  )
  it.effect("because its deadline passed leaves none", () =>
    Effect.gen(function* () {
      const late = (made: Sample.Made) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(get(made))
          yield* TestClock.adjust("1 minute")
          return yield* Fiber.join(fiber)
        })
      expect(yield* remains(["waits"], late)).toEqual(nothing)
    })
  )
  it.effect("whose transport threw leaves none", () =>
    Effect.gen(function* () {
      const throws = (): Fake.Reply => {
        throw new Error("an adapter's fault")
      }
      expect(yield* remains(throws, get)).toEqual(nothing)
    })
  )
  it.effect("with its download read, or left, leaves none", () =>
    Effect.gen(function* () {
      const whole = Fake.streaming(new Blob(["abc"]).stream())
      expect(yield* remains([whole], (made) => Effect.exit(Stream.runDrain(download(made))))).toEqual(nothing)
      const part = Fake.streaming(endless(3).body)
      const first = (made: Sample.Made) => Effect.exit(Stream.runDrain(Stream.take(download(made), 1)))
      expect(yield* remains([part], first)).toEqual(nothing)
    })
  )
})

describe("a layer", () => {
  const baseUrl = "https://api.example.test"
  const keys = { baseUrl, apiKey: "key" }

  /** Ends a layer in the middle of a call. */
  const ends = <Id>(
    layer: Layer.Layer<Id, unknown, Transport>,
    call: Effect.Effect<unknown, { readonly _tag: string }, Id>
  ) =>
    Effect.gen(function* () {
      const fake = Fake.make(["waits"])
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Layer.provide(layer, fake.layer), scope)
      const fiber = yield* Effect.fork(Effect.exit(Effect.provide(call, context)))
      yield* TestClock.adjust(60)
      expect(fake.count("open")).toBeGreaterThan(0)
      yield* Scope.close(scope, Exit.void)
      expect(isInterrupted(yield* Fiber.join(fiber))).toBe(true)
      expect(fake.count("open")).toBe(0)
      const sent = fake.exchanges.length
      expect(yield* Effect.flip(Effect.provide(call, context))).toMatchObject({ field: "client" })
      yield* TestClock.adjust("1 hours")
      expect(fake.exchanges).toHaveLength(sent)
    })

  const login = { email: "ada@example.test", password: "secret" }

  it.effect("of an admin ends what is under way with its scope, a sign-in too", () =>
    ends(Admin.layer({ baseUrl, projectId: "p", ...login }), Admin.requests.list({}))
  )
  it.effect("of a visitor ends what is under way with its scope", () =>
    ends(Public.layer(keys), Public.boxes.list())
  )
  it.effect("of a server ends what is under way with its scope", () =>
    ends(Private.layer({ baseUrl, privateKey: "key" }), Private.project.self())
  )
  it.effect("of an end user ends what is under way with its scope", () =>
    ends(EndUser.layer({ ...keys, sessionId: "session" }), EndUser.boxes.list())
  )
  it.effect("of an end user ends a value that is read on demand, for all who wait for it", () =>
    ends(
      EndUser.layer({ ...keys, sessionId: "session" }),
      Effect.all([EndUser.onDemand.me.get, EndUser.onDemand.me.get], { concurrency: 2 })
    )
  )
})

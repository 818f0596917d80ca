// The ends of a call that nobody waits for any longer: interrupted, launched without a fiber, broken, or its client's end.
import { describe, expect, it } from "@effect/vitest"
import { counting } from "@quartet/support/counting-clock.js"
import * as Sample from "@quartet/support/dispatcher.js"
import { busy, thing } from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { aWhile, eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import * as Things from "@quartet/support/things.js"
import { Cause, Chunk, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream, TestClock } from "effect"
import * as Admin from "../../../../clients/admin/index.js"
import * as EndUser from "../../../../clients/end-user/index.js"
import * as Private from "../../../../clients/private/index.js"
import * as Public from "../../../../clients/public/index.js"
import { launch } from "../../../../core/kernel/dispatch/launch.js"
import { Lifetime } from "../../../../core/kernel/dispatch/lifetime/lifetime.js"
import { bytes } from "../../../../core/kernel/dispatch/pulls.js"
import { streamed } from "../../../../core/kernel/dispatch/streaming.js"
import type { CallError } from "../../../../core/kernel/errors/errors.js"
import type { Outcome, Transport } from "../../../../core/ports/transport.js"

const late = Fake.json(503, {}, { "retry-after": "20" })
const throws = (): never => {
  throw new Error("broken adapter")
}
const sleeping = Effect.map(TestClock.sleeps(), Chunk.size)
const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

/** A body of so many pieces, whose end never comes, and its cancellation. */
const endless = (pieces: number) => {
  let resolveCancelled: () => void = () => undefined
  const cancelled = new Promise<void>((resolve) => {
    resolveCancelled = resolve
  })
  let count = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      count += 1
      if (count <= pieces) controller.enqueue(Uint8Array.from([count]))
    },
    cancel: () => resolveCancelled()
  })
  return { body, cancelled: Effect.promise(() => cancelled) }
}

describe("a call that is interrupted", () => {
  const waiting = { ...Sample.keys(), current: () => undefined, getCredentials: () => Effect.never }
  effect.each<readonly [string, Fake.Script, Sample.Options, sent: number]>([
    ["in flight abandons its exchange", ["waits"], {}, 1],
    ["in a pause sends nothing more", [busy, thing], {}, 1],
    ["while it waits for credentials sends nothing", [thing], { credentialsProvider: waiting }, 0]
  ])("%s", function* ([, script, options, sent]) {
    const { fake, fiber } = yield* Sample.start(script, "get", options)
    yield* TestClock.adjust("1 millis")
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("10 seconds")
    expect([fake.count("open"), fake.exchanges.length]).toEqual([0, sent])
    if (sent > 0) expect(yield* sleeping).toBe(0)
  })

  effect("just as the bytes of its answer begin to come gives them up", function* () {
    const { body, cancelled } = endless(0)
    const { fake, fiber } = yield* Sample.start(["waits"], "download")
    fake.at(0).settle(Fake.streaming(body))
    yield* Fiber.interrupt(fiber)
    yield* cancelled
  })
})

describe("a call without a fiber, as Promise clients start it,", () => {
  const launched = (script: Fake.Script, options: Sample.Options = {}) => {
    const { fake, dispatcher } = Sample.make(script, options)
    const exits: Array<Exit.Exit<unknown, CallError>> = []
    const cancel = launch(dispatcher, Things.get, { id: "a" }, undefined, (exit) => exits.push(exit))
    return { fake, exits, cancel }
  }
  const answered = Exit.succeed({ _id: "a" })
  const late = Exit.fail({ _tag: "DeadlineExceeded" })

  it.each<readonly [string, Fake.Script, Sample.Options, object, number]>([
    ["ends with its value", [thing], {}, answered, 1],
    ["is repeated like any other", [busy, busy, thing], { policy: { pause: 1 } }, answered, 3],
    ["ends at its deadline", ["waits"], { policy: { deadline: 5 } }, late, 1],
    ["dies where its transport throws", throws, {}, Exit.die({ message: "broken adapter" }), 1]
  ])("%s", async (_, script, options, exit, sent) => {
    const { exits, fake } = launched(script, options)
    await eventually(() => expect(exits).toHaveLength(1))
    expect(exits).toMatchObject([exit])
    expect([fake.exchanges.length, fake.count("open")]).toEqual([sent, script === throws ? 1 : 0])
  })

  it.each<readonly [string, Fake.Script]>([
    ["in flight", ["waits"]],
    ["in its second attempt", [Fake.json(503, {}, { "retry-after": "0" }), "waits"]]
  ])("that is cancelled %s abandons that exchange, and ends in nothing", async (_, script) => {
    const { cancel, exits, fake } = launched(script)
    await eventually(() => expect(fake.count("open")).toBe(1))
    cancel()
    cancel()
    await eventually(() => expect(fake.count("abandoned")).toBe(1))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(exits).toEqual([])
  })
})

describe("a transport that misbehaves", () => {
  const broken: Outcome = { _tag: "Answered", status: 503, header: throws, body: new Uint8Array() }
  effect.each<readonly [string, Fake.Script]>([
    ["when it starts", throws],
    ["when its answer is read", [broken]]
  ])("by throwing %s makes the call die, and not hang", function* ([, script]) {
    const exit = yield* Effect.exit(Sample.call(Sample.make(script).dispatcher, "get"))
    expect(exit).toMatchObject(Exit.die({ message: "broken adapter" }))
    yield* TestClock.adjust("50 millis")
    expect(yield* sleeping).toBe(0)
  })

  effect("by throwing when it is abandoned does not keep the deadline from ending the call", function* () {
    const policy = { deadline: 100 }
    const dispatchers = [
      Sample.over({ start: () => throws }, { policy }),
      Sample.make(["waits"], { policy }).dispatcher
    ]
    const calls = dispatchers.map((dispatcher) => Effect.flip(Sample.call(dispatcher, "get")))
    const fiber = yield* Effect.fork(Effect.all(calls, { concurrency: 2 }))
    yield* TestClock.adjust("100 millis")
    expect((yield* Fiber.join(fiber)).map(({ _tag }) => _tag)).toEqual(Array(2).fill("DeadlineExceeded"))
  })
})

describe("the end of a client", () => {
  /** Ends a client in the middle of an effect, and answers how that ended. */
  const endedDuring = <A, E>({ dispatcher }: Sample.Made, effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.exit(effect))
      yield* TestClock.adjust(60)
      yield* dispatcher.lifetime.close
      const exit = yield* Fiber.join(fiber)
      yield* TestClock.adjust("1 hours")
      return exit
    })

  effect.each<readonly [string, Fake.Script, Sample.Named]>([
    ["interrupts calls that wait for their answers, and abandons their exchanges", ["waits"], "get"],
    ["interrupts writes too: nobody knows whether they were done", ["waits"], "create"],
    ["ends the pauses before repetitions, which are not sent", [late], "get"]
  ])("%s", function* ([, script, name]) {
    const sample = Sample.make(script)
    const calls = Sample.together(50, Effect.exit(Sample.call(sample.dispatcher, name)))
    const exit = yield* endedDuring(sample, calls)
    expect(Exit.getOrElse(exit, () => []).filter(isInterrupted)).toHaveLength(50)
    expect([sample.fake.exchanges.length, sample.fake.count("open")]).toEqual([50, 0])
  })

  effect.each([1, 10])(
    "cancels a body of %d pieces that is read, whose reader is interrupted",
    function* (pieces) {
      const { body, cancelled } = endless(pieces)
      const sample = Sample.make([Fake.streaming(body)])
      const [isReading, mayGoOn] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const read = Effect.zipRight(Deferred.succeed(isReading, undefined), Deferred.await(mayGoOn))
      const download = streamed(bytes(sample.dispatcher, Things.download, { id: "a" }, undefined))
      const fiber = yield* Effect.fork(Effect.exit(Stream.runForEach(download, () => read)))
      yield* Deferred.await(isReading)
      // The reader of one piece waits for the next one, that of ten is busy.
      if (pieces === 1) yield* Deferred.succeed(mayGoOn, undefined)
      yield* Effect.promise(() => aWhile(20))
      yield* sample.dispatcher.lifetime.close
      yield* cancelled
      yield* Deferred.succeed(mayGoOn, undefined)
      expect(isInterrupted(yield* Fiber.join(fiber))).toBe(true)
    }
  )

  effect("is told to later calls as an InputError, and nothing is sent", function* () {
    const { fake, dispatcher } = Sample.make([thing])
    yield* dispatcher.lifetime.close
    const error = yield* Effect.flip(dispatcher.call(Things.get, { id: "a" }))
    expect(error).toMatchObject({ _tag: "InputError", operation: "things.get", field: "client" })
    expect(error.message).toContain("is closed: make a new one")
    const exits: Array<Exit.Exit<unknown, unknown>> = []
    launch(dispatcher, Things.get, { id: "a" }, undefined, (exit) => void exits.push(exit))
    expect(exits).toMatchObject([Exit.fail({ field: "client" })])
    expect(fake.exchanges).toHaveLength(0)
  })

  effect("leaves other clients alone, on the same transport and the same clock", function* () {
    const fake = Fake.make(["waits"])
    const [first, second] = [Sample.over(fake.service), Sample.over(fake.service)]
    const fiber = yield* Effect.fork(Effect.flip(Sample.call(second, "get")))
    yield* TestClock.adjust(60)
    yield* first.lifetime.close
    yield* TestClock.adjust("30 seconds")
    expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "DeadlineExceeded" })
  })

  effect("can come twice, and in the middle of a call's own end", function* () {
    const { dispatcher, fake } = Sample.make([busy, "waits"])
    const fiber = yield* Effect.fork(Sample.call(dispatcher, "get"))
    yield* TestClock.adjust(300)
    const { close } = dispatcher.lifetime
    yield* Effect.all([Fiber.interruptFork(fiber), close, close], { concurrency: "unbounded" })
    expect(isInterrupted(yield* Fiber.await(fiber))).toBe(true)
    expect(fake.count("open")).toBe(0)
  })
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
  const get = ({ dispatcher }: Sample.Made) => Effect.exit(Sample.call(dispatcher, "get"))
  const after =
    (time: Parameters<typeof TestClock.adjust>[0], isLeft = false) =>
    (sample: Sample.Made) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(get(sample))
        yield* TestClock.adjust(time)
        yield* isLeft ? Fiber.interrupt(fiber) : Fiber.join(fiber)
      })
  const download = ({ dispatcher }: Sample.Made) =>
    streamed(bytes(dispatcher, Things.download, { id: "a" }, undefined))
  const left = (sample: Sample.Made) => Effect.exit(Stream.runDrain(Stream.take(download(sample), 1)))
  const whole = Fake.streaming(new Blob(["abc"]).stream())

  effect.each<readonly [string, Fake.Script, (sample: Sample.Made) => Effect.Effect<unknown>]>([
    ["with its answer", [thing], get],
    ["with a failure", [Fake.json(404, {})], get],
    ["after repetitions", [busy, busy, thing], after("20 seconds")],
    ["because its caller left at once", ["waits"], after(1, true)],
    ["because its caller left while it waited", ["waits"], after(1_000, true)],
    ["because its caller left in a pause", [late], after(100, true)],
    ["because its deadline passed", ["waits"], after("1 minute")],
    ["whose transport threw", throws, get],
    ["with its download read", [whole], (sample) => Effect.exit(Stream.runDrain(download(sample)))],
    ["with its download left", [Fake.streaming(endless(3).body)], left]
  ])("%s leaves neither a deadline nor an entry in its client", function* ([, script, call]) {
    const lifetime = new Counting(Effect.runFork)
    const { clock, open } = yield* counting
    yield* Effect.withClock(call(Sample.make(script, { lifetime })), clock)
    // Past the first look for deadlines: the next one is only for those that were kept.
    yield* TestClock.adjust(60)
    const sleeps = open()
    yield* lifetime.close
    expect({ entries: lifetime.ended, sleeps }).toEqual({ entries: 0, sleeps: 0 })
  })
})

describe("the scope of a layer ends what is under way", () => {
  const baseUrl = "https://api.example.test"
  const endUser = EndUser.layer({ baseUrl, apiKey: "key", sessionId: "session" })
  const login = { email: "ada@example.test", password: "secret" }

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

  effect("of an admin, a sign-in too", () =>
    ends(Admin.layer({ baseUrl, projectId: "p", ...login }), Admin.requests.list({}))
  )
  effect("of a visitor", () => ends(Public.layer({ baseUrl, apiKey: "key" }), Public.boxes.list()))
  effect("of a server", () => ends(Private.layer({ baseUrl, privateKey: "key" }), Private.project.self()))
  effect("of an end user", () => ends(endUser, EndUser.boxes.list()))
  effect("of an end user's value that is read on demand, for all who wait for it", () =>
    ends(endUser, Sample.together(2, EndUser.onDemand.me.get))
  )
})

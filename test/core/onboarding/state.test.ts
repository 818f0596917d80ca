// Onboarding held in memory: the demo's figures, completing a task, accepting a document, and watching it happen.
import { describe, expect, it } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Chunk, Effect, Schema, Stream, TestClock } from "effect"
import { makeDemo } from "../../../core/onboarding/demo.js"
import { Onboarding } from "../../../core/onboarding/model.js"
import * as State from "../../../core/onboarding/state.js"

const noon = Date.UTC(2024, 4, 1, 12)

const demo = makeDemo()

describe("the demo data", () => {
  // Spec 3.4, 3.5
  it("is what the model says", () => {
    expect(Schema.is(Onboarding)(demo)).toBe(true)
  })

  // Spec 9.3
  effect("has the specification's prices", function* () {
    const { billing } = yield* State.make()
    const prices = (yield* billing).map(({ price, service, unit }) => [service, price, unit])
    expect(prices).toEqual([
      ["SMS worldwide", 0.35, "piece"],
      ["SMS Georgia", 0.004, "piece"],
      ["Monthly hosting", 100, "month"]
    ])
  })

  // Spec 3.7, 9.4
  effect("has the specification's figures", function* () {
    const { stats } = yield* State.make()
    expect(yield* stats).toEqual({
      userCount: 3,
      contentCount: 11,
      registeredUserCount: 5,
      currentBillAmount: { amount: 7.11, currency: "USD" }
    })
  })

  // Spec 3.6
  it("agrees every price by a document that can be accepted", () => {
    const titles = new Map(demo.documents.map(({ id, title }) => [id, title]))
    expect(demo.billing.map(({ agreement }) => titles.get(agreement.id) === agreement.title)).toEqual([
      true,
      true,
      true
    ])
  })
})

describe("completing a task", () => {
  // Spec 4.11
  effect("marks it as complete", function* () {
    const { complete, tasks } = yield* State.make()
    const task = { id: "billing-onboarding", type: "billing-onboarding", isCompleted: false }
    expect(yield* tasks).toEqual([task])
    expect(yield* complete("billing-onboarding")).toEqual({ ...task, isCompleted: true })
    expect(yield* tasks).toEqual([{ ...task, isCompleted: true }])
  })

  effect("twice leaves it complete", function* () {
    const { complete, tasks } = yield* State.make()
    yield* complete("billing-onboarding")
    yield* complete("billing-onboarding")
    expect((yield* tasks).map(({ isCompleted }) => isCompleted)).toEqual([true])
  })

  effect("fails where there is no such task", function* () {
    const { complete, tasks } = yield* State.make()
    const error = yield* Effect.flip(complete("holidays"))
    expect(error).toMatchObject({ _tag: "UnknownId", kind: "task", id: "holidays" })
    expect(error.message).toBe('onboarding: there is no task "holidays"')
    expect(yield* tasks).toEqual(demo.tasks)
  })
})

describe("accepting a document", () => {
  // Spec 4.11
  effect("notes when and by whom", function* () {
    const { accept, documents } = yield* State.make()
    yield* TestClock.setTime(noon)
    const accepted = yield* accept("service-agreement", "nino@example.test")
    expect(accepted).toMatchObject({
      id: "service-agreement",
      isAccepted: true,
      acceptedAt: new Date(noon),
      acceptedBy: "nino@example.test"
    })
    const [first, second] = yield* documents
    expect(first).toEqual(accepted)
    expect(second).toMatchObject({ isAccepted: false, acceptedAt: null, acceptedBy: null })
  })

  effect("a second time keeps the first acceptance", function* () {
    const { accept } = yield* State.make()
    yield* TestClock.setTime(noon)
    const first = yield* accept("service-agreement", "nino@example.test")
    yield* TestClock.adjust("1 hour")
    expect(yield* accept("service-agreement", "giorgi@example.test")).toEqual(first)
  })

  effect("fails where nobody is named, and accepts nothing", function* () {
    const { accept, documents } = yield* State.make()
    for (const by of ["", "  ", undefined as unknown as string, 7 as unknown as string]) {
      const error = yield* Effect.flip(accept("service-agreement", by))
      expect(error).toMatchObject({ _tag: "InputError", operation: "onboarding.accept", field: "by" })
    }
    expect(yield* documents).toEqual(demo.documents)
  })

  effect("fails where there is no such document", function* () {
    const { accept, documents } = yield* State.make()
    const error = yield* Effect.flip(accept("lease", "nino@example.test"))
    expect(error).toMatchObject({ _tag: "UnknownId", kind: "document", id: "lease" })
    expect(yield* documents).toEqual(demo.documents)
  })
})

describe("the state", () => {
  effect("can be watched from the present on", function* () {
    const { accept, changes, complete } = yield* State.make()
    const next = yield* Stream.toPull(
      Stream.map(changes, ({ documents, tasks }) => [tasks[0]?.isCompleted, documents[0]?.isAccepted])
    )
    expect(Chunk.toReadonlyArray(yield* next)).toEqual([[false, false]])
    yield* complete("billing-onboarding")
    expect(Chunk.toReadonlyArray(yield* next)).toEqual([[true, false]])
    yield* accept("service-agreement", "nino@example.test")
    expect(Chunk.toReadonlyArray(yield* next)).toEqual([[true, true]])
  })

  effect("is told to nobody again where nothing changes", function* () {
    const { accept, changes, complete } = yield* State.make()
    const next = yield* Stream.toPull(changes)
    yield* next
    for (const by of ["nino@example.test", "giorgi@example.test"]) {
      yield* complete("billing-onboarding")
      yield* accept("service-agreement", by)
    }
    yield* accept("data-processing-agreement", "nino@example.test")
    expect(Chunk.size(yield* next)).toBe(3)
  })

  effect(
    "is changed by nothing that is done to what it answers, what it was given, or the demo",
    function* () {
      const spoil = (value: unknown): void => {
        if (value instanceof Date) value.setTime(0)
        else if (typeof value === "object" && value !== null)
          for (const [name, field] of Object.entries(value)) {
            spoil(field)
            Reflect.set(value, name, null)
          }
      }
      const own = makeDemo()
      const expected = structuredClone(own)
      const states = [yield* State.make(), yield* State.make(own)]
      spoil(own)
      for (const state of states) {
        spoil(yield* state.tasks)
        spoil(yield* state.documents)
        spoil(yield* state.billing)
        spoil(yield* state.stats)
        spoil(Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(state.changes, 1))))
        expect([yield* state.tasks, yield* state.documents]).toEqual([expected.tasks, expected.documents])
        expect([yield* state.billing, yield* state.stats]).toEqual([expected.billing, expected.stats])
        spoil(yield* state.complete("billing-onboarding"))
        spoil(yield* state.accept("service-agreement", "nino@example.test"))
        expect((yield* state.tasks)[0]).toEqual({ ...expected.tasks[0], isCompleted: true })
        expect((yield* state.documents)[0]?.validFrom).toEqual(expected.documents[0]?.validFrom)
      }
      const fresh = yield* State.make()
      expect(yield* fresh.documents).toEqual(expected.documents)
    }
  )

  effect("is its owner's alone", function* () {
    const first = yield* State.make()
    const second = yield* State.make()
    yield* first.complete("billing-onboarding")
    expect(yield* second.tasks).toEqual(demo.tasks)
  })

  it.effect("can be a project's own", () =>
    Effect.gen(function* () {
      const { tasks } = yield* State.State
      expect(yield* tasks).toEqual([])
    }).pipe(Effect.provide(State.layer({ ...demo, tasks: [] })))
  )
})

// @vitest-environment happy-dom
// What effect-rx does otherwise than these bindings promise: the reason for each part that they do not take from it.
import { Hydration, RegistryProvider, Result, Rx, useRxSuspense, useRxValue } from "@effect-rx/rx-react"
import { makeScreen, render, withRoot } from "@quartet/support/react.js"
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { Activity, act, Suspense } from "react"
import { expect, test, vi } from "vitest"

withRoot()

/** An effect that counts how often it was begun and given up. */
const counting = () => {
  const counts = { begun: 0, interrupted: 0 }
  const effect = Effect.async<number>(() => {
    counts.begun += 1
    return Effect.sync(() => {
      counts.interrupted += 1
    })
  })
  return { counts, effect }
}

/** An effect that answers how often it was run. */
const counter = () => {
  let count = 0
  return Effect.sync(() => {
    count += 1
    return count
  })
}

test("pull: an empty list is an error", async () => {
  const { last } = await makeScreen().observe(Rx.pull(Stream.empty))
  expect(last()).toMatchObject({ _tag: "Failure", cause: { error: { _tag: "NoSuchElementException" } } })
})

test("pull: after a page that failed, no message reads on", async () => {
  const requestedPages: Array<number> = []
  const pages = Stream.paginateEffect(1, (page) => {
    requestedPages.push(page)
    return page === 2 ? Effect.fail("down") : Effect.succeed([page, Option.some(page + 1)] as const)
  })
  const list = Rx.pull(pages)
  const { observe, send } = makeScreen()
  const { last } = await observe(list)
  for (const _ of [1, 2]) await send(list, undefined)
  expect(last()).toMatchObject({ _tag: "Failure", previousSuccess: { value: { value: { items: [1] } } } })
  expect(requestedPages).toEqual([1, 2])
})

test("refreshOnWindowFocus: asks again, however young the answer is", () => {
  const { registry, watch } = makeScreen()
  // By itself, it does not even begin to listen.
  registry.mount(Rx.windowFocusSignal)
  const { last } = watch(Rx.refreshOnWindowFocus(Rx.make(counter())))
  window.dispatchEvent(new Event("visibilitychange"))
  expect(Result.getOrThrow(last())).toBe(2)
})

test("idleTTL: while an idle value is kept, its exchange goes on", async () => {
  const { counts, effect } = counting()
  await makeScreen().visit(Rx.setIdleTTL(Rx.make(effect), "1 minute"))
  expect(counts).toEqual({ begun: 1, interrupted: 0 })
})

test("results: an equal answer is another object", () => {
  const query = Rx.make(Effect.sync(() => ({ rows: [1] })))
  const { registry, watch } = makeScreen()
  const { last } = watch(query)
  const before = Result.getOrThrow(last())
  registry.refresh(query)
  expect(Result.getOrThrow(last())).not.toBe(before)
})

test("optimistic: an answer that comes meanwhile removes the change", async () => {
  const query = Rx.make(counter())
  const shown = Rx.optimistic(query)
  const write = Rx.optimisticFn(shown, {
    reducer: (_, value: number) => Result.success(value),
    fn: Rx.fn((_: number) => Effect.never)
  })
  const { registry, send, watch } = makeScreen()
  const { last } = watch(shown)
  watch(write)
  await send(write, 100)
  expect(Result.getOrThrow(last())).toBe(100)
  registry.refresh(query)
  expect(Result.getOrThrow(last())).toBe(2)
})

test("Hydration: an older answer replaces a newer one, and a spoilt one throws where it is read", () => {
  const number = Rx.serializable(Rx.make(0), { key: "n", schema: Schema.Number })
  const { registry, watch } = makeScreen()
  const { last } = watch(number)
  registry.set(number, 2)
  Hydration.hydrate(registry, [{ key: "n", value: 1, dehydratedAt: 0 }])
  registry.get(number)
  expect(last()).toBe(1)
  Hydration.hydrate(registry, [{ key: "n", value: "spoilt", dehydratedAt: 0 }])
  expect(() => registry.get(number)).toThrow("Expected number")
})

test("fn: a write is given up by the next one", async () => {
  const { counts, effect } = counting()
  const write = Rx.keepAlive(Rx.fn(() => effect))
  const { send } = makeScreen()
  for (const _ of [1, 2]) await send(write, undefined)
  expect(counts).toEqual({ begun: 2, interrupted: 1 })
})

test("runtime: a sign-in that is refused takes the client away that there was", async () => {
  class Client extends Context.Tag("Client")<Client, string>() {}
  const password = Rx.make("right")
  const layerFor = (candidate: string) =>
    Layer.effect(Client, candidate === "right" ? Effect.succeed("ann") : Effect.fail("refused"))
  const query = Rx.runtime((get) => Layer.fresh(layerFor(get(password)))).rx(
    Effect.flatMap(Client, Effect.succeed)
  )
  const { observe, send } = makeScreen()
  const { last } = await observe(query)
  expect(Result.getOrThrow(last())).toBe("ann")
  await send(password, "wrong")
  expect(last()).toMatchObject({ _tag: "Failure", cause: { error: "refused" } })
})

test("useRxSuspense: an exchange that no component waits for any more goes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const { counts, effect } = counting()
  const query = Rx.make(effect)
  const Shown = () => useRxSuspense(query).value
  await render(
    <Suspense>
      <Shown />
    </Suspense>
  )
  await render(null)
  await act(() => vi.advanceTimersByTimeAsync(3_600_000))
  expect(counts).toEqual({ begun: 1, interrupted: 0 })
  vi.useRealTimers()
})

test("RegistryProvider: what was hidden for half a second cannot be shown again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const shared = Rx.make(1)
  const Shown = () => useRxValue(shared)
  const inside = (
    <RegistryProvider>
      <Shown />
    </RegistryProvider>
  )
  const showAs = (mode: "visible" | "hidden") => render(<Activity mode={mode}>{inside}</Activity>)
  await showAs("visible")
  await showAs("hidden")
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  const fault: unknown = await Promise.resolve(showAs("visible")).catch((error: unknown) => error)
  expect(String(fault instanceof AggregateError ? fault.errors : fault)).toContain("registry is disposed")
  vi.useRealTimers()
})

test("useRxValue: what an Activity hides is observed by its render", async () => {
  const { counts, effect } = counting()
  const shared = Rx.make(effect)
  const Hidden = () => useRxValue(shared)._tag
  await render(
    <Activity mode="hidden">
      <Hidden />
    </Activity>
  )
  expect(counts.begun).toBe(1)
})

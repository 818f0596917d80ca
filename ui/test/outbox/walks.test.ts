// Whatever happens to tabs, network and platform, and in which order: no write is lost, none is done twice, and none that may
// have been done is out of sight.

import { failed, json, type Script } from "@quartet/support/fake-transport.js"
import { patient } from "@quartet/support/patience.js"
import { request } from "@quartet/support/react.js"
import { expect, test } from "vitest"
import { flush, makeDevice } from "./harness.js"

/** Numbers from 0 to 1 that are the same for one seed. */
const makeChance = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const reads: Script = ({ method, path }) =>
  method === "GET" ? json(200, request(/request-action\/(\w+)/.exec(path)?.[1] ?? "")) : "waits"

/** What a platform may do with a write: whether it does it, and what it says. */
const answers = [
  [true, json(200, request("done"))],
  [true, json(200, request("done"))],
  [true, json(200, request("done"))],
  [true, failed("Reset")],
  [false, failed("Reset")],
  [true, json(503, {})],
  [false, json(503, {})],
  [false, json(409, {})],
  [false, json(429, {}, { "retry-after": "2" })],
  [false, json(401, {})],
  [false, failed("Refused", false)]
] as const

const walk = async (seed: number) => {
  const chance = makeChance(seed)
  const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[Math.floor(chance() * all.length)]
  const device = makeDevice()
  const options = { scope: ({ id }: { readonly id: string }) => `lane ${Number(id.slice(1)) % 2}` }
  const open = () => device.open(reads, options)
  const tabs = new Set([open(), open()])
  const effects = new Map<string, number>()
  const written: Array<string> = []
  const dropped = new Set<string>()
  const unknown = { shown: 0 }
  let online = true

  const underWay = () =>
    [...tabs].flatMap((tab) =>
      tab.fake.exchanges
        .filter(({ request: { method }, state }) => method !== "GET" && state === "open")
        .map((exchange) => ({
          tab,
          exchange,
          id: /request-action\/(\w+)/.exec(exchange.request.path)?.[1] ?? ""
        }))
    )
  const take = (id: string): void => void effects.set(id, (effects.get(id) ?? 0) + 1)
  const signIn = async (tab: ReturnType<typeof open>) => {
    const state = tab.registry.get(tab.client.session)
    if (state.status === "signed-in" && state.refusal !== undefined) await tab.session.signIn("a1")
  }

  const steps = {
    write: async () => {
      const id = `r${written.length}`
      const outcome = await pick([...tabs])?.write(id)
      expect(outcome).toMatchObject({ status: "queued" })
      written.push(id)
    },
    answer: async () => {
      const pending = pick(underWay())
      const [isDone, reply] = pick(answers) ?? answers[0]
      if (pending === undefined) return
      if (isDone) take(pending.id)
      pending.exchange.settle(reply)
      await flush()
    },
    kill: async () => {
      const tab = pick([...tabs])
      if (tab === undefined) return
      for (const pending of underWay()) if (pending.tab === tab && chance() < 0.5) take(pending.id)
      tabs.delete(tab)
      await tab.kill()
      tabs.add(open())
      await flush()
    },
    network: async () => {
      online = !online
      await device.setOnline(online)
    },
    time: () => device.pass(chance() * 90_000),
    session: async () => {
      for (const tab of tabs) await signIn(tab)
      await flush()
    },
    /** Somebody looks at what waits for them, and at the platform. */
    person: async () => {
      const tab = pick([...tabs])
      const entry = pick(
        (tab?.entries() ?? []).filter(({ state }) => state === "unknown" || state === "failed")
      )
      if (tab === undefined || entry === undefined) return
      const id: string = Object(entry.input).id
      if (entry.state === "unknown") unknown.shown += 1
      if (entry.state === "unknown" && effects.has(id)) await tab.actions.discard(entry.id)
      else if (entry.state === "failed" && chance() < 0.3) {
        dropped.add(id)
        await tab.actions.discard(entry.id)
      } else await tab.actions.retry(entry.id)
      await flush()
    }
  }

  const check = (): void => {
    expect(underWay().length).toBeLessThanOrEqual(1)
    const kept = new Set(device.kept().map(({ input }) => Object(input).id))
    for (const id of written) {
      expect([id, effects.get(id) ?? 0]).toEqual([
        id,
        kept.has(id) || dropped.has(id) ? expect.toBeOneOf([0, 1]) : 1
      ])
    }
  }

  for (let step = 0; step < 40; step += 1) {
    await pick(Object.values(steps))?.()
    check()
  }
  // In the end all is well, and all is done.
  online = true
  await device.setOnline(true)
  for (let round = 0; device.kept().length > 0 && round < 200; round += 1) {
    await steps.session()
    await device.pass(90_000)
    const pending = underWay()[0]
    if (pending === undefined) await steps.person()
    else {
      take(pending.id)
      pending.exchange.settle(json(200, request("done")))
      await flush()
    }
    check()
  }
  expect(device.kept()).toEqual([])
  return { written: written.length, unknown: unknown.shown }
}

test(
  "0 lost, 0 twice, over walks through everything that can happen",
  async () => {
    const walks: Array<Awaited<ReturnType<typeof walk>>> = []
    for (let seed = 1; seed <= 25; seed += 1) walks.push(await walk(seed))
    // They did come by what they are about.
    expect(walks.reduce((sum, { written }) => sum + written, 0)).toBeGreaterThan(80)
    expect(walks.reduce((sum, { unknown }) => sum + unknown, 0)).toBeGreaterThan(20)
  },
  patient(60_000)
)

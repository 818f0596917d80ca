/** Tabs of one browser over a store in memory, with its locks, its channel, its network and its time in the test's hands. */
import * as Layer from "effect/Layer"
import { onTestFinished } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import type { Kept } from "../../../ui/outbox/entry.js"
import type { Entry, OutboxError } from "../../../ui/outbox/index.js"
import { makeOutboxOver } from "../../../ui/outbox/make.js"
import type { Ports } from "../../../ui/outbox/store.js"
import { change, makeQueryClient, makeRegistry, type QueuedMutationOptions } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminLayer, token } from "../rx/harness.js"

/** Lets everything that is due happen, in all tabs. */
export const flush = async (): Promise<void> => {
  for (let round = 0; round < 8; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

const forever = new Promise<never>(() => undefined)

interface Waiting {
  readonly tab: object
  readonly begin: () => void
}

export type Input = { readonly id: string; readonly version: number }

/** One browser on one device: what all of its tabs share. */
export const makeDevice = () => {
  let seq = 0
  let kept: ReadonlyArray<Kept> = []
  let time = 1_700_000_000_000
  let ids = 0
  let isOnline = true
  let probe = async (): Promise<boolean> => true
  let room = Number.POSITIVE_INFINITY
  let failure: OutboxError | undefined
  let isReadOnly = false
  let refused = 0
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  const listeners = new Map<object, (message: unknown) => void>()
  const wakers = new Set<() => void>()
  /** Who waits for each lock; the first of them holds it. */
  const locks = new Map<string, ReadonlyArray<Waiting>>()
  const waitFor = (name: string, waiting: Waiting): void => {
    const line = [...(locks.get(name) ?? []), waiting]
    locks.set(name, line)
    if (line.length === 1) waiting.begin()
  }
  /** A tab leaves a lock: the next one in line gets it. */
  const leave = (name: string, tab: object): void => {
    const [before, ...others] = locks.get(name) ?? []
    const line = (before === undefined ? [] : [before, ...others]).filter((waiting) => waiting.tab !== tab)
    locks.set(name, line)
    if (line[0] !== before) line[0]?.begin()
  }

  /** What one tab sees of it, until it is killed. */
  const portsOf = (tab: { isDead: boolean }): Ports => {
    const alive = async <A>(work: () => A, isWrite = true): Promise<A> => {
      await undefined
      if (tab.isDead) return forever
      if (failure !== undefined && (isWrite || !isReadOnly)) {
        refused += 1
        throw failure
      }
      const result = structuredClone(work())
      await undefined
      return tab.isDead ? forever : result
    }
    return {
      store: {
        all: () => alive(() => kept, false),
        add: (draft) =>
          alive(() => {
            seq += 1
            kept = [...kept, { ...structuredClone(draft), seq }]
          }),
        change: (id, update) =>
          alive(() => {
            const before = kept.find((entry) => entry.id === id)
            const after = before && update(before)
            kept = kept.flatMap((entry) => (entry.id === id ? (after === undefined ? [] : [after]) : [entry]))
            return { before, after }
          })
      },
      locks: {
        request: async (name: string, options: unknown, callback?: unknown) => {
          const [{ signal }, work] = [
            options as { readonly signal: AbortSignal },
            callback as () => Promise<unknown>
          ]
          await new Promise<void>((resolve, reject) => {
            const end = (): void => {
              leave(name, tab)
              reject(signal.reason)
            }
            signal.addEventListener("abort", end)
            const begin = (): void => {
              signal.removeEventListener("abort", end)
              resolve()
            }
            waitFor(name, { tab, begin })
          })
          return work().finally(() => leave(name, tab))
        }
      } as Ports["locks"],
      channel: (listener) => {
        listeners.set(tab, listener)
        return {
          tell: (message) => {
            if (tab.isDead) return
            for (const [other, hear] of listeners)
              if (other !== tab) queueMicrotask(() => hear(structuredClone(message)))
          },
          close: () => listeners.delete(tab)
        }
      },
      isOnline: () => isOnline,
      onOnline: (listener) => {
        wakers.add(listener)
        return () => wakers.delete(listener)
      },
      room: async () => room,
      probe: () => probe(),
      now: () => time,
      after: (milliseconds, callback) => {
        const timer = { at: time + milliseconds, callback }
        timers.add(timer)
        return () => timers.delete(timer)
      },
      makeId: () => {
        ids += 1
        return `id-${ids}`
      },
      chance: () => 1
    }
  }

  const device = {
    /** What a page of its own sees. */
    ports: () => portsOf({ isDead: false }),
    /** What is on the disk. */
    kept: () => kept,
    update: (change: (entry: Kept) => Kept) => {
      kept = kept.map(change)
    },
    setOnline: async (value: boolean) => {
      isOnline = value
      if (value) for (const wake of wakers) wake()
      await flush()
    },
    setProbe: (value: () => Promise<boolean>) => {
      probe = value
    },
    setRoom: (bytes: number) => {
      room = bytes
    },
    /** Has every use of the store fail, or only what writes, until it is called without an error. */
    breakStore: (error?: OutboxError, isStillRead = false) => {
      failure = error
      isReadOnly = isStillRead
    },
    /** How often the store has failed. */
    refused: () => refused,
    pass: async (milliseconds: number) => {
      time += milliseconds
      for (const timer of [...timers]) {
        if (timer.at > time) continue
        timers.delete(timer)
        timer.callback()
      }
      await flush()
    },
    open: (script: Fake.Script = () => "waits", options: TabOptions = {}) => {
      const tab = { isDead: false }
      const opened = makeTab(portsOf(tab), Fake.make(script), options)
      const kill = async (): Promise<void> => {
        tab.isDead = true
        listeners.delete(tab)
        for (const name of locks.keys()) leave(name, tab)
        await flush()
      }
      onTestFinished(() => opened.registry.dispose())
      return { ...opened, kill }
    }
  }
  return device
}

interface TabOptions extends Omit<QueuedMutationOptions<Input>, "outbox"> {
  /** Who is signed in, by a token; nobody where it is undefined. */
  readonly person?: string
  readonly baseUrl?: string
  /** Whether the page has the mutation. */
  readonly isOld?: boolean
}

/** One tab: its page with a query client, an outbox and a mutation. */
const makeTab = (ports: Ports, fake: Fake.Fake, { isOld = false, person = "a1", ...options }: TabOptions) => {
  const outbox = makeOutboxOver(() => ports, { name: "desk" })
  const client = makeQueryClient(
    (sub: string) => Layer.suspend(() => adminLayer(fake, token({ "*": { "*": 9 } }, sub))),
    { credentials: person }
  )
  const request = (id: string) => client.query(Admin.requests.get, { id })
  const make = (given: Omit<QueuedMutationOptions<Input>, "outbox">) =>
    client.mutation(Admin.requests.markSeen, {
      outbox,
      optimistic: ({ id, version }) => [
        change(request(id), (before) => ({ ...before, seenByAdmin: version }))
      ],
      ...given
    })
  if (!isOld) make(options)
  const registry = makeRegistry()
  const mutation = isOld ? undefined : make(options)
  const stop = registry.subscribe(outbox, () => undefined, { immediate: true })
  // Where the page has not the mutation, it has another one of the same client.
  if (isOld) client.mutation(Admin.requests.update, { outbox })
  const entries = (): ReadonlyArray<Entry> => registry.get(outbox).entries
  return {
    outbox,
    client,
    registry,
    fake,
    request,
    mutation,
    stop,
    entries,
    /** How the entries stand, in short. */
    states: () => entries().map(({ input, state }) => `${Object(input).id} ${state}`),
    actions: outbox.actions(registry),
    session: client.session.actions(registry),
    write: async (id: string, version = 1) => {
      const outcome = mutation?.actions(registry).mutate({ id, version })
      await flush()
      return (await outcome) ?? { status: "defect", defect: "there is no mutation" }
    },
    /** Writes that were sent, by id and idempotency key. */
    sent: () =>
      fake
        .requests()
        .filter(({ method }) => method !== "GET")
        .map(({ headers, path }) => [/request-action\/(\w+)/.exec(path)?.[1], headers["idempotency-key"]]),
    /** Ends the latest write that waits. */
    settle: async (reply: Exclude<Fake.Reply, "waits" | "queues">) => {
      const open = fake.exchanges
        .filter(({ request: { method }, state }) => method !== "GET" && state === "open")
        .at(-1)
      if (open === undefined) throw new Error("nothing is being sent")
      open.settle(reply)
      await flush()
    }
  }
}

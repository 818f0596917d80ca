/** Tabs of one browser over a store in memory, with its locks, its channel, its network and its time in the test's hands. */

import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Admin from "@quartet/sdk/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import { json, type Script } from "@quartet/support/fake-transport.js"
import { adminLayer, base, request, token } from "@quartet/support/react.js"
import * as Layer from "effect/Layer"
import { onTestFinished } from "vitest"
import type { Kept } from "../../outbox/entry.js"
import type { Entry, OutboxError } from "../../outbox/index.js"
import { makeOutboxOver } from "../../outbox/make.js"
import type { Ports } from "../../outbox/store.js"
import { change, makeQueryClient, makeRegistry, type QueuedMutationOptions } from "../../rx/index.js"

/** Answers reads, and leaves writes to the test. */
export const reads: Script = ({ method, path }) =>
  method === "GET" ? json(200, request(/request-action\/(\w+)/.exec(path)?.[1] ?? "")) : "waits"

/** The answer for a write that was done. */
export const ok = (id = "r1") => json(200, request(id))

/** Lets everything that is due happen, in all tabs. */
export const flush = async (): Promise<void> => {
  for (let round = 0; round < 8; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

const forever = new Promise<never>(() => undefined)

interface Waiting {
  readonly tab: Tab
  readonly begin: () => void
  /** Another one has taken the lock away. */
  readonly lose: () => void
}

/** A tab, which may be closed, or stand still as under an open `alert`. */
interface Tab {
  readonly name: string
  /** What it has for chance, from 0 to 1. */
  readonly chance: number
  isDead: boolean
  /** What happens in it once it goes on; undefined while it does. */
  standing: Array<() => void> | undefined
  /** The state of an entry that it stands still after it has written. */
  stopsAt: Kept["state"] | undefined
}

/** Runs what belongs to a tab, now or once the tab goes on. */
const within = (tab: Tab, work: () => void): void => {
  if (tab.standing === undefined) work()
  else tab.standing.push(work)
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
  const listeners = new Map<Tab, (message: unknown) => void>()
  const wakers = new Set<() => void>()
  const erasings = new Set<() => void>()
  /** Who waits for each lock; the first of them holds it. */
  const locks = new Map<string, ReadonlyArray<Waiting>>()
  const waitFor = (name: string, waiting: Waiting): void => {
    const line = [...(locks.get(name) ?? []), waiting]
    locks.set(name, line)
    if (line.length === 1) waiting.begin()
  }
  /** Some leave a lock: the next one in line gets it. */
  const leave = (name: string, isLeaving: (waiting: Waiting) => boolean): void => {
    const before = locks.get(name) ?? []
    const line = before.filter((waiting) => !isLeaving(waiting))
    locks.set(name, line)
    if (line[0] !== before[0]) line[0]?.begin()
  }
  const steal = (name: string, waiting: Waiting): void => {
    const [holder, ...others] = locks.get(name) ?? []
    locks.set(name, [waiting, ...others])
    holder?.lose()
    waiting.begin()
  }
  let tabs = 0
  const makeTabState = (chance = 1): Tab => {
    tabs += 1
    return { name: `tab ${tabs}`, chance, isDead: false, standing: undefined, stopsAt: undefined }
  }

  /** What one tab sees of it, until it is killed. */
  const portsOf = (tab: Tab): Ports => {
    const going = (): Promise<void> => new Promise((resolve) => within(tab, resolve))
    const alive = async <A>(work: () => A, isWrite = true): Promise<A> => {
      await going()
      if (tab.isDead) return forever
      if (failure !== undefined && (isWrite || !isReadOnly)) {
        refused += 1
        throw failure
      }
      const result = structuredClone(work())
      await going()
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
            if (after !== undefined && after.state === tab.stopsAt) {
              tab.stopsAt = undefined
              tab.standing = []
            }
            return { before, after }
          }),
        onErased: (listener) => {
          const hear = (): void => within(tab, listener)
          erasings.add(hear)
          return () => erasings.delete(hear)
        }
      },
      locks: {
        request: (name: string, ...args: ReadonlyArray<unknown>) => {
          const work = args.at(-1) as () => Promise<unknown>
          const { signal, steal: isStealing } = (args.length > 1 ? args[0] : {}) as LockOptions
          return new Promise<unknown>((resolve, reject) => {
            const end = (): void => {
              leave(name, (queued) => queued === waiting)
              reject(signal?.reason)
            }
            signal?.addEventListener("abort", end)
            const waiting: Waiting = {
              tab,
              begin: () => {
                signal?.removeEventListener("abort", end)
                within(tab, () =>
                  queueMicrotask(() =>
                    work()
                      .finally(() => leave(name, (queued) => queued === waiting))
                      .then(resolve, reject)
                  )
                )
              },
              lose: () => within(tab, () => reject(new DOMException("stolen", "AbortError")))
            }
            if (isStealing) steal(name, waiting)
            else waitFor(name, waiting)
          })
        },
        query: async () => ({
          held: [...locks].flatMap(([name, [holder]]) =>
            holder === undefined ? [] : [{ name, clientId: holder.tab.name }]
          )
        })
      } as Ports["locks"],
      channel: (listener) => {
        listeners.set(tab, listener)
        return {
          tell: (message) => {
            if (tab.isDead) return
            for (const [receiver, hear] of listeners)
              if (receiver !== tab)
                within(receiver, () => queueMicrotask(() => hear(structuredClone(message))))
          },
          close: () => listeners.delete(tab)
        }
      },
      isOnline: () => isOnline,
      onOnline: (listener) => {
        const wake = (): void => within(tab, listener)
        wakers.add(wake)
        return () => wakers.delete(wake)
      },
      room: async () => room,
      probe: () => probe(),
      now: () => time,
      after: (milliseconds, callback) => {
        const timer = { at: time + milliseconds, callback: () => within(tab, callback) }
        timers.add(timer)
        return () => timers.delete(timer)
      },
      makeId: () => {
        ids += 1
        return `id-${ids}`
      },
      chance: () => tab.chance
    }
  }

  const device = {
    /** What a page of its own sees. */
    ports: () => portsOf(makeTabState()),
    /** What is on the disk. */
    kept: () => kept,
    /** Something else removes what is on the disk. */
    erase: () => {
      kept = []
      for (const listener of erasings) listener()
    },
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
      const tab = makeTabState(options.chance)
      const opened = makeTab(portsOf(tab), Fake.make(script), options)
      const kill = async (): Promise<void> => {
        tab.isDead = true
        listeners.delete(tab)
        for (const name of locks.keys()) leave(name, (waiting) => waiting.tab === tab)
        await flush()
      }
      const stand = (): void => {
        tab.standing ??= []
      }
      const stopAt = (state: Kept["state"]): void => {
        tab.stopsAt = state
      }
      const goOn = async (): Promise<void> => {
        const due = tab.standing ?? []
        tab.standing = undefined
        for (const work of due) work()
        await flush()
      }
      onTestFinished(() => opened.registry.dispose())
      return { ...opened, kill, stand, stopAt, goOn }
    }
  }
  return device
}

interface TabOptions extends Omit<QueuedMutationOptions<Input>, "outbox"> {
  /** Where the platform is, on real sockets; a script answers where it is left out. */
  readonly platform?: string
  /** Who is signed in, by a token; nobody where it is undefined. */
  readonly person?: string
  readonly baseUrl?: string
  readonly chance?: number
  /** Whether the page has the mutation. */
  readonly isOld?: boolean
}

/** One tab: its page with a query client, an outbox and a mutation. */
const makeTab = (
  ports: Ports,
  fake: Fake.Fake,
  { chance: _, isOld = false, person = "a1", platform, ...options }: TabOptions
) => {
  const outbox = makeOutboxOver(() => ports, { name: "desk" })
  const client = makeQueryClient(
    (sub: string) =>
      Layer.suspend(() => {
        const accessToken = token({ "*": { "*": 9 } }, sub)
        if (platform === undefined) return adminLayer(fake, accessToken)
        const config = { ...base, baseUrl: platform, sessionId: "s1", accessToken }
        return Layer.provide(Admin.layer(config), FetchTransport.layer)
      }),
    { credentials: person }
  )
  const request = (id: string) => client.query(Admin.requests.get, { id })
  const make = (options: Omit<QueuedMutationOptions<Input>, "outbox">) =>
    client.mutation(Admin.requests.markSeen, {
      outbox,
      optimistic: ({ id, version }) => [
        change(request(id), (before) => ({ ...before, seenByAdmin: version }))
      ],
      ...options
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

/** Outboxes: each keeps writes on the device until the platform has done them. */
import type * as Rx from "@effect-rx/rx/Rx"
import { type CallError, InputError } from "../../core/kernel/errors/errors.js"
import { reconnect } from "../rx/query-cache.js"
import { type MutationQueue, QueueId, type QueueSource } from "../rx/queue.js"
import { fromStore, type Registry, service } from "../rx/registry.js"
import type { Definition } from "./connection.js"
import type { OutboxError } from "./error.js"
import { Keeper } from "./keeper.js"
import type { OutboxActions, OutboxState } from "./model.js"
import { makeMutation } from "./mutation.js"
import type { Ports } from "./ports.js"
import { makeStore } from "./store.js"

/** The options of an outbox. @category models */
export interface OutboxOptions {
  /** Names what is kept on this device. All tabs of the app use one name; another app of the origin uses another. */
  readonly name: string
  /** Most entries of all people; 1,000. `mutate` then fails with OutboxError `Full`. */
  readonly capacity?: number
  /**
   * Whether the platform can be reached now. It is asked before each entry is sent: a browser that says that it is online
   * may not reach anything, and what is then sent has an unknown outcome, because browsers do not tell whether it
   * arrived. See `reaches`. Always true where it is left out.
   */
  readonly probe?: () => Promise<boolean>
}

/**
 * Keeps the calls of mutations on the device until the platform has done them, over reloads and while there is no network.
 * As an Rx it shows what is kept.
 * @category models
 */
export interface Outbox extends Rx.Rx<OutboxState>, MutationQueue {
  readonly actions: (registry: Registry) => OutboxActions
}

/** Milliseconds after which a probe counts as unanswered. */
const longestProbe = 10_000

const bounded = (probe: () => Promise<boolean>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), longestProbe)
    const end = (isReached: boolean): void => {
      clearTimeout(timer)
      resolve(isReached)
    }
    Promise.resolve()
      .then(probe)
      .then(end, () => end(false))
  })

/**
 * A probe that asks for an address, such as the base URL of the client, and takes any answer: also one that the page may not
 * read. @category constructors
 */
export const reaches = (url: string) => (): Promise<boolean> =>
  fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store", credentials: "omit" }).then(
    () => true,
    () => false
  )

/** What a browser brings. */
const browser = ({ name, probe = () => Promise.resolve(true) }: OutboxOptions): Ports => ({
  store: makeStore(name, () => globalThis.indexedDB),
  locks: globalThis.navigator?.locks,
  channel: (listener) => {
    if (globalThis.BroadcastChannel === undefined) return { tell: () => undefined, close: () => undefined }
    const channel = new BroadcastChannel(`quartet-outbox ${name}`)
    channel.onmessage = ({ data }) => listener(data)
    return { tell: (message) => channel.postMessage(message), close: () => channel.close() }
  },
  isOnline: () => globalThis.navigator?.onLine !== false,
  onOnline: reconnect,
  probe: () => bounded(probe),
  now: Date.now,
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
  makeId: () => crypto.randomUUID(),
  chance: Math.random
})

/**
 * Makes an outbox, once, outside of components, and hands it to mutations: `client.mutation(call, { outbox })`. A page that
 * is loaded again sends what was kept as soon as something observes the outbox, as `useOutbox` does, or runs such a mutation.
 * Throws InputError for invalid options.
 *
 * ```ts
 * const outbox = makeOutbox({ name: "desk" })
 * const markSeen = client.mutation(Admin.requests.markSeen, { outbox })
 * ```
 * @category constructors
 */
export const makeOutbox = (options: OutboxOptions): Outbox => makeOutboxOver(browser(options), options)

const refuse = (field: string, rule: string): never => {
  throw new InputError({ operation: "makeOutbox", field, rule })
}

/** The same over what a test brings. */
export const makeOutboxOver = (ports: Ports, { capacity = 1_000, name }: OutboxOptions): Outbox => {
  if (typeof name !== "string" || name === "") refuse("name", "must be text that is not empty")
  if (!(Number.isInteger(capacity) && capacity > 0)) refuse("capacity", "must be a whole number, at least 1")
  const definitions = new Map<string, Definition>()
  const present = new Set<Keeper>()
  const keepers = service(
    (registry) => {
      const keeper = new Keeper(name, capacity, ports, registry, definitions)
      present.add(keeper)
      return keeper
    },
    (keeper) => {
      present.delete(keeper)
      keeper.close()
    }
  )
  const keeperIn = (registry: Registry): Keeper => {
    const keeper = registry.get(keepers)
    keeper.connect()
    return keeper
  }
  const value = fromStore<OutboxState, never>(
    (registry) => registry.get(keepers).store,
    () => undefined
  )
  return Object.assign(value, {
    actions: (registry: Registry): OutboxActions => ({
      retry: (id) => keeperIn(registry).actions.retry(id),
      edit: (id, input) => keeperIn(registry).actions.edit(id, input),
      discard: (id) => keeperIn(registry).actions.discard(id),
      clear: () => keeperIn(registry).actions.clear()
    }),
    [QueueId]: <I, A, R, LE>(source: QueueSource<I, A, R, LE>) => {
      const { call, options } = source
      const mutation = options.name ?? `${call.client} ${call.operation.name}`
      // What runs it takes its input from the store; types are those of the mutation that wrote it.
      const definition = { ...source, name: mutation } as unknown as Definition
      definitions.set(mutation, definition)
      // Not at once: this may be the render of a component.
      queueMicrotask(() => {
        for (const keeper of present) keeper.connect()
      })
      return makeMutation<I, A, CallError | LE | OutboxError>(definition, keeperIn)
    }
  })
}

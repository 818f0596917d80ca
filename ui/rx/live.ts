/**
 * Keeps answers up to date by what is told of entities: a chat's messages, or events of a source of the app's own, are
 * written into every answer that holds the entity, by its `_id`.
 */
import type * as Rx from "@effect-rx/rx/Rx"
import {
  type ChatEvent,
  type CredentialsError,
  Decoder,
  InputError,
  type Operation,
  type Page,
  Raw
} from "@quartet/sdk/extend"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { type ChatStore, ListenersId } from "./chat-store.js"
import { type ClientState, StatesId } from "./client.js"
import { plain } from "./hydration.js"
import { matching, type Outcome, outcomeOf, type QueryFilter } from "./mutation.js"
import { type AnyCall, functionOf } from "./query.js"
import type { CacheEntry } from "./query-cache.js"
import type { QueryClient } from "./query-client.js"
import { fromStore, type Registry, Store, service } from "./registry.js"
import { entityIdOf, isPlain, share } from "./structure.js"

/** An entity, or some of its fields, as the platform writes it in JSON. @category models */
export interface LiveEntity {
  readonly _id: string
  readonly [field: string]: unknown
}

/**
 * What happened. `added`: the entity is given whole, and new at least to some lists; where it is there, it is changed.
 * `changed`: the fields that are given replace those that are there. `missed`: events may have been missed, so that
 * everything that depends on them is fetched again; a source says it whenever it begins to hear. @category models
 */
export type LiveEvent =
  | { readonly change: "added" | "changed"; readonly entity: LiveEntity }
  | { readonly change: "removed"; readonly entity: Pick<LiveEntity, "_id"> }
  | { readonly change: "missed" }

/**
 * Where an entity belongs in a list: at its start; at its end; `refetch`: at a place that only the platform knows, so
 * that the list is fetched again; `none`: nowhere, and it is taken out where it is there. @category models
 */
export type Placement = "start" | "end" | "refetch" | "none"

/** What events do to answers. @category models */
export interface LiveRule {
  readonly matches: (entry: CacheEntry) => boolean
  /** The answer after an event. Marks the entry where it has to be fetched again. */
  readonly apply: (value: unknown, event: LiveEvent, entry: CacheEntry) => unknown
}

/**
 * Begins to hear, and tells events until the function that it returns is called: over an EventSource, a push message or a
 * socket of the app's own. @category models
 */
export type Subscribe = (tell: (...events: ReadonlyArray<LiveEvent>) => void) => () => void

/** Where events come from. @category models */
export type LiveSource<E, R> = ChatStore<unknown> | Stream.Stream<LiveEvent, E, R> | Subscribe

/** Whether events are heard. A chat's connection is part of the chat's own state. @category models */
export type LiveState<E> =
  | { readonly status: "live" | "ended" }
  | Extract<Outcome<never, E>, { readonly status: "error" | "defect" }>

/** Ways to act on a source of events. @category models */
export interface LiveActions {
  /** Begins to hear again, such as after an error. */
  readonly restart: () => void
}

/** Events that change answers while it is observed. @category models */
export interface Live<out E> extends Rx.Rx<LiveState<E>> {
  readonly actions: (registry: Registry) => LiveActions
}

type Fields = Readonly<Record<string, unknown>>
type EntityEvent = Exclude<LiveEvent, { readonly change: "missed" }>

const outdate = (value: unknown, entry: CacheEntry): unknown => {
  entry.outdate()
  return value
}

/** Fetches queries again at each event. @category constructors */
export const outdates = (...filters: ReadonlyArray<QueryFilter>): LiveRule => ({
  matches: matching(...filters),
  apply: (value, _, entry) => outdate(value, entry)
})

/** Fields that grow with each change of an entity. */
const revisions = ["version", "updatedAt"]

/** Whether incoming fields of an entity are older than the known ones, where both say how old they are. */
const isOlder = (incoming: Fields, known: Fields): boolean =>
  revisions.some((name) => {
    const [incomingRevision, knownRevision] = [incoming, known].map(({ [name]: value }) =>
      value instanceof Date ? +value : value
    )
    return (
      typeof incomingRevision === "number" &&
      typeof knownRevision === "number" &&
      incomingRevision < knownRevision
    )
  })

const merged = (known: Fields, incoming: Fields): Fields =>
  isOlder(incoming, known) ? known : share(known, { ...known, ...incoming })

interface List extends Fields {
  readonly items: ReadonlyArray<Fields>
}

const isList = (value: unknown): value is List => Array.isArray(Object(value).items)

/** A list with other items, and with the number of all of them where the platform gives it. */
const withItems = (list: List, items: ReadonlyArray<Fields>): List => {
  const { total } = Object(list.paging)
  if (typeof total !== "number") return { ...list, items }
  return {
    ...list,
    items,
    paging: { ...Object(list.paging), total: total + items.length - list.items.length }
  }
}

/** Whether pages before or after an answer are not in it, nor will be: what stands on it, only the platform knows. */
const isPart = ({ items, paging }: List, { input, kind }: CacheEntry["definition"]): boolean => {
  const { payload = input } = Object(input)
  const { limit, page } = Object(Raw.sentOf(payload))
  if (kind !== "") return Math.max(Number(kind.split(" ")[1]), Number(page ?? 1)) > 1
  const { pages, total } = Object(paging)
  return page !== undefined || limit !== undefined || pages > 1 || total > items.length
}

/** Reads an incoming entity as an operation answers it, Dates included; undefined where that is no plain entity. */
const readerOf = (
  operation: Operation<never, unknown, never>
): ((incoming: object) => Fields | undefined) => {
  const { isNarrowed, success } = operation.declaration()
  const schema = "page" in success ? success.page : success
  const decode = "ast" in schema ? Decoder.make<unknown>(schema) : undefined
  const onMismatch = isNarrowed === true ? undefined : () => undefined
  return (incoming) => {
    const json = Either.try(() => plain(incoming))
    const entity = Either.isRight(json) ? decode?.(json.right, undefined, onMismatch) : undefined
    // Incoming fields cannot be put into an instance of a class.
    return entity !== undefined && Either.isRight(entity) && isPlain(entity.right) ? entity.right : undefined
  }
}

/**
 * Writes entities into the answers of a call: into the entity itself, a list, or the pages of an infinite query. `place`
 * says where a new one belongs in the list that answers an input; without it, such lists are fetched again. Queries of the call
 * that are narrowed otherwise read entities by their own schemas, and are fetched again where only `place` could say more. An event that
 * is older than the answer, by `version` or `updatedAt`, changes nothing.
 *
 * ```ts
 * entities(Admin.conversations.messages, ({ conversationId }, { id }) => (conversationId === id ? "end" : "none"))
 * ```
 * @category constructors
 */
export const entities: {
  <I, A, R>(call: AnyCall<I, Page<A>, R>, place?: (entity: A, input: I) => Placement): LiveRule
  <I, A, R>(call: AnyCall<I, A, R>): LiveRule
} = (
  call: AnyCall<never, unknown, unknown>,
  place?: (entity: never, input: never) => Placement
): LiveRule => {
  const { id: narrowedAs } = functionOf(call)
  const isPaged = "page" in call.operation.declaration().success
  const readers = new WeakMap<object, ReturnType<typeof readerOf>>()
  /** The incoming entity by the schema of the query that it is for. */
  const read = (incoming: object, { definition }: CacheEntry): Fields | undefined => {
    const { operation } = definition.of.call ?? call
    const reader = readers.get(operation) ?? readerOf(operation)
    readers.set(operation, reader)
    return reader(incoming)
  }
  /** Where an entity belongs; undefined where nothing here can say it. */
  const placeOf = (entity: Fields, { definition }: CacheEntry): Placement | undefined => {
    if (place === undefined) return "refetch"
    if (definition.of.id !== narrowedAs) return undefined
    // The overloads tie `place` to the call's own types.
    return (place as (entity: Fields, input: unknown) => Placement)(entity, definition.input ?? {})
  }
  /** A list whose items have moved, and those on its further pages with them. */
  const moved = (list: List, items: ReadonlyArray<Fields>, entry: CacheEntry): unknown => {
    if (entry.definition.hasNext(list)) entry.isMoved = true
    return withItems(list, items)
  }
  const inList = (list: List, { change, entity: incoming }: EntityEvent, entry: CacheEntry): unknown => {
    const { definition } = entry
    const { items } = list
    const id = entityIdOf(incoming)
    const known = id === undefined ? undefined : items.find((item) => entityIdOf(item) === id)
    const remove = (): unknown => {
      const left = moved(
        list,
        items.filter((item) => item !== known),
        entry
      )
      return isPart(list, definition) ? outdate(left, entry) : left
    }
    if (change === "removed" && known !== undefined) return remove()
    if (change === "removed") return isPart(list, definition) ? outdate(list, entry) : list
    const entity = id === undefined ? undefined : read(incoming, entry)
    if (entity === undefined) return outdate(list, entry)
    const next = known === undefined ? entity : merged(known, entity)
    if (next === known) return list
    const placement = placeOf(next, entry)
    if (known !== undefined) {
      if (placement === "none") return remove()
      if (placement === undefined) entry.outdate()
      return { ...list, items: items.map((item) => (item === known ? next : item)) }
    }
    if (change === "changed" || placement === "none") return list
    if (placement === "refetch" || placement === undefined || isPart(list, definition))
      return outdate(list, entry)
    if (placement === "start") return moved(list, [next, ...items], entry)
    // What stands behind the pages that are there comes with them.
    return definition.hasNext(list) ? list : withItems(list, [...items, next])
  }
  return {
    matches: matching(call),
    apply: (value, event, entry) => {
      if (event.change === "missed") return outdate(value, entry)
      if (isPaged) return isList(value) ? inList(value, event, entry) : value
      if (entityIdOf(value) === undefined || entityIdOf(value) !== entityIdOf(event.entity)) return value
      const entity = event.change === "removed" ? undefined : read(event.entity, entry)
      return entity === undefined ? outdate(value, entry) : merged(Object(value), entity)
    }
  }
}

const changes = ["added", "changed", "removed", "missed"]

/** An untyped program may tell anything. */
const check = (event: LiveEvent): void => {
  const refuse = (field: string, rule: string): never => {
    throw new InputError({ operation: "live", field, rule })
  }
  if (!changes.includes(Object(event).change)) refuse("change", `must be one of ${changes.join(", ")}`)
  if (event.change !== "missed" && Object(event.entity) !== event.entity)
    refuse("entity", "must be an object")
}

/** Calls back with events until it is interrupted. A fault of what is called ends it. */
const hear = (subscribe: Subscribe) => (tell: (events: ReadonlyArray<LiveEvent>) => void) =>
  Effect.suspend(() => {
    let stop: (() => void) | undefined
    return Effect.async<never>((resume) => {
      stop = subscribe((...events) => {
        const result = Either.try({ try: () => tell(events), catch: (fault) => fault })
        if (Either.isLeft(result)) resume(Effect.die(result.left))
      })
    }).pipe(Effect.ensuring(Effect.sync(() => stop?.())))
  })

/** A chat as a source: it stays open for as long as it is heard. */
const ofChat =
  (registry: Registry, chat: ChatStore<unknown>): Subscribe =>
  (tell) => {
    const listeners = chat[ListenersId](registry)
    const listener = {
      onConnect: () => tell({ change: "missed" }),
      onEvents: (events: ReadonlyArray<ChatEvent>) =>
        tell(
          ...events.map(({ _tag, message }) => ({
            change: _tag === "Message" ? ("added" as const) : ("changed" as const),
            entity: message
          }))
        )
    }
    listeners.add(listener)
    const leave = registry.mount(chat)
    if (registry.get(chat).connection.status === "connected") listener.onConnect()
    return () => {
      listeners.delete(listener)
      leave()
    }
  }

/** Tells events for as long as it runs. */
type Hear<E, R> = (tell: (events: ReadonlyArray<LiveEvent>) => void) => Effect.Effect<void, E, R>

const hearOf = <E, R>(registry: Registry, source: LiveSource<E, R>): Hear<E, R> => {
  if (typeof source === "function") return hear(source)
  if (ListenersId in source) return hear(ofChat(registry, source))
  return (tell) =>
    Stream.runForEachChunk(source, (events) => Effect.sync(() => tell(Chunk.toReadonlyArray(events))))
}

/** The events in one registry. */
const makeStore = <R, E, E2>(
  { cache, client, onUserChange, reconnect }: ClientState<R, E>,
  hear: Hear<E2, R>,
  /** Whether events are heard as soon as it runs. A chat says when it is connected. */
  isHeardAtOnce: boolean,
  rules: ReadonlyArray<LiveRule>
) => {
  const store = new Store<LiveState<E | E2 | CredentialsError>>({ status: "live" })
  /** Ends the run under way. */
  let stop: (() => void) | undefined

  const rulesOf = (entry: CacheEntry) => rules.filter(({ matches }) => matches(entry))
  const tell = (events: ReadonlyArray<LiveEvent>): void => {
    events.forEach(check)
    for (const entry of cache.all) {
      const applying = rulesOf(entry)
      const apply = (value: unknown, event: LiveEvent): unknown =>
        applying.reduce((before, rule) => rule.apply(before, event, entry), value)
      if (applying.length > 0) entry.tell((value) => events.reduce(apply, value))
    }
  }
  const start = (): void => {
    stop?.()
    let isOn = true
    store.set({ status: "live" })
    // Nobody has heard what happened since these were answered.
    for (const entry of isHeardAtOnce ? cache.all : []) if (rulesOf(entry).length > 0) entry.outdate()
    const interrupt = client.fork(
      hear((events) => {
        // What a source still tells of one user is not written into the answers of the next.
        if (isOn) tell(events)
      }),
      (exit) => {
        if (!isOn) return
        isOn = false
        stop = undefined
        const outcome = outcomeOf(exit)
        if (outcome.status === "success") store.set({ status: "ended" })
        else if (outcome.status !== "cancelled") store.set(outcome)
      }
    )
    stop = () => {
      isOn = false
      stop = undefined
      interrupt()
    }
  }
  store.onMount = () => {
    const ignore = reconnect(() => store.getState().status === "error" && start())
    onUserChange.add(start)
    start()
    return () => {
      ignore()
      onUserChange.delete(start)
      stop?.()
    }
  }
  const restart = (): void => {
    if (store.isMounted) start()
  }
  return { store, restart }
}

/**
 * Changes a query client's answers by what a chat or a source of the app's own tells, while it is observed. Make it once,
 * outside of components:
 *
 * ```ts
 * const messages = live(client, chat, entities(Admin.conversations.messages), outdates(Admin.conversations.list))
 * ```
 * @category constructors
 */
export const live = <R, E, C, E2 = never>(
  { [StatesId]: states }: QueryClient<R, E, C>,
  source: LiveSource<E2, NoInfer<R>>,
  ...rules: ReadonlyArray<LiveRule>
): Live<E | E2 | CredentialsError> => {
  const isHeardAtOnce = !(ListenersId in source)
  const stores = service((registry) =>
    makeStore(registry.get(states), hearOf<E2, R>(registry, source), isHeardAtOnce, rules)
  )
  const store = fromStore<LiveState<E | E2 | CredentialsError>, never>(
    (registry) => registry.get(stores).store,
    () => undefined
  )
  return Object.assign(store, {
    actions: (registry: Registry): LiveActions => ({ restart: () => registry.get(stores).restart() })
  })
}

/** Questions as values: what a screen observes, shares with every other screen that asks the same, and may ask anew. */
import type * as Effect from "effect/Effect"
import type { CredentialsError } from "../../core/kernel/errors/errors.js"
import type { Question } from "./cache.js"
import { commanded, initial, type Registry, type Result, type Rx, settled, type Writable } from "./engine.js"
import type { Entry, Step } from "./entry.js"
import type { family } from "./family.js"
import { portable } from "./hydration.js"
import { canonical } from "./identity.js"
import type { Asked } from "./source.js"
import type { Store } from "./store.js"

/** How a query keeps its answer good. */
export interface QueryOptions {
  /** Further words by which a mutation's `invalidates` can name it, besides its own name and its slice's. */
  readonly keys?: ReadonlyArray<string>
  /** Milliseconds for which an answer is not asked for again on mount, focus and reconnect; the client's where left out. */
  readonly staleTime?: number
  /** Whether it is asked again when the user comes back to the page; true. */
  readonly refetchOnWindowFocus?: boolean
  /** Whether it is asked again when the browser is back online; true. */
  readonly refetchOnReconnect?: boolean
}

export const HandleId: unique symbol = Symbol.for("@quartet/sdk/rx/Query")

/** A query's way to its entry. */
export interface Handle {
  readonly key: string
  readonly staleTime: number
  readonly entry: (registry: Registry) => Entry<unknown, unknown>
}

/**
 * What a call answers to one input, as a value that React components and registries observe. Equal questions are one
 * value and one exchange. It is asked when it is first observed, and given up when nobody observes it any more.
 */
export interface Query<out A, out E> extends Rx<Result<A, E>> {
  readonly [HandleId]: Handle
}

/** What queries are made from. */
export interface Site<R, LE> {
  readonly name: string
  readonly staleTime: number
  readonly stores: Rx<Store<R, LE>>
  readonly held: ReturnType<typeof family<Query<unknown, unknown>>>
}

/** The kind of a question that is answered at once. */
export const whole = "whole"

/** What is asked of whom, and how. `kind` tells apart what one call is asked in two ways. */
export interface Inquiry<I, A, E, R> {
  readonly asked: Asked<I, unknown, E, R>
  readonly input: I
  readonly kind: string
  readonly ask: (previous: A | undefined, step: Step) => Effect.Effect<A, E, R>
  /** Whether there is anything after an answer, which a message to the value asks for. */
  readonly hasMore: (value: A) => boolean
}

/** The value of an inquiry: the same one for equal inquiries with equal options, while anyone holds it. */
export const inquire = <I, A, E, R, LE>(
  site: Site<R, LE>,
  inquiry: Inquiry<I, A, E, R>,
  options: QueryOptions = {}
): Query<A, E | LE | CredentialsError> & Writable<Result<A, E | LE | CredentialsError>, void> => {
  const input = canonical(inquiry.input)
  const key = `${inquiry.asked.id}#${inquiry.kind}#${input.text}`
  const made = site.held(`${key}#${canonical(options).text}`, () => {
    const base = {
      key,
      call: inquiry.asked.id,
      kind: inquiry.kind,
      words: [...inquiry.asked.words, ...(options.keys ?? [])],
      input: inquiry.input,
      portable: portable(site.name, inquiry.asked.call, inquiry.kind, input)
    }
    return make(site, base, inquiry, options)
  })
  // The key names the call, its schema and the kind of the question, and so the type of the answer.
  return made as ReturnType<typeof make<A, E, R, LE>>
}

const make = <A, E, R, LE>(
  site: Site<R, LE>,
  base: Omit<Question<A, E>, "asking">,
  { ask, hasMore }: Pick<Inquiry<never, A, E, R>, "ask" | "hasMore">,
  options: QueryOptions
) => {
  type Error = E | LE | CredentialsError
  const entry = (registry: Registry): Entry<A, Error> => {
    const { cache, client } = registry.get(site.stores)
    return cache.entry<A, Error>({
      ...base,
      asking: {
        ask: (previous, step, settle) => client.fork(ask(previous, step), settle),
        hasMore,
        now: () => client.now(),
        withClock: (then) => client.withClock(then)
      }
    })
  }
  const staleTime = options.staleTime ?? site.staleTime
  const value = commanded<Result<A, Error>, void>(
    {
      attach: (registry, emit, again) => {
        const found = entry(registry)
        const onFocus = options.refetchOnWindowFocus ?? true
        const onReconnect = options.refetchOnReconnect ?? true
        const detach = found.attach({ emit, staleTime, onFocus, onReconnect }, again)
        return { value: found.result, detach }
      },
      peek: (registry) => {
        const { result } = entry(registry)
        return result._tag === "Initial" ? initial(true) : result
      }
    },
    (registry) => entry(registry).more()
  )
  const handle: Handle = { key: base.key, staleTime, entry: entry as unknown as Handle["entry"] }
  return Object.assign(value, { [HandleId]: handle })
}

/** Asks, and waits for the answers: on a server before it renders, or ahead of a screen. It never rejects. */
export const prefetch = async (
  registry: Registry,
  ...queries: ReadonlyArray<Query<unknown, unknown>>
): Promise<void> => {
  await Promise.all(queries.map((query) => settled(registry, query)))
}

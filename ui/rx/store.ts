/** What one client keeps in one registry: its client and its answers. */
import type * as Layer from "effect/Layer"
import { Cache, type Keeping } from "./cache.js"
import { Client } from "./client.js"
import { type Registry, type Rx, singleton } from "./engine.js"
import { caches, dropArrived, takeArrived } from "./hydration.js"

export interface Store<R, E> {
  readonly client: Client<R, E>
  readonly cache: Cache
  /** What else is to be begun anew when somebody else signs in. */
  readonly onChange: Set<() => void>
}

/** Forgets what one person saw, for the next one. */
export const renew = ({ cache, onChange }: Pick<Store<never, never>, "cache" | "onChange">): void => {
  cache.reset()
  for (const begin of [...onChange]) begin()
}

/** Each registry's store, made when the registry first needs it. */
export const makeStores = <R, E>(layer: Layer.Layer<R, E> | undefined, keeping: Keeping): Rx<Store<R, E>> => {
  const make = (registry: Registry): Store<R, E> => {
    const client = new Client(layer)
    const now = (): number => client.now()
    const cache = new Cache(keeping, now, takeArrived(registry, now))
    registry.get(caches).add(cache)
    return { client, cache, onChange: new Set([() => dropArrived(registry)]) }
  }
  return singleton(make, ({ cache, client }) => {
    cache.dispose()
    client.close()
  })
}

/** One value for each key, made when it is asked for and held as long as anyone holds it. */

/**
 * Answers the same object for the same key while it is in use anywhere. What nobody uses is collected, and its key
 * with it: a family does not grow with the keys that were ever asked for.
 */
export const family = <V extends object>(): ((key: string, make: () => V) => V) => {
  const held = new Map<string, WeakRef<V>>()
  const collected = new FinalizationRegistry<string>((key) => {
    if (held.get(key)?.deref() === undefined) held.delete(key)
  })
  return (key, make) => {
    const known = held.get(key)?.deref()
    if (known !== undefined) return known
    const made = make()
    held.set(key, new WeakRef(made))
    collected.register(made, key)
    return made
  }
}

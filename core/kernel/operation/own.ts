/**
 * A field of an object's own, of whatever came from outside: what is inherited, as from a polluted prototype, is not
 * there.
 */
export const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

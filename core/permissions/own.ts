/** Reads an own field of an outside value; inherited fields, as from a polluted prototype, are ignored. */
export const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

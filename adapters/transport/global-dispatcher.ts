/** Whether Node's fetch sends as it does by default. A program can have all of it sent by a dispatcher of undici's. */

/** Where each copy of undici, also Node's own, finds that dispatcher. */
const key = /*#__PURE__*/ Symbol.for("undici.globalDispatcher.1")

/** The default is an Agent without options, made by the copy that was used first. */
const isDefault = (dispatcher: object): boolean => {
  const kind = Object.getPrototypeOf(dispatcher)
  // One that is composed of interceptors has a `dispatch` of its own.
  if (kind?.constructor?.name !== "Agent" || Reflect.get(dispatcher, "dispatch") !== kind.dispatch)
    return false
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === "options")
  const options = symbol === undefined ? undefined : Reflect.get(dispatcher, symbol)
  // Undici 7 adds the greatest number of origins, which is not limited.
  return (
    typeof options === "object" &&
    options !== null &&
    Object.values(options).every((value) => value === undefined || value === Number.POSITIVE_INFINITY)
  )
}

let known: unknown
let isKnownDefault = true

/** Whether nobody has set a dispatcher: a proxy, a mock, or an Agent with options of its own. */
export const isStandard = (): boolean => {
  const dispatcher: unknown = Reflect.get(globalThis, key)
  if (dispatcher !== known) {
    known = dispatcher
    isKnownDefault = dispatcher === undefined || isDefault(Object(dispatcher))
  }
  return isKnownDefault
}

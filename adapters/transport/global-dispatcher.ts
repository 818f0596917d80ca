/** Whether Node's fetch sends as it does by default. A program can have all of it sent by a dispatcher of undici's. */

/** Where the copies of undici, also Node's own, find that dispatcher: up to undici 7, and from undici 7 on. */
const older = /*#__PURE__*/ Symbol.for("undici.globalDispatcher.1")
const newer = /*#__PURE__*/ Symbol.for("undici.globalDispatcher.2")

/** The prototypes of an Agent: its own, those of its three base classes, and Object's. A subclass has one more. */
const depth = 5

const prototypes = (value: object | null): number =>
  value === null ? -1 : 1 + prototypes(Object.getPrototypeOf(value))

/** What a dispatcher holds under a private symbol; each copy of undici has its own. */
const get = (dispatcher: object, name: string): unknown => {
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === name)
  return symbol === undefined ? undefined : Reflect.get(dispatcher, symbol)
}

/** What all Agents have. */
interface Agent {
  readonly constructor: new () => Agent
  readonly dispatch: unknown
  readonly eventNames: () => ReadonlyArray<unknown>
}

/** Known by its shape: a copy that a bundler minified has other names of classes. */
const isAgent = (dispatcher: object): dispatcher is Agent =>
  prototypes(dispatcher) === depth && typeof get(dispatcher, "factory") === "function"

/** Whether it is an Agent as undici itself sets one: like one that is made without options. */
const isDefault = (dispatcher: object): boolean => {
  if (!isAgent(dispatcher) || dispatcher.eventNames().length > 0) return false
  const fresh = new dispatcher.constructor()
  const plain = Object(get(fresh, "options"))
  return (
    // One that is composed of interceptors has a `dispatch` of its own.
    dispatcher.dispatch === fresh.dispatch &&
    ["factory", "maxRedirections"].every((name) => get(dispatcher, name) === get(fresh, name)) &&
    Object.entries(Object(get(dispatcher, "options"))).every(([name, value]) => value === plain[name])
  )
}

/** Undici 8, also Node's own, leaves a wrapper of the newer dispatcher to older copies. */
const isWrapper = (dispatcher: object): boolean =>
  typeof Reflect.get(dispatcher.constructor, "wrapHandler") === "function"

let known: ReadonlyArray<unknown> = []
let isKnownDefault = true

/** Whether nobody has set a dispatcher: a proxy, a mock, or an Agent with options of its own. */
export const isStandard = (): boolean => {
  const first: unknown = Reflect.get(globalThis, older)
  const second: unknown = Reflect.get(globalThis, newer)
  if (first !== known[0] || second !== known[1]) {
    known = [first, second]
    isKnownDefault =
      (second === undefined || isDefault(Object(second))) &&
      (first === undefined || isDefault(Object(first)) || (second !== undefined && isWrapper(Object(first))))
  }
  return isKnownDefault
}

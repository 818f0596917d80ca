/** Functions of a value that throw: which one it was is told, and nothing of what it threw, which may hold what it has read. */
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"

/** A function of the value that has thrown, or answered what it cannot mean. */
export class Fault {
  constructor(
    /** Its field, such as `lists.next`. */
    readonly field: string,
    /** What it did, in words: `threw a TypeError`, `answered a Promise`. */
    readonly did: string
  ) {}
}

/** Tells that a function of the value has answered what it cannot mean. */
export const refuse = (field: string, answered: string): never =>
  Either.getOrThrowWith(Either.left(new Fault(field, `answered ${answered}`)), identity)

/** What a function has answered, which is no Promise: nobody waits for one, and none may end the process. */
const settledOf = (field: string, value: unknown): unknown => {
  if (!Predicate.isPromiseLike(value)) return value
  value.then(identity, identity)
  return refuse(field, "a Promise")
}

/** The same value, whose functions throw a `Fault`, and whose objects inherit nothing. */
export const named = <A>(value: A, field = ""): A => {
  const pathTo = (name: string): string => (field === "" ? name : `${field}.${name}`)
  const inner = (): unknown => {
    if (typeof value === "function")
      return (...args: ReadonlyArray<unknown>): unknown => {
        const answered = Either.try({
          try: (): unknown => value(...args),
          catch: (cause) =>
            new Fault(field, `threw ${cause instanceof Error ? `a ${cause.name}` : "a value"}`)
        })
        return settledOf(field, Either.getOrThrowWith(answered, identity))
      }
    if (Array.isArray(value)) return value.map((item, at) => named(item, pathTo(String(at))))
    return Predicate.isRecord(value)
      ? Object.assign(
          Object.create(null),
          ...Object.entries(value).map(([name, item]) => ({ [name]: named(item, pathTo(name)) }))
        )
      : value
  }
  // Nothing else of the value is changed.
  return inner() as A
}

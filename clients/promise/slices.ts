/** From the operations of a client's slices to methods that return Promises. */
import type { Operation } from "../../core/kernel/operation/operation.js"
import type { Methods } from "./methods.js"

/** The operations of a client, by slice and call. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation<never, unknown, never>>>>>

/** The names of a client's calls. */
export const namesOf = (slices: Operations): ReadonlyArray<string> =>
  Object.values(slices).flatMap((calls) => Object.values(calls).map(({ name }) => name))

/** The same names with what `f` makes of each value. */
export const mapped = <A, B>(
  of: Readonly<Record<string, A>>,
  f: (value: A, name: string) => B
): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, f(value, name)]))

/** Makes the slices of one client, whose types are generated beside its operations. */
export const makeSlices = <Calls>(slices: Operations, { method }: Methods): Calls =>
  mapped(slices, (calls) => mapped(calls, method)) as Calls

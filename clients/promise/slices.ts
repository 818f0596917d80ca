/** From the slices of an Effect client to the same slices with methods that return Promises. */
import { Operation } from "../../core/kernel/operation/operation.js"
import type { Methods, Promised } from "./methods.js"

/** The calls of a slice. */
export type Calls<Slice> = {
  readonly [K in keyof Slice as Promised<Slice[K]> extends never ? never : K]: Promised<Slice[K]>
}

/** The slices of a client's module that hold calls, with methods that return Promises. */
export type Slices<Module> = {
  readonly [K in keyof Module as keyof Calls<Module[K]> extends never ? never : K]: Calls<Module[K]>
}

const isBound = (value: unknown): value is { readonly operation: Operation<never, unknown, never> } =>
  typeof value === "function" && "operation" in value && Operation.isOperation(value.operation)

const isNamespace = (value: unknown): value is object => typeof value === "object" && value !== null

const callsOf = (namespace: unknown) =>
  isNamespace(namespace)
    ? Object.entries(namespace).flatMap(([call, member]) =>
        isBound(member) ? [[call, member.operation] as const] : []
      )
    : []

/** The names of a client's calls. */
export const namesOf = (module: object): ReadonlyArray<string> =>
  Object.values(module)
    .flatMap(callsOf)
    .map(([, { name }]) => name)

/** Makes the slices of one client. */
export const makeSlices = <Module extends object>(module: Module, { method }: Methods): Slices<Module> => {
  const slices: Record<string, Record<string, unknown>> = {}
  for (const [name, namespace] of Object.entries(module)) {
    const calls = callsOf(namespace)
    if (calls.length > 0)
      slices[name] = Object.fromEntries(calls.map(([call, operation]) => [call, method(operation)]))
  }
  // The types above state the result of this loop for each name.
  return slices as unknown as Slices<Module>
}

/** Outboxes over what a page brings along: one for all registries, with a keeper in each. */

import { type CallError, InputError, type Known, read } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { QueueId, type QueueSource } from "../rx/queue.js"
import { fromStore, type Registry, service } from "../rx/registry.js"
import type { Definition } from "./connection.js"
import type { OutboxError } from "./error.js"
import { asData } from "./input.js"
import { Keeper } from "./keeper.js"
import type { Outbox, OutboxActions, OutboxOptions, OutboxState } from "./model.js"
import { makeMutation } from "./mutation.js"
import type { Ports } from "./store.js"

const refuse = (field: string, rule: string): never => {
  throw new InputError({ operation: "makeOutbox", field, rule })
}

const known: Known<OutboxOptions> = { name: "string", capacity: "any", probe: "function" }

/** Makes an outbox over what a page brings. */
export const makeOutboxOver = (
  portsOf: (options: OutboxOptions) => Ports,
  rawOptions: OutboxOptions
): Outbox => {
  const options = Either.getOrThrowWith(
    read("makeOutbox", "options", rawOptions, known),
    (refused) => refused
  )
  const { capacity = 1_000, name } = options
  if (name === "" || name === undefined) refuse("name", "must be text that is not empty")
  if (!(Number.isInteger(capacity) && capacity > 0)) refuse("capacity", "must be a whole number, at least 1")
  const device = portsOf(options)
  const ports: Ports = { ...device, store: asData(device.store) }
  const definitions = new Map<string, Definition>()
  const present = new Set<Keeper>()
  const keepers = service(
    (registry) => {
      const keeper = new Keeper(name, capacity, ports, registry, definitions)
      present.add(keeper)
      return keeper
    },
    (keeper) => {
      present.delete(keeper)
      keeper.close()
    }
  )
  const keeperIn = (registry: Registry): Keeper => {
    const keeper = registry.get(keepers)
    keeper.connect()
    return keeper
  }
  const value = fromStore<OutboxState, never>(
    (registry) => registry.get(keepers).store,
    () => undefined
  )
  return Object.assign(value, {
    actions: (registry: Registry): OutboxActions => ({
      retry: (id) => keeperIn(registry).actions.retry(id),
      edit: (id, input) => keeperIn(registry).actions.edit(id, input),
      discard: (id) => keeperIn(registry).actions.discard(id),
      clear: () => keeperIn(registry).actions.clear()
    }),
    [QueueId]: <I, A, R, LE>(source: QueueSource<I, A, R, LE>) => {
      const { call, options } = source
      const mutation = options.name ?? `${call.client} ${call.operation.name}`
      // What runs it takes its input from the store; types are those of the mutation that wrote it.
      const definition = { ...source, name: mutation } as unknown as Definition
      definitions.set(mutation, definition)
      // Not at once: this may be the render of a component.
      queueMicrotask(() => {
        for (const keeper of present) keeper.connect()
      })
      return makeMutation<I, A, CallError | LE | OutboxError>(definition, keeperIn)
    }
  })
}

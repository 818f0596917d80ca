/** Mutations with an outbox: a run is over for its caller when it is kept, and the latest one is followed to its end. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { type InspectedRun, inspections } from "../rx/inspection.js"
import type {
  EntryEnd,
  QueuedActions,
  QueuedMutation,
  QueuedRun,
  QueuedState,
  QueueOutcome
} from "../rx/queue.js"
import { fromStore, type Registry, Store } from "../rx/registry.js"
import type { Definition } from "./connection.js"
import type { Keeper } from "./keeper.js"
import type { Standing } from "./projection.js"

const nothing = { id: undefined, data: undefined, error: undefined } as const
const idle = { ...nothing, status: "idle" } as const

/** How the latest run stands, by its entry. What was discarded, or is no longer watched, is as if it had not been. */
const stateOf = <A>(id: string, standing: Standing | undefined): QueuedState<A, never> => {
  switch (standing?.status) {
    case "queued":
      return { ...nothing, status: "queued", id }
    case "done":
      // Keepers serve mutations of any types: what this one is answered is its definition's.
      return { ...nothing, status: "success", id, data: standing.data as A }
    case "failed":
      return { ...nothing, status: "error", id, error: standing.error }
    case "unknown":
      return { ...nothing, status: "unknown", id, error: standing.error }
    default:
      return idle
  }
}

/** The same as devtools tell it. */
const inspected = (standing: Standing | undefined): InspectedRun => {
  if (standing === undefined) return { status: "cancelled" }
  if ("error" in standing)
    return { status: standing.status === "failed" ? "error" : "unknown", error: standing.error }
  return standing.status === "done" ? { status: "success", data: standing.data } : standing
}

const view = <A, E>(run: QueuedRun<A, E>): QueuedState<A, E> => {
  if (run.status === "defect") throw run.defect
  return run
}

/** The runs of one mutation in one registry. */
const makeRunner = <I, A, E>(
  definition: Definition,
  registry: Registry,
  keeperIn: (registry: Registry) => Keeper
) => {
  const store = new Store<QueuedRun<A, E>>(idle)
  let latest: object | undefined
  /** Whose run is shown. */
  let owner: object | undefined
  let stop = (): void => undefined
  const users = () => registry.get(definition.states)
  const forget = (): void => {
    latest = owner = undefined
    stop()
    store.set(idle)
  }
  /** Forgets the run of a user who has left while nobody observed it. */
  const check = (): void => {
    if (owner !== undefined && owner !== users().cache.owner) forget()
  }
  const changed = (isSame: boolean): void => {
    if (!isSame) forget()
  }
  store.onMount = () => {
    check()
    const { onUserChange } = users()
    onUserChange.add(changed)
    return () => onUserChange.delete(changed)
  }
  const run = async (input: I): Promise<QueueOutcome<A, E>> => {
    const current = {}
    latest = current
    owner = users().cache.owner
    stop()
    const show = (state: QueuedRun<A, E>): void => {
      if (latest === current) store.set(state)
    }
    show({ ...nothing, status: "pending" })
    const seen = registry.get(inspections).onRun?.(definition.call.operation.name, input)
    const keeper = keeperIn(registry)
    // Keepers serve mutations of any types: what this one fails with and is answered is its definition's.
    const exit = (await keeper.add(definition, input)) as Exit.Exit<string, E>
    if (Exit.isSuccess(exit)) {
      const id = exit.value
      const follow = (tell: (standing: Standing | undefined) => void): (() => void) => {
        const look = (): void => {
          const standing = keeper.find(id)
          tell(standing)
          // A person may still send again what failed or may have been done.
          const isOpen = standing !== undefined && ["queued", "failed", "unknown"].includes(standing.status)
          if (!isOpen || keeper.isClosed) end()
        }
        const end = keeper.subscribe(look)
        look()
        return end
      }
      if (latest === current) stop = follow((standing) => show(stateOf(id, standing)))
      if (seen) follow((standing) => seen(inspected(standing)))
      return { status: "queued", id, ended: keeper.ended(id) as Promise<EntryEnd<A>> }
    }
    const error = Cause.failureOption(exit.cause)
    if (Option.isSome(error)) {
      const refused = { status: "error", error: error.value } as const
      show({ ...nothing, ...refused })
      seen?.(refused)
      return refused
    }
    const fault = { status: "defect", defect: Cause.squash(exit.cause) } as const
    show(fault)
    seen?.(fault)
    return fault
  }
  const actions: QueuedActions<I, A, E> = {
    // The arguments allow no input only where I accepts an empty one.
    mutate: (...[input]) => run((input ?? {}) as I),
    reset: forget
  }
  return { store, run, check, actions }
}

export const makeMutation = <I, A, E>(
  definition: Definition,
  keeperIn: (registry: Registry) => Keeper
): QueuedMutation<I, A, E> => {
  type Runner = ReturnType<typeof makeRunner<I, A, E>>
  const runners = new WeakMap<Registry, Runner>()
  const runnerIn = (registry: Registry): Runner => {
    const runner = runners.get(registry) ?? makeRunner<I, A, E>(definition, registry, keeperIn)
    runners.set(registry, runner)
    return runner
  }
  const value = fromStore<QueuedRun<A, E>, I>(
    (registry) => {
      const { check, store } = runnerIn(registry)
      check()
      return store
    },
    (registry, input) => runnerIn(registry).run(input)
  )
  return Object.assign(value, {
    instance: () => makeMutation<I, A, E>(definition, keeperIn),
    actions: (registry: Registry) => runnerIn(registry).actions,
    view
  })
}

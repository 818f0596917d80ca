/** Loops over what comes in parts: pages, downloads, the messages of a chat. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { Pull } from "../../core/kernel/dispatch/pulls.js"
import type { Runner } from "./run.js"

/** A pull that ends in none instead of failing with none. */
const orEnd = <A, E>(pull: Effect.Effect<A, Option.Option<E>>): Effect.Effect<Option.Option<A>, E> =>
  Effect.catchAll(
    Effect.map(pull, Option.some),
    Option.match({ onNone: () => Effect.succeed(Option.none()), onSome: Effect.fail })
  )

/** Pulls part by part. Between two items it still holds its connection. */
async function* read<A>(
  { enter, runEffect }: Runner,
  name: string,
  opened: Effect.Effect<Pull<A, unknown>, unknown, Scope.Scope>,
  signal: AbortSignal | undefined
): AsyncGenerator<A, void, undefined> {
  const scope = Effect.runSync(Scope.make())
  let ended: { readonly reason: unknown } | undefined
  let pulling: Promise<unknown> | undefined
  const release = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
  const goOn = (): void => {
    if (ended !== undefined) throw ended.reason
  }
  const pull = async <B>(effect: Effect.Effect<B, unknown>): Promise<B> => {
    goOn()
    const pulled = runEffect(name, effect, signal)
    pulling = pulled
    const value = await pulled
    pulling = undefined
    goOn()
    return value
  }
  const leave = enter(name, signal, (reason) => {
    if (ended !== undefined) return undefined
    ended = { reason }
    leave()
    return pulling === undefined ? release() : pulling.then(release, release)
  })
  try {
    const next = orEnd(await pull(Scope.extend(opened, scope)))
    while (true) {
      const items = await pull(next)
      if (Option.isNone(items)) return
      for (const item of items.value) {
        yield item
        goOn()
      }
    }
  } finally {
    leave()
    await release()
  }
}

/** The items that are pulled, from the beginning for each loop over them; leaving a loop closes its scope. */
export const iterate = <A>(
  runner: Runner,
  name: string,
  opened: Effect.Effect<Pull<A, unknown>, unknown, Scope.Scope>,
  signal: AbortSignal | undefined
): AsyncIterable<A> => ({ [Symbol.asyncIterator]: () => read(runner, name, opened, signal) })

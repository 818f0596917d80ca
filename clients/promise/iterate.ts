/** Loops over what comes in parts: pages, downloads, the messages of a chat. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { Launchable, Pull } from "../../core/kernel/dispatch/pulls.js"
import { runAtOnce } from "./at-once.js"
import { rejection } from "./rejection.js"
import type { Runner } from "./run.js"

/** Pulls part by part. Between two items it still holds its connection. */
async function* read<A>(
  { enter, runEffect, starts }: Runner,
  name: string,
  opened: Effect.Effect<Pull<A, unknown> | Launchable<A, unknown>, unknown, Scope.Scope>,
  signal: AbortSignal | undefined
): AsyncGenerator<A, void, undefined> {
  const scope = runAtOnce(Scope.make())
  let ended: { readonly reason: unknown } | undefined
  let stop: ((reason: unknown) => void) | undefined
  const release = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
  const goOn = (): void => {
    if (ended !== undefined) throw ended.reason
  }
  const leave = enter(name, signal, (reason) => {
    if (ended !== undefined) return undefined
    ended = { reason }
    leave()
    stop?.(reason)
    return release()
  })
  try {
    const pull = await runEffect(name, Scope.extend(opened, scope), signal)
    const launch = "launch" in pull ? pull.launch : starts(pull)
    // The loop is entered, so a pull is not.
    const next = (): Promise<ReadonlyArray<A> | undefined> =>
      new Promise((resolve, reject) => {
        goOn()
        const cancel = launch((exit) => {
          if (exit._tag === "Success") return resolve(exit.value)
          const error = Cause.squash(exit.cause)
          if (!Option.isOption(error)) resolve(rejection(error))
          else if (Option.isSome(error)) resolve(rejection(error.value))
          else resolve(undefined)
        })
        stop = (reason) => {
          reject(reason)
          cancel()
        }
      })
    while (true) {
      const items = await next()
      goOn()
      if (items === undefined) return
      for (const item of items) {
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
  opened: Effect.Effect<Pull<A, unknown> | Launchable<A, unknown>, unknown, Scope.Scope>,
  signal: AbortSignal | undefined
): AsyncIterable<A> => ({ [Symbol.asyncIterator]: () => read(runner, name, opened, signal) })

/** What the client says of a call: how it ended and how long it took. Kept until it is compared with what the far end says. */
import { Cause, Effect, type Exit } from "effect"
import * as Errors from "../../core/kernel/errors/errors.js"

export type Outcome =
  /** A value; `isRight` says whether it is the one that the platform has. */
  | { readonly _tag: "Value"; readonly isRight: boolean }
  | { readonly _tag: "Failure"; readonly error: Errors.CallError }
  | { readonly _tag: "Defect"; readonly text: string }

export interface Account {
  readonly call: string
  readonly isWrite: boolean
  readonly isKeyed: boolean
  /** Its operation, its client and its transport, for the floors that each of them has. */
  readonly parts: ReadonlyArray<string>
  readonly outcome: Outcome
  /** Milliseconds from the start of the call to its end, on the clock of the harness. */
  readonly took: number
}

const ofError = (error: unknown): Outcome =>
  Errors.isCallError(error)
    ? { _tag: "Failure", error }
    : { _tag: "Defect", text: error instanceof Error ? (error.stack ?? error.message) : String(error) }

export const ofExit = <A>(exit: Exit.Exit<A, unknown>, isRight: (value: A) => boolean): Outcome => {
  if (exit._tag === "Success") return { _tag: "Value", isRight: isRight(exit.value) }
  return Cause.isFailType(exit.cause)
    ? ofError(exit.cause.error)
    : { _tag: "Defect", text: Cause.pretty(exit.cause) }
}

export const outcomeOf = <A>(
  effect: Effect.Effect<A, unknown>,
  isRight: (value: A) => boolean
): Promise<Outcome> => Effect.runPromiseExit(effect).then((exit) => ofExit(exit, isRight))

export const ofPromise = <A>(promise: Promise<A>, isRight: (value: A) => boolean): Promise<Outcome> =>
  promise.then((value) => ({ _tag: "Value", isRight: isRight(value) }), ofError)

/** The outcome in a word or two, for tables. */
export const nameOf = (outcome: Outcome): string => {
  switch (outcome._tag) {
    case "Value":
      return outcome.isRight ? "value" : "value, altered"
    case "Defect":
      return "defect"
    case "Failure": {
      const { error } = outcome
      return "reason" in error ? `${error._tag} ${error.reason}` : error._tag
    }
  }
}

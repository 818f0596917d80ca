/**
 * What a project's own platform answers, learnt from its traffic: a module that `quartet record` writes says it in types,
 * by augmenting `Recorded`, and in schemas, which a client takes as `answers`.
 */
import type { As, Typed } from "./answer.js"
import type { Declared } from "./operation.js"

/**
 * The recorded answers by client and call, such as `"admin.items.list"`; of a list, each item. A recorded module adds them:
 *
 * ```ts
 * declare module "@quartet/sdk/answers" {
 *   interface Recorded {
 *     readonly "admin.items.list": AdminItemsList
 *   }
 * }
 * ```
 * @category models
 */
export interface Recorded extends Record<never, never> {}

/** The answer of a call as it was recorded; as it is declared, where it was not. @category models */
export type Answered<Call extends string, A> = Call extends keyof Recorded ? As<A, Recorded[Call]> : A

/** What a recorded module exports for `answers` of a client's configuration. @category models */
export interface RecordedAnswers {
  /** Whether a mismatch with a recorded answer is tolerated, and reported as drift, or refused. */
  readonly _tag: "tolerant" | "strict"
  /** What a client's call answers: as recorded, else as declared. */
  readonly of: (call: string, declared: Declared) => Declared["success"]
}

/** The answers of recorded schemas, by client and call; of a list, each item. @category constructors */
export const make = (schemas: Readonly<Record<string, Typed<unknown>>>): RecordedAnswers => ({
  _tag: "tolerant",
  of: (call, { credentials, isNarrowed, success }) => {
    const schema = Object.hasOwn(schemas, call) ? schemas[call] : undefined
    // A sign-in's answer has fields without which it is useless, and a caller's own schema goes before.
    if (schema === undefined || isNarrowed || credentials === "none" || "bytes" in success) return success
    return "page" in success ? { ...success, page: schema } : schema
  }
})

/** The same, for a client that refuses what was not recorded so: `answers: strict(recorded)`. @category combinators */
export const strict = (answers: RecordedAnswers): RecordedAnswers => ({ ...answers, _tag: "strict" })

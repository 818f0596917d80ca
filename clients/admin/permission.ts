/** Whether the admin may do something, asked without doing it (specification, point 6). */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Decision } from "../../core/kernel/dispatch/credentials.js"
import type { CallError, InputError } from "../../core/kernel/errors/errors.js"
import { callOf, Operation, sliceOf } from "../../core/kernel/operation/operation.js"
import { type Known, read, refuser } from "../../core/kernel/operation/options.js"
import { type Reading, readings } from "../../core/permissions/grants.js"
import { Admin, type Level, None, Read, Write } from "../../core/permissions/level.js"
import { Client } from "./client.js"
import { readToken } from "./identity.js"

/** The options of a check. @category models */
export interface CheckOptions {
  /** How grants are compared; as the client's `permissions` say by default. */
  readonly reading?: Reading
}

/** A call of an admin client, which a check is asked by. @category models */
export interface Checkable {
  /** The operation of the call, by which its grant is known. */
  readonly operation: Operation<never, unknown, never>
}

/** What is asked: a call, or an action on a resource at a level (`Write` by default). @category models */
export type CheckArgs =
  | readonly [call: Checkable, options?: CheckOptions | undefined]
  | readonly [resource: string, action: string, level?: Level | undefined, options?: CheckOptions | undefined]

/** Asks by a call, or by resource, action and level. @category models */
export interface Check<out A> {
  (call: Checkable, options?: CheckOptions): A
  (resource: string, action: string, level?: Level, options?: CheckOptions): A
}

const known = { reading: readings } satisfies Known<CheckOptions>

const name = "permission.check"

const refuse = /*#__PURE__*/ refuser(name)

const levels: ReadonlyArray<unknown> = [None, Read, Write, Admin] satisfies ReadonlyArray<Level>

/** The resource, the action and the level that are asked for. */
type Question = readonly [resource: string, action: string, level: Level]

const ofCall = (call: unknown): Either.Either<Question, InputError> => {
  const operation: unknown = Object(call).operation
  if (!Operation.isOperation(operation) || !operation.declaration().audiences.includes("admin"))
    return refuse("call", "must be a call of the admin client, or a resource, an action and a level")
  return Either.right([
    sliceOf(operation.name),
    callOf(operation.name),
    operation.declaration().requires ?? None
  ])
}

const ofNames = (resource: string, action: unknown, level: Level): Either.Either<Question, InputError> => {
  if (resource === "") return refuse("resource", "must not be empty")
  if (typeof action !== "string" || action === "") return refuse("action", "must be text that is not empty")
  return levels.includes(level)
    ? Either.right([resource, action, level])
    : refuse("level", `must be one of ${levels.join(", ")}`)
}

const isByNames = (
  args: CheckArgs
): args is Extract<CheckArgs, readonly [string, ...ReadonlyArray<unknown>]> => typeof args[0] === "string"

/** `check`, of its arguments as a list. @category combinators */
export const decisionOf = (args: CheckArgs): Effect.Effect<Decision, CallError, Client> =>
  Effect.gen(function* () {
    const { authorization, headerNames, session } = yield* Client
    const { reading } = yield* read(name, "options", (isByNames(args) ? args[3] : args[1]) ?? {}, known)
    const [resource, action, level] = yield* isByNames(args)
      ? ofNames(args[0], args[1], args[2] ?? Write)
      : ofCall(args[0])
    const credentials = yield* Effect.clockWith(session.getCredentials)
    const { grants } = credentials
    // Nothing is known of what such a token grants: that is no denial.
    if (grants === undefined && (reading ?? "off") !== "off") yield* readToken(headerNames, credentials)
    return authorization.decide(resource, action, level, grants, reading)
  })

/**
 * What the admin's access token grants for a call, or for an action on a resource at a level (`Write` by default); signs
 * in if necessary, and sends nothing else. Resource and action are our names, which `permissionNames` maps, or the
 * token's own. A call that needs no permission is allowed. Fails with InputError for what is no call of an admin, and as
 * a sign-in does.
 *
 * Early feedback: the platform decides in the end. With `permissions: "off"` everything is allowed, unless `reading` asks
 * by another reading, which fails with CredentialsError `Malformed` where the token is one that cannot be read.
 * @category operations
 */
export const check: Check<Effect.Effect<Decision, CallError, Client>> = (...args: CheckArgs) =>
  decisionOf(args)

/**
 * Whether the admin's access token permits a call, or an action on a resource at a level: `allowed` of `check`.
 * @category operations
 */
export const can: Check<Effect.Effect<boolean, CallError, Client>> = (...args: CheckArgs) =>
  Effect.map(decisionOf(args), ({ allowed }) => allowed)

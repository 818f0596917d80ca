/** The clients of the jobs that the command line has, made when a run first needs them, over the fleet's own transport. */

import {
  type Audience,
  type Bindable,
  type Call,
  type CallError,
  type ChatSocket,
  CredentialsError,
  isCallError,
  type Page,
  type Transport
} from "@quartet/sdk/extend"
import { type Described, described, passed } from "@quartet/sdk/extend/description"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { AnyClient, bind, bindList, type Values } from "../call/caller.js"
import { clientFor, type Failure, type Platform } from "../configuration.js"
import { Problem } from "../exit.js"
import type { Environment } from "../program.js"

/** The clients of one platform. */
export class Clients extends Context.Tag("quartet/JobClients")<
  Clients,
  {
    readonly address: string
    readonly project: () => string | undefined
    readonly of: (audience: Audience) => Effect.Effect<Bindable, CallError>
  }
>() {}

/** A client that cannot be made pauses a run, as refused credentials do: nothing of it can succeed. */
const asCallError = (failure: Failure): CallError =>
  isCallError(failure)
    ? failure
    : new CredentialsError({
        operation: "client",
        reason: "Missing",
        advice: failure instanceof Problem ? failure.message : "nobody answered what was asked for"
      })

export const layer = (
  platform: Platform
): Layer.Layer<Clients, never, Transport | ChatSocket | Environment> =>
  Layer.scoped(
    Clients,
    Effect.gen(function* () {
      const context = yield* Effect.context<Transport | ChatSocket | Environment>()
      const clients = platform.over(Layer.succeedContext(context))
      const scope = yield* Effect.scope
      const of = yield* Effect.cachedFunction((audience: Audience) =>
        clientFor(clients, audience).pipe(
          Effect.provideService(Scope.Scope, scope),
          Effect.provide(context),
          Effect.mapError(asCallError)
        )
      )
      return { address: platform.baseUrl, project: platform.project, of }
    })
  )

/** What of a run says which platform it is for, and which project of it. */
export interface Addressed {
  readonly address: string
  readonly project?: string | undefined
  /** Whether the bodies of its writes are sent as they are. */
  readonly raw?: boolean | undefined
}

const mismatch = (ours: string, own: string): string =>
  `this run is for ${ours}, and this runner is configured for ${own}`

/** The client for a call of a run, or why there is none: the run is for another platform, or for another project of it. */
const clientOrRefusal = (
  of: Described,
  { address, project }: Addressed
): Effect.Effect<Either.Either<Bindable, string>, CallError, Clients> =>
  Effect.gen(function* () {
    const clients = yield* Clients
    if (clients.address !== address) return Either.left(mismatch(address, clients.address))
    const client = yield* clients.of(of.audience)
    // It is known once the client is: it may have been asked for.
    const own = clients.project()
    return project !== undefined && own !== undefined && own !== project
      ? Either.left(mismatch(`the project ${project}`, `the project ${own}`))
      : Either.right(client)
  })

/** The client for a call of a run, which is for one project. */
const clientOf = (of: Described, target: Addressed): Effect.Effect<Bindable, CallError, Clients> =>
  Effect.flatMap(
    clientOrRefusal(of, target),
    Either.mapLeft((advice) => new CredentialsError({ operation: of.name, reason: "Malformed", advice }))
  )

/** A call by its key, such as `admin.entities.create`. */
const known = new Map(described.map((call) => [call.key, call]))

/** A call that a run names. It was checked when the run was started, so that an unknown one is of another version. */
const named = (key: string): Either.Either<Described, CallError> =>
  Either.fromNullable(
    known.get(key),
    () =>
      new CredentialsError({
        operation: key,
        reason: "Malformed",
        advice: `this version of quartet has no call ${key}`
      })
  )

/** Why this runner leaves a run with such a call to others; undefined where it does not. */
export const refusalOf = (
  target: Addressed,
  key: string
): Effect.Effect<string | undefined, never, Clients> =>
  Effect.flatMap(named(key), (of) => clientOrRefusal(of, target)).pipe(
    Effect.map((client) => (Either.isLeft(client) ? client.left : undefined)),
    // What else is wrong, the run's own calls say.
    Effect.orElseSucceed(() => undefined)
  )

/** The names of the fields of a call. */
export const fieldsOf = (key: string): ReadonlyArray<string> =>
  (known.get(key)?.fields ?? []).map(({ name }) => name)

const bound = new Map<Described, Call<Values, unknown, never, AnyClient>>()

const callOf = (of: Described): Call<Values, unknown, never, AnyClient> => {
  const boundCall = bound.get(of) ?? bind(of)
  bound.set(of, boundCall)
  return boundCall
}

/** Makes one call of a run. */
export const make = (
  target: Addressed,
  key: string,
  input: Values,
  idempotencyKey?: string
): Effect.Effect<unknown, CallError, Clients> =>
  Effect.gen(function* () {
    const of = yield* named(key)
    const client = yield* clientOf(of, target)
    return yield* Effect.provideService(
      callOf(of)(
        target.raw === true ? passed(of.fields, input) : input,
        idempotencyKey === undefined ? {} : { idempotencyKey }
      ),
      AnyClient,
      client
    )
  })

/** Something with a list of a run's platform. */
export const withList = <A, E>(
  target: Addressed,
  key: string,
  use: (list: Call<Values, Page<unknown>, never, AnyClient>) => Effect.Effect<A, E, AnyClient>
): Effect.Effect<A, E | CallError, Clients> =>
  Effect.gen(function* () {
    const of = yield* named(key)
    const client = yield* clientOf(of, target)
    return yield* Effect.provideService(use(bindList(of)), AnyClient, client)
  })

/** The same as a stream. */
export const streamOf = <A, E>(
  target: Addressed,
  key: string,
  use: (list: Call<Values, Page<unknown>, never, AnyClient>) => Stream.Stream<A, E, AnyClient>
): Stream.Stream<A, E | CallError, Clients> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const of = yield* named(key)
      const client = yield* clientOf(of, target)
      return Stream.provideService(use(bindList(of)), AnyClient, client)
    })
  )

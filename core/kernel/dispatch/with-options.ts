/** A client with other options than the one that it comes from; apart from the dispatcher, so that only who derives one carries it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Drift from "../codec/drift.js"
import type { InputError } from "../errors/errors.js"
import * as Options from "../operation/options.js"
import { type Answers, answers, type Headers } from "./call-options.js"
import * as Dispatcher from "./dispatcher.js"
import { Lifetime } from "./lifetime/lifetime.js"
import type { Middleware } from "./middleware.js"
import * as Retry from "./retry.js"
import * as Settings from "./settings.js"

/**
 * The options of a client that is derived from another one. What says who calls, or where, is not among them: that takes a client
 * of its own.
 * @category models
 */
export interface ClientOptions extends Drift.Options {
  /** Attempts, pauses, deadline and limits, over those of the first client. */
  readonly policy?: Retry.PolicyInput
  /** How to treat an answer that is not what its operation declares. */
  readonly answers?: Answers
  /**
   * Headers that each call sends besides its own, over those of the first client, of which null takes one away; the same rules
   * hold as for those of one call. A sign-in, which the clients share, sends those of the first client.
   */
  readonly headers?: Headers
  /** Wraps each call inside of the first client's middleware. */
  readonly middleware?: ReadonlyArray<Middleware>
}

/** The names of the options. */
export const known = {
  policy: "object",
  answers,
  headers: "any",
  middleware: "any",
  onDrift: "function",
  logDrift: "boolean"
} as const satisfies Options.Known<ClientOptions>

/** Whether a derived client shares what the name stands for with the one that it comes from. */
const isShared = (name: string): boolean =>
  !Object.hasOwn(known, name) &&
  (Object.hasOwn(Settings.common, name) ||
    [...Settings.others, "transport", "sessionStore", "chatSocket", "onboarding"].includes(name))

/** A lifetime within another one, which holds nothing of it while nothing is under way. */
class Within extends Lifetime {
  private isClosed = false

  constructor(private readonly outer: Lifetime) {
    super(outer.start)
    // It is a field of every lifetime, and here follows another one.
    Object.defineProperty(this, "isOver", {
      get: () => this.isClosed || outer.isOver,
      set: (isOver: boolean) => {
        this.isClosed = isOver
      }
    })
  }

  override enter(end: () => Effect.Effect<void>): () => void {
    let leaveOuter: (() => void) | undefined
    const leave = super.enter(() => {
      leaveOuter?.()
      return end()
    })
    if (this.isOver) return leave
    leaveOuter = this.outer.enter(() => {
      leave()
      return end()
    })
    return () => {
      leave()
      leaveOuter?.()
    }
  }
}

/** The dispatcher of a derived client: it shares transport, credentials, retry budget and limits. */
export const derive = (
  dispatcher: Dispatcher.Dispatcher,
  input: ClientOptions
): Either.Either<Dispatcher.Dispatcher, InputError> => {
  const { context, lifetime, settings } = dispatcher
  const name = "withOptions"
  const refuse = Options.refuser(name)
  const own = Object.keys(Object(input)).find(isShared)
  if (own !== undefined)
    return refuse(own, "is shared with the client that this one comes from: make another client")
  return Either.flatMap(Options.read(name, "options", input, known, Retry.defaults), (options) =>
    Either.map(
      Either.all({
        policy: Retry.read(name, settings.policy, options.policy),
        headers: Settings.readHeaders(refuse, options.headers ?? {}, settings.headerNames, settings.headers),
        middleware: Settings.chain(options.middleware, name)
      }),
      ({ headers, middleware, policy }) => {
        const { origin, prefix } = settings.api
        const isReporting = options.onDrift !== undefined || options.logDrift !== undefined
        const derived = Dispatcher.make(
          {
            ...settings,
            policy,
            headers,
            middleware: [...settings.middleware, ...middleware],
            answers: options.answers ?? settings.answers,
            drift: isReporting ? Drift.make(options, origin + prefix) : settings.drift
          },
          context.transport,
          new Within(lifetime),
          context.budget
        )
        return dispatcher.redo?.(derived) ?? derived
      }
    )
  )
}

/**
 * Derives a client with other options, which shares the session, the connections, the retry budget and the limits of
 * the first one.
 *
 * Fails with InputError for an option that is not valid, and for one that says who calls, or where (`baseUrl`,
 * credentials): that takes a client of its own. With `onDrift` or `logDrift` the derived client reports drift for
 * itself. Closing it (`client.dispatcher.lifetime.close`) ends its own calls alone; the end of the first client ends
 * both. It compiles each operation anew, so make it once and keep it.
 *
 * @example
 * ```ts
 * import { withOptions } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function* () {
 *   const patient = yield* withOptions(yield* Admin.Client, { policy: { deadline: "2 minutes" } })
 *   return yield* Effect.provideService(Admin.orders.search(), Admin.Client, patient)
 * })
 * ```
 * @category combinators
 */
export const withOptions = <S extends Dispatcher.Bindable>(
  client: S,
  options: ClientOptions
): Effect.Effect<S, InputError> =>
  Effect.suspend(() =>
    Effect.map(derive(client.dispatcher, options), (dispatcher) => ({ ...client, dispatcher }))
  )

/** The admin client: project administrators, by e-mail and password or by an existing session. */
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Auth from "../../core/auth/operations.js"
import type { Authorization } from "../../core/kernel/dispatch/credentials.js"
import type { Dialect, SignInCalls } from "../../core/kernel/dispatch/dialect.js"
import * as Dispatcher from "../../core/kernel/dispatch/dispatcher.js"
import { makeAuthorization } from "../../core/kernel/dispatch/execution.js"
import { Lifetime, type Runtime } from "../../core/kernel/dispatch/lifetime/lifetime.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import { CredentialsError, type InputError, missingCredentials } from "../../core/kernel/errors/errors.js"
import * as Options from "../../core/kernel/operation/options.js"
import * as Path from "../../core/kernel/operation/path.js"
import * as AdminSession from "../../core/kernel/session/admin-session.js"
import * as CredentialsProvider from "../../core/kernel/session/credentials-provider.js"
import { type Reading, readings } from "../../core/permissions/grants.js"
import {
  SessionStore,
  type Service as SessionStoreService,
  type StoredSession
} from "../../core/ports/session-store.js"
import { Transport } from "../../core/ports/transport.js"
import * as Configuration from "../configuration.js"
import { runtime } from "../runtime.js"

/** E-mail and password of an admin, with which the client signs in at its first call. @category models */
export interface PasswordCredentials {
  /** E-mail address of the account, together with `password`: one of two pairs, of which one is needed. */
  readonly email: string
  /** Password of the account, together with `email`. It is never printed. */
  readonly password: Settings.Secret
  /** Belongs to the other pair: give `email` with `password`, or `sessionId` with `accessToken`. */
  readonly sessionId?: never
  /** Belongs to the other pair: give `email` with `password`, or `sessionId` with `accessToken`. */
  readonly accessToken?: never
  /** Belongs to the other pair: cookies are given beside `sessionId` and `accessToken`. */
  readonly cookies?: never
}

/** What an admin's earlier sign-in was answered. @category models */
export interface SessionCredentials {
  /**
   * Id of the session of an earlier sign-in, together with `accessToken`: one of two pairs, of which one is needed. Empty text where
   * `platform` says that there is none, or that a page's browser keeps it.
   */
  readonly sessionId: Settings.SessionId
  /**
   * Access token of an earlier sign-in, together with `sessionId`; empty text where `platform` says that there is none, or that a page's
   * browser keeps the session. It is never printed.
   */
  readonly accessToken: Settings.Secret
  /** Cookies beside the session, as `onDemand.session` answers them of a platform whose `credentials.csrf` names one. They are never printed. */
  readonly cookies?: Settings.Cookies
  /** Belongs to the other pair: give `sessionId` with `accessToken`, or `email` with `password`. */
  readonly email?: never
  /** Belongs to the other pair: give `sessionId` with `accessToken`, or `email` with `password`. */
  readonly password?: never
}

/**
 * How an admin is known: by e-mail and password, with which the client signs in at its first call, or by a session id
 * and an access token of an earlier sign-in. One of the two pairs has to be whole (point 5 of the specification).
 * @category models
 */
export type AdminCredentials = SessionCredentials | PasswordCredentials

/** The options of an admin client beside its credentials. @category models */
export interface AdminOptions extends Settings.Common {
  /** Fills `{projectId}` in paths and is a query parameter of all other calls on the new API but the sign-in. */
  readonly projectId: string
  /** The project's API key; only the chat needs it. */
  readonly apiKey?: Settings.Secret
  /** How the token's permissions are checked before a call is sent; `intended` by default. */
  readonly permissions?: Reading
  /** The token's names for our resources or calls: `{ requests: "request-action", "requests.markSeen": "request-action.seen" }`. */
  readonly permissionNames?: Readonly<Record<string, string>>
  /**
   * The pause after a sign-in that failed, or whose session did not help, before the next; 5 seconds. A number is
   * milliseconds.
   */
  readonly signInCooldown?: Duration.DurationInput
}

/** The configuration of an admin client with the session of an earlier sign-in. @category models */
export interface SessionConfig extends AdminOptions, SessionCredentials {}

/** The configuration of an admin client that signs in with e-mail and password. @category models */
export interface PasswordConfig extends AdminOptions, PasswordCredentials {}

/**
 * The configuration of an admin client: where the platform is, whose project it is about, who signs in, and how calls
 * are treated. Only `baseUrl`, `projectId` and one pair of credentials are required: {@link PasswordConfig} or
 * {@link SessionConfig}. What is not an option is refused by its name.
 * @category models
 */
export type ClientConfig = SessionConfig | PasswordConfig

/** The names of the configuration. @category constants */
export const known = /*#__PURE__*/ Object.freeze({
  ...Settings.common,
  email: "any",
  password: "any",
  sessionId: "any",
  accessToken: "any",
  cookies: "object",
  projectId: "any",
  apiKey: "any",
  permissions: readings,
  permissionNames: "object",
  signInCooldown: "any"
} satisfies Options.Known<ClientConfig>)

/** The admin client. @category models */
export interface Service extends Dispatcher.Bindable {
  /** The session: who signed in, and the way to sign out. */
  readonly session: CredentialsProvider.Session
  /** What the admin's credentials allow. */
  readonly authorization: Authorization
  /** Id of the client's project. */
  readonly projectId: string
  /** The project's API key, which the chat needs; undefined if none was given. */
  readonly apiKey: Redacted.Redacted | undefined
  /** The names of the headers that carry credentials. */
  readonly headerNames: Settings.HeaderNames
}

/** The client of project administrators, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
class AdminClient extends /*#__PURE__*/ Context.Tag("@quartet/sdk/Admin")<AdminClient, Service>() {}

/** The client of project administrators, which calls take: `Effect.provide` gives it by `layer`, and `yield* Client` reads it. @category services */
export { AdminClient as Client }

/** A pair of credentials as texts, or which half of it is missing: neither, if both are. */
const pairOf = <A extends keyof AdminCredentials, B extends keyof AdminCredentials>(
  config: ClientConfig,
  pair: readonly [A, B],
  read: (value: unknown) => unknown
): Either.Either<Readonly<Record<A | B, string>>, ReadonlyArray<string>> => {
  const texts = pair.map((part) => [part, read(config[part])] as const)
  const missing = texts.filter(([, text]) => typeof text !== "string" || Settings.isBlank(text))
  if (missing.length > 0) return Either.left(missing.length === 1 ? missing.map(([part]) => part) : [])
  return Either.right(Object.fromEntries(texts) as Readonly<Record<A | B, string>>)
}

/** Session id and access token, else e-mail and password, else the error of the specification's point 8. */
const credentialsIn = (config: ClientConfig, dialect?: Dialect) => {
  const session = pairOf(
    dialect?.completed("admin", config) ?? config,
    ["sessionId", "accessToken"],
    Settings.plain
  )
  const account = pairOf(config, ["email", "password"], Settings.revealed)
  if (Either.isRight(session) || Either.isRight(account))
    return Either.right({ session: Either.getOrUndefined(session), account: Either.getOrUndefined(account) })
  // What is given and is no session id is not missing.
  if (session.left.includes("sessionId") && !Settings.isBlank(config.sessionId)) {
    const read = Settings.secret("sessionId", config.sessionId)
    if (Either.isLeft(read)) return Either.left(read.left)
  }
  const missing = [...session.left, ...account.left]
  return Either.left(
    new CredentialsError({
      operation: "client",
      reason: "Missing",
      advice: missingCredentials,
      ...(missing.length === 0 ? {} : { missing })
    })
  )
}

/** Makes one in a runtime, such as that of the Promise clients. @category constructors */
export const makeIn = (
  own: Runtime,
  options: ClientConfig
): Effect.Effect<Service, CredentialsError | InputError, Transport> =>
  Effect.gen(function* () {
    const config = yield* Settings.read(options, known)
    // What a platform needs is known once its value is read.
    if (config.platform === undefined) yield* credentialsIn(config)
    const transport = yield* Settings.transport(yield* Transport)
    const given = Option.getOrUndefined(yield* Effect.serviceOption(SessionStore))
    if (given !== undefined) yield* checkStore(given)
    const base = yield* Settings.base(config, own)
    const { dialect } = base
    const { account, session: kept } = yield* credentialsIn(config, dialect)
    yield* checkProject(config.projectId)
    const apiKey = Settings.isBlank(config.apiKey)
      ? undefined
      : yield* Settings.secret("apiKey", config.apiKey)
    const {
      // Where nothing says what an admin may do, the platform alone decides.
      permissions = dialect?.isUnchecked === true ? "off" : "intended",
      permissionNames = {},
      signInCooldown = 5_000
    } = config
    yield* checkNames(permissionNames)
    const cooldown = Options.millisOf(signInCooldown)
    yield* checkCooldown(cooldown)
    const credentialsOf = AdminSession.credentialsOf(base.headerNames, permissions, dialect)
    const authorization = makeAuthorization(permissions, permissionNames, dialect?.permissionName)
    const settings = { ...base, audience: "admin" as const, projectId: config.projectId, authorization }

    const fixedSession =
      kept === undefined ? undefined : { session: kept, credentials: yield* credentialsOf(kept) }
    const platformClock = AdminSession.makePlatformClock()
    const signIns: SignInCalls = {
      // What does not answer leaves time for another sign-in.
      once: (operation, input) =>
        listening.call(operation, input, { policy: { attempts: 1, deadline: base.policy.deadline / 3 } }),
      login: (input) => listening.call(Auth.adminLogin, input),
      legacyLogin: (input) => dispatcher.call(Auth.legacyLogin, input)
    }
    const lifetime = new Lifetime(own.start)
    const source = {
      fixedSession,
      signIn:
        kept !== undefined || account === undefined
          ? undefined
          : Effect.suspend(() => (dialect?.signIn ?? AdminSession.signIn)(signIns, account, platformClock)),
      refresh: dialect && ((last: StoredSession) => dialect.refresh(signIns, last, platformClock)),
      credentialsOf,
      isFresh: AdminSession.isFresh(dialect),
      expirationOf: kept === undefined ? AdminSession.expirationOf(platformClock, dialect) : undefined,
      store: given && (dialect?.keeping(given, lifetime) ?? given),
      key: `quartet.admin.${base.api.origin}${base.api.prefix}.${config.projectId}.${account?.email ?? ""}`,
      cooldown,
      // Not the e-mail: it is the name by which the platform says who may not do what.
      secrets: [account?.password ?? "", apiKey ?? ""]
    }
    const session = CredentialsProvider.make(source, lifetime)
    const signedIn = { ...settings, credentialsProvider: session }
    const dispatcher: Dispatcher.Dispatcher = Dispatcher.make(signedIn, transport, lifetime)
    const listening = Dispatcher.make(signedIn, platformClock.listen(transport), lifetime)
    return {
      dispatcher,
      session,
      authorization,
      projectId: config.projectId,
      apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey),
      headerNames: base.headerNames
    }
  })

/**
 * Makes an admin client in the present context, which has to have a transport. Nothing is sent before the first call;
 * that one signs in, if the client has a password. Fails with CredentialsError if no pair of credentials is complete,
 * and with InputError if an option breaks a rule. For a program with layers use {@link layer}.
 * @category constructors
 */
export const make = (
  config: ClientConfig
): Effect.Effect<Service, CredentialsError | InputError, Transport> => makeIn(runtime(), config)

const refuse = /*#__PURE__*/ Options.refuser("client")

const checkStore = (store: SessionStoreService): Either.Either<unknown, InputError> =>
  Options.port(
    "client",
    "sessionStore",
    store,
    ["load", "save", "clear"],
    "SessionStore, as of adapters/storage"
  )

const checkNames = (names: Readonly<Record<string, string>>): Either.Either<void, InputError> => {
  const wrong = Object.entries(names).find(([, name]) => typeof name !== "string" || name === "")
  return wrong === undefined
    ? Either.void
    : refuse(`permissionNames.${wrong[0]}`, "must be the token's name as text")
}

const checkCooldown = (time: number): Either.Either<void, InputError> =>
  Number.isFinite(time) && time >= 0
    ? Either.void
    : refuse("signInCooldown", "must be a finite number of milliseconds, at least 0")

const checkProject = (projectId: string): Either.Either<unknown, InputError> => {
  if (projectId === undefined) return refuse("projectId", "is missing: pass the project's id")
  return Either.orElse(Path.encode(projectId), (rule) => refuse("projectId", rule))
}

/**
 * The admin client as a layer. Calls in flight are interrupted when it ends. Fails with CredentialsError if no pair
 * of credentials is complete: null, blank or missing parts are not given. Fails with InputError if a URL, a route, a
 * policy or another option breaks a rule.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const live = Admin.layer({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…"
 * }).pipe(Layer.provide(FetchTransport.layer))
 *
 * const program = Effect.provide(Admin.requests.list({ statusIn: ["pending"] }), live)
 * ```
 * @category layers
 */
export const layer = (
  config: ClientConfig
): Layer.Layer<AdminClient, CredentialsError | InputError, Transport> =>
  Dispatcher.layer(AdminClient, make(config))

/**
 * The admin client from configuration: the fields of {@link ClientConfig}, each a Config. Credentials that are not
 * set are missing ones, of which the client says the same as `layer`, also of one Config of all fields; other fields
 * that are not set are a ConfigError.
 *
 * @example
 * ```ts
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Config from "effect/Config"
 *
 * const live = Admin.layerConfig({
 *   baseUrl: Config.string("API_URL"),
 *   projectId: Config.string("PROJECT_ID"),
 *   email: Config.string("ADMIN_EMAIL"),
 *   password: Config.redacted("ADMIN_PASSWORD")
 * })
 * ```
 * @category layers
 */
export const layerConfig = (
  config: Config.Config.Wrap<ClientConfig>
): Layer.Layer<AdminClient, CredentialsError | InputError | ConfigError, Transport> =>
  Dispatcher.layer(
    AdminClient,
    Configuration.make(config, ["email", "password", "sessionId", "accessToken", "apiKey"], make)
  )

/** Binds an operation to this client. Only operations that serve admins are accepted. @category constructors */
export const bind = /*#__PURE__*/ Dispatcher.binder<"admin">()(AdminClient)

/** A client's configuration whose fields are Configs, as `layerConfig` takes it. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { plain } from "../core/kernel/dispatch/settings.js"
import { CredentialsError } from "../core/kernel/errors/errors.js"

/** Reads each field. One of `credentials` that is not set is left out, so that the client itself says which it lacks. */
const unwrap = <A>(config: Config.Config.Wrap<A>, credentials: ReadonlyArray<string>): Config.Config<A> => {
  if (Config.isConfig(config)) return Config.unwrap(config)
  const fields = Object.entries(config ?? {}).map(([name, field]) => [
    name,
    credentials.includes(name) && Config.isConfig(field) ? Config.withDefault(field, undefined) : field
  ])
  // The same fields: what is left out, `make` refuses. Effect cannot unwrap none.
  return fields.length === 0
    ? Config.succeed({} as A)
    : Config.unwrap(Object.fromEntries(fields) as Config.Config.Wrap<A>)
}

/** Stands for a text that is not set. It is an address, which most of what takes a text takes too; no variable holds it. */
const unset = "https://unset.quartet-sdk.invalid"

/** Where the texts stand that an error tells of. */
const pathsOf = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...pathsOf(error.left), ...pathsOf(error.right)]
    : [error.path.join("\n")]

/** The same provider, in which each of these texts is `unset`, if it has none. Those that have a default are not among them. */
const withUnset = (
  { flattened }: ConfigProvider.ConfigProvider,
  missed: ReadonlyArray<string>
): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path, primitive, isList) =>
        Effect.catchAll(flattened.load(path, primitive, isList), (error) =>
          pathsOf(error).some((path) => missed.includes(path))
            ? Effect.map(primitive.parse(unset), (value) => [value])
            : Effect.fail(error)
        ),
      enumerateChildren: flattened.enumerateChildren,
      patch: flattened.patch
    })
  )

/**
 * Reads a configuration and makes a client of it. A Config of the whole, such as `Config.all({ … })`, does not say which
 * fields it has not found: it is read again with a mark in their place, if all of it takes one. Where they are credentials that the client cannot do
 * without, it fails with the client's own CredentialsError, and the ConfigError is its cause.
 */
export const make = <A extends object, B, E, R>(
  config: Config.Config.Wrap<A>,
  credentials: ReadonlyArray<keyof A & string>,
  makeClient: (config: A) => Effect.Effect<B, E, R>
): Effect.Effect<B, E | CredentialsError | ConfigError.ConfigError, R> => {
  const whole = unwrap(config, credentials)
  const lacking = (cause: ConfigError.ConfigError) =>
    Effect.configProviderWith((provider) =>
      Effect.withConfigProvider(whole, withUnset(provider, pathsOf(cause)))
    ).pipe(
      Effect.flatMap((read) => {
        const unsetFields = Object.keys(read).filter((name) => isUnset(Reflect.get(read, name)))
        return makeClient({ ...read, ...Object.fromEntries(unsetFields.map((name) => [name, undefined])) })
      }),
      // A function that refuses the mark may throw; what it makes of it is nobody's configuration.
      Effect.catchAllDefect(() => Effect.fail(cause)),
      Effect.either
    )
  return Effect.flatMap(
    Effect.catchAll(whole, (cause) =>
      ConfigError.isMissingDataOnly(cause)
        ? Effect.flatMap(
            lacking(cause),
            (client): Effect.Effect<A, CredentialsError | ConfigError.ConfigError> =>
              Either.isLeft(client) && isMissing(client.left)
                ? causedBy(client.left, cause)
                : Effect.fail(cause)
          )
        : Effect.fail(cause)
    ),
    makeClient
  )
}

const isUnset = (field: unknown): boolean => String(plain(field)).includes(unset)

const isMissing = (error: unknown): error is CredentialsError =>
  error instanceof CredentialsError && error.reason === "Missing"

const causedBy = (
  { advice, missing, operation, reason }: CredentialsError,
  cause: ConfigError.ConfigError
): CredentialsError =>
  new CredentialsError({ operation, reason, advice, cause, ...(missing === undefined ? {} : { missing }) })

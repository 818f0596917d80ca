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

/** Stands for a text that is not set. No variable holds it. */
const unset = "\u0000unset"

/** The same provider, in which each text that is not set is `unset`. */
const withUnset = ({ flattened }: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path, primitive, isList) =>
        Effect.catchAll(flattened.load(path, primitive, isList), (error) =>
          Either.match(primitive.parse(unset), {
            onLeft: () => Effect.fail(error),
            onRight: (value) => Effect.succeed([value])
          })
        ),
      enumerateChildren: flattened.enumerateChildren,
      patch: flattened.patch
    })
  )

/**
 * Reads a configuration and makes a client of it. A Config of the whole, such as `Config.all({ … })`, does not say which
 * fields it has not found: it is read again with a mark in their place. Where they are credentials that the client cannot do
 * without, it fails with the client's own CredentialsError, and the ConfigError is its cause.
 */
export const make = <A extends object, B, E, R>(
  config: Config.Config.Wrap<A>,
  credentials: ReadonlyArray<keyof A & string>,
  makeClient: (config: A) => Effect.Effect<B, E, R>
): Effect.Effect<B, E | CredentialsError | ConfigError.ConfigError, R> => {
  const whole = unwrap(config, credentials)
  const marked = Effect.configProviderWith((provider) =>
    Effect.withConfigProvider(whole, withUnset(provider))
  )
  const lacking = Effect.flatMap(marked, (found) => {
    const unsetFields = credentials.filter((name) => String(plain(found[name])).includes(unset))
    return makeClient({ ...found, ...Object.fromEntries(unsetFields.map((name) => [name, undefined])) })
  })
  return Effect.flatMap(
    Effect.catchAll(whole, (cause) =>
      ConfigError.isMissingDataOnly(cause)
        ? Effect.flatMap(
            Effect.either(lacking),
            (made): Effect.Effect<A, CredentialsError | ConfigError.ConfigError> =>
              Either.isLeft(made) && isMissing(made.left) ? causedBy(made.left, cause) : Effect.fail(cause)
          )
        : Effect.fail(cause)
    ),
    makeClient
  )
}

const isMissing = (error: unknown): error is CredentialsError =>
  error instanceof CredentialsError && error.reason === "Missing"

const causedBy = (
  { advice, missing, operation, reason }: CredentialsError,
  cause: ConfigError.ConfigError
): CredentialsError =>
  new CredentialsError({ operation, reason, advice, cause, ...(missing === undefined ? {} : { missing }) })

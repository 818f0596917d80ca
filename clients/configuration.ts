/** A client's configuration whose fields are Configs, as `layerConfig` takes it. */
import * as Config from "effect/Config"

/**
 * Reads each field. One of `credentials` that is not set is left out, so that the client itself says which it lacks. A
 * Config of the whole, such as `Config.all({ … })`, is read as it is.
 */
export const unwrap = <A>(
  config: Config.Config.Wrap<A>,
  credentials: ReadonlyArray<string>
): Config.Config<A> => {
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

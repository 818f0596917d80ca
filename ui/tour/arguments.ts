/** The command line of `npm start`. */
import { parseArgs } from "node:util"
import * as Either from "effect/Either"

export interface Arguments {
  /** Ends after the tour instead of serving further. */
  readonly once: boolean
  /** Another server to tour; undefined to start a sandbox. */
  readonly baseUrl: string | undefined
  /** Undefined: 4400, or any free port if that one is taken. */
  readonly port: number | undefined
  readonly seed: number
  readonly latency: number
  readonly help: boolean
  readonly noConsole: boolean
}

export const help = `npm start -- [options]

Starts the sandbox on this machine, runs a tour through it with the four clients, and keeps serving the sandbox and
the console.

  --once            ends after the tour: exit code 0 if every step held, 1 with the failing step named
  --base-url URL    tours another server instead of a sandbox; its accounts come from the environment (below)
  --port N          port of the sandbox; 4400, or a free one where that is taken
  --seed N          decides the sandbox's data; 1
  --latency MS      milliseconds that every request waits
  --no-console      does not build or serve the console
  --help            this text

For another server: QUARTET_PROJECT_ID, QUARTET_API_KEY, QUARTET_PRIVATE_KEY, QUARTET_ADMIN_EMAIL,
QUARTET_ADMIN_PASSWORD, QUARTET_USER_EMAIL and QUARTET_USER_PASSWORD. What is not set is the sandbox's.
`

const wholeNumber = (
  name: string,
  text: string | undefined,
  most: number
): Either.Either<number | undefined, string> => {
  if (text === undefined) return Either.right(undefined)
  const value = Number(text)
  return /^\d+$/.test(text) && value <= most
    ? Either.right(value)
    : Either.left(`--${name} must be a whole number from 0 to ${most}`)
}

const parse = (words: ReadonlyArray<string>) =>
  Either.try({
    try: () =>
      parseArgs({
        args: [...words],
        allowPositionals: false,
        options: {
          once: { type: "boolean", default: false },
          "base-url": { type: "string" },
          port: { type: "string" },
          seed: { type: "string" },
          latency: { type: "string" },
          "no-console": { type: "boolean", default: false },
          help: { type: "boolean", short: "h", default: false }
        }
      }).values,
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })

/** Reads the command line, or returns what is wrong with it. */
export const read = (words: ReadonlyArray<string>): Either.Either<Arguments, string> =>
  Either.gen(function* () {
    const values = yield* parse(words)
    return {
      once: values.once,
      baseUrl: values["base-url"],
      port: yield* wholeNumber("port", values.port, 65_535),
      seed: (yield* wholeNumber("seed", values.seed, 4_294_967_295)) ?? 1,
      latency: (yield* wholeNumber("latency", values.latency, 60_000)) ?? 0,
      noConsole: values["no-console"],
      help: values.help
    }
  })

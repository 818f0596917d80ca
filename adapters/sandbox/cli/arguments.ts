/** The parsed command line, or why it is invalid. */
import { parseArgs } from "node:util"
import * as Either from "effect/Either"
import { readHost, readOrigin } from "../server/access.js"

/** Serve a sandbox. */
export interface Serve {
  readonly _tag: "Serve"
  readonly port: number
  readonly seed: number
  /** Milliseconds. */
  readonly latency: number
  readonly quiet: boolean
  readonly allowedHosts: ReadonlyArray<string>
  readonly allowedOrigins: ReadonlyArray<string>
}

export type Command =
  | Serve
  | { readonly _tag: "Help" }
  | { readonly _tag: "Version" }
  | { readonly _tag: "Wrong"; readonly message: string }

export const help = `Usage: quartet sandbox [options]

Serves the whole platform from memory, with seeded data and real state, on this machine only:
HTTP and the chat's socket.io on one port. Everything is forgotten when it stops.

Options:
  --port PORT     the port to serve on; 0 takes any free one (default 4400)
  --seed N        decides the seeded data: the same number makes the same data (default 1)
  --latency MS    makes every request wait so long (default 0)
  --quiet         prints no line for each request
  --allow-host NAME
                  answers clients that address it by this name too, besides localhost and 127.0.0.1; * for all
  --allow-origin ORIGIN
                  answers pages of this origin too, besides those of this machine; * for all
  --help          prints this
  --version       prints the version

--allow-host and --allow-origin may be given several times. What is not allowed is refused with status 403, so that a
web page that you visit cannot use your sandbox.

Examples:
  quartet sandbox
  quartet sandbox --port 5000 --latency 150
  quartet sandbox --allow-origin https://app.test
`

const wrong = (message: string): Command => ({ _tag: "Wrong", message })

/** A whole number within bounds, or undefined. */
const whole = (text: string, max: number): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : undefined

/** Reads the arguments after the program's name. */
export const read = (args: ReadonlyArray<string>): Command => {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (cause) {
    // The first sentence has the reason; the rest is about positional arguments, which do not exist here.
    return wrong(cause instanceof Error ? (cause.message.split(/\. |\.?\n/, 1)[0] ?? "") : "cannot be read")
  }
  const { positionals, values } = parsed
  if (values.help === true) return { _tag: "Help" }
  if (values.version === true) return { _tag: "Version" }
  const [command, ...others] = positionals
  if (command === undefined) return wrong("a command is missing: quartet sandbox")
  if (command !== "sandbox") return wrong(`the command "${command}" is not known; there is: sandbox`)
  if (others.length > 0) return wrong(`"${others[0]}" is an unexpected argument`)
  const port = whole(values.port, 65_535)
  if (port === undefined) return wrong("--port must be a whole number from 0 to 65535")
  const seed = whole(values.seed, 4_294_967_295)
  if (seed === undefined) return wrong("--seed must be a whole number from 0 to 4294967295")
  const latency = whole(values.latency, 60_000)
  if (latency === undefined) return wrong("--latency must be a whole number of milliseconds, at most 60000")
  const allowedHosts = values["allow-host"]
  const allowedOrigins = values["allow-origin"]
  for (const [option, texts, read] of [
    ["--allow-host", allowedHosts, readHost],
    ["--allow-origin", allowedOrigins, readOrigin]
  ] as const) {
    for (const text of texts) {
      const found = read(text)
      if (Either.isLeft(found)) return wrong(`${option} ${found.left}, not ${JSON.stringify(text)}`)
    }
  }
  return { _tag: "Serve", port, seed, latency, quiet: values.quiet === true, allowedHosts, allowedOrigins }
}

const parse = (args: ReadonlyArray<string>) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string", default: "4400" },
      seed: { type: "string", default: "1" },
      latency: { type: "string", default: "0" },
      quiet: { type: "boolean" },
      "allow-host": { type: "string", multiple: true, default: [] },
      "allow-origin": { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" }
    }
  })

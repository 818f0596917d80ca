/** The optional packages that runs of jobs need, and what to say where they are missing. */
import * as Module from "node:module"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { codeOf } from "@quartet/sdk/extend"
import { commandOf, installed, purposes } from "../doctor/installation.js"
import { codes, Problem } from "../exit.js"
import type { StoreGiven } from "./given.js"

const fleet = purposes.fleet ?? []

/** What is loaded where a store or a file asks for it. */
const drivers = { file: "libsql", postgres: "@effect/sql-pg" } as const
const onDemand: ReadonlyArray<string> = [...Object.values(drivers), "csv-parse"]

/** Says how to install those of these packages that the command line does not find; all where it finds them, and they do not load. */
const install = (names: ReadonlyArray<string>): string => {
  const require = Module.createRequire(import.meta.url)
  const place = dirname(require.resolve("@quartet/sdk/package.json"))
  const { peerDependencies } = require("@quartet/sdk/package.json")
  const missing = names.filter((name) => installed(name, place) === undefined)
  const wanted = missing.length === 0 ? names : missing
  return `In this folder's project: ${commandOf(wanted, peerDependencies, place, process.cwd())}`
}

/** The same for those that a failure names; undefined where it names none. */
export const installNamed = (failure: string): string | undefined => {
  const named = fleet.filter((name) => failure.split(/[\s:]+/).includes(name))
  return named.length === 0 ? undefined : install(named)
}

/** What the engine needs, and the driver of the store that the options name. */
const needs = (given: StoreGiven) =>
  Effect.gen(function* () {
    const { placeOf } = yield* Effect.promise(() => import("./place.js"))
    const { url } = yield* placeOf(given)
    const driver = drivers[Redacted.value(url).startsWith("postgres") ? "postgres" : "file"]
    return fleet.filter((name) => name === driver || !onDemand.includes(name))
  }).pipe(Effect.scoped)

/** Loads what needs them. */
export const needing = <M, A, E, R>(
  load: () => Promise<M>,
  given: StoreGiven,
  run: (module: M) => Effect.Effect<A, E, R>
) =>
  Effect.tryPromise({ try: load, catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) =>
      codeOf(cause) === "ERR_MODULE_NOT_FOUND"
        ? Effect.flatMap(
            needs(given),
            (names) =>
              new Problem({
                message: `the packages that run jobs are not all installed beside @quartet/sdk (${missing(cause)})`,
                next: install(names),
                code: codes.usage
              })
          )
        : Effect.die(cause)
    ),
    Effect.flatMap(run)
  )

/** What Node did not find. */
const missing = (cause: unknown): string =>
  /Cannot find (?:package|module) '([^']+)'/.exec(cause instanceof Error ? cause.message : "")?.[1] ??
  "unknown"

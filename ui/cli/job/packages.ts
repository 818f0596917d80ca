/** The optional packages that runs of jobs need, and what to say where they are missing. */
import * as Module from "node:module"
import * as Effect from "effect/Effect"
import { codeOf } from "../../../adapters/http/node-errors.js"
import { installOf, purposes } from "../doctor/installation.js"
import { codes, Problem } from "../exit.js"

/** What installs them. */
export const install = (): string =>
  installOf(
    purposes.fleet ?? [],
    Module.createRequire(import.meta.url)("@quartet/sdk/package.json").peerDependencies
  )

/** Loads what needs them. */
export const needing = <M, A, E, R>(load: () => Promise<M>, run: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.tryPromise({ try: load, catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) =>
      codeOf(cause) === "ERR_MODULE_NOT_FOUND"
        ? new Problem({
            message: `the packages that run jobs are not all installed beside @quartet/sdk (${missing(cause)})`,
            next: `Install them in this folder's project: ${install()}`,
            code: codes.usage
          })
        : Effect.die(cause)
    ),
    Effect.flatMap(run)
  )

/** What Node did not find. */
const missing = (cause: unknown): string =>
  /Cannot find (?:package|module) '([^']+)'/.exec(cause instanceof Error ? cause.message : "")?.[1] ??
  "unknown"

/** What is said where the package that runs jobs is not installed. */

import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import { installOf } from "../doctor/installation.js"
import { codes, Problem } from "../exit.js"

/** Loads what runs jobs. */
export const needing = <M, A, E, R>(load: () => Promise<M>, run: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.tryPromise({ try: load, catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) =>
      codeOf(cause) === "ERR_MODULE_NOT_FOUND"
        ? new Problem({
            message: `quartet job needs a package that is not installed: ${missing(cause)}`,
            next: `In this folder's project: ${installOf(process.cwd(), "@quartet/fleet", "@quartet/sdk", "effect@3")}`,
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

/** The sandbox's server for the tests of a file. */

import * as Server from "@quartet/sandbox/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { beforeAll } from "vitest"

/** Serves a sandbox on a free port, from before the first test of a file to after its last. */
export const servedSandbox = (): (() => Server.Served) => {
  let served: Server.Served
  beforeAll(async () => {
    const scope = Effect.runSync(Scope.make())
    served = await Effect.runPromise(Scope.extend(Server.serve({ port: 0 }), scope))
    return () => Effect.runPromise(Scope.close(scope, Exit.void))
  })
  return () => served
}

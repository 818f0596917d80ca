// What every Transport over a wire must do: it keeps the laws of the port, and holds against a server of odd answers.
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe } from "vitest"
import type { Transport } from "../../core/ports/transport.js"
import { makeOddServer, type OddServer } from "../support/odd-server.js"
import { type Abilities, transportAnswers } from "./transport-answers.js"
import { wired } from "./transport-exchanges.js"
import { transportFailures } from "./transport-failures.js"
import { transportLaws } from "./transport-laws.js"
import { transportRequests } from "./transport-requests.js"
import { transportStreams } from "./transport-streams.js"

/** What holds on a wire. */
export const transportOnTheWire = (
  name: string,
  layer: Layer.Layer<Transport>,
  abilities: Abilities
): void => {
  let server: OddServer
  beforeAll(async () => {
    server = await makeOddServer()
  })
  afterAll(() => server.close())

  transportLaws(name, layer, () => ({
    origin: server.origin,
    headers: {},
    found: "/status/200",
    missing: "/status/404"
  }))

  describe(`the Transport ${name} on the wire`, () => {
    const wire = wired(layer, () => server)
    transportRequests(wire)
    transportAnswers(wire, abilities)
    transportFailures(wire)
    transportStreams(wire)
  })
}

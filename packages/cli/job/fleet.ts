/** The fleet of a store, as a runner of it or as one who watches and steers. */

import { type Fleet, type FleetError, layer, layerClient } from "@quartet/fleet/extend"
import type { ChatSocket, InputError, Transport } from "@quartet/sdk/extend"
import * as DefaultTransport from "@quartet/sdk/transport"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isTagged } from "effect/Predicate"
import type { Platform } from "../configuration.js"
import { codes, Problem } from "../exit.js"
import type { Environment } from "../program.js"
import * as Clients from "./clients.js"
import { jobs } from "./jobs.js"
import type { Module } from "./module.js"
import type { RunnerOptions } from "./options.js"
import { missingFile, type Place } from "./place.js"

/** A failure of the fleet, as a command ends with it. */
export const asProblem = (error: FleetError | InputError): Problem => {
  if (error._tag === "FleetError") {
    return new Problem({
      message: error.advice,
      ...(error.reason === "Unknown" ? { next: "See: quartet job list", code: codes.usage } : {})
    })
  }
  return error.field === "store"
    ? new Problem({
        message: `the store ${error.rule}`,
        next: "It comes from --store, or from QUARTET_FLEET_STORE in the environment or in the file.",
        code: codes.usage
      })
    : new Problem({ message: error.message, code: codes.usage })
}

/** Why there is nothing to look at: a store that is a file has to be there, for looking makes none. */
export const missingStore = (place: Place): Problem | undefined => {
  const missing = missingFile(place)
  return missing === undefined
    ? undefined
    : new Problem({
        message: `there is no store of runs at ${missing}`,
        next: "quartet job run makes it. Another one is named by --store, or by QUARTET_FLEET_STORE in the environment or in the file.",
        code: codes.usage
      })
}

/** Those of the store's runs, without a part in them. */
export const watching = (place: Place): Layer.Layer<Fleet, Problem> =>
  Layer.suspend(() => {
    const missing = missingStore(place)
    return missing === undefined
      ? Layer.mapError(layerClient({ store: place.url }), asProblem)
      : Layer.fail(missing)
  })

/** The runs of the store, with a part in those of these jobs: the command line's, over a platform, and a module's own. */
export const working = (
  place: Place,
  { inFlight, perSecond }: Pick<RunnerOptions, "inFlight" | "perSecond">,
  platform: Platform | undefined,
  module: Module
): Layer.Layer<Fleet, Problem, Environment> => {
  const ours: Layer.Layer<Clients.Clients, never, Transport | ChatSocket | Environment> =
    platform === undefined
      ? Layer.die("a runner without a platform has none of its jobs")
      : Clients.layer(platform)
  const limits = {
    ...(inFlight === 0 ? {} : { inFlight }),
    ...(Option.isNone(perSecond) ? {} : { perSecond: perSecond.value })
  }
  const clients = [
    ...(platform === undefined ? [] : [ours]),
    ...(module.clients === undefined ? [] : [module.clients])
  ]
  const fleet = layer({
    jobs: [...(platform === undefined ? [] : jobs), ...module.jobs],
    store: place.url,
    limits,
    clients: Layer.mergeAll(Layer.empty, ...clients)
  })
  const ports = platform === undefined ? DefaultTransport.layer : Layer.succeedContext(platform.ports)
  // What a module's layer and jobs need beside a transport cannot be known here: what is missing, they say themselves.
  return Layer.provide(fleet, ports).pipe(Layer.mapError(failed)) as Layer.Layer<Fleet, Problem, Environment>
}

/** Why there is no runner. */
const failed = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (isTagged(error, "FleetError") || isTagged(error, "InputError"))
    return asProblem(error as FleetError | InputError)
  return new Problem({ message: error instanceof Error ? error.message : String(error) })
}

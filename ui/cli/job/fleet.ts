/** The fleet of a store, as a runner of it or as one who watches and steers. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isTagged } from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { FleetError } from "../../../adapters/fleet/store.js"
import * as DefaultTransport from "../../../adapters/transport/index.js"
import type { Fleet } from "../../../clients/fleet/fleet.js"
import { layer, layerClient } from "../../../clients/fleet/layer.js"
import type { InputError } from "../../../core/kernel/errors/errors.js"
import type { ChatSocket } from "../../../core/ports/chat-socket.js"
import type { Transport } from "../../../core/ports/transport.js"
import { configuration, type Platform } from "../configuration.js"
import { codes, Problem } from "../exit.js"
import type { Environment } from "../program.js"
import * as Clients from "./clients.js"
import type { RunnerGiven, StoreGiven } from "./given.js"
import { jobs } from "./jobs.js"
import type { Module } from "./module.js"
import { install } from "./packages.js"

/** Where the runs are, and how a further command is told so. */
export interface Place {
  readonly url: Redacted.Redacted
  /** What a command line ends with that means the same store. It holds no secret. */
  readonly words: string
}

const standard = "file:quartet-fleet.db"

/** A failure of the fleet, as a command ends with it. */
export const asProblem = (error: FleetError | InputError): Problem =>
  error._tag === "InputError"
    ? new Problem({
        message: error.field === "store" ? `the store ${error.rule}` : error.message,
        ...(error.field === "store"
          ? { next: "It comes from --store, or from QUARTET_FLEET_STORE in the environment or in the file." }
          : {}),
        code: codes.usage
      })
    : new Problem({
        message: error.advice,
        ...(error.reason === "Driver" ? { next: `Install it in this folder's project: ${install()}` } : {}),
        ...(error.reason === "Unknown" ? { next: "See: quartet job list", code: codes.usage } : {})
      })

/** The store that the options name. */
export const placeOf = (
  { dotenv, store }: StoreGiven,
  isSandbox = false
): Effect.Effect<Place, Problem, Scope.Scope> =>
  Effect.gen(function* () {
    if (Option.isSome(store)) {
      if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(store.value))
        return yield* new Problem({
          message: "--store holds a password, which other users of this machine can read",
          next: "Set QUARTET_FLEET_STORE in the environment or in the file (--dotenv) instead.",
          code: codes.usage
        })
      return { url: Redacted.make(store.value), words: ` --store ${store.value}` }
    }
    // A sandbox of this process is gone at its end, and what was done to it with it.
    if (isSandbox) {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => fs.mkdtemp(join(tmpdir(), "quartet-fleet-"))),
        (path) => Effect.promise(() => fs.rm(path, { recursive: true, force: true }))
      )
      return { url: Redacted.make(`file:${join(folder, "fleet.db")}`), words: "" }
    }
    const { find } = yield* configuration(dotenv)
    const named = Option.match(dotenv, { onNone: () => "", onSome: (file) => ` --dotenv ${file}` })
    return { url: Redacted.make(find("QUARTET_FLEET_STORE") ?? standard), words: named }
  })

/** Those of the store's runs, without a part in them. */
export const watching = (place: Place): Layer.Layer<Fleet, Problem> =>
  Layer.mapError(layerClient({ store: place.url }), asProblem)

/** The runs of the store, with a part in those of these jobs: the command line's, over a platform, and a module's own. */
export const working = (
  place: Place,
  { inFlight, perSecond }: Pick<RunnerGiven, "inFlight" | "perSecond">,
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
  const made = layer({
    jobs: [...(platform === undefined ? [] : jobs), ...module.jobs],
    store: place.url,
    limits,
    clients: Layer.mergeAll(Layer.empty, ...clients)
  })
  const ports = platform === undefined ? DefaultTransport.layer : Layer.succeedContext(platform.ports)
  // What a module's layer and jobs need beside a transport cannot be known here: what is missing, they say themselves.
  return Layer.provide(made, ports).pipe(Layer.mapError(failed)) as Layer.Layer<Fleet, Problem, Environment>
}

/** Why there is no runner. */
const failed = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (isTagged(error, "FleetError") || isTagged(error, "InputError"))
    return asProblem(error as FleetError | InputError)
  return new Problem({ message: error instanceof Error ? error.message : String(error) })
}

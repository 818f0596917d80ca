/** A runner that takes part in all runs of its store until it is stopped. */

import { Fleet } from "@quartet/fleet/extend"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { configuration, connect } from "../configuration.js"
import { untilStopped } from "../exit.js"
import { line, note } from "../output.js"
import { working } from "./fleet.js"
import { load } from "./module.js"
import type { WorkOptions } from "./options.js"
import { placeOf } from "./place.js"
import { standing } from "./progress.js"

/** How often it says where the runs stand. */
const pause = Duration.seconds(5)

/** Says where the runs stand that move. */
const tell = (isJson: boolean) => {
  const shownTexts = new Map<string, string>()
  return Effect.gen(function* () {
    const fleet = yield* Fleet
    for (const run of yield* fleet.runs()) {
      const before = shownTexts.get(run.id)
      // What has ended once stays as it is until somebody tries something of it again.
      const progress = yield* run.status
      const text = standing(progress)
      shownTexts.set(run.id, text)
      if (text === before || (before === undefined && progress.state !== "running")) continue
      yield* isJson ? line(progress) : note(`${run.id.slice(0, 8)} ${run.job}: ${text}`)
    }
  }).pipe(Effect.catchTag("FleetError", (error) => note(`quartet: ${error.advice}`)))
}

export const work = (options: WorkOptions) =>
  Effect.gen(function* () {
    const module = yield* load(options.module)
    const { find } = yield* configuration(options.dotenv)
    // A runner of a module's jobs alone needs no platform of the command line's.
    const isAlone =
      Option.isSome(options.module) && !options.isSandbox && find("QUARTET_BASE_URL") === undefined
    const platform = isAlone ? undefined : yield* connect(options)
    const place = yield* placeOf(options)
    yield* Effect.gen(function* () {
      yield* note("quartet: takes part in the runs of the store until it is stopped")
      const round = tell(options.isJson)
      yield* Effect.forever(Effect.zipRight(round, Effect.sleep(pause)))
    }).pipe(Effect.provide(working(place, options, platform, module)), (forever) =>
      untilStopped(forever, note("quartet: stopped; other runners go on"))
    )
  }).pipe(Effect.scoped)

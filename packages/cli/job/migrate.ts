/** Has the store of an older fleet become one of this version, or tells what that would be. */
import { migrate } from "@quartet/fleet/extend"
import * as Effect from "effect/Effect"
import { json, print } from "../output.js"
import { inline } from "../text.js"
import { asProblem, missingStore } from "./fleet.js"
import type { StoreOptions } from "./options.js"
import { placeOf } from "./place.js"

interface MigrateOptions extends StoreOptions {
  readonly isDry: boolean
  readonly isJson: boolean
}

export const migrateStore = ({ isDry, isJson, ...options }: MigrateOptions) =>
  Effect.gen(function* () {
    const place = yield* placeOf(options)
    const missing = missingStore(place)
    if (missing !== undefined) return yield* missing
    const migration = yield* migrate({ store: place.url, dryRun: isDry })
    if (isJson) return yield* json(migration)
    const { failures, from, inDoubt, items, pages, runners, runs, to } = migration
    if (from === to)
      return yield* print(`There is nothing to migrate: the store is of version ${to}, or empty.`)
    yield* print(
      `From version ${from} to ${to}. ${isDry ? "Would be kept" : "Kept"}: runs ${runs}; open pages ${pages}, with items ${items}, of which may have been sent ${inDoubt}; items that were not done ${failures}.`
    )
    if (runners.length > 0)
      yield* print(`Older runners are there, to be stopped first: ${runners.map(inline).join(", ")}`)
    yield* print(isDry ? "Nothing was changed." : "It is done. Older fleets can no longer use the store.")
  }).pipe(Effect.catchTags({ FleetError: asProblem, InputError: asProblem }), Effect.scoped)

/** What is looked at before a run is started: the run that is there already, and the columns of the file that it reads. */
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { rows } from "../../../adapters/fleet/rows.js"
import type { FleetError } from "../../../adapters/fleet/store.js"
import type { Run } from "../../../clients/fleet/run.js"
import { meant } from "../../../core/kernel/operation/options.js"
import { codes, Problem } from "../exit.js"
import { listed, note } from "../output.js"
import type { Plan, Source } from "./plan.js"

/** The options that a run's input comes from and that are not in its key. */
const options: Readonly<Record<string, string>> = {
  input: "--input",
  identify: "--identify",
  honoursKeys: "--honours-keys",
  numbers: "--numbers",
  booleans: "--booleans",
  columns: "--columns",
  keepsFormulas: "--keep-formulas",
  payload: "--payload",
  receiver: "--receiver",
  audience: "audience (--file, --call and --input)"
}

/** The field by which rows are identified; what its list is asked for comes from `--input`. */
const plain = (name: string, value: unknown): unknown =>
  name === "identify" && isRecord(value) ? value.field : value

/** Refuses a command whose run was started with other options: they would be passed over. */
export const checkRun = ({ input, key }: Plan, run: Run): Effect.Effect<void, FleetError | Problem> =>
  Effect.gen(function* () {
    const kept = yield* run.input
    // As the store keeps it.
    const asked: unknown = JSON.parse(JSON.stringify(input ?? null))
    if (isDeepStrictEqual(kept, asked)) return
    // The key of a module's job says what makes one run of two inputs.
    if (key === undefined)
      return yield* note(`quartet: the run ${run.id} was started with another input, and keeps it`)
    const differing = Object.entries(options).flatMap(([name, option]) =>
      isRecord(kept) &&
      isRecord(asked) &&
      !isDeepStrictEqual(plain(name, kept[name]), plain(name, asked[name]))
        ? [option]
        : []
    )
    if (differing.length === 0) return
    return yield* new Problem({
      message: `the run ${run.id} of this key was started with another ${listed(differing)}`,
      next: `Give it as it was (quartet job show ${run.id} prints it), or make another run with --key <text>.`,
      code: codes.usage
    })
  })

/** Refuses options that name a column which a file of CSV does not have. Says where there is nothing to do. */
export const checkSource = ({ columns, file, format }: Source): Effect.Effect<void, FleetError | Problem> =>
  Effect.gen(function* () {
    const first = yield* Stream.runHead(rows(file, { format }))
    if (Option.isNone(first)) return yield* note(`quartet: ${file} has no rows`)
    // The rows of NDJSON need not have the same fields.
    if (format !== "csv" || !isRecord(first.value)) return
    const names = Object.keys(first.value)
    const odd = columns.find(([, name]) => !names.includes(name))
    if (odd === undefined) return
    const [option, name] = odd
    return yield* new Problem({
      message: `--${option}: ${file} has no column "${name}"${meant(name, names)}`,
      next: `It has: ${names.join(", ")}.`,
      code: codes.usage
    })
  })

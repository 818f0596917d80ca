/** What is looked at before a run is started: the run that is there already, and the columns of the file that it reads. */
import { isDeepStrictEqual } from "node:util"
import { type FleetError, located, type Opening, type Run, sourceFailed } from "@quartet/fleet/extend"
import { meant } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as Stream from "effect/Stream"
import { codes, Problem } from "../exit.js"
import { listed, note } from "../output.js"
import type { Plan, Source } from "./plan.js"

/** The options that a run's input comes from and that are not in its key. */
const options: Readonly<Record<string, string>> = {
  input: "--input",
  delimiter: "--delimiter",
  identify: "--identify",
  honoursKeys: "--honours-keys",
  numbers: "--numbers",
  booleans: "--booleans",
  columns: "--columns",
  keepsFormulas: "--keep-formulas",
  payload: "--payload",
  receiver: "--receiver",
  raw: "--raw",
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
    const current: unknown = JSON.parse(JSON.stringify(input ?? null))
    if (isDeepStrictEqual(kept, current)) return
    // The key of a module's job says what makes one run of two inputs.
    if (key === undefined)
      return yield* note(`quartet: the run ${run.id} was started with another input, and keeps it`)
    const differing = Object.entries(options).flatMap(([name, option]) =>
      isRecord(kept) &&
      isRecord(current) &&
      !isDeepStrictEqual(plain(name, kept[name]), plain(name, current[name]))
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

/** What the first line of a file of CSV says. */
const openingOf = ({ file, options }: Source, isDry: boolean) =>
  Effect.gen(function* () {
    let opening: Opening = { delimiter: "," }
    const all = located(file, options, (detected) =>
      Effect.sync(() => {
        opening = detected
      })
    )
    // A dry run lists what is wrong with rows; before a run the first of them is.
    const first = isDry
      ? yield* Effect.orElseSucceed(
          Stream.runHead(Stream.filter(all, ({ row }) => Either.isRight(row))),
          Option.none
        )
      : yield* Stream.runHead(all)
    if (!isDry && Option.isSome(first) && Either.isLeft(first.value.row))
      return yield* sourceFailed(`${file}, line ${first.value.line}: ${first.value.row.left}`)
    return { opening, row: Option.flatMap(first, ({ row }) => Option.getRight(row)) }
  })

/**
 * Refuses options that name a column which a file of CSV does not have. Says where there is nothing to do, and what is taken as being between
 * the cells where nobody has said that; answers it.
 */
export const checkSource = (
  source: Source,
  isDry: boolean
): Effect.Effect<string | undefined, FleetError | Problem> =>
  Effect.gen(function* () {
    const { columns, file, options } = source
    const {
      opening: { delimiter, doubt },
      row
    } = yield* openingOf(source, isDry)
    if (doubt !== undefined) yield* note(`quartet: ${file} ${doubt}: --delimiter says what it is`)
    const guessed = doubt === undefined ? undefined : delimiter
    if (Option.isNone(row)) {
      if (!isDry) yield* note(`quartet: ${file} has no rows`)
      return guessed
    }
    // The rows of NDJSON need not have the same fields.
    if (options.format !== "csv" || !isRecord(row.value)) return guessed
    const names = Object.keys(row.value)
    const odd = columns.find(([, name]) => !names.includes(name))
    if (odd === undefined) return guessed
    const [option, name] = odd
    return yield* new Problem({
      message: `--${option}: ${file} has no column "${name}"${meant(name, names)}`,
      next: `It has: ${names.join(", ")}.`,
      code: codes.usage
    })
  })

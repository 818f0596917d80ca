/** Makes one call and prints its answer. */

import { type CallOptions, pages, prepare } from "@quartet/sdk/extend"
import { type Risk, riskOf } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { clientFor, connect } from "../configuration.js"
import type { ClientName, Connection } from "../connection.js"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import { json, line, note, progress, progressEnds } from "../output.js"
import { confirm } from "../terminal.js"
import { AnyClient, bind, bindDownload, bindList, find } from "./caller.js"
import * as Download from "./download.js"
import * as Input from "./input.js"

export interface CallCommandOptions extends Connection, Input.InputOptions {
  readonly operation: string
  readonly as: Option.Option<ClientName>
  readonly isAll: boolean
  readonly pageSize: Option.Option<number>
  readonly output: Option.Option<string>
  readonly isAgreed: boolean
  readonly deadline: Option.Option<number>
  readonly idempotencyKey: Option.Option<string>
}

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const stakes: Readonly<Record<Risk, string>> = {
  money: "is about money, and cannot be undone",
  deletion: "deletes something, and cannot be undone",
  broadcast: "reaches many people, and cannot be taken back"
}

const count = (items: number): string => `${items.toLocaleString("en")} items`

export const call = (commandOptions: CallCommandOptions) =>
  Effect.gen(function* () {
    const of = yield* find(commandOptions.operation, Option.getOrUndefined(commandOptions.as))
    const { declared, isDownload, isRead, isUpload, name } = of
    if (commandOptions.isAll && !("page" in declared.success))
      return yield* refuse(`${name} answers no list`, "Leave --all out.")
    if (Option.isSome(commandOptions.pageSize) && !commandOptions.isAll)
      return yield* refuse(
        "--page-size sets the pages of --all",
        'Pass --all too, or the size of one page in the input: {"limit": 50}.'
      )
    if (Option.isSome(commandOptions.output) && !isDownload)
      return yield* refuse(`${name} answers no file`, "Leave --output out; the answer goes to stdout.")
    if (
      Option.isSome(commandOptions.output) &&
      Option.isSome(commandOptions.inputFile) &&
      Files.isOne(commandOptions.output.value, commandOptions.inputFile.value)
    )
      return yield* refuse(
        "--output and --input-file name one file",
        "Name two: the download would take the place of the input."
      )
    const input = yield* Input.read(commandOptions, of)
    const platform = yield* connect(commandOptions, { audience: of.audience })
    const client = yield* clientFor(platform, of.audience)
    const options: CallOptions = {
      ...(Option.isSome(commandOptions.deadline)
        ? { policy: { deadline: commandOptions.deadline.value } }
        : {}),
      ...(Option.isSome(commandOptions.idempotencyKey)
        ? { idempotencyKey: commandOptions.idempotencyKey.value }
        : {})
    }
    const bound = bind(of)
    // Nobody is asked about an input that is refused anyway.
    yield* prepare(client.dispatcher, bound.operation, input, options)
    const risk = riskOf(of, input)
    if (risk !== undefined)
      yield* confirm(`${name} ${stakes[risk]}. Send it to ${platform.baseUrl}?`, commandOptions.isAgreed)
    if (isDownload) {
      const isText = "bytes" in declared.success && declared.success.bytes === "text/csv"
      yield* Download.check(commandOptions.output, isText, commandOptions.isAgreed)
    }
    const answer = isDownload
      ? Download.write(bindDownload(of)(input, options), commandOptions.output)
      : commandOptions.isAll
        ? all(pages(bindList(of), input, { ...options, ...limited(commandOptions.pageSize) }))
        : Effect.flatMap(bound(input, isUpload ? { ...options, onUpload } : options), (answer) =>
            json(answer ?? null)
          )
    yield* answer.pipe(
      Effect.provideService(AnyClient, client),
      Effect.onInterrupt(() =>
        isRead
          ? Effect.void
          : note("quartet: cancelled. It may have been done: read the present state before you repeat it.")
      ),
      Effect.ensuring(progressEnds)
    )
  }).pipe(Effect.scoped)

const limited = Option.match({ onNone: () => ({}), onSome: (limit: number) => ({ limit }) })

const onUpload = (sent: number, total: number): void =>
  Effect.runSync(progress(total === 0 ? `${sent} bytes sent` : `${Math.round((100 * sent) / total)} % sent`))

/** Each item on a line of its own, as it comes. */
const all = <A, E, R>(items: Stream.Stream<A, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    let seen = 0
    yield* Stream.runForEach(items, (item) => {
      seen += 1
      return Effect.zipRight(line(item), progress(count(seen)))
    })
  })

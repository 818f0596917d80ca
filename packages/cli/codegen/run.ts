/** Reads the content models of a project, and writes their module or compares it with the one there is. */

import type * as Admin from "@quartet/sdk/admin/client"
import * as ContentModels from "@quartet/sdk/admin/content-models"
import * as Models from "@quartet/sdk/admin/models"
import {
  AnswerError,
  type CallError,
  own,
  type Page,
  PageSource,
  Pagination,
  plain
} from "@quartet/sdk/extend"
import type { Model } from "@quartet/sdk/extend/models/models"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { connect } from "../configuration.js"
import type { Connection } from "../connection.js"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import { json, note, print, progress, progressEnds } from "../output.js"
import { changes, isFieldless, lacks, generate as write } from "./index.js"
import * as Written from "./written.js"

export interface GenerateOptions extends Connection {
  readonly output: Option.Option<string>
  /** The number of the first page of models. */
  readonly first: Option.Option<number>
  readonly isPromise: boolean
  readonly isCheck: boolean
  readonly isJson: boolean
}

/** A service that this platform does not have knows no models. */
const where =
  (service: string) =>
  <A, R>(
    models: Effect.Effect<ReadonlyArray<A>, CallError, R>
  ): Effect.Effect<ReadonlyArray<A>, CallError, R> =>
    Effect.catchTag(models, "NotFound", () =>
      Effect.as(note(`quartet: the platform has no models of ${service}`), [])
    )

/** The models of a list; those that say nothing of their fields there are read one by one. */
const readEach = <A extends object, R, S>(
  service: string,
  list: Effect.Effect<ReadonlyArray<A>, CallError, R>,
  get: (id: string) => Effect.Effect<A, CallError, S>
) =>
  Effect.flatMap(where(service)(list), (listed) =>
    Effect.forEach(
      listed,
      (model) => {
        const id = plain(own(model, "_id"))
        return isFieldless(model) && typeof id === "string"
          ? Effect.catchTag(get(id), "NotFound", () => Effect.succeed(model))
          : Effect.succeed(model)
      },
      { concurrency: 4 }
    )
  )

/** Whether what was read of a list says that there is more. */
const saysMore = ({ count, more, pages, seen, total }: Pagination.Place): boolean =>
  more === true || (total ?? 0) > seen || (count ?? 0) > pages

const sourceOf = (first: Option.Option<number>) =>
  PageSource.make(Models.list.operation, {}, Option.isSome(first) ? { first: first.value } : {})

/** What an answer to a request without a page says of its list. */
const placeOf = <A>(page: Page<A>) =>
  Effect.flatMap(sourceOf(Option.none()), (source) =>
    Effect.map(
      Pagination.next(source, () => Effect.succeed(page)),
      ({ place }) => place
    )
  )

const repeats = new AnswerError({
  operation: Models.list.operation.name,
  reason: "Paging",
  rule: "repeats itself: the second page is the first one again"
})

/**
 * The models of the CMS, page after page. A platform that does not page them, and does not say that there are more, answers all
 * of them at once.
 */
const all = (first: Option.Option<number>) =>
  Effect.flatMap(sourceOf(first), (source) => {
    const from = (
      collected: ReadonlyArray<Model>,
      before?: Pagination.Place
    ): Effect.Effect<ReadonlyArray<Model>, CallError, Admin.Client> =>
      Effect.matchEffect(Pagination.next(source, Models.list, before), {
        onSuccess: ({ done, isUnpaged, page, place }) => {
          const models = [...collected, ...page.items]
          if (isUnpaged) return unpaged(models.length, repeats)
          return done ? Effect.succeed(models) : from(models, place)
        },
        onFailure: (error) =>
          error._tag === "AnswerError" &&
          error.reason === "Paging" &&
          before !== undefined &&
          !saysMore(before)
            ? unpaged(collected.length, error)
            : Effect.fail(error)
      })
    return from([])
  })

const unpaged = (least: number, error: CallError) =>
  Effect.gen(function* () {
    const page = yield* Models.list()
    if (page.items.length < least || saysMore(yield* placeOf(page))) return yield* error
    yield* note(`quartet: ${error.message}; the answer without a page is taken for all`)
    return page.items
  })

/** The models of the legacy service, whose list takes no page. */
const legacy = Effect.gen(function* () {
  const page = yield* ContentModels.list()
  if (saysMore(yield* placeOf(page)))
    yield* note(
      "quartet: contentModels.list answers fewer models than it says there are; the others are missing"
    )
  return page.items
})

const read = (first: Option.Option<number>) =>
  Effect.gen(function* () {
    yield* progress("reading the models")
    const models = yield* readEach("the CMS", all(first), (id) => Models.get({ id }))
    const contentModels = yield* readEach("the legacy service", legacy, (id) => ContentModels.get({ id }))
    return { models, contentModels }
  }).pipe(Effect.ensuring(progressEnds))

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const check = (file: string, before: string | undefined, text: string, isJson: boolean) =>
  Effect.gen(function* () {
    const { end, differences, lines } = yield* Written.compare(
      file,
      before,
      text,
      `Write it: quartet generate --output ${JSON.stringify(file)}`
    )
    if (isJson) yield* json({ file, changes: differences })
    else yield* Effect.forEach(lines, print)
    yield* end("the content models say")
    if (!isJson) yield* note(`${file} is what the content models say`)
  })

export const generate = ({ first, isCheck, isJson, isPromise, output, ...connection }: GenerateOptions) =>
  Effect.gen(function* () {
    if (isCheck && Option.isNone(output))
      return yield* refuse("--check compares with a file", "Name it: --output src/content.ts")
    const before = Option.isNone(output) ? undefined : yield* Written.replaced("generate", output.value)
    const platform = yield* connect(connection, { audience: "admin" })
    const models = yield* Effect.provide(read(first), platform.admin)
    yield* Effect.forEach(lacks(models), (lack) => note(`quartet: ${lack}`))
    const text = write(models, isPromise ? "promise" : "effect")
    if (Option.isNone(output)) return yield* isJson ? json({ module: text }) : print(text.trimEnd())
    if (isCheck) return yield* check(output.value, before, text, isJson)
    yield* Files.write(output.value, text)
    const differences = changes(before ?? "", text)
    if (isJson) yield* json({ file: output.value, changes: differences })
    else yield* note(`${output.value}: ${differences.length === 0 ? "unchanged" : "written"}`)
  }).pipe(Effect.scoped)

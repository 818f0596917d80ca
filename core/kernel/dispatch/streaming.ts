/**
 * Calls that answer streams: downloads, and all pages of a list. Separate from the dispatcher, so that Stream is
 * bundled only if used.
 */
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Decoder from "../codec/decoder.js"
import { AnswerError, type CallError, DeadlineExceeded, InputError, NetworkError } from "../errors/errors.js"
import type { Bytes, Page } from "../operation/answer.js"
import { type Audience, Operation } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import { type Args, asOneWork, type Bindable, type Call, type Dispatcher } from "./dispatcher.js"
import type { CallOptions } from "./endpoint.js"
import { callOptions } from "./endpoint.js"
import type { Paged, PageRange } from "./pagination.js"
import * as Pagination from "./pagination.js"
import * as Retry from "./retry.js"

/** A call bound to a client whose answer is a stream of bytes. The request is sent when the stream is run. */
export interface Download<I, Aud extends Audience, R> {
  (...args: Args<I>): Stream.Stream<Uint8Array, CallError, R>
  readonly operation: Operation<I, Bytes, Aud>
}

/** The bytes of an answer as they arrive. The connection is released when the stream ends or is interrupted. */
export const bytes = <I>(
  dispatcher: Dispatcher,
  operation: Operation<I, Bytes, never>,
  input: I,
  options: CallOptions | undefined
): Stream.Stream<Uint8Array, CallError> => {
  const { policy } = dispatcher.settings
  // An invalid one is refused when the body is opened.
  const { deadline } = Either.getOrElse(Retry.read(operation.name, policy, options?.policy), () => policy)
  const lost = (cause: unknown): CallError =>
    new NetworkError({ operation: operation.name, reason: "Reset", cause: new Error(causeName(cause)) })
  const { lifetime } = dispatcher
  // The body is released even if the interruption comes between opening and first read, or if the client closes while
  // the reader is busy.
  const opened = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const reader = (yield* restore(dispatcher.open(operation, input, options))).getReader()
      const give = Effect.ignore(Effect.tryPromise(() => reader.cancel()))
      const leave = lifetime.enter(() => give)
      yield* Effect.addFinalizer(() => Effect.zipRight(Effect.sync(leave), give))
      return reader
    })
  )
  const next = (reader: ReadableStreamDefaultReader<Uint8Array>) =>
    Effect.flatMap(
      Effect.tryPromise({ try: () => reader.read(), catch: (cause) => Option.some(lost(cause)) }),
      ({ done, value }) => {
        // A released body reads like a complete one.
        if (lifetime.isOver) return Effect.interrupt
        return done ? Effect.fail(Option.none()) : Effect.succeed(value)
      }
    )
  // A download may take long, but may not stall for longer than a call's deadline.
  const stalled = (): CallError => new DeadlineExceeded({ operation: operation.name, deadline, attempts: 1 })
  return Stream.unwrapScoped(
    Effect.map(opened, (reader) =>
      Stream.timeoutFail(Stream.repeatEffectOption(next(reader)), stalled, Duration.millis(deadline))
    )
  )
}

/** All bytes of a download at once. @category combinators */
export const collect = <E, R>(stream: Stream.Stream<Uint8Array, E, R>): Effect.Effect<Uint8Array, E, R> =>
  Effect.map(Stream.runCollect(stream), (pieces) => {
    const all = new Uint8Array(Chunk.reduce(pieces, 0, (size, piece) => size + piece.byteLength))
    Chunk.reduce(pieces, 0, (offset, piece) => {
      all.set(piece, offset)
      return offset + piece.byteLength
    })
    return all
  })

/**
 * All bytes of a download as text. Invalid UTF-8 is an AnswerError of the operation and is never replaced.
 * @category combinators
 */
export const text = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  operation = "text"
): Effect.Effect<string, E | AnswerError, R> =>
  Effect.flatMap(collect(stream), (all) =>
    Either.mapLeft(Decoder.text(all), (failure) => new AnswerError({ operation, ...failure }))
  )

/** Makes the `download` of one client. */
export const downloader =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I>(operation: Operation<I, Bytes, Aud>): Download<I, Aud, Id> => {
    const call = (...[input, options]: Args<I>): Stream.Stream<Uint8Array, CallError, Id> =>
      // Args allows no input only where I accepts an empty one.
      Stream.unwrap(
        Effect.map(tag, ({ dispatcher }) => bytes<I>(dispatcher, operation, (input ?? {}) as I, options))
      )
    return Object.assign(call, { operation })
  }

const causeName = (cause: unknown): string => (cause instanceof Error ? cause.name : "the connection ended")

const noCall = {
  operation: "pages",
  field: "call",
  rule: "must be a call of a client, such as Admin.requests.list"
}
const oneKey = { field: "idempotencyKey", rule: "is for one call, and each page is a call: leave it out" }

/** The names of the options of `pages`. */
export const pageOptions = {
  ...callOptions,
  first: "any",
  limit: "any"
} as const satisfies Options.Known<PageRange & CallOptions>

/** The options of `pages`, used for each of its calls. An idempotency key belongs to one call, so it is excluded. */
export type PagesOptions = PageRange & Omit<CallOptions, "idempotencyKey">

/**
 * All items of a list, page after page, holding one page at a time: `pages(Admin.requests.list, { statusIn: ["pending"]
 * })`. Sends `page`, and `limit` where it is given, beside the input or, for a search, in its payload; `page` and
 * `limit` of the input set the first page and the page size. Goes on until a page is empty, or until the platform's
 * counts or markers say that there is no more; a short page alone is not the end. A page that was read before, and ten
 * in a row without a new item, fail with AnswerError `Paging` after the items before them; a page after a sign-out
 * fails with CredentialsError, without a new sign-in. The types say which calls take `page`; others fail with
 * InputError. In a pipe: `pipe(Admin.requests.list, pages({ statusIn: ["pending"] }))`.
 * @category combinators
 */
export const pages: {
  <I, A, Aud extends Audience, R>(
    call: Call<I, Page<A>, Aud, R>,
    input: NoInfer<Paged<I>>,
    options?: PagesOptions
  ): Stream.Stream<A, CallError, R>
  <I>(
    input: I extends (...args: never) => unknown ? never : I,
    options?: PagesOptions
  ): <J, A, Aud extends Audience, R>(
    call: Call<J, Page<A>, Aud, R> & (I extends Paged<J> ? unknown : never)
  ) => Stream.Stream<A, CallError, R>
} = /*#__PURE__*/ dual(
  // An input is an object that is not an operation.
  ([call]) => typeof call !== "object" || call === null || Operation.isOperation(call),
  <I, A, Aud extends Audience, R>(
    call: Call<I, Page<A>, Aud, R>,
    input: NoInfer<Paged<I>>,
    options: PagesOptions = {}
  ): Stream.Stream<A, CallError, R> => {
    const run = call as (input: I, options: CallOptions) => Effect.Effect<Page<A>, CallError, R>
    return Stream.unwrap(
      Effect.gen(function* () {
        const operation: unknown = Object(call).operation
        if (!Operation.isOperation(operation)) return yield* new InputError(noCall)
        const given: PageRange & CallOptions = options
        const read = yield* Options.read(operation.name, "options", given, pageOptions, Retry.defaults)
        const { first, limit, ...rest } = read
        if (rest.idempotencyKey !== undefined)
          return yield* new InputError({ ...oneKey, operation: operation.name })
        const range = { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
        const source = yield* Pagination.source(call.operation, input, range)
        const within = asOneWork()
        return Stream.paginateChunkEffect(undefined as Pagination.Place | undefined, (before) =>
          Effect.map(
            Pagination.next(source, (asked) => within(run(asked, rest)), before),
            ({ done, page, place }) =>
              [Chunk.unsafeFromArray([...page.items]), done ? Option.none() : Option.some(place)] as const
          )
        )
      })
    )
  }
)

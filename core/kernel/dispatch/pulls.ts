/**
 * Answers that come in parts: downloads, and all pages of a list. A pull gives the next part, and fails with none at the
 * end. Streams and loops are made of pulls; an app that uses no Stream carries none.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { BoundedBytes } from "../../ports/bounded-bytes.js"
import * as Decoder from "../codec/decoder.js"
import { AnswerError, type CallError, DeadlineExceeded, InputError, NetworkError } from "../errors/errors.js"
import type { Bytes, Page } from "../operation/answer.js"
import { type Audience, Operation } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import type { CallOptions } from "./call-options.js"
import { callOptions } from "./call-options.js"
import { asOneWork, type Call, type Dispatcher } from "./dispatcher.js"
import { systemClock } from "./launch.js"
import type { Paged, PageRange } from "./page-source.js"
import * as PageSource from "./page-source.js"
import * as Pagination from "./pagination.js"
import { type Read, streaming, tooLarge } from "./response.js"
import * as Retry from "./retry.js"

/** Gives the next items; fails with none at the end. */
export type Pull<A, E, R = never> = Effect.Effect<ReadonlyArray<A>, Option.Option<E>, R>

/** A pull for callers without a fiber too: `launch` reports once how it ends, unless the returned function cancels it. */
export type Launchable<A, E> = Pull<A, E> & {
  readonly launch: (settle: (exit: Exit.Exit<ReadonlyArray<A>, Option.Option<E>>) => void) => () => void
}

/** The policy of one call; an invalid one is refused when the body is opened. */
const policyOf = (
  { settings: { policy } }: Dispatcher,
  { name }: { readonly name: string },
  options: CallOptions | undefined
): Retry.Policy => Either.getOrElse(Retry.read(name, policy, options?.policy), () => policy)

/** The bytes of an answer as they arrive. The connection is released when the scope closes. */
export const bytes = <I>(
  dispatcher: Dispatcher,
  operation: Operation<I, Bytes, never>,
  input: I,
  options: CallOptions | undefined
): Effect.Effect<Launchable<Uint8Array, CallError>, CallError, Scope.Scope> => {
  const { deadline } = policyOf(dispatcher, operation, options)
  const lost = (cause: unknown): CallError => {
    const name = cause instanceof Error ? cause.name : "the connection ended"
    const reason = name === "EncodingError" ? "Protocol" : "Reset"
    return new NetworkError({ operation: operation.name, reason, cause: new Error(name) })
  }
  const { lifetime } = dispatcher
  // Middleware may be at work on a body when the call ends without it.
  const bodies: Array<ReadableStream<Uint8Array>> = []
  const read: Read<ReadableStream<Uint8Array>> = (outcome, ...rest) =>
    Exit.map(streaming(outcome, ...rest), (body) => {
      bodies.push(body)
      return body
    })
  const drop = Effect.suspend(() =>
    Effect.forEach(bodies.splice(0), (body) => Effect.ignore(Effect.tryPromise(() => body.cancel())))
  )
  // The body is released even if the interruption comes between opening and first read, or if the client closes while
  // the reader is busy.
  const opened = Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const reader = (yield* Effect.onError(
        restore(dispatcher.open(operation, input, options, read)),
        () => drop
      )).getReader()
      const give = Effect.ignore(Effect.tryPromise(() => reader.cancel()))
      const leave = lifetime.enter(() => give)
      yield* Effect.addFinalizer(() => Effect.zipRight(Effect.sync(leave), give))
      return reader
    })
  )
  const stalled = () =>
    Option.some(new DeadlineExceeded({ operation: operation.name, deadline, attempts: 1 }))
  // A download may take long, but may not stall for longer than a call's deadline. The client's watch costs a chunk far less
  // than a fiber that sleeps, or one for each chunk.
  const next = (reader: ReadableStreamDefaultReader<Uint8Array>): Launchable<Uint8Array, CallError> => {
    const take =
      (clock: Clock.Clock): Launchable<Uint8Array, CallError>["launch"] =>
      (resume) => {
        // A released body reads like a complete one.
        const settle: typeof resume = (exit) => resume(lifetime.isOver ? Exit.interrupt(FiberId.none) : exit)
        const forget = lifetime.deadlines.after(clock, deadline, () => settle(Exit.fail(stalled())))
        reader.read().then(
          ({ done, value }) => {
            forget()
            settle(done ? Exit.fail(Option.none()) : Exit.succeed([value]))
          },
          (cause: unknown) => {
            forget()
            settle(Exit.fail(Option.some(lost(cause))))
          }
        )
        return forget
      }
    const pull = Effect.clockWith((clock) =>
      Effect.async<ReadonlyArray<Uint8Array>, Option.Option<CallError>>((resume) =>
        Effect.sync(take(clock)(resume))
      )
    )
    return Object.assign(pull, { launch: take(systemClock) })
  }
  return Effect.map(opened, next)
}

/** Puts the bytes together that `each` hands over; AnswerError `TooLarge` of the operation past `maxBytes`. */
export const gathered = <E, R>(
  each: (take: (piece: Uint8Array) => Effect.Effect<void, AnswerError>) => Effect.Effect<void, E, R>,
  operation: string,
  maxBytes: number
): Effect.Effect<Uint8Array, E, R> =>
  Effect.suspend(() => {
    const all = new BoundedBytes(maxBytes)
    const take = (piece: Uint8Array) =>
      all.push(piece) ? Effect.void : new AnswerError({ operation, ...tooLarge(maxBytes) })
    return Effect.map(each(take), () => {
      const whole = all.whole()
      // A chunk may be one of Node's Buffers, which can share its memory with others.
      return whole.constructor === Uint8Array ? whole : new Uint8Array(whole)
    })
  })

/** All bytes of an answer in one piece, as many as the policy's `maxBytes`. */
export const whole = <I>(
  dispatcher: Dispatcher,
  operation: Operation<I, Bytes, never>,
  input: I,
  options: CallOptions | undefined
): Effect.Effect<Uint8Array, CallError> => {
  const each = (take: (piece: Uint8Array) => Effect.Effect<void, AnswerError>) =>
    Effect.flatMap(bytes(dispatcher, operation, input, options), (pull) => {
      const rest: Effect.Effect<void, CallError> = Effect.matchEffect(pull, {
        onFailure: Option.match({ onNone: () => Effect.void, onSome: Effect.fail }),
        onSuccess: (pieces) => Effect.zipRight(Effect.forEach(pieces, take, { discard: true }), rest)
      })
      return rest
    })
  return Effect.scoped(gathered(each, operation.name, policyOf(dispatcher, operation, options).maxBytes))
}

/** Bytes as text. Invalid UTF-8 is an AnswerError of the operation and is never replaced. */
export const textOf = (all: Uint8Array, operation: string): Either.Either<string, AnswerError> =>
  Either.mapLeft(Decoder.text(all), (failure) => new AnswerError({ operation, ...failure }))

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

/** Reads the next page; fails with none at the end. */
export type Steps<A, R> = Effect.Effect<Pagination.Step<A>, Option.Option<CallError>, R>

/**
 * All pages of a list, one after another, with the place after each. A walk that goes on where another one was takes the number of that page as
 * `first`, and its cursor: a platform may know a page by what the one before it answered, and not by a number.
 */
export const steps = <I, A, Aud extends Audience, R>(
  call: Call<I, Page<A>, Aud, R>,
  input: Paged<I>,
  options: PagesOptions = {},
  cursor: Pagination.Place["cursor"] = null
): Effect.Effect<Steps<A, R>, CallError, R> =>
  Effect.gen(function* () {
    const operation: unknown = Object(call).operation
    if (!Operation.isOperation(operation)) return yield* new InputError(noCall)
    const allOptions: PageRange & CallOptions = options
    const read = yield* Options.read(operation.name, "options", allOptions, pageOptions, Retry.defaults)
    const { first, limit, ...rest } = read
    if (rest.idempotencyKey !== undefined)
      return yield* new InputError({ ...oneKey, operation: operation.name })
    const range = { ...(first === undefined ? {} : { first }), ...(limit === undefined ? {} : { limit }) }
    const source = yield* PageSource.make(call.operation, input, range)
    const run = call as (input: I, options: CallOptions) => Effect.Effect<Page<A>, CallError, R>
    const within = asOneWork()
    let before: Pagination.Place = { ...Pagination.start, cursor }
    let isOver = false
    return Effect.suspend((): Steps<A, R> => {
      if (isOver) return Effect.fail(Option.none())
      const next = Pagination.next(source, (pageInput) => within(run(pageInput, rest)), before)
      return Effect.mapBoth(next, {
        onFailure: Option.some,
        onSuccess: (step) => {
          before = step.place
          isOver = step.done
          return step
        }
      })
    })
  })

/** All items of a list, page after page, holding one page at a time. */
export const pages = <I, A, Aud extends Audience, R>(
  call: Call<I, Page<A>, Aud, R>,
  input: Paged<I>,
  options?: PagesOptions
): Effect.Effect<Pull<A, CallError, R>, CallError, R> =>
  Effect.map(
    steps(call, input, options),
    Effect.map(({ page }) => page.items)
  )

/**
 * Calls that answer streams: downloads, and all pages of a list. Separate from the dispatcher, so that Stream is
 * bundled only if used.
 */
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AnswerError, CallError } from "../errors/errors.js"
import type { Bytes, Page } from "../operation/answer.js"
import type { FailureOf } from "../operation/failures.js"
import { type Audience, type Kind, Operation } from "../operation/operation.js"
import type { Args, Bindable, Call } from "./dispatcher.js"
import type { Paged } from "./page-source.js"
import type { Pull } from "./pulls.js"
import * as Pulls from "./pulls.js"
import { defaults } from "./retry.js"

/** A call bound to a client whose answer is a stream of bytes. The request is sent when the stream is run. */
export interface Download<I, Aud extends Audience, R> {
  (...args: Args<I>): Stream.Stream<Uint8Array, FailureOf<"read", Aud>, R>
  /** The call as a value, such as `can` takes it. */
  readonly operation: Operation<I, Bytes, Aud, "read">
  /** The key of the client's tag: distinguishes the clients that offer one operation. */
  readonly client: string
}

/** The stream of what is pulled. */
export const streamed = <A, E, R, R2>(
  opened: Effect.Effect<Pull<A, E, R>, E, R2>
): Stream.Stream<A, E, R | Exclude<R2, Scope.Scope>> =>
  Stream.unwrapScoped(
    Effect.map(opened, (pull) => Stream.repeatEffectChunkOption(Effect.map(pull, Chunk.unsafeFromArray)))
  )

/** What a download is that is read whole. @category models */
export interface Gathering {
  /** Maximum bytes in memory; 64 MiB by default. */
  readonly maxBytes?: number
  /** The name of the call, for errors. */
  readonly operation?: string
}

/**
 * All bytes of a download at once, in memory. More than `maxBytes` of the policy (64 MiB by default) are an
 * AnswerError `TooLarge`, and the download ends. To hold one chunk at a time, run the stream itself.
 *
 * @example
 * ```ts
 * import { collect } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 *
 * const bytes = collect(Admin.files.download({ id: "f1" }))
 * ```
 * @category combinators
 */
export const collect = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  { maxBytes = defaults.maxBytes, operation = "collect" }: Gathering = {}
): Effect.Effect<Uint8Array, E | AnswerError, R> =>
  Pulls.gathered<E | AnswerError, R>((take) => Stream.runForEach(stream, take), operation, maxBytes)

/**
 * All bytes of a download as text, in memory. Invalid UTF-8 is an AnswerError of the operation and is never replaced;
 * so are more bytes than `maxBytes` of the policy (64 MiB by default).
 *
 * @example
 * ```ts
 * import { text } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 *
 * const csv = text(Admin.payments.csv({ statusIn: ["succeeded"] }))
 * ```
 * @category combinators
 */
export const text = <E, R>(
  stream: Stream.Stream<Uint8Array, E, R>,
  gathering: Gathering = {}
): Effect.Effect<string, E | AnswerError, R> =>
  Effect.flatMap(collect(stream, { operation: "text", ...gathering }), (all) =>
    Pulls.textOf(all, gathering.operation ?? "text")
  )

/** Makes the `download` of one client. */
export const downloader =
  <Aud extends Audience>() =>
  <Id, S extends Bindable>(tag: Context.Tag<Id, S>) =>
  <I>(operation: Operation<I, Bytes, Aud, "read">): Download<I, Aud, Id> => {
    const call = (...[input, options]: Args<I>): Stream.Stream<Uint8Array, FailureOf<"read", Aud>, Id> =>
      // Args allows no input only where I accepts an empty one, as which the encoder takes it. What a read can fail with is
      // proven by test/wire/failures.test.ts.
      streamed(
        Effect.flatMap(tag, ({ dispatcher }) => Pulls.bytes<I>(dispatcher, operation, input as I, options))
      ) as Stream.Stream<Uint8Array, FailureOf<"read", Aud>, Id>
    return Object.assign(call, { operation, client: tag.key })
  }

/**
 * All items of a list, page after page, holding one page at a time. Sends `page`, and `limit` where it is given,
 * beside the input or, for a search, in its payload; `page` and `limit` of the input set the first page and the page
 * size. Goes on until a page is empty, or until the platform's counts or markers say that there is no more; a short
 * page alone is not the end. A page that was read before, and ten in a row without a new item, fail with AnswerError
 * `Paging` after the items before them; a page after a sign-out fails with CredentialsError, without a new sign-in.
 * The types say which calls take `page`; others fail with InputError. It works in a pipe, too:
 * `pipe(Admin.requests.list, pages({ statusIn: ["pending"] }))`.
 *
 * @example
 * ```ts
 * import { pages } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Stream from "effect/Stream"
 *
 * const titles = Stream.map(pages(Admin.requests.list, { statusIn: ["pending"] }), ({ title }) => title)
 * ```
 * @category combinators
 */
export const pages: {
  <I, A, Aud extends Audience, R, K extends Kind>(
    call: Call<I, Page<A>, Aud, R, K>,
    input: NoInfer<Paged<I>>,
    options?: Pulls.PagesOptions
  ): Stream.Stream<A, FailureOf<K, Aud>, R>
  <I>(
    input: I extends (...args: never) => unknown ? never : I,
    options?: Pulls.PagesOptions
  ): <J, A, Aud extends Audience, R, K extends Kind>(
    call: Call<J, Page<A>, Aud, R, K> & (I extends Paged<J> ? unknown : never)
  ) => Stream.Stream<A, FailureOf<K, Aud>, R>
} = /*#__PURE__*/ dual(
  // An input is an object that is not an operation.
  ([call]) => typeof call !== "object" || call === null || Operation.isOperation(call),
  <I, A, Aud extends Audience, R, K extends Kind>(
    call: Call<I, Page<A>, Aud, R, K>,
    input: NoInfer<Paged<I>>,
    options?: Pulls.PagesOptions
  ): Stream.Stream<A, CallError, R> => streamed(Pulls.pages(call, input, options))
)

/**
 * An operation is one call of the platform, declared once as a value. It is pure and lazy: the declaration is a thunk,
 * so that an app bundles only the calls that it uses, and nothing happens until a client runs it.
 */
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { dual } from "effect/Function"
import { type Pipeable, Prototype } from "effect/Pipeable"
import type { Level } from "../../permissions/level.js"
import type { AnyRequest, Request } from "../../ports/transport.js"
import type { Answer, As, Bytes, Typed } from "./answer.js"
import type { Refusal } from "./input.js"
import type { Params } from "./path.js"

/** The four kinds of credentials, and so the four clients. */
export type Audience = "admin" | "public" | "private" | "endUser"

export type Method = Request["method"]

/** The platform's two addresses: the new API and the legacy one. */
export type Host = "api" | "legacy"

/**
 * What a call does, as its declaration says: `read` changes nothing, `write` may change something, `signIn` obtains
 * credentials and sends none. It decides what the call can fail with.
 * @category models
 */
export type Kind = "read" | "write" | "signIn"

/** What the declaration of each kind says. */
interface Marks {
  readonly read:
    | { readonly method: "GET"; readonly isReadOnly?: never; readonly credentials?: never }
    | { readonly method: "HEAD" | "POST"; readonly isReadOnly: true; readonly credentials?: never }
  readonly write: {
    readonly method: Exclude<Method, "GET" | "HEAD">
    readonly isReadOnly?: never
    readonly credentials?: never
  }
  readonly signIn:
    | { readonly method: "GET"; readonly isReadOnly?: never; readonly credentials: "none" }
    | { readonly method: "POST"; readonly isReadOnly: true; readonly credentials: "none" }
}

/** A body of multipart form data, whose files may be streams. */
type FormBody = Extract<AnyRequest["body"], { readonly _tag: "Form" }>

/** A file that failed to be read. */
export interface UnreadFile extends Refusal {
  /** What reading the file failed with. */
  readonly cause: unknown
}

/** What a call that sends a form needs. Declarations hold it, so that apps without uploads do not. */
export interface FormEncoding {
  /** Makes the form of the fields of an input, or says which field cannot be sent. */
  readonly encode: (fields: Readonly<Record<string, unknown>>) => Either.Either<FormBody, Refusal>
  /** Claims the streams of a form for the call that is about to send it. */
  readonly take: (body: FormBody) => void
  /** Reads the streams of a form into memory. */
  readonly collect: (
    body: NonNullable<AnyRequest["body"]>
  ) => Effect.Effect<NonNullable<Request["body"]>, UnreadFile>
  /** A callback that does not end its call where it throws: that is logged, and it is not called again. */
  readonly guarded: (
    onUpload: NonNullable<AnyRequest["onUpload"]>,
    run: (log: Effect.Effect<void>) => unknown
  ) => NonNullable<AnyRequest["onUpload"]>
  /** Says what is wrong with a file that failed while it was sent. */
  readonly unreadable: (part: string, cause: unknown) => UnreadFile
}

/** The declaration of a call, on the wire and in the program. */
export interface Declaration<I, A, Path extends string, Aud extends Audience> {
  /** The HTTP method. */
  readonly method: Method
  /** Template relative to the base URL, such as `request-action/{id}/seen`. `{projectId}` is filled from the client. */
  readonly path: Path & ([Exclude<Params<Path>, "projectId">] extends [keyof I] ? unknown : never)
  /** Stands for the path where many are shown as one, as in metrics; the path itself by default. */
  readonly template?: string
  /** Whose clients have the call. */
  readonly audiences: ReadonlyArray<Aud>
  /** `api` by default. */
  readonly host?: Host
  /** One flat object. A field `payload` is the whole body. */
  readonly input: Typed<I>
  /** Fields that go to the query although the method would send them in the body. */
  readonly query?: ReadonlyArray<keyof I & string>
  /** Values that are sent if the caller omits a field. */
  readonly defaults?: Partial<I>
  /** Sends the fields of the body as multipart form data: `form` of `codec/form.ts`. */
  readonly body?: FormEncoding
  /** The schema of the answer, `Answer.page` of a list, or bytes. */
  readonly success: Answer<A>
  /** The level that an admin's token must grant on `<slice>.<call>`, the two halves of the name. */
  readonly requires?: Level
  /** `none` sends no credentials, for the calls that obtain them. */
  readonly credentials?: "none"
  /** A POST that changes nothing, such as a search: it may be repeated like a GET. */
  readonly isReadOnly?: true
}

/** A declaration with its types erased, as the kernel reads it. */
export interface Declared
  extends Omit<Declaration<unknown, unknown, string, Audience>, "path" | "query" | "defaults" | "success"> {
  /** Template relative to the base URL. */
  readonly path: string
  /** Fields that go to the query although the method would send them in the body. */
  readonly query?: ReadonlyArray<string>
  /** Values that are sent if the caller omits a field. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** The schema of the answer, of an item of a list, or bytes. */
  readonly success: Answer<unknown> | Answer<Bytes>
  /** Whether the answer was narrowed by the caller's own schema: mismatches are refused, unless that is `tolerant`. */
  readonly isNarrowed?: true
  /** The answer as it is declared, where it was narrowed: it says what the platform's fields are. */
  readonly declaredSuccess?: Answer<unknown> | Answer<Bytes>
}

/** Whether a call may change something: then it is repeated only where that is known to be safe. */
export const isWrite = ({ isReadOnly, method }: Pick<Declared, "isReadOnly" | "method">): boolean =>
  method !== "GET" && isReadOnly !== true

/** The kind of a call. */
export const kindOf = (declared: Pick<Declared, "credentials" | "isReadOnly" | "method">): Kind => {
  if (isWrite(declared)) return "write"
  return declared.credentials === "none" ? "signIn" : "read"
}

const TypeId: unique symbol = Symbol.for("@quartet/sdk/Operation")

/** One call: takes I, answers A, serves the audiences Aud, and is of the kind K. @category models */
export interface Operation<in I, out A, in Aud extends Audience, out K extends Kind = Kind> extends Pipeable {
  readonly [TypeId]: {
    readonly _I: (_: I) => void
    readonly _A: () => A
    readonly _Aud: (_: Aud) => void
    readonly _K: () => K
  }
  /** `<slice>.<call>`, its name in every client that offers it. */
  readonly name: string
  /** The declaration, made on first use. */
  readonly declaration: () => Declared
  /**
   * The same call with its answer (of a list: each item) narrowed to the caller's own schema. Answers are decoded at
   * once: a transformation that waits is refused. Undeclared fields are kept: `parseOptions` that are
   * stricter are refused. Date-times in them and under `Schema.Unknown` are Dates before filters and transformations run.
   */
  readonly as: <B>(schema: Typed<B>) => Operation<I, As<A, B>, Aud, K>
}

const variance = {
  _I: (_: unknown) => undefined,
  _A: (): never => variance._A(),
  _Aud: (_: unknown) => undefined,
  _K: (): never => variance._K()
}

const fromDeclared = <I, A, Aud extends Audience, K extends Kind>(
  name: string,
  declare: () => Declared
): Operation<I, A, Aud, K> => {
  let declared: Declared | undefined
  const declaration = (): Declared => {
    // Without a prototype, because a polluted one would add undeclared values.
    declared ??= Object.assign(Object.create(null) as object, declare())
    return declared
  }
  return {
    ...Prototype,
    [TypeId]: variance,
    name,
    declaration,
    as: (schema) =>
      fromDeclared(name, () => {
        const { declaredSuccess, success } = declaration()
        return {
          ...declaration(),
          declaredSuccess: declaredSuccess ?? success,
          success: "page" in success ? { ...success, page: schema } : schema,
          isNarrowed: true
        }
      })
  }
}

/**
 * Declares a call. `name` is `<slice>.<call>`; the parameters of the path must be fields of the input. The kind that its type
 * states must be that of the declaration. A
 * comment before each use says that it is pure, so that bundlers drop the calls that an app does not use.
 */
const make = <I, A, const Path extends string, Aud extends Audience, K extends Kind = Kind>(
  name: string,
  declare: () => Declaration<I, A, Path, Aud> & Marks[K]
): Operation<I, A, Aud, K> =>
  // The kernel's only erasure: the operation's own type keeps I, A, Aud and K.
  fromDeclared(name, declare as unknown as () => Declared)

/** Whether a value is an operation. */
const isOperation = (value: unknown): value is Operation<never, unknown, never> =>
  typeof value === "object" && value !== null && TypeId in value

/** The slice of an operation: `requests` of `requests.markSeen`. */
export const sliceOf = (name: string): string => name.slice(0, name.indexOf("."))

/** The call of an operation: `markSeen` of `requests.markSeen`. */
export const callOf = (name: string): string => name.slice(name.indexOf(".") + 1)

/** The same call with its answer narrowed to the caller's own schema: `get.pipe(Operation.as(Mine))`. */
const as: {
  <B>(
    schema: Typed<B>
  ): <I, A, Aud extends Audience, K extends Kind>(
    self: Operation<I, A, Aud, K>
  ) => Operation<I, As<A, B>, Aud, K>
  <I, A, Aud extends Audience, K extends Kind, B>(
    self: Operation<I, A, Aud, K>,
    schema: Typed<B>
  ): Operation<I, As<A, B>, Aud, K>
} = /*#__PURE__*/ dual(
  2,
  <I, A, Aud extends Audience, K extends Kind, B>(self: Operation<I, A, Aud, K>, schema: Typed<B>) =>
    self.as(schema)
)

/** Constructors, guards and combinators of operations. */
export const Operation: {
  /** Declares a call as a value, under the name `<slice>.<call>`. */
  readonly make: typeof make
  /** Whether a value is an operation. */
  readonly isOperation: typeof isOperation
  /** The same call with its answer narrowed to a schema of the caller's own. */
  readonly as: typeof as
} = /*#__PURE__*/ Object.freeze({ make, isOperation, as })

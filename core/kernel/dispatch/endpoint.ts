/** What is the same for every call of one operation by one client, made on its first call. */
import * as Either from "effect/Either"
import type { Level } from "../../permissions/level.js"
import type { AnyRequest, Request, Service as Transport } from "../../ports/transport.js"
import * as Decoder from "../codec/decoder.js"
import * as Encoder from "../codec/encoder.js"
import * as Page from "../codec/page.js"
import type { CallError, InputError } from "../errors/errors.js"
import { isSchema, mustBeSchema, TolerantId } from "../operation/answer.js"
import { callOf, type Declared, isWrite, type Operation, sliceOf } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import { edits } from "../operation/spelling.js"
import { type Answers, type CallOptions, callOptions } from "./call-options.js"
import type { Written } from "./dialect.js"
import * as Response from "./response.js"
import * as Retry from "./retry.js"
import { readHeaders, type Settings } from "./settings.js"

/** An operation as one client calls it. */
export interface Endpoint {
  readonly name: string
  /** What all of its requests have in common; each call sets the rest. */
  readonly request: Request
  /** The path with its parameters, from `/`. */
  readonly template: string
  readonly isWrite: boolean
  /** Whether the call carries credentials. */
  readonly isAuthorised: boolean
  readonly requires: Level | undefined
  /** Set if the call sends a form. */
  readonly form: Declared["body"]
  /** Checks and encodes one call. */
  readonly call: (
    input: unknown,
    options: CallOptions | undefined,
    read?: Response.Read<unknown>,
    headers?: Request["headers"],
    cursor?: string
  ) => Either.Either<EncodedCall<unknown>, CallError>
}

/** A call in the form of a platform that differs. */
export interface PlatformCall extends Written {
  readonly secrets: () => ReadonlyArray<string>
  readonly over: (transport: Transport) => Transport
}

/** What one call sends, and how its answer is read. */
export interface EncodedCall<out A> {
  readonly endpoint: Endpoint
  readonly path: string
  /** All headers but the credentials, which each attempt adds. */
  readonly headers: Request["headers"]
  readonly body: AnyRequest["body"]
  readonly answer: Request["answer"]
  readonly onUpload: Request["onUpload"]
  /** The same in the platform's form, where that is another one, and what translates its answer. */
  readonly platform?: PlatformCall | undefined
  /** Whether mismatches with the declaration are tolerated. */
  readonly isTolerant: boolean
  readonly policy: Retry.Policy
  /** Whether the platform performs it once, however often it is sent. */
  readonly isRepeatable: boolean
  readonly read: Response.Read<A>
}

/**
 * Whether a route is for the call `name`, but misspelt. A client does not know the calls that an app does not use, so
 * it can only compare spellings: different case, or one letter more, fewer or different in a call of its slice. One
 * letter distinguishes calls of three letters, such as get and set.
 */
export const isMisspelt = (route: string, name: string): boolean => {
  const [call, otherCall] = [callOf(route), callOf(name)]
  return (
    route !== name &&
    sliceOf(route) === sliceOf(name) &&
    call.length + otherCall.length > 6 &&
    edits(call.toLowerCase(), otherCall.toLowerCase(), 1) < 2
  )
}

const prepare = (
  operation: Operation<never, unknown, never>,
  settings: Settings
): Either.Either<Endpoint, CallError> => {
  const { name } = operation
  const refuse = Options.refuser(name)
  const declared = operation.declaration()
  if (!declared.audiences.includes(settings.audience)) {
    return refuse("operation", `serves ${declared.audiences.join(", ")}, not the ${settings.audience} client`)
  }
  const success = settings.recorded?.(`${settings.audience}.${name}`, declared) ?? declared.success
  const { bytes, page = success }: Record<string, unknown> = Object(success)
  if (bytes === undefined && !isSchema(page)) return refuse("schema", mustBeSchema)
  const misspelt = Object.keys(settings.routes).find((route) => isMisspelt(route, name))
  if (misspelt !== undefined) return refuse(`routes.${misspelt}`, `is not a call (did you mean "${name}"?)`)
  const route = settings.routes[name] ?? settings.dialect?.routeOf(settings.audience, name, declared.method)
  const method = route?.method ?? declared.method
  const path = route?.path ?? declared.path
  const service = settings[declared.host ?? "api"]
  const isAuthorised = declared.credentials !== "none"
  const encode = Encoder.make(Object.assign(Object.create(null), declared, { method, path }), {
    prefix: service.prefix,
    projectId: settings.projectId,
    projectInQuery: settings.audience === "admin" && isAuthorised && declared.host !== "legacy"
  })
  const whole = Response.whole(
    "page" in success
      ? Page.decoder(success)
      : "ast" in success
        ? Decoder.make(success)
        : () => Either.left(Response.notAsked)
  )

  // A route says how a call is sent, not what it does: a read that is sent by POST changes nothing, and a write by GET does.
  const writes = isWrite(declared)
  const settingsHeaders = Either.right(settings.headers)
  // Errors are JSON even if the answer is not.
  const always = { accept: "bytes" in success ? `${success.bytes}, */*;q=0.5` : "application/json" }
  // Mismatches with the caller's own schema are tolerated only if that says so.
  const isOwn = declared.isNarrowed === true && Object(page).ast.annotations[TolerantId] !== true
  const isTolerant = (answers: Answers): boolean => answers !== "strict" && !isOwn
  const translator = settings.dialect?.translator({
    name,
    audience: settings.audience,
    declared: { ...declared, method, path, success: declared.declaredSuccess ?? declared.success },
    isWrite: writes
  })
  const call: Endpoint["call"] = (input, ownOptions, reading, further, cursor) => {
    // An error thrown by a caller's getter or toJSON may hold secrets, so it is not passed on.
    const encoded = Either.getOrElse(
      Either.try(() => encode(input)),
      () => Either.left(unreadable)
    )
    if (Either.isLeft(encoded)) return refuse(encoded.left.field, encoded.left.rule)
    const read = readOptions(name, ownOptions)
    if (Either.isLeft(read)) return Either.left(read.left)
    const options = read.right
    const policy = options?.policy
      ? Retry.read(name, settings.policy, options.policy)
      : Either.right(settings.policy)
    if (Either.isLeft(policy)) return Either.left(policy.left)
    const ownHeaders = options?.headers
      ? readHeaders(refuse, options.headers, settings.headerNames, settings.headers)
      : settingsHeaders
    if (Either.isLeft(ownHeaders)) return Either.left(ownHeaders.left)
    const more = further === undefined ? noHeaders : readHeaders(refuse, further)
    if (Either.isLeft(more)) return Either.left(more.left)
    const { body, path } = encoded.right
    const spoken = { input, cursor }
    const written =
      translator &&
      Either.getOrElse(
        Either.try(() => translator.write(encoded.right, spoken)),
        () => Either.left(unsaid)
      )
    if (written !== undefined && Either.isLeft(written)) return refuse(written.left.field, written.left.rule)
    const idempotencyKey = options?.idempotencyKey
    const headers: Record<string, string> = {
      ...always,
      ...ownHeaders.right,
      ...more.right
    }
    // The adapter chooses the boundary of a form, and so its content type.
    if (body?._tag === "Json") headers["content-type"] = "application/json"
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey
    if (body?._tag === "Form") declared.body?.take(body)
    return Either.right({
      ...blank,
      isTolerant: isTolerant(options?.answers ?? settings.answers),
      path,
      headers,
      body,
      answer: reading === undefined ? "bytes" : "stream",
      onUpload: options?.onUpload,
      platform: translator &&
        written && {
          ...written.right,
          secrets: () => [...translator.secrets(), ...Object.values(written.right.headers)],
          over: (transport) => translator.over(transport, spoken)
        },
      policy: policy.right,
      isRepeatable: !writes || idempotencyKey !== undefined,
      read: reading ?? whole
    })
  }

  const endpoint: Endpoint = {
    name,
    request: {
      operation: name,
      method,
      origin: translator?.originOf(service.origin) ?? service.origin,
      path,
      headers: {},
      body: undefined,
      answer: "bytes",
      maxBytes: 0,
      attempt: 0,
      onUpload: undefined,
      credentials: undefined,
      secretsIn: undefined
    },
    template: `${service.prefix}/${declared.template ?? path.replace(/^\/+/, "")}`,
    isWrite: writes,
    isAuthorised,
    form: declared.body,
    requires: declared.requires,
    call
  }
  const blank: EncodedCall<unknown> = {
    endpoint,
    isTolerant: isTolerant(settings.answers),
    path,
    headers: always,
    body: undefined,
    answer: "bytes",
    onUpload: undefined,
    platform: undefined,
    policy: settings.policy,
    isRepeatable: false,
    read: whole
  }
  return Either.right(endpoint)
}

const noHeaders = /*#__PURE__*/ Either.right({})

const unsaid = {
  field: "platform",
  rule: "could not write this call: a function of it threw"
}

const unreadable = { field: "input", rule: "could not be read: a getter, a toJSON or a proxy threw" }

/** Prepares each operation once. */
export const cache = (
  settings: Settings
): ((operation: Operation<never, unknown, never>) => Either.Either<Endpoint, CallError>) => {
  const known = new WeakMap<object, Either.Either<Endpoint, CallError>>()
  return (operation) => {
    let endpoint = known.get(operation)
    if (endpoint === undefined) {
      endpoint = prepare(operation, settings)
      known.set(operation, endpoint)
    }
    return endpoint
  }
}

/** Whether a value can be an idempotency key. Only text can be one; other values are not converted. */
const isKey = (value: unknown): boolean => typeof value === "string" && /^[\u0021-\u007e]{1,255}$/.test(value)

/** Reads the options of one call, except for its policy. */
const readOptions = (
  operation: string,
  options: CallOptions | undefined
): Either.Either<CallOptions | undefined, InputError> => {
  if (options === undefined) return Either.right(options)
  const own = Options.read(operation, "options", options, callOptions, Retry.defaults)
  if (Either.isLeft(own) || own.right.idempotencyKey === undefined || isKey(own.right.idempotencyKey))
    return own
  return Options.refuser(operation)("idempotencyKey", "must be 1 to 255 visible ASCII characters")
}

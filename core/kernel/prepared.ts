/** What is the same for every call of one operation by one client, made on its first call. */
import * as Either from "effect/Either"
import type { Level } from "../permissions/level.js"
import type { Credentials } from "./credentials.js"
import * as Decoder from "./decoder.js"
import * as Encoder from "./encoder.js"
import { type CallError, InputError } from "./errors.js"
import * as Exchange from "./exchange.js"
import type { AnyBody } from "./form.js"
import { callOf, type Method, type Operation, sliceOf } from "./operation.js"
import * as Page from "./page.js"
import * as Resilience from "./resilience.js"
import { own, type Route, type Settings } from "./settings.js"

/** The grant that a call needs, in the token's names. */
interface Requirement {
  readonly resource: string
  readonly action: string
  readonly level: Level
}

export interface Prepared {
  readonly name: string
  readonly method: Method
  readonly origin: string
  readonly isWrite: boolean
  /** Whether the caller's own schema reads the answer, which is then never tolerated to be otherwise. */
  readonly isNarrowed: boolean
  /** Whether the call carries credentials. */
  readonly isAuthorised: boolean
  readonly requires: Requirement | undefined
  /** The header `accept`: an error is answered in JSON whatever the answer's form. */
  readonly accept: string
  readonly encode: Encoder.Encode
  readonly read: Exchange.Read<unknown>
}

/** The credentials of a call that obtains credentials. */
export const anonymous: Credentials = { headers: {}, grants: undefined }

/** The grant for a call, `<slice>.<call>`, under the names that the token uses. */
export const requirement = (name: string, level: Level, names: Settings["permissionNames"]): Requirement => {
  const slice = sliceOf(name)
  const call = callOf(name)
  const resource = Object.hasOwn(names, slice) ? (names[slice] ?? slice) : slice
  const whole = Object.hasOwn(names, name) ? (names[name] ?? name) : `${resource}.${call}`
  return { resource: sliceOf(whole), action: callOf(whole), level }
}

const prepare = (
  operation: Operation<never, unknown, never>,
  settings: Settings
): Either.Either<Prepared, CallError> => {
  const { name } = operation
  const declared = operation.declaration()
  if (!declared.audiences.includes(settings.audience)) {
    const rule = `serves ${declared.audiences.join(", ")}, not the ${settings.audience} client`
    return Either.left(new InputError({ operation: name, field: "operation", rule }))
  }
  const { method = declared.method, path = declared.path } = settings.routes[name] ?? own<Route>({})
  const service = settings[declared.service ?? "api"]
  const isAuthorised = declared.credentials !== "none"
  const { success } = declared
  return Either.right({
    name,
    method,
    origin: service.origin,
    isWrite: method !== "GET" && declared.isReadOnly !== true,
    isNarrowed: declared.isNarrowed === true,
    isAuthorised,
    requires:
      declared.requires === undefined
        ? undefined
        : requirement(name, declared.requires, settings.permissionNames),
    accept: "bytes" in success ? `${success.bytes}, */*;q=0.5` : "application/json",
    encode: Encoder.make(own({ ...declared, method, path }), {
      prefix: service.prefix,
      projectId: settings.projectId,
      projectInQuery: settings.audience === "admin" && isAuthorised && declared.service !== "legacy"
    }),
    read: Exchange.whole(
      "page" in success ? Page.decoder(success) : "ast" in success ? Decoder.make(success) : neverDecoded
    )
  })
}

const neverDecoded: Decoder.Decode<never> = () =>
  Either.left({ reason: "Shape", field: "", rule: "is a stream of bytes, which is not decoded" })

/** Prepares each operation once. */
export const cache = (
  settings: Settings
): ((operation: Operation<never, unknown, never>) => Either.Either<Prepared, CallError>) => {
  const known = new WeakMap<object, Either.Either<Prepared, CallError>>()
  return (operation) => {
    let prepared = known.get(operation)
    if (prepared === undefined) {
      prepared = prepare(operation, settings)
      known.set(operation, prepared)
    }
    return prepared
  }
}

/** All headers of a request. */
export const headers = (
  credentials: Readonly<Record<string, string>>,
  accept: string,
  body: AnyBody | undefined,
  idempotencyKey: string | undefined
): Record<string, string> => {
  const all: Record<string, string> = { ...credentials, accept }
  // The boundary of a form is the adapter's to choose, and so is its content type.
  if (body?._tag === "Json") all["content-type"] = "application/json"
  if (idempotencyKey !== undefined) all["idempotency-key"] = idempotencyKey
  return all
}

/** Whether a value can be an idempotency key. What is no text is none, whatever it would become as text. */
const isKey = (value: unknown): boolean => typeof value === "string" && /^[\u0021-\u007e]{1,255}$/.test(value)

/** The policy of one call, with its options checked. */
export const options = (
  prepared: Prepared,
  policy: Resilience.Policy,
  given: { readonly policy?: Partial<Resilience.Policy>; readonly idempotencyKey?: string } | undefined
): Either.Either<Resilience.Policy, InputError> => {
  if (given === undefined) return Either.right(policy)
  const refuse = (field: string, rule: string): Either.Either<never, InputError> =>
    Either.left(new InputError({ operation: prepared.name, field, rule }))
  if (given.idempotencyKey !== undefined && !isKey(given.idempotencyKey)) {
    return refuse("idempotencyKey", "must be 1 to 255 visible ASCII characters")
  }
  const own = given.policy === undefined ? policy : { ...policy, ...given.policy }
  const broken = Resilience.check(own)
  return broken === undefined ? Either.right(own) : refuse("policy", broken)
}

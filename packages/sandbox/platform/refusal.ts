/** The platform's answer instead of a value: a status and a JSON error that names the invalid field, if any. */
import * as Data from "effect/Data"

/** A call that the platform refuses. On the wire: `{ error: { code, message, field } }`. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly status: number
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly headers?: Readonly<Record<string, string>>
}> {}

/** 400: the input breaks a rule. */
export const invalid = (field: string, rule: string): Refusal =>
  new Refusal({ status: 400, code: "bad_request", message: `the field "${field}" ${rule}`, field })

/** 401: no credentials, or wrong ones. */
export const unauthenticated = (message: string): Refusal =>
  new Refusal({
    status: 401,
    code: "unauthenticated",
    message,
    headers: { "www-authenticate": 'Bearer realm="quartet sandbox"' }
  })

/** 403: the credentials are valid but do not allow it. */
export const forbidden = (message: string): Refusal =>
  new Refusal({ status: 403, code: "forbidden", message })

/** 404: there is nothing at this address. */
export const notFound = (what: string): Refusal =>
  new Refusal({ status: 404, code: "not_found", message: `${what} was not found` })

/** 409: the state has moved on. */
export const conflict = (message: string): Refusal => new Refusal({ status: 409, code: "conflict", message })

/** 413: the body is larger than the server accepts. */
export const tooLarge = (maxBytes: number): Refusal =>
  new Refusal({
    status: 413,
    code: "too_large",
    message: `the body is larger than ${maxBytes} bytes`,
    headers: { connection: "close" }
  })

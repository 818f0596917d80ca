/** Calls that the SDK does not know. */
import { operationOf, type RequestInput } from "../../core/kernel/dispatch/request.js"
import type { CallResponse } from "../../core/kernel/dispatch/with-response.js"
import type { Typed } from "../../core/kernel/operation/answer.js"
import { type HasParts, invoke, type Options, partsOf } from "./caller.js"
import { orThrow } from "./options.js"
import { respond } from "./with-response.js"

/** Makes a call with the function that makes the calls of operations. */
const requestBy =
  (by: typeof invoke | typeof respond) =>
  async (
    client: HasParts<never>,
    input: RequestInput,
    schema?: Typed<unknown>,
    options?: Options
  ): Promise<unknown> => {
    const parts = partsOf("request", client)
    const [operation, fields] = orThrow(operationOf(input, schema))
    return await by(parts, operation, fields, options)
  }

/**
 * Makes a call that the SDK does not know, with the client's credentials, deadline, masking and errors.
 *
 * It goes to the configured address of the service. GET and HEAD alone are retried, unless an idempotency key is
 * given. No permission is checked before it is sent: the platform decides. It resolves to what the schema says, else
 * to `unknown`: parsed JSON, in which date-times are Dates, and undefined for HEAD and for an answer without a body.
 * `request.withResponse` resolves to the value together with status, headers, request id and the number of attempts.
 *
 * @example
 * ```ts
 * import { request } from "@quartet/sdk/promise"
 * import * as Schema from "effect/Schema"
 *
 * const Report = Schema.Struct({ total: Schema.Number })
 * const report = await request(admin, { method: "GET", path: "v2/reports", query: { year: 2026 } }, Report)
 * ```
 * @throws an InputError: the path leaves the address, or a value cannot be sent. Nothing was sent.
 * @throws as calls do, or the reason of the signal.
 * @category combinators
 */
export const request: {
  (client: HasParts<never>, input: RequestInput, schema?: undefined, options?: Options): Promise<unknown>
  <A>(client: HasParts<never>, input: RequestInput, schema: Typed<A>, options?: Options): Promise<A>
  /** The same call, which resolves to its value together with status, headers, request id and the number of attempts. */
  readonly withResponse: {
    (
      client: HasParts<never>,
      input: RequestInput,
      schema?: undefined,
      options?: Options
    ): Promise<CallResponse<unknown>>
    <A>(
      client: HasParts<never>,
      input: RequestInput,
      schema: Typed<A>,
      options?: Options
    ): Promise<CallResponse<A>>
  }
} = /*#__PURE__*/ Object.assign(/*#__PURE__*/ requestBy(invoke), {
  withResponse: /*#__PURE__*/ requestBy(respond)
  // A schema decides what comes out.
}) as never

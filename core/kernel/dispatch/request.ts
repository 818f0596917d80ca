/** A call that no operation declares: it takes the way of all others. Only who makes one carries it. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Json from "../codec/json.js"
import type { CallError, InputError } from "../errors/errors.js"
import { isSchema, mustBeSchema, type Typed } from "../operation/answer.js"
import * as Input from "../operation/input.js"
import { type Audience, type Host, type Method, Operation } from "../operation/operation.js"
import * as Options from "../operation/options.js"
import * as Raw from "../operation/raw.js"
import * as Schema from "../operation/schema.js"
import type { CallOptions } from "./call-options.js"
import type { Bindable } from "./dispatcher.js"

/** A call that the SDK does not know. @category models */
export interface RequestInput {
  /** The HTTP method. GET and HEAD alone are retried without an idempotency key. */
  readonly method: Method
  /**
   * The path below the address of the service, such as `v2/reports`, percent-encoded: `v2/reports/${encodeURIComponent(id)}`. An absolute
   * URL, a query, and a segment `..` are refused.
   */
  readonly path: string
  /**
   * The parameters of the query: plain values, and lists of them, which are joined by commas and left out when empty. An admin's
   * calls on the new API name the project in `projectId`, unless this does: here alone, where nothing of the query is known, may it.
   */
  readonly query?: Readonly<Record<string, unknown>>
  /** Sent as JSON, by POST, PUT and PATCH. */
  readonly body?: unknown
  /** Which service: the new API, by default, or the legacy one. */
  readonly host?: Host
}

const methods: ReadonlyArray<Method> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

const known = {
  method: methods,
  path: "string",
  query: "object",
  body: "any",
  host: ["api", "legacy"] satisfies ReadonlyArray<Host>
} satisfies Options.Known<RequestInput>

/** The rule that a path breaks. What a server may decode to a dot segment counts as one. */
const ruleOfPath = (path: string): string | undefined => {
  if (/^([a-z][\w+.-]*:|[\\/]{2})/i.test(path))
    return "must be a path below the address of the service, without scheme and host"
  if (/[?#]/.test(path)) return "must not hold a query or a fragment: pass query"
  if (/[{}]/.test(path)) return "must not hold braces: write the values themselves, percent-encoded"
  if (/(^|\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(path)) return 'must not hold a segment "." or ".."'
  return /^$|[^!-~]|[\\"<>^`|]|%(?![\da-f]{2})/i.test(path)
    ? "must be percent-encoded, of visible ASCII without a backslash"
    : undefined
}

/** Writes all parameters of a query, whose names and values are checked. */
const parameters: Input.QueryEncoding = (_, value) =>
  Either.map(
    Either.all(Object.entries(Object(value)).map(([name, item]) => Input.anything(name, item))),
    (pairs) => pairs.flat()
  )

const fields = () =>
  Schema.Struct({
    projectId: Schema.optional(Schema.Unknown),
    query: Schema.Unknown.pipe(Input.encoded(parameters)),
    payload: Schema.optional(Schema.Unknown)
  })

/** The input of an operation that stands for such a call. */
export interface RequestFields {
  readonly projectId?: unknown
  readonly query: unknown
  readonly payload?: unknown
}

const audiences = ["admin", "public", "private", "endUser"] as const satisfies ReadonlyArray<Audience>

/** A method, and whether it changes nothing: a search by POST is not known to be one. */
const kinds = (method: Method) => {
  if (method === "GET") return { method }
  return method === "HEAD" ? { method, isReadOnly: true as const } : { method }
}

/** The operation that stands for a call, and its input. */
export const operationOf = <A = unknown>(
  input: RequestInput,
  schema?: Typed<A>
): Either.Either<
  readonly [operation: Operation<RequestFields, A, Audience>, input: RequestFields],
  InputError
> => {
  const given: unknown = Object(input).method
  const name = `request.${typeof given === "string" && methods.includes(given as Method) ? given.toLowerCase() : "call"}`
  const refuse = Options.refuser(name)
  if (!Options.isRecord(input))
    return refuse("input", "must be an object of method, path, query, body and host")
  return Either.flatMap(
    Options.read(name, "options", input, known),
    ({ body: given, host, method, path, query = {} }) => {
      const body = Raw.sentOf(given)
      if (method === undefined) return refuse("method", `is missing: pass one of ${methods.join(", ")}`)
      if (path === undefined)
        return refuse("path", "is missing: pass the path below the address of the service")
      const rule = ruleOfPath(path)
      if (rule !== undefined) return refuse("path", rule)
      if (!Input.isPlain(query)) return refuse("query", Input.ruleOfParameters)
      for (const [parameter, value] of Object.entries(query)) {
        if (value === undefined) continue
        const pairs = Input.anything(parameter, value)
        if (Either.isLeft(pairs)) return refuse(`query.${parameter}`, pairs.left)
      }
      if (given !== undefined) {
        if (!method.startsWith("P")) return refuse("body", `is not sent with ${method}`)
        const rawRule = Raw.isRaw(given) ? Raw.ruleOf(given) : undefined
        if (rawRule !== undefined) return refuse("body", rawRule)
        const text = Either.getOrElse(
          Either.try(() => Json.encode(body, "body")),
          () => Either.left(unreadable)
        )
        if (Either.isLeft(text)) return refuse(text.left.field, text.left.rule)
      }
      if (schema !== undefined && !isSchema(schema)) return refuse("schema", mustBeSchema)
      if (schema !== undefined && method === "HEAD")
        return refuse("schema", "is for an answer with a body, and HEAD has none")
      const operation = Operation.make(name, () => ({
        ...kinds(method),
        path,
        template: "{path}",
        audiences,
        host: host ?? "api",
        input: fields(),
        query: ["projectId", "query"],
        success: Schema.Unknown
      }))
      const { projectId, ...rest } = query
      const all = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
      return Either.right([
        // Without a schema, A is unknown.
        (schema === undefined ? operation : operation.as(schema)) as Operation<RequestFields, A, Audience>,
        {
          query: all,
          ...(projectId === undefined ? {} : { projectId }),
          ...(given === undefined ? {} : { payload: body })
        }
      ] as const)
    }
  )
}

const unreadable = { field: "body", rule: "could not be read: a getter, a toJSON or a proxy threw" }

/**
 * Makes a call that the SDK does not know, with a client's credentials, deadline, masking and errors.
 *
 * It goes to the configured address of the service. GET and HEAD alone are retried, unless an idempotency key is
 * given. No permission is checked before it is sent: the platform decides. It answers what the schema says, else
 * `unknown`: parsed JSON, in which date-times are Dates, and undefined for HEAD and for an answer without a body.
 * Fails with InputError, and sends nothing, where the path leaves the address, or a value cannot be sent.
 *
 * @example
 * ```ts
 * import { request } from "@quartet/sdk"
 * import * as Admin from "@quartet/sdk/admin"
 * import * as Schema from "effect/Schema"
 *
 * const Report = Schema.Struct({ total: Schema.Number })
 * const report = request(Admin.Client, { method: "GET", path: "v2/reports", query: { year: 2026 } }, Report)
 * ```
 * @category combinators
 */
export const request: {
  <Id, S extends Bindable>(
    client: Context.Tag<Id, S>,
    input: RequestInput,
    schema?: undefined,
    options?: CallOptions
  ): Effect.Effect<unknown, CallError, Id>
  <Id, S extends Bindable, A>(
    client: Context.Tag<Id, S>,
    input: RequestInput,
    schema: Typed<A>,
    options?: CallOptions
  ): Effect.Effect<A, CallError, Id>
} = <Id, S extends Bindable, A>(
  client: Context.Tag<Id, S>,
  input: RequestInput,
  schema?: Typed<A>,
  options?: CallOptions
): Effect.Effect<A, CallError, Id> =>
  Effect.flatMap(client, ({ dispatcher }) =>
    Effect.flatMap(operationOf(input, schema), ([operation, fields]) =>
      dispatcher.call<RequestFields, A>(operation, fields, options)
    )
  )

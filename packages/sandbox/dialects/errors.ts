/** Refusals in a dialect. */
import { Utf8 } from "@quartet/sdk/extend"
import type { Answer } from "../platform/answer.js"
import type { Refusal } from "../platform/refusal.js"
import type { Dialect } from "./axes.js"

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

const bodyOf = (
  { errors, requestId: place }: Dialect,
  { code, field, message, status }: Refusal,
  requestId: string,
  path: string
): { readonly type: string; readonly value: unknown } => {
  const numbered = place === "body" ? { requestId } : {}
  const title = titles[status] ?? "Error"
  switch (errors) {
    case "problem":
      return {
        type: "application/problem+json",
        value: {
          type: `https://errors.example/${code}`,
          title,
          status,
          detail: message,
          instance: path,
          ...numbered,
          ...(field === undefined
            ? {}
            : { errors: [{ pointer: `#/${field.replaceAll(".", "/")}`, detail: message }] })
        }
      }
    case "json-api":
      return {
        type: "application/vnd.api+json",
        value: {
          errors: [
            {
              ...(place === "body" ? { id: requestId } : {}),
              status: String(status),
              code,
              title,
              detail: message,
              ...(field === undefined
                ? {}
                : { source: { pointer: `/data/attributes/${field.replaceAll(".", "/")}` } })
            }
          ]
        }
      }
    case "flat":
      return {
        type: "application/json",
        value: {
          success: false,
          message,
          ...numbered,
          errors: field === undefined ? {} : { [field]: [message] }
        }
      }
    default:
      return {
        type: "application/json; charset=utf-8",
        value: { error: { code, message, ...(field === undefined ? {} : { field }), ...numbered } }
      }
  }
}

/** A refusal as an answer. */
export const answerOf = (dialect: Dialect, refusal: Refusal, requestId: string, path: string): Answer => {
  const { headers = {}, message, status } = refusal
  if (dialect.errors === "text")
    return {
      status,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
      body: Utf8.encode(message)
    }
  const { type, value } = bodyOf(dialect, refusal, requestId, path)
  return { status, headers: { ...headers, "content-type": type }, body: Utf8.encode(JSON.stringify(value)) }
}

/** The answer on the wire: status, headers and bytes, from a handler's answer or a refusal. */

import { isBytes, type Page, Utf8 } from "@quartet/sdk/extend"
import type * as Stream from "effect/Stream"
import type { Download } from "./handler.js"
import type { Refusal } from "./refusal.js"
import type { Route } from "./routing.js"

/** One answer. */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | Stream.Stream<Uint8Array>
}

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { ...headers, "content-type": "application/json; charset=utf-8" },
  body: Utf8.encode(JSON.stringify(value))
})

/** A refusal as a JSON error. */
export const ofRefusal = ({ code, field, headers, message, status }: Refusal): Answer =>
  json(status, { error: { code, message, ...(field === undefined ? {} : { field }) } }, headers)

/** A list in the form in which its operation is answered. */
const listed = (page: Page<unknown>, key: string | undefined, bare: boolean): unknown => {
  if (bare) return page.items
  return key === undefined ? page : { [key]: page.items, paging: page.paging }
}

const quoted = (name: string): string => encodeURIComponent(name).replaceAll("'", "%27")

/** The answer of a handler, which is of the type that the operation declares. */
export const ofValue = ({ declared, handler }: Route, value: unknown): Answer => {
  const { success } = declared
  const status = handler.options.status ?? 200
  if ("bytes" in success) {
    const { body, fileName, type } = value as Download
    const headers = {
      "content-type": type,
      "content-disposition": `attachment; filename*=UTF-8''${quoted(fileName)}`,
      ...(isBytes(body) ? { "content-length": String(body.byteLength) } : {})
    }
    return { status, headers, body }
  }
  if (value === undefined) return { status: 204, headers: {}, body: new Uint8Array() }
  if ("page" in success)
    return json(status, listed(value as Page<unknown>, success.key, handler.options.bare === true))
  return json(status, value)
}

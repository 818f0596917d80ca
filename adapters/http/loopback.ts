/**
 * Who asks a server on a person's own machine. The pages of any site can send requests to it, also under their own name that
 * resolves to it (DNS rebinding): their headers `Host` and `Origin` tell.
 */
import { urlOf } from "../../core/kernel/operation/url.js"

/** The headers that tell, by their names in lower case. */
export type Asked = Readonly<Partial<Record<string, string | ReadonlyArray<string>>>>

const textOf = (value: Asked[string]): string | undefined => (typeof value === "string" ? value : value?.[0])

/** The name in a `Host` header, without its port; undefined if the header is invalid. */
export const nameIn = (host: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase().replace(/\.$/, "")

export const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)

/**
 * The origin of the page that sent a request; undefined if no page did, or for a visitor's navigation. Browsers omit
 * `Origin` for requests that need no permission, such as images, but mark them as cross-site.
 */
export const senderOf = (headers: Asked): string | undefined => {
  const origin = textOf(headers.origin)
  if (origin !== undefined) return origin
  const site = textOf(headers["sec-fetch-site"])
  const isOfOther = site === "cross-site" || site === "same-site"
  if (!isOfOther || headers["sec-fetch-dest"] === "document") return undefined
  return urlOf(textOf(headers.referer) ?? "")?.origin ?? "null"
}

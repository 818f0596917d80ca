/** What carries the credentials of a request: headers, parameters of the query, or cookies, in place of the SDK's own headers. */
import { unseen } from "../kernel/dispatch/dialect.js"
import { type HeaderNames, isCredential } from "../kernel/dispatch/settings.js"
import type { Audience } from "../kernel/operation/operation.js"
import * as Path from "../kernel/operation/path.js"
import { type CookieJar, cookieOf, isHeaderValue } from "./cookies.js"
import type { Carrier, Credentials, Definition } from "./definition.js"
import { refuse } from "./faults.js"
import { cookieAt } from "./places.js"

/** A credential that the kernel puts in a header, and what carries it. */
interface Carried {
  readonly header: string
  readonly carrier: Carrier | false
}

/** The kinds of credentials. */
export type CredentialKind = "accessToken" | "session" | "apiKey" | "privateKey"

/** What carries the credentials of one kind of client. A visitor's client signs end users in. */
export const credentialsOf = ({ credentials = {} }: Definition, audience: Audience): Credentials =>
  audience === "admin" || credentials.endUserSession === undefined
    ? credentials
    : { ...credentials, session: credentials.endUserSession }

/** What carries each credential. */
export const carriersOf = (
  credentials: Credentials,
  names: HeaderNames
): Readonly<Record<CredentialKind, Carried>> => ({
  accessToken: {
    header: names.authorization,
    carrier: credentials.accessToken ?? { header: names.authorization, scheme: "Bearer" }
  },
  session: { header: names.session, carrier: credentials.session ?? { header: names.session } },
  apiKey: { header: names.apiKey, carrier: credentials.apiKey ?? { header: names.apiKey } },
  privateKey: { header: names.privateKey, carrier: credentials.privateKey ?? { header: names.privateKey } }
})

/** Headers that say what JSON is called, and not who asks. */
export const mediaHeaders: ReadonlyArray<string> = ["accept", "content-type"]

const lowered = ({ headers = {} }: Credentials): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])

/** The cookie in which an admin's refresh token stands, where there is a call that renews by it. */
export const refreshCookieOf = ({ signIn: { admin, refresh } = {} }: Definition): string | undefined => {
  if (refresh === undefined) return undefined
  return admin?.refreshToken === undefined ? cookieOf(refresh.carrier) : cookieAt(admin.refreshToken)
}

/** What carries an admin's refresh token: what is said of it, or the cookie in which it stands. Undefined for a field of the body alone. */
export const refreshCarrierOf = (definition: Definition): Carrier | undefined => {
  const cookie = refreshCookieOf(definition)
  return definition.signIn?.refresh?.carrier ?? (cookie === undefined ? undefined : { cookie })
}

/** The headers that every request has, by their names in small letters. */
export const fixedOf = (credentials: Credentials): Readonly<Record<string, string>> =>
  Object.fromEntries(lowered(credentials).filter(([name]) => !mediaHeaders.includes(name)))

const plainJson = "application/json"

/** What the platform calls the JSON that it answers and takes, in place of `application/json`. */
export const mediaOf = ({ credentials = {}, entities: { unwrap, wrap } = {} }: Definition) => {
  const said: Readonly<Record<string, string | undefined>> = Object.fromEntries(lowered(credentials))
  const jsonApi = "application/vnd.api+json"
  const accept = said.accept ?? (unwrap === "json:api" ? `${jsonApi}, ${plainJson};q=0.9` : plainJson)
  const contentType = said["content-type"] ?? (wrap === "json:api" ? jsonApi : plainJson)
  return (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    ...(headers.accept === plainJson ? { accept } : {}),
    ...(headers["content-type"] === plainJson ? { "content-type": contentType } : {})
  })
}

/** Values of headers by which somebody authenticates, and cookies, which the client does not know as its credentials. */
export const secretsOf = (credentials: Credentials, jar: CookieJar): (() => ReadonlyArray<string>) => {
  const fixed = Object.entries(fixedOf(credentials)).flatMap(([name, value]) =>
    isCredential(name) ? [value] : []
  )
  return () => [...fixed, ...jar.secrets()]
}

/** The credentials of one request in the platform's form. */
export interface CarriedRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Parameters of the query. */
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
  /** Cookies by their names, as the session has them. */
  readonly cookies: ReadonlyMap<string, string>
  /** Whether a cookie carries any of them: of a browser's cookies the client knows that they are there alone. */
  readonly hasCookies: boolean
  /** What a function of the value has made of credentials, which nobody may show either. */
  readonly written: ReadonlyArray<string>
}

/** A credential as a header has it; a `Fault` where the function of the value writes nothing that a header can hold. */
const headerValue = (
  { scheme, write }: Extract<Carrier, { readonly header: string }>,
  kind: string,
  credential: string
): string => {
  if (write === undefined) return scheme === undefined ? credential : `${scheme} ${credential}`
  const written: unknown = write(credential)
  return isHeaderValue(written) ? written : refuse(`credentials.${kind}.write`, "what no header can hold")
}

/** Moves the credentials of a request to what carries them. Throws the `Fault` of a function that fails. */
export const carry = (
  headers: Readonly<Record<string, string>>,
  carriers: Readonly<Record<string, Carried>>,
  host: "api" | "legacy",
  jar: CookieJar
): CarriedRequest => {
  const rest: Record<string, string> = { ...headers }
  const credentials: Record<string, string> = {}
  const query: Array<readonly [name: string, value: string]> = []
  const cookies = new Map<string, string>()
  const written: Array<string> = []
  let hasCookies = false
  for (const [kind, { carrier, header }] of Object.entries(carriers)) {
    const value = headers[header]
    delete rest[header]
    if (carrier === false) continue
    if (value === undefined || (carrier.on !== undefined && carrier.on !== host)) continue
    hasCookies ||= "cookie" in carrier
    const plain = value.replace(/^Bearer /, "")
    if (plain === unseen) continue
    if ("query" in carrier) query.push([carrier.query, plain])
    else if ("cookie" in carrier) cookies.set(carrier.cookie, plain)
    else {
      const sent = headerValue(carrier, kind, plain)
      credentials[carrier.header.toLowerCase()] = sent
      if (carrier.write !== undefined) written.push(sent)
    }
  }
  if (cookies.size > 0)
    credentials.cookie = [...cookies].map(([name, value]) => `${name}=${jar.carry(value)}`).join("; ")
  return { headers: { ...rest, ...credentials }, query, hasCookies, cookies, written }
}

/** A path with further parameters of the query. */
export const withQuery = (
  path: string,
  query: ReadonlyArray<readonly [name: string, value: string]>
): string =>
  query.reduce(
    (target, [name, value]) =>
      `${target}${target.includes("?") ? "&" : "?"}${Path.percent(name)}=${Path.percent(value)}`,
    path
  )

/** What stands in one request beside what else, so that nothing takes the place of another thing. */
import type { HeaderNames } from "../kernel/dispatch/settings.js"
import type { Audience } from "../kernel/operation/operation.js"
import { own } from "../permissions/own.js"
import { projectIn } from "./calls.js"
import { carriersOf, credentialsOf } from "./carriers.js"
import { isText } from "./checks.js"
import type { Definition, Lists } from "./definition.js"
import { pairsOf, queryIn } from "./paging.js"

/** What stands in a request: its place, such as `header authorization`, and the one service that has it there. */
interface Placed {
  readonly field: string
  readonly place: string
  readonly on: unknown
}

const placed = (field: string, said: unknown): ReadonlyArray<Placed> =>
  (["header", "query", "cookie"] as const).flatMap((kind) => {
    const name: unknown = own(said, kind)
    return isText(name)
      ? [{ field, place: `${kind} ${kind === "header" ? name.toLowerCase() : name}`, on: own(said, "on") }]
      : []
  })

/** The parameters by which pages are asked for: those of all lists, or of a single call. */
const pages = (field: string, { page = { by: "page" } }: Lists): ReadonlyArray<Placed> => {
  const { limit = "limit" } = page
  const usual = page.by === "link" ? undefined : page.by
  return [
    ...placed(`${field}.page.limit`, { query: limit }),
    ...placed(`${field}.page.parameter`, { query: "parameter" in page ? (page.parameter ?? usual) : usual })
  ]
}

/** The parameters that stand in a path. */
const parametersIn = (field: string, path = ""): ReadonlyArray<Placed> =>
  pairsOf(queryIn(path)).flatMap(([parameter]) => placed(field, { query: parameter }))

/** All that one request of each kind of client has: of an admin, of an end user, of a visitor or a server; and what renews a session. */
export const requestsOf = (
  definition: Definition,
  headerNames: HeaderNames
): ReadonlyArray<ReadonlyArray<Placed>> => {
  const { credentials = {}, lists = {}, routes = {}, signIn: { refresh } = {} } = definition
  const of = (audience: Audience) => carriersOf(credentialsOf(definition, audience), headerNames)
  const { accessToken, privateKey, session } = of("admin")
  const user = of("endUser")
  const all = [
    ...placed("credentials.idempotencyKey", { header: credentials.idempotencyKey ?? "idempotency-key" }),
    ...placed("credentials.csrf", { header: credentials.csrf?.header }),
    ...Object.keys(credentials.headers ?? {}).flatMap((name) =>
      placed(`credentials.headers.${name}`, { header: name })
    )
  ]
  const endUserSession = credentials.endUserSession === undefined ? "session" : "endUserSession"
  const clients = [
    [
      ...placed("credentials.accessToken", accessToken.carrier),
      ...placed("credentials.session", session.carrier),
      ...placed("credentials.project", projectIn(definition)),
      ...all
    ],
    [
      ...placed("credentials.apiKey", user.apiKey.carrier),
      ...placed(`credentials.${endUserSession}`, user.session.carrier),
      ...all
    ],
    [...placed("credentials.privateKey", privateKey.carrier), ...all]
  ]
  const calls = [
    pages("lists", lists),
    ...Object.entries(routes).map(([name, route = {}]) => [
      ...(route.lists === undefined ? [] : pages(`routes.${name}.lists`, route.lists)),
      ...parametersIn(`routes.${name}.path`, route.path)
    ])
  ]
  const renewal = [
    ...placed("signIn.refresh.carrier", refresh?.carrier),
    ...all,
    ...parametersIn("signIn.refresh.path", refresh?.path)
  ]
  return [...clients.flatMap((client) => calls.map((call) => [...client, ...call])), renewal]
}

/** The first that stands where another one does. Each of the two services may read its own credential there. */
export const sharedIn = (request: ReadonlyArray<Placed>): Placed | undefined =>
  request.find(({ on, place }, index) =>
    request
      .slice(0, index)
      .some(
        (other) => other.place === place && (on === undefined || other.on === undefined || on === other.on)
      )
  )

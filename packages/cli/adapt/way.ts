/** How requests carry credentials and name the project: what is known of that, and what else is tried until a platform lets somebody in. */

import { type Address, type Audience, urlOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import type { Asker, Texts, Way } from "./ask.js"
import { projectHost } from "./recognition/credentials.js"
import { type Exchange, isSuccess } from "./recognition/exchange.js"
import type { Secrets } from "./recognition/index.js"
import { itemsIn } from "./recognition/lists.js"
import { steady } from "./recognition/refusals.js"

/** What carries credentials and the project. */
export interface Manner {
  readonly token?: (token: string) => Carried
  readonly session?: (session: string) => Carried
  /** The same of an end user's session, where it is another. */
  readonly userSession?: (session: string) => Carried
  readonly apiKey?: (key: string) => Carried
  readonly privateKey?: (key: string) => Carried
  readonly project?: ProjectManner
  readonly fields?: { readonly email?: string; readonly password?: string }
  /** Whether the legacy service has a sign-in of its own, where that is known. */
  readonly hasLegacySignIn?: boolean
  /** Names of the parameters that ask for a page, where they are known. */
  readonly pageParameters?: ReadonlyArray<string>
  /** How a page is asked for, where that is known. */
  readonly page?: {
    readonly by: "page" | "offset" | "cursor"
    readonly parameter: string
    /** The number of the first page, or of the first item. */
    readonly first: number
  }
}

/** How a request names the project. */
export interface ProjectManner {
  readonly query?: (id: string) => Texts
  readonly headers?: (id: string) => Texts
  readonly prefix?: (id: string) => string
  readonly host?: (id: string) => string
}

/** A credential as a request carries it. */
export interface Carried {
  readonly headers: Texts
  readonly query: Texts
}

export const nothing: Carried = { headers: {}, query: {} }

/** Names of headers that carry an access token, a session id, a key, beside the SDK's own. */
const names = {
  token: ["x-access-token", "x-auth-token", "x-auth", "x-token"],
  session: ["x-session-id", "x-session", "session-id", "x-session-key", "x-session-token", "x-auth-session"],
  apiKey: ["x-api-key", "api-key", "apikey", "x-apikey", "x-client-key", "x-public-key"],
  privateKey: [
    "x-private-key",
    "x-server-key",
    "x-server-secret",
    "x-secret-key",
    "api-key",
    "apikey",
    "x-apikey",
    "x-api-key"
  ]
}

/** What carries a credential in a header, with a scheme before it where there is one. */
export const inHeader =
  (name: string, scheme = "") =>
  (value: string): Carried => ({
    headers: { [name.toLowerCase()]: scheme === "" ? value : `${scheme} ${value}` },
    query: {}
  })

/** Several together; cookies stand in one header. */
const together = (all: ReadonlyArray<Carried>): Carried => {
  const cookie = all.flatMap(({ headers }) => headers.cookie ?? []).join("; ")
  return {
    headers: {
      ...Object.assign({}, ...all.map(({ headers }) => headers)),
      ...(cookie === "" ? {} : { cookie })
    },
    query: Object.assign({}, ...all.map(({ query }) => query))
  }
}

/** Names of headers that a refusal mentions. */
const mentioned = ({ body, headers }: Exchange): ReadonlyArray<string> => [
  ...new Set(
    `${headers["www-authenticate"] ?? ""} ${JSON.stringify(body ?? "")}`
      .toLowerCase()
      .match(/\bx-[a-z][a-z-]*[a-z]\b/g)
  )
]

/** Names of parameters for a key that a refusal mentions, such as `app_key`. */
const keysIn = ({ body }: Exchange): ReadonlyArray<string> =>
  JSON.stringify(body ?? "").match(/\b[a-z]+(_key|Key)\b/g) ?? []

const standardProject: ProjectManner = { query: (id) => ({ projectId: id }) }

const projectManners: ReadonlyArray<ProjectManner> = [
  { query: (id) => ({ project_id: id }) },
  { query: (id) => ({ project: id }) },
  { headers: (id) => ({ "x-project-id": id }) },
  { headers: (id) => ({ "x-project": id }) },
  { headers: (id) => ({ "x-tenant": id }) },
  { prefix: (id) => `projects/${encodeURIComponent(id)}/` },
  { prefix: (id) => `tenants/${encodeURIComponent(id)}/` },
  { prefix: (id) => `project/${encodeURIComponent(id)}/` }
]

/** The host of the new API for a project, where it is in it. */
export const hostOf = ({ project }: Manner, id: string | undefined): string | undefined =>
  id === undefined ? undefined : project?.host?.(id)

/** Whether the host of an address names a project. */
const isInHost = ({ origin }: Address, id: string | undefined): boolean =>
  id !== undefined && projectHost(urlOf(origin)?.hostname ?? "", id) !== undefined

const wayOf = (headers: Texts, { query }: Carried, project: ProjectManner, id: string | undefined): Way =>
  id === undefined
    ? { headers, query, prefix: "" }
    : {
        headers: { ...headers, ...project.headers?.(id) },
        query: { ...query, ...project.query?.(id) },
        prefix: project.prefix?.(id) ?? "",
        host: project.host?.(id)
      }

const cookieHeader = (exchanges: ReadonlyArray<Exchange>): Texts => {
  const all = Object.assign({}, ...exchanges.filter(isSuccess).map(({ cookies }) => cookies))
  const text = Object.entries(all)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("; ")
  return text === "" ? {} : { cookie: text }
}

const schemeIn = (answer: Exchange): string | undefined =>
  /^\s*([a-z][\w-]*)/i.exec(answer.headers["www-authenticate"] ?? "")?.[1]

/** Whose way is looked for, and by what. */
export interface Entrant {
  readonly api: Address
  readonly audience: Audience
  /** The lists to ask for, most telling first. */
  readonly lists: ReadonlyArray<Described>
  readonly manner: Manner
  readonly secrets: Secrets
  /** What carries the audience's key. */
  readonly key: Carried
}

/** The credentials as the SDK sends them, or as it is told to. */
const usual = ({ key, manner, secrets: { accessToken, sessionId } }: Entrant): Carried =>
  together([
    key,
    accessToken === undefined ? nothing : (manner.token ?? inHeader("authorization", "Bearer"))(accessToken),
    sessionId === undefined ? nothing : (manner.session ?? inHeader("x-session-id"))(sessionId)
  ])

const each = (headers: ReadonlyArray<string>, value: string | undefined): Texts =>
  value === undefined ? {} : Object.fromEntries(headers.map((name) => [name, value]))

/**
 * How else the credentials may be carried: many headers at once, since several may differ, and of `authorization` one scheme after
 * another. What of it is needed is found by leaving one after another out.
 */
const otherHeaders = (
  entrant: Entrant,
  signedIn: ReadonlyArray<Exchange>,
  refusal: Exchange
): ReadonlyArray<Texts> => {
  const { accessToken, sessionId } = entrant.secrets
  const { headers } = usual(entrant)
  const hinted = mentioned(refusal)
  const cookie = cookieHeader(signedIn)
  const all = {
    ...each([...names.session, ...hinted.filter((name) => name.includes("session"))], sessionId),
    ...each([...names.token, ...hinted.filter((name) => name.includes("token"))], accessToken),
    ...headers
  }
  const schemes = [...new Set(["Bearer", schemeIn(refusal) ?? "Bearer", "Token", ""])].filter(
    (word) => !/^(basic|digest|negotiate)$/i.test(word)
  )
  return [
    ...(cookie.cookie === undefined ? [] : [{ ...headers, ...cookie }]),
    ...(accessToken === undefined
      ? [all]
      : schemes.map((word) => ({ ...all, ...inHeader("authorization", word)(accessToken).headers })))
  ]
}

/** How else the project may be named. */
const otherProjects = (refusal: Exchange): ReadonlyArray<ProjectManner> => [
  {},
  ...mentioned(refusal)
    .filter((name) => name.includes("project") || name.includes("tenant"))
    .map((name): ProjectManner => ({ headers: (value) => ({ [name]: value }) })),
  standardProject,
  ...projectManners
]

/** Whether a platform minds the credentials: some say of credentials that they do not see that the caller may not. */
export const isRefused = ({ isStatusGuessed, status }: Exchange): boolean =>
  status === 401 || status === 403 || isStatusGuessed === true

/** Whether a platform says of another request what it said before: nothing has led further. */
const isSameRefusal = (before: Exchange, again: Exchange): boolean =>
  isRefused(again) && (again.isStatusGuessed !== true || steady(before.body) === steady(again.body))

/** What one request of a search is made of. */
interface Attempt {
  readonly headers: Texts
  readonly project: ProjectManner
  readonly list: Described
}

/** An attempt that may lead further than a refusal, and what shows that it does. */
interface Candidate extends Attempt {
  readonly leadsOn: (again: Exchange) => boolean
}

/** What to try after a refusal: credentials and project may both be elsewhere, and which a platform looks at first is its own affair. */
const candidates = (
  entrant: Entrant,
  signedIn: ReadonlyArray<Exchange>,
  now: Attempt,
  refusal: Exchange,
  id: string | undefined
): ReadonlyArray<Candidate> => [
  ...(isRefused(refusal) ? otherHeaders(entrant, signedIn, refusal) : []).map((headers) => ({
    ...now,
    headers,
    leadsOn: (again: Exchange) => !isSameRefusal(refusal, again)
  })),
  ...(refusal.status === 404 ? entrant.lists.slice(1) : []).map((list) => ({
    ...now,
    list,
    leadsOn: (again: Exchange) => again.status !== 404
  })),
  ...(id === undefined ? [] : otherProjects(refusal))
    .filter((project) => project !== now.project)
    .map((project) => ({
      ...now,
      project,
      leadsOn: (again: Exchange) =>
        isSuccess(again) ||
        (again.isStatusGuessed === true
          ? !isSameRefusal(refusal, again)
          : !isRefused(refusal) && isRefused(again))
    }))
]

/** How the lists of an audience are asked for, and the first answer. */
export interface Entry {
  readonly way: Way
  readonly first: Exchange
}

/** Finds how the lists of an audience are asked for, by asking; undefined where nothing lets the audience in. */
export const findWay = (asker: Asker, entrant: Entrant) =>
  Effect.gen(function* () {
    const { api, audience, lists, manner, secrets } = entrant
    const [list, second] = lists
    if (list === undefined) return undefined
    const signedIn = asker
      .exchanges()
      .filter(
        ({ purpose }) =>
          purpose.includes("sign-in") && (purpose === "sign-in of an end user") === (audience === "endUser")
      )
    const id = audience === "admin" ? secrets.project : undefined
    const sent = usual(entrant)
    const ask = ({ headers, list, project }: Attempt) => asker.read(wayOf(headers, sent, project, id), list)
    let now: Attempt = {
      headers: sent.headers,
      project: manner.project ?? (isInHost(api, id) ? {} : standardProject),
      list
    }
    let answer = yield* ask(now)
    // What is no list may be the answer to whatever is asked: another list tells.
    if (
      answer !== undefined &&
      isSuccess(answer) &&
      itemsIn(answer.body) === undefined &&
      second !== undefined
    ) {
      const again = yield* ask({ ...now, list: second })
      if (again !== undefined && !isSuccess(again) && again.wireStatus !== undefined) answer = again
    }
    for (let round = 0; round < 3 && answer !== undefined && !isSuccess(answer); round++) {
      let next: Exchange | undefined
      for (const candidate of candidates(entrant, signedIn, now, answer, id)) {
        const again: Exchange | undefined = yield* ask(candidate)
        if (again === undefined || !candidate.leadsOn(again)) continue
        now = candidate
        next = again
        break
      }
      answer = next
    }
    if (answer === undefined || !isSuccess(answer)) return undefined
    // What is not needed is left out, so that what is left says which header carries what.
    if (Object.keys(now.headers).length > Object.keys(sent.headers).length)
      for (const name of Object.keys(now.headers)) {
        const { [name]: _, ...headers } = now.headers
        const same: Exchange | undefined = yield* ask({ ...now, headers })
        if (same === undefined || !isSuccess(same)) continue
        now = { ...now, headers }
        answer = same
      }
    const found: Entry = { way: wayOf(now.headers, sent, now.project, id), first: answer }
    return found
  })

/** Shows a key to the platform, in the ways in which keys are carried; answers the one that is accepted, or the SDK's own. */
export const showKey = (asker: Asker, manner: Manner, audience: "public" | "private", key: string) =>
  Effect.gen(function* () {
    const own =
      audience === "public"
        ? (manner.apiKey ?? inHeader("x-api-key"))(key)
        : (manner.privateKey ?? inHeader("x-private-key"))(key)
    const self = described.find((call) => call.audience === audience && call.name === "project.self")
    if (self === undefined) return own
    const show = (carried: Carried) => asker.read({ ...carried, prefix: "" }, self)
    const answer = yield* show(own)
    if (answer === undefined || !isRefused(answer)) return own
    const headers = [
      ...mentioned(answer).filter((name) => name.includes("key")),
      ...names[audience === "public" ? "apiKey" : "privateKey"]
    ]
    // An address is kept in logs: only a key that is public goes there.
    const inQuery =
      audience === "public" ? [...new Set([...keysIn(answer), "api_key", "apiKey", "apikey", "key"])] : []
    const others: ReadonlyArray<Carried> = [
      ...[...new Set(headers)].map((name) => inHeader(name)(key)),
      ...["ApiKey", "Bearer"].map((scheme) => inHeader("authorization", scheme)(key)),
      ...inQuery.map((name) => ({ headers: {}, query: { [name]: key } }))
    ]
    for (const carried of others) {
      if (JSON.stringify(carried) === JSON.stringify(own)) continue
      const again = yield* show(carried)
      if (again === undefined) return own
      if (!isRefused(again)) return carried
    }
    return own
  })

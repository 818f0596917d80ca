/** Which reads, and sign-ins, show how a platform speaks: each next question is chosen by the answers before it. */

import { type Address, type Audience, sliceOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { codes, Problem } from "../exit.js"
import { type Asker, make, type Question } from "./ask.js"
import { secretsOf } from "./recognition/credentials.js"
import { idIn } from "./recognition/entities.js"
import { isSuccess } from "./recognition/exchange.js"
import type { Exchange, Secrets } from "./recognition/index.js"
import { thingsIn } from "./recognition/lists.js"
import { limitedBy, nextAt, nextIn, parameters, queryOf } from "./recognition/paging.js"

type Fields = Readonly<Record<string, string>>

/** Whom to ask, as whom. */
export interface Target {
  readonly api: Address
  readonly legacy: Address
  readonly admin: { readonly email: string; readonly password: string } | undefined
  readonly endUser: { readonly email: string; readonly password: string } | undefined
  readonly secrets: Secrets
  /** The session id of an end user who has signed in already. */
  readonly userSession: string | undefined
  /** Headers that every request has. */
  readonly headers: Fields
  /** Paths of calls that are elsewhere. */
  readonly paths: Fields
  /** What carries credentials and the project, where that is known; it is tried first. */
  readonly manner: Manner
}

/** What carries credentials and the project. */
export interface Manner {
  readonly token?: (token: string) => Fields
  readonly session?: (session: string) => Fields
  readonly apiKey?: (key: string) => Fields
  readonly privateKey?: (key: string) => Fields
  readonly project?: ProjectManner
  readonly fields?: { readonly email?: string; readonly password?: string }
}

/** How a request names the project. */
export interface ProjectManner {
  readonly query?: (id: string) => Fields
  readonly headers?: (id: string) => Fields
  readonly prefix?: (id: string) => string
}

const preferred: ReadonlyArray<string> = [
  "requests.list",
  "users.list",
  "items.list",
  "roles.list",
  "payments.list",
  "ordersV2.list",
  "events.list",
  "boxes.list",
  "notifications.list"
]

/** Most lists that are read. */
const mostLists = 5

/** The lists of an audience that need nothing but credentials. */
const listsOf = (audience: Audience): ReadonlyArray<Described> => {
  const rank = ({ name }: Described) =>
    preferred.includes(name) ? preferred.indexOf(name) : preferred.length
  return described
    .filter(
      (call) =>
        call.audience === audience &&
        call.declared.method === "GET" &&
        call.declared.host !== "legacy" &&
        "page" in call.declared.success &&
        !call.declared.path.includes("{") &&
        call.fields.every(({ isRequired, standard }) => !isRequired || standard !== undefined)
    )
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, mostLists)
}

/** The call that reads one thing of a list's slice. */
const singleOf = (audience: Audience, list: string): Described | undefined =>
  described.find(
    (call) =>
      call.audience === audience &&
      call.name === `${sliceOf(list)}.get` &&
      call.declared.method === "GET" &&
      call.declared.path.includes("{id}")
  )

/** How a caller sends what a request needs. */
interface Way {
  readonly headers: Fields
  readonly query: Fields
  readonly prefix: string
}

const bearer = (token: string): Fields => ({ authorization: `Bearer ${token}` })

const header =
  (name: string, scheme = "") =>
  (value: string): Fields => ({ [name]: scheme === "" ? value : `${scheme} ${value}` })

/** How an access token may be carried, those that are common first. */
const tokenManners = [
  header("authorization", "Token"),
  header("authorization"),
  header("x-access-token"),
  header("x-auth-token")
]
const sessionManners = [
  header("x-session"),
  header("session-id"),
  header("x-session-token"),
  header("x-auth-session")
]
const keyManners = [
  header("api-key"),
  header("apikey"),
  header("x-apikey"),
  header("authorization", "ApiKey"),
  header("authorization", "Bearer")
]

const projectManners: ReadonlyArray<ProjectManner> = [
  { query: (id) => ({ project_id: id }) },
  { query: (id) => ({ project: id }) },
  { headers: (id) => ({ "x-project-id": id }) },
  { headers: (id) => ({ "x-project": id }) },
  { prefix: (id) => `projects/${encodeURIComponent(id)}/` },
  { prefix: (id) => `project/${encodeURIComponent(id)}/` },
  {}
]

const standardProject: ProjectManner = { query: (id) => ({ projectId: id }) }

const wayOf = (headers: Fields, project: ProjectManner, id: string | undefined): Way => ({
  headers: id === undefined ? headers : { ...headers, ...project.headers?.(id) },
  query: id === undefined ? {} : (project.query?.(id) ?? {}),
  prefix: id === undefined ? "" : (project.prefix?.(id) ?? "")
})

const cookieHeader = (exchanges: ReadonlyArray<Exchange>): Fields => {
  const all = Object.assign({}, ...exchanges.filter(isSuccess).map(({ cookies }) => cookies))
  const text = Object.entries(all)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("; ")
  return text === "" ? {} : { cookie: text }
}

const schemeIn = (answer: Exchange): string | undefined =>
  /^\s*([a-z][\w-]*)/i.exec(answer.headers["www-authenticate"] ?? "")?.[1]

/** How the credentials may be carried, the SDK's own way first. */
const waysOf = (
  target: Target,
  secrets: Secrets,
  signedIn: ReadonlyArray<Exchange>,
  refusal?: Exchange
): ReadonlyArray<Fields> => {
  const { accessToken, apiKey, sessionId } = secrets
  const { manner } = target
  const key = apiKey === undefined ? {} : (manner.apiKey ?? header("x-api-key"))(apiKey)
  const token = (carry = manner.token ?? bearer) => (accessToken === undefined ? {} : carry(accessToken))
  const session = (carry = manner.session ?? header("x-session-id")) =>
    sessionId === undefined ? {} : carry(sessionId)
  if (refusal === undefined) return [{ ...key, ...token(), ...session() }]
  const cookie = cookieHeader(signedIn)
  const scheme = schemeIn(refusal)
  const schemes =
    scheme === undefined || /^(bearer|basic|digest|negotiate)$/i.test(scheme)
      ? []
      : [header("authorization", scheme)]
  return [
    ...(cookie.cookie === undefined
      ? []
      : [
          { ...key, ...cookie },
          { ...key, ...token(), ...session(), ...cookie }
        ]),
    ...(accessToken === undefined
      ? []
      : [...schemes, ...tokenManners].map((carry) => ({ ...key, ...carry(accessToken), ...session() }))),
    ...(sessionId === undefined
      ? []
      : sessionManners.map((carry) => ({ ...key, ...token(), ...carry(sessionId) })))
  ]
}

/** Something of the form of an id that is of nothing. */
const nobody = (id: string): string => {
  if (/^\d+$/.test(id)) return "9".repeat(Math.min(15, Math.max(9, id.length)))
  return id.replaceAll(/[\da-z]/gi, "0")
}

interface Caller {
  readonly audience: Audience
  readonly way: Way
}

/** Makes the questions of a run. */
const questions = (target: Target, asker: Asker) => {
  const pathOf = ({ declared, name }: Described): string =>
    (target.paths[name] ?? declared.path).replace(/\?.*$/, "")
  const read = (
    { way }: Pick<Caller, "way">,
    call: Described,
    more: Partial<Pick<Question, "purpose" | "query" | "id" | "headers" | "isAnonymous">> = {}
  ) =>
    asker.ask({
      purpose: more.purpose ?? ("page" in call.declared.success ? "list" : "other"),
      call: call.name,
      address: call.declared.host === "legacy" ? target.legacy : target.api,
      path: `${way.prefix}${pathOf(call).replace("{id}", encodeURIComponent(more.id ?? ""))}`,
      query: { ...way.query, ...more.query },
      headers: more.headers ?? way.headers,
      ...(more.purpose === "thing" && more.id !== undefined ? { id: more.id } : {}),
      ...(more.isAnonymous === undefined ? {} : { isAnonymous: more.isAnonymous })
    })
  return { pathOf, read }
}

const signInsOf = (target: Target, asker: Asker) =>
  Effect.gen(function* () {
    const { admin, endUser, manner, secrets } = target
    const fieldsOf = (
      { email, password }: { readonly email: string; readonly password: string },
      name = manner.fields?.email ?? "email"
    ) => ({
      [name]: email,
      [manner.fields?.password ?? "password"]: password
    })
    /** A sign-in that is refused since it wants a user's name is made once more with that. */
    const signIn = (
      purpose: "sign-in of an admin" | "legacy sign-in of an admin" | "sign-in of an end user",
      address: Address,
      path: string,
      account: { readonly email: string; readonly password: string },
      headers: Fields = {}
    ) =>
      Effect.gen(function* () {
        const question = {
          purpose,
          call: purpose.startsWith("legacy") ? "auth.legacyLogin" : "auth.login",
          address,
          path,
          headers
        }
        const answer = yield* asker.ask({ ...question, input: fieldsOf(account) })
        if (answer === undefined || ![400, 422].includes(answer.status)) return answer
        const name = /\b(user_?name|login|identifier|user)\b/i.exec(JSON.stringify(answer.body ?? ""))?.[1]
        return name === undefined ? answer : yield* asker.ask({ ...question, input: fieldsOf(account, name) })
      })
    if (admin !== undefined) {
      const own = yield* signIn(
        "sign-in of an admin",
        target.api,
        target.paths["auth.login"] ?? "auth/admin/login",
        admin
      )
      if (own !== undefined && [401, 403].includes(own.status))
        return yield* new Problem({
          message: `the platform refuses the sign-in of the admin (HTTP ${own.status})`,
          next: "Check QUARTET_EMAIL and QUARTET_PASSWORD in the environment or in the file.",
          code: codes.credentials
        })
      yield* signIn(
        "legacy sign-in of an admin",
        target.legacy,
        target.paths["auth.legacyLogin"] ?? "auth/login",
        admin
      )
    }
    if (endUser !== undefined && secrets.apiKey !== undefined) {
      const carry = manner.apiKey ?? header("x-api-key")
      const ask = (headers: Fields) =>
        signIn("sign-in of an end user", target.api, "auth/login", endUser, headers)
      const answer = yield* ask(carry(secrets.apiKey))
      // Which header carries the key shows at a read: no further password is sent for that.
      void answer
    }
  })

/** Finds how the lists of an audience are asked for, by asking. */
const findWay = (target: Target, asker: Asker, audience: Audience, secrets: Secrets) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const lists = listsOf(audience)
    const [list] = lists
    if (list === undefined) return undefined
    const signedIn = asker.exchanges().filter(({ purpose }) => purpose.includes("sign-in"))
    const project = target.manner.project ?? standardProject
    const id = audience === "admin" ? secrets.project : undefined
    let [headers = {}] = waysOf(target, secrets, signedIn)
    let answer = yield* read({ way: wayOf(headers, project, id) }, list)
    if (answer?.status === 401)
      for (const other of waysOf(target, secrets, signedIn, answer)) {
        const again: Exchange | undefined = yield* read({ way: wayOf(other, project, id) }, list)
        if (again === undefined || again.status === 401) continue
        headers = other
        answer = again
        break
      }
    const way = wayOf(headers, project, id)
    if (answer !== undefined && isSuccess(answer)) return { way, lists, first: answer }
    if (answer === undefined || answer.status === 401) return undefined
    for (const other of lists.slice(1)) {
      const again = yield* read({ way }, other)
      if (again !== undefined && isSuccess(again)) return { way, lists, first: again }
    }
    if (id === undefined) return undefined
    for (const other of projectManners) {
      const now = wayOf(headers, other, id)
      const again = yield* read({ way: now }, list)
      if (again !== undefined && isSuccess(again)) return { way: now, lists, first: again }
    }
    return undefined
  })

/** The names of a parameter to try: those of the address of a next page first. */
const tried = (answer: Exchange, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const named = nextIn(answer).flatMap(({ kind, value }) =>
    kind === "address" ? Object.keys(queryOf(String(value))) : []
  )
  return [...names].sort((a, b) => Number(named.includes(b)) - Number(named.includes(a)))
}

/** The names of the cursor's parameter to try first, by the name of what holds the cursor. */
const cursorNames = (place: string): ReadonlyArray<string> => {
  const word = place.toLowerCase()
  const first = word.includes("endcursor")
    ? ["after"]
    : word.includes("page_token") || word.includes("pagetoken")
      ? ["page_token", "pageToken"]
      : word.includes("token")
        ? ["next_token", "nextToken", "token"]
        : ["cursor", "after"]
  return [...first, ...parameters.cursor.filter((name) => !first.includes(name))].slice(0, 6)
}

/** Asks one list for its pages in several ways, until one leads on. */
const probePages = (target: Target, asker: Asker, caller: Caller, list: Described, whole: Exchange) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const count = thingsIn(whole.body).length
    if (count < 2) return
    const ask = (query: Fields) => read(caller, list, { query })
    const idsOf = (answer: Exchange | undefined): string => {
      const things = thingsIn(answer?.body)
      const id = idIn(thingsIn(whole.body))
      return JSON.stringify(things.map((thing) => (id === undefined ? thing : thing[id])))
    }
    // The number of items first: with it, pages are short.
    let limit: string | undefined
    let page = whole
    for (const name of tried(whole, parameters.limit).slice(0, 9)) {
      const answer = yield* ask({ [name]: "1" })
      if (answer === undefined || !isSuccess(answer)) continue
      const things = thingsIn(answer.body).length
      if (
        limitedBy([
          { query: { [name]: "1" }, count: things },
          { query: {}, count }
        ]) === undefined
      )
        continue
      limit = name
      page = answer
      break
    }
    const size: Fields = limit === undefined ? {} : { [limit]: "1" }
    const first = idsOf(page)
    const leadsOn = (answer: Exchange | undefined): boolean =>
      answer !== undefined && isSuccess(answer) && thingsIn(answer.body).length > 0 && idsOf(answer) !== first
    for (const name of tried(page, parameters.page).slice(0, 4)) {
      if (!leadsOn(yield* ask({ ...size, [name]: "2" }))) continue
      yield* ask({ ...size, [name]: "1" })
      yield* ask({ ...size, [name]: "0" })
      return
    }
    const cursor = nextIn(page).find(({ kind }) => kind === "cursor" || kind === "number")
    if (cursor !== undefined)
      for (const name of cursorNames(typeof cursor.place === "string" ? cursor.place : ""))
        if (leadsOn(yield* ask({ ...size, [name]: String(nextAt(page, cursor.place)) }))) return
    if (nextIn(page).some(({ kind }) => kind === "address")) return
    for (const name of tried(page, parameters.offset).slice(0, 4))
      if (leadsOn(yield* ask({ ...size, [name]: "1" }))) return
  })

/** Reads as one audience. */
const readAs = (target: Target, asker: Asker, audience: Audience, secrets: Secrets) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const found = yield* findWay(target, asker, audience, secrets)
    if (found === undefined) return false
    const { first, lists, way } = found
    const caller: Caller = { audience, way }
    const asked = new Map([[first.call, first]])
    for (const list of lists) {
      if (asked.has(list.name)) continue
      const answer = yield* read(caller, list)
      if (answer !== undefined && isSuccess(answer)) asked.set(list.name, answer)
    }
    const byCount = [...asked.values()].sort((a, b) => thingsIn(b.body).length - thingsIn(a.body).length)
    let refused: Described | undefined
    let singles = 0
    for (const answer of byCount) {
      const things = thingsIn(answer.body)
      const id = things[0]?.[idIn(things) ?? ""]
      const single = singleOf(audience, answer.call)
      if (single === undefined || (typeof id !== "string" && typeof id !== "number")) continue
      yield* read(caller, single, { purpose: "thing", id: String(id) })
      if (refused === undefined) {
        refused = single
        yield* read(caller, single, { purpose: "other", id: nobody(String(id)) })
      }
      if (++singles === 2) break
    }
    const [longest] = byCount
    const list = lists.find(({ name }) => name === longest?.call)
    if (longest === undefined || list === undefined) return true
    yield* read(caller, list, { purpose: "other", headers: {}, isAnonymous: true })
    yield* read(caller, list, { purpose: "other", query: { limit: "-1", page: "x" } })
    yield* probePages(target, asker, caller, list, longest)
    return true
  })

/** Shows a key to the platform, in the ways in which keys are carried. */
const showKey = (
  target: Target,
  asker: Asker,
  audience: "public" | "private",
  key: string,
  first: (key: string) => Fields
) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const self = described.find((call) => call.audience === audience && call.name === "project.self")
    if (self === undefined) return
    for (const carry of [first, ...keyManners]) {
      const answer = yield* read({ way: { headers: carry(key), query: {}, prefix: "" } }, self)
      if (answer === undefined || ![401, 403].includes(answer.status)) return
    }
  })

/** Asks a platform what shows how it speaks. */
export const collect = (target: Target) =>
  Effect.gen(function* () {
    const asker = make(target.headers)
    const { manner } = target
    yield* signInsOf(target, asker)
    const secrets = secretsOf(asker.exchanges(), target.secrets)
    const ofUser = asker.exchanges().find(({ purpose }) => purpose === "sign-in of an end user")
    const isAdmin =
      secrets.accessToken !== undefined ||
      asker.exchanges().some((each) => each.purpose === "sign-in of an admin" && isSuccess(each))
    if (isAdmin) yield* readAs(target, asker, "admin", secrets)
    else if (secrets.apiKey !== undefined) {
      const session =
        ofUser === undefined
          ? target.userSession
          : (secretsOf([{ ...ofUser, purpose: "sign-in of an admin" }], {}).sessionId ??
            secretsOf([{ ...ofUser, purpose: "sign-in of an admin" }], {}).accessToken)
      yield* readAs(target, asker, session === undefined ? "public" : "endUser", {
        apiKey: secrets.apiKey,
        sessionId: session
      })
    } else if (secrets.privateKey === undefined) {
      // Without credentials an error is all that can be seen.
      yield* readAs(target, asker, "public", {})
    }
    if (secrets.apiKey !== undefined)
      yield* showKey(target, asker, "public", secrets.apiKey, manner.apiKey ?? header("x-api-key"))
    if (secrets.privateKey !== undefined)
      yield* showKey(
        target,
        asker,
        "private",
        secrets.privateKey,
        manner.privateKey ?? header("x-private-key")
      )
    return { exchanges: asker.exchanges(), secrets }
  })

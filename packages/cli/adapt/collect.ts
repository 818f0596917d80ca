/** Which reads, and sign-ins, show how a platform speaks: each next question is chosen by the answers before it. */

import { type Address, type Audience, sliceOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { codes, Problem } from "../exit.js"
import { type Asker, make, most, type Question, type SignInQuestion } from "./ask.js"
import { secretsOf } from "./recognition/credentials.js"
import { idIn } from "./recognition/entities.js"
import { isSuccess } from "./recognition/exchange.js"
import type { Exchange, Secrets } from "./recognition/index.js"
import { itemsIn, thingsIn } from "./recognition/lists.js"
import { limitedBy, nextAt, nextIn, parameters, queryOf } from "./recognition/paging.js"
import { steady } from "./recognition/refusals.js"
import { partAt, partsOf } from "./recognition/session.js"

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
  /** Looks at all that was answered by what is known of it. */
  readonly look?: (exchanges: ReadonlyArray<Exchange>) => ReadonlyArray<Exchange>
}

/** What carries credentials and the project. */
export interface Manner {
  readonly token?: (token: string) => Carried
  readonly session?: (session: string) => Carried
  readonly apiKey?: (key: string) => Carried
  readonly privateKey?: (key: string) => Carried
  readonly project?: ProjectManner
  readonly fields?: { readonly email?: string; readonly password?: string }
  /** Whether the legacy service has a sign-in of its own, where that is known. */
  readonly hasLegacySignIn?: boolean
  /** Names of the parameters that ask for a page, where they are known. */
  readonly pageParameters?: ReadonlyArray<string>
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

/** A credential as a request carries it. */
export interface Carried {
  readonly headers: Fields
  readonly query: Fields
}

const nothing: Carried = { headers: {}, query: {} }

/** Names of headers that carry an access token, a session id, a key, beside the SDK's own. */
const names = {
  token: ["x-access-token", "x-auth-token"],
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

const header =
  (name: string, scheme = "") =>
  (value: string): Fields => ({ [name]: scheme === "" ? value : `${scheme} ${value}` })

/** Names of headers that a refusal mentions. */
const mentioned = ({ body, headers }: Exchange): ReadonlyArray<string> => [
  ...new Set(
    `${headers["www-authenticate"] ?? ""} ${JSON.stringify(body ?? "")}`
      .toLowerCase()
      .match(/\bx-[a-z][a-z-]*[a-z]\b/g)
  )
]

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

const wayOf = (headers: Fields, { query }: Carried, project: ProjectManner, id: string | undefined): Way => ({
  headers: id === undefined ? headers : { ...headers, ...project.headers?.(id) },
  query: id === undefined ? query : { ...query, ...project.query?.(id) },
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

const inHeader = (name: string, scheme?: string) => {
  const write = header(name, scheme)
  return (value: string): Carried => ({ headers: write(value), query: {} })
}

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

/** The credentials as the SDK sends them, or as it is told to. */
const usual = ({ manner }: Target, { accessToken, sessionId }: Secrets, key: Carried): Carried =>
  together([
    key,
    accessToken === undefined ? nothing : (manner.token ?? inHeader("authorization", "Bearer"))(accessToken),
    sessionId === undefined ? nothing : (manner.session ?? inHeader("x-session-id"))(sessionId)
  ])

const each = (headers: ReadonlyArray<string>, value: string | undefined): Fields =>
  value === undefined ? {} : Object.fromEntries(headers.map((name) => [name, value]))

/**
 * How else the credentials may be carried: many headers at once, since several may differ, and of `authorization` one scheme after
 * another. What of it is needed is found by leaving one after another out.
 */
const others = (
  target: Target,
  secrets: Secrets,
  key: Carried,
  signedIn: ReadonlyArray<Exchange>,
  refusal: Exchange
): ReadonlyArray<Fields> => {
  const { accessToken, sessionId } = secrets
  const hinted = mentioned(refusal)
  const cookie = cookieHeader(signedIn)
  const all = {
    ...each([...names.session, ...hinted.filter((name) => name.includes("session"))], sessionId),
    ...each([...names.token, ...hinted.filter((name) => name.includes("token"))], accessToken),
    ...usual(target, secrets, key).headers
  }
  const scheme = schemeIn(refusal)
  const schemes = [...new Set(["Bearer", scheme ?? "Bearer", "Token", ""])].filter(
    (word) => !/^(basic|digest|negotiate)$/i.test(word)
  )
  return [
    ...(cookie.cookie === undefined ? [] : [{ ...usual(target, secrets, key).headers, ...cookie }]),
    ...(accessToken === undefined
      ? [all]
      : schemes.map((word) => ({ ...all, ...header("authorization", word)(accessToken) })))
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
  const pathOf = ({ audience, declared, name }: Described): string =>
    (target.paths[`${audience}.${name}`] ?? target.paths[name] ?? declared.path).replace(/\?.*$/, "")
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

/** The names of a sign-in's fields by what its refusal mentions; undefined where it mentions no other. */
const namesIn = ({ body }: Exchange, names: { readonly email: string; readonly password: string }) => {
  const text = JSON.stringify(body ?? "")
  const mentions = (words: RegExp, name: string): string => {
    const found = [...text.matchAll(words)].map(([word]) => word).find((word) => word !== name)
    return found ?? name
  }
  const email = mentions(
    /\b(user_?name|login_?name|login|identifier|user_?id|mail|e-?mail_?address)\b/gi,
    names.email
  )
  const password = mentions(/\b(pass|passwd|pwd|secret|pass_?phrase|pass_?word)\b/g, names.password)
  return email === names.email && password === names.password ? undefined : { email, password }
}

const signInsOf = (target: Target, asker: Asker, key: Carried) =>
  Effect.gen(function* () {
    const { admin, endUser, manner, secrets } = target
    let names: { readonly email: string; readonly password: string } = {
      email: "email",
      password: "password",
      ...manner.fields
    }
    /** A sign-in that wants other names is made once more with those that its refusal mentions. */
    const signIn = (
      purpose: SignInQuestion["purpose"],
      address: Address,
      path: string,
      { email, password }: { readonly email: string; readonly password: string },
      { headers, query }: Carried = nothing
    ) =>
      Effect.gen(function* () {
        const call = purpose === "legacy sign-in of an admin" ? "auth.legacyLogin" : "auth.login"
        for (let attempt = 0; ; attempt++) {
          const input = { [names.email]: email, [names.password]: password }
          const answer = yield* asker.ask({ purpose, call, address, path, headers, query, input })
          const wanted =
            answer === undefined || !(answer.isStatusGuessed || [400, 422].includes(answer.status))
              ? undefined
              : namesIn(answer, names)
          if (wanted === undefined || attempt === 2) return answer
          names = wanted
        }
      })
    yield* Effect.gen(function* () {
      if (admin === undefined) return
      const own = yield* signIn(
        "sign-in of an admin",
        target.api,
        target.paths["auth.login"] ?? "auth/admin/login",
        admin
      )
      if (own !== undefined && isRefused(own))
        return yield* new Problem({
          message: `the platform refuses the sign-in of the admin (HTTP ${own.wireStatus ?? own.status})`,
          next: "Check QUARTET_EMAIL and QUARTET_PASSWORD in the environment or in the file.",
          code: codes.credentials
        })
      // A session that the first sign-in gives is that of both services.
      const hasOther =
        manner.hasLegacySignIn ??
        (own === undefined || !isSuccess(own) || partsOf(own).sessionId === undefined)
      if (!hasOther) return
      yield* signIn(
        "legacy sign-in of an admin",
        target.legacy,
        target.paths["auth.legacyLogin"] ?? "auth/login",
        admin
      )
    }).pipe(
      Effect.zipRight(
        endUser === undefined || secrets.apiKey === undefined
          ? Effect.void
          : Effect.asVoid(signIn("sign-in of an end user", target.api, "auth/login", endUser, key))
      )
    )
  })

/** Whether a platform minds the credentials: some say of credentials that they do not see that the caller may not. */
const isRefused = ({ isStatusGuessed, status }: Exchange): boolean =>
  status === 401 || status === 403 || isStatusGuessed === true

/** Whether a platform says of another request what it said before: nothing has led further. */
const isSameRefusal = (before: Exchange, again: Exchange): boolean =>
  isRefused(again) && (again.isStatusGuessed !== true || steady(before.body) === steady(again.body))

/** Finds how the lists of an audience are asked for, by asking. */
const findWay = (target: Target, asker: Asker, audience: Audience, secrets: Secrets, key: Carried) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const lists = listsOf(audience)
    const [first] = lists
    if (first === undefined) return undefined
    const signedIn = asker
      .exchanges()
      .filter(
        ({ purpose }) =>
          purpose.includes("sign-in") && (purpose === "sign-in of an end user") === (audience === "endUser")
      )
    const id = audience === "admin" ? secrets.project : undefined
    let list = first
    const sent = usual(target, secrets, key)
    let { headers } = sent
    let project = target.manner.project ?? standardProject
    const attempt = (now: Partial<{ headers: Fields; project: ProjectManner; list: Described }>) =>
      read({ way: wayOf(now.headers ?? headers, sent, now.project ?? project, id) }, now.list ?? list)
    let answer = yield* attempt({})
    // What is no list may be the answer to whatever is asked: another list tells.
    const [, second] = lists
    if (
      answer !== undefined &&
      isSuccess(answer) &&
      itemsIn(answer.body) === undefined &&
      second !== undefined
    ) {
      const again = yield* attempt({ list: second })
      if (again !== undefined && !isSuccess(again) && again.wireStatus !== undefined) answer = again
    }
    // Credentials and project may both be elsewhere, and which a platform looks at first is its own affair.
    for (let round = 0; round < 3 && answer !== undefined && !isSuccess(answer); round++) {
      const before: Exchange = answer
      if (isRefused(before))
        for (const other of others(target, secrets, key, signedIn, before)) {
          const again: Exchange | undefined = yield* attempt({ headers: other })
          if (again === undefined || isSameRefusal(before, again)) continue
          headers = other
          answer = again
          break
        }
      if (answer === before) {
        if (before.status === 404)
          for (const other of lists.slice(1)) {
            const again: Exchange | undefined = yield* attempt({ list: other })
            if (again === undefined || again.status === 404) continue
            list = other
            answer = again
            break
          }
        if (id !== undefined && answer === before)
          for (const other of [
            {},
            ...mentioned(before)
              .filter((name) => name.includes("project") || name.includes("tenant"))
              .map((name): ProjectManner => ({ headers: (value) => ({ [name]: value }) })),
            ...(target.manner.project === undefined ? [] : [standardProject]),
            ...projectManners
          ]) {
            const again: Exchange | undefined = yield* attempt({ project: other })
            if (
              again === undefined ||
              (!isSuccess(again) &&
                (again.isStatusGuessed === true
                  ? isSameRefusal(before, again)
                  : isRefused(before) || !isRefused(again)))
            )
              continue
            project = other
            answer = again
            break
          }
      }
      if (answer === before) return undefined
    }
    if (answer === undefined || !isSuccess(answer)) return undefined
    // What is not needed is left out, so that what is left says which header carries what.
    if (Object.keys(headers).length > Object.keys(sent.headers).length)
      for (const name of Object.keys(headers)) {
        const { [name]: _, ...fewer } = headers
        const same: Exchange | undefined = yield* attempt({ headers: fewer })
        if (same === undefined || !isSuccess(same)) continue
        headers = fewer
        answer = same
      }
    return { way: wayOf(headers, sent, project, id), lists, first: answer }
  })

/** The names of a parameter to try: those of the address of a next page first. */
const tried = (
  answer: Exchange,
  names: ReadonlyArray<string>,
  { pageParameters = [] }: Manner
): ReadonlyArray<string> => {
  const named = nextIn(answer).flatMap(({ kind, value }) =>
    kind === "address" ? Object.keys(queryOf(String(value))) : []
  )
  const isKnown = (name: string): boolean => named.includes(name) || pageParameters.includes(name)
  return [...names].sort((a, b) => Number(isKnown(b)) - Number(isKnown(a)))
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
    for (const name of tried(whole, parameters.limit, target.manner).slice(0, 9)) {
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
    for (const name of tried(page, parameters.page, target.manner).slice(0, 4)) {
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
    for (const name of tried(page, parameters.offset, target.manner).slice(0, 4))
      if (leadsOn(yield* ask({ ...size, [name]: "1" }))) return
  })

/** Reads as one audience. */
const readAs = (target: Target, asker: Asker, audience: Audience, secrets: Secrets, key: Carried) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const found = yield* findWay(target, asker, audience, secrets, key)
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
      // A number that JSON in JavaScript cannot hold is no longer what it was.
      const id = things
        .map((thing) => thing[idIn(things) ?? ""])
        .find((value) => typeof value === "string" || Number.isSafeInteger(value))
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

/** Shows a key to the platform, in the ways in which keys are carried; answers the one that is accepted, or the SDK's own. */
const showKey = (target: Target, asker: Asker, audience: "public" | "private", key: string, own: Carried) =>
  Effect.gen(function* () {
    const { read } = questions(target, asker)
    const self = described.find((call) => call.audience === audience && call.name === "project.self")
    if (self === undefined) return own
    const show = (carried: Carried) => read({ way: { ...carried, prefix: "" } }, self)
    const answer = yield* show(own)
    if (answer === undefined || !isRefused(answer)) return own
    const headers = [
      ...mentioned(answer).filter((name) => name.includes("key")),
      ...names[audience === "public" ? "apiKey" : "privateKey"]
    ]
    // An address is kept in logs: only a key that is public goes there.
    const inQuery = audience === "public" ? ["api_key", "apiKey", "apikey", "key"] : []
    const others: ReadonlyArray<Carried> = [
      ...[...new Set(headers)].map((name) => ({ headers: header(name)(key), query: {} })),
      ...["ApiKey", "Bearer"].map((scheme) => ({ headers: header("authorization", scheme)(key), query: {} })),
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

/** The session of an end user, by what they signed in with. */
const userSession = (exchanges: ReadonlyArray<Exchange>): string | undefined => {
  const answer = exchanges.find((each) => each.purpose === "sign-in of an end user" && isSuccess(each))
  if (answer === undefined) return undefined
  const { accessToken, sessionId } = partsOf(answer)
  return answer.holds?.sessionId ?? partAt(answer, sessionId) ?? partAt(answer, accessToken)
}

/** Asks a platform what shows how it speaks. */
export const collect = (target: Target) =>
  Effect.gen(function* () {
    const asker = make(target.headers, target.look)
    const { admin, manner } = target
    const { apiKey, privateKey } = target.secrets
    const key =
      apiKey === undefined
        ? nothing
        : yield* showKey(target, asker, "public", apiKey, (manner.apiKey ?? inHeader("x-api-key"))(apiKey))
    yield* signInsOf(target, asker, key)
    const secrets = secretsOf(asker.exchanges(), target.secrets)
    const isAdmin = admin !== undefined || secrets.accessToken !== undefined
    const session = userSession(asker.exchanges()) ?? target.userSession
    const secret =
      privateKey === undefined
        ? nothing
        : yield* showKey(
            target,
            asker,
            "private",
            privateKey,
            (manner.privateKey ?? inHeader("x-private-key"))(privateKey)
          )
    // Whoever is let in shows how lists and things are answered: one after another is tried.
    const readers: ReadonlyArray<readonly [audience: Audience, secrets: Secrets, key: Carried]> = [
      ...(isAdmin ? [["admin", secrets, nothing] as const] : []),
      ...(apiKey !== undefined && session !== undefined
        ? [["endUser", { apiKey, sessionId: session }, key] as const]
        : []),
      ...(apiKey === undefined ? [] : [["public", { apiKey }, key] as const]),
      ...(privateKey === undefined ? [] : [["private", { privateKey }, secret] as const])
    ]
    for (const [audience, own, carried] of readers)
      if (yield* readAs(target, asker, audience, own, carried)) break
    // Without credentials an error is all that can be seen.
    if (readers.length === 0) yield* readAs(target, asker, "public", {}, key)
    return { exchanges: asker.exchanges(), secrets, made: most - asker.left() }
  })

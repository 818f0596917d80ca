/** Which reads show how a platform speaks, once somebody has signed in: each next question is chosen by the answers before it. */

import { type Audience, sliceOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { type Asked, type Asker, make, most, type Texts, type Way } from "./ask.js"
import { secretsOf } from "./recognition/credentials.js"
import { idIn, maybeIdIn } from "./recognition/entities.js"
import { isScalar, isSuccess } from "./recognition/exchange.js"
import type { Exchange, Secrets } from "./recognition/index.js"
import { isResource, itemsIn, thingsIn } from "./recognition/lists.js"
import { idsOf, limitedBy, nextAt, nextIn, parameters, queryOf } from "./recognition/paging.js"
import { type Accounts, signIn, userSession } from "./sign-in.js"
import { type Carried, findWay, type Manner, nothing, showKey } from "./way.js"

/** Whom to ask, as whom. */
export interface Target extends Asked, Accounts {
  /** The session id of an end user who has signed in already. */
  readonly userSession: string | undefined
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
export const listsOf = (audience: Audience): ReadonlyArray<Described> => {
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
export const singleOf = (audience: Audience, list: string): Described | undefined =>
  described.find(
    (call) =>
      call.audience === audience &&
      call.name === `${sliceOf(list)}.get` &&
      call.declared.method === "GET" &&
      call.declared.path.includes("{id}")
  )

/** Something of the form of an id that is of nothing. */
const nobody = (id: string): string => {
  if (/^\d+$/.test(id)) return "9".repeat(Math.min(15, Math.max(9, id.length)))
  return id.replaceAll(/[\da-z]/gi, "0")
}

/** Whether an answer is written as JSON:API has it, whose parameters of pages stand in brackets. */
const isApi = ({ body, headers }: Exchange): boolean =>
  /^application\/vnd\.api\+json\b/i.test(headers["content-type"] ?? "") ||
  (itemsIn(body)?.items ?? []).some(isResource)

/** The names of a parameter to try: those of the module and of the address of a next page first, then those of the answer's form. */
const tried = (
  answer: Exchange,
  names: ReadonlyArray<string>,
  { pageParameters = [] }: Manner
): ReadonlyArray<string> => {
  const named = nextIn(answer).flatMap(({ kind, value }) =>
    kind === "address" ? Object.keys(queryOf(String(value))) : []
  )
  const hasBrackets = isApi(answer)
  const rank = (name: string): number =>
    named.includes(name) || pageParameters.includes(name) ? 0 : hasBrackets && name.includes("[") ? 1 : 2
  return [...names].sort((a, b) => rank(a) - rank(b))
}

/** The names of the cursor's parameter, by the name of what holds the cursor. */
const cursorNames = (place: string): ReadonlyArray<string> => {
  const word = place.toLowerCase()
  const first = word.includes("endcursor")
    ? ["after"]
    : word.includes("page_token") || word.includes("pagetoken")
      ? ["page_token", "pageToken"]
      : word.includes("token")
        ? ["next_token", "nextToken", "token"]
        : ["cursor", "after"]
  return [...first, ...parameters.cursor.filter((name) => !first.includes(name))]
}

/** Asks one list for its pages in several ways, until one leads on. */
const probePages = (asker: Asker, manner: Manner, way: Way, list: Described, whole: Exchange) =>
  Effect.gen(function* () {
    const things = thingsIn(whole.body)
    const count = things.length
    if (count < 2) return
    const id = idIn(things)
    const ask = (query: Texts) => asker.read(way, list, { query })
    // The number of items first: with it, pages are short.
    let limit: string | undefined
    let page = whole
    for (const name of tried(whole, parameters.limit, manner).slice(0, 9)) {
      const query = { [name]: "1" }
      const answer = yield* ask(query)
      if (answer === undefined || !isSuccess(answer)) continue
      const pages = [
        { query, count: thingsIn(answer.body).length },
        { query: {}, count }
      ]
      if (limitedBy(pages) === undefined) continue
      limit = name
      page = answer
      break
    }
    const size: Texts = limit === undefined ? {} : { [limit]: "1" }
    const first = idsOf(page.body, id)
    const leadsOn = (answer: Exchange | undefined): boolean =>
      answer !== undefined &&
      isSuccess(answer) &&
      thingsIn(answer.body).length > 0 &&
      idsOf(answer.body, id) !== first
    const cursor = nextIn(page).find(({ kind }) => kind === "cursor" || kind === "number")
    const said = manner.page
    if (said !== undefined) {
      // The module's own parameter goes first: whether it leads on is what its line is held against.
      const next = said.by !== "cursor" ? said.first + 1 : cursor && nextAt(page, cursor.place)
      const answer = next === undefined ? undefined : yield* ask({ ...size, [said.parameter]: String(next) })
      if (leadsOn(answer)) {
        if (said.by === "page")
          for (const number of ["1", "0"]) yield* ask({ ...size, [said.parameter]: number })
        return
      }
    }
    for (const name of tried(page, parameters.page, manner).slice(0, 4)) {
      if (!leadsOn(yield* ask({ ...size, [name]: "2" }))) continue
      yield* ask({ ...size, [name]: "1" })
      yield* ask({ ...size, [name]: "0" })
      return
    }
    if (cursor !== undefined)
      for (const name of tried(
        page,
        cursorNames(typeof cursor.place === "string" ? cursor.place : ""),
        manner
      ).slice(0, 6))
        if (leadsOn(yield* ask({ ...size, [name]: String(nextAt(page, cursor.place)) }))) return
    if (nextIn(page).some(({ kind }) => kind === "address")) return
    for (const name of tried(page, parameters.offset, manner).slice(0, 4))
      if (leadsOn(yield* ask({ ...size, [name]: "1" }))) return
  })

/** Who reads. */
interface Reader {
  readonly audience: Audience
  readonly secrets: Secrets
  readonly key: Carried
}

/** Reads as one audience; answers whether it was let in. */
const readAs = (target: Target, asker: Asker, { audience, key, secrets }: Reader) =>
  Effect.gen(function* () {
    const { api } = target
    const { userSession = target.manner.session } = target.manner
    const manner: Manner =
      audience === "endUser" && userSession !== undefined
        ? { ...target.manner, session: userSession }
        : target.manner
    const lists = listsOf(audience)
    const entry = yield* findWay(asker, { api, audience, lists, manner, secrets, key })
    if (entry === undefined) return false
    const { first, way } = entry
    const answers = new Map([[first.call, first]])
    for (const list of lists) {
      if (answers.has(list.name)) continue
      const answer = yield* asker.read(way, list)
      if (answer !== undefined && isSuccess(answer)) answers.set(list.name, answer)
    }
    const byCount = [...answers.values()].sort((a, b) => thingsIn(b.body).length - thingsIn(a.body).length)
    let singles = 0
    for (const answer of byCount) {
      const things = thingsIn(answer.body)
      const id = things.map((thing) => thing[maybeIdIn(things) ?? ""]).find(isScalar)
      const single = singleOf(audience, answer.call)
      if (single === undefined || id === undefined) continue
      yield* asker.read(way, single, { purpose: "thing", id: String(id) })
      if (singles === 0) yield* asker.read(way, single, { purpose: "other", id: nobody(String(id)) })
      if (++singles === 2) break
    }
    const [longest] = byCount
    const list = lists.find(({ name }) => name === longest?.call)
    if (longest === undefined || list === undefined) return true
    yield* asker.read(way, list, { purpose: "other", headers: {}, isAnonymous: true })
    yield* asker.read(way, list, { purpose: "other", query: { limit: "-1", page: "x" } })
    yield* probePages(asker, manner, way, list, longest)
    return true
  })

/** Asks a platform what shows how it speaks. */
export const collect = (target: Target) =>
  Effect.gen(function* () {
    const asker = make(target)
    const { admin, manner } = target
    const { apiKey, privateKey } = target.secrets
    const key = apiKey === undefined ? nothing : yield* showKey(asker, manner, "public", apiKey)
    yield* signIn(asker, target, key)
    const secrets = secretsOf(asker.exchanges(), target.secrets)
    const isSignedIn = asker
      .exchanges()
      .some((each) => isSuccess(each) && /sign-in of an admin$/.test(each.purpose))
    const isAdmin = (admin !== undefined && isSignedIn) || secrets.accessToken !== undefined
    const session = userSession(asker.exchanges()) ?? target.userSession
    const secretKey =
      privateKey === undefined ? nothing : yield* showKey(asker, manner, "private", privateKey)
    // Whoever is let in shows how lists and things are answered: one after another is tried.
    const readers: ReadonlyArray<Reader> = [
      ...(isAdmin ? [{ audience: "admin", secrets, key: nothing } as const] : []),
      ...(apiKey === undefined || session === undefined
        ? []
        : [{ audience: "endUser", secrets: { apiKey, sessionId: session }, key } as const]),
      ...(apiKey === undefined ? [] : [{ audience: "public", secrets: { apiKey }, key } as const]),
      ...(privateKey === undefined
        ? []
        : [{ audience: "private", secrets: { privateKey }, key: secretKey } as const])
    ]
    // Without credentials an error is all that can be seen.
    const all: ReadonlyArray<Reader> =
      readers.length === 0 ? [{ audience: "public", secrets: {}, key }] : readers
    for (const reader of all) if (yield* readAs(target, asker, reader)) break
    return { exchanges: asker.exchanges(), secrets, made: most - asker.left() }
  })

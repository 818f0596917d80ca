/**
 * Every call of every client, and what the calls of a slice make of it: a list, details and forms. It is derived from the
 * operations' own declarations. Views load it on demand: it holds the whole platform.
 */

import { type QueryClient, type SessionState, source } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user/client"
import {
  type Audience,
  binder,
  type Call,
  type CallError,
  callOf,
  collect,
  compile,
  type Download,
  downloader,
  InputError,
  isPaged,
  makeState,
  type Operation,
  type Page,
  sliceOf,
  wrong
} from "@quartet/sdk/extend"
import { bodyOf, describe, described, riskOf } from "@quartet/sdk/extend/description"
import * as Private from "@quartet/sdk/private/client"
import * as Public from "@quartet/sdk/public/client"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as AST from "effect/SchemaAST"
import type { Question } from "../design/dialog.js"
import { words } from "../design/show.js"
import { registry } from "./cells.js"
import { isAsAssumed } from "./config.js"
import { type Account, isOneself } from "./oneself.js"
import { admin, endUser, server, visitor } from "./query-clients.js"
import { saveFile } from "./save.js"
import { money } from "./settled.js"

export type Values = Readonly<Record<string, unknown>>

type AnyClient = QueryClient<Admin.Client, unknown, never>
type AnyCall = Call<Values, unknown, never, Admin.Client>

// Each is given its own audience's calls alone. They are all typed as an administrator's: the tag says at run time whose they are.
const clients = { admin, public: visitor, endUser, private: server } as unknown as Readonly<
  Record<Audience, AnyClient>
>
const tags = { admin: Admin.Client, public: Public.Client, endUser: EndUser.Client, private: Private.Client }

/** A call of a client. */
export const entry = (operation: Operation<never, unknown, never>, audience: Audience) => {
  // The declaration lists the audience, and the client checks the input, so that any fields may be given.
  const call = binder<never>()(tags[audience] as typeof Admin.Client)(operation) as unknown as AnyCall
  return { ...describe(operation, audience), client: clients[audience], call }
}

/** One call of one client. */
export interface Entry extends Readonly<ReturnType<typeof entry>> {}

/** All calls, client by client. */
export const entries: ReadonlyArray<Entry> = described.map(({ audience, operation }) =>
  entry(operation, audience)
)

const byKey: ReadonlyMap<string, Entry> = new Map(entries.map((call) => [call.key, call]))

export const entryOf = (key: string | undefined): Entry | undefined => byKey.get(key ?? "")

/** What shows something of the slice of a call. A row that is deleted is not read again. */
export const shownBy = (of: Entry): ReadonlyArray<string> =>
  entries
    .filter((call) => call.isRead && groupOf(call) === groupOf(of))
    .filter(({ declared }) => of.declared.method !== "DELETE" || "page" in declared.success)
    .map(({ name }) => name)

/**
 * What sends a call: an upload has progress and can be stopped. A download becomes a file of the user, and answers its size
 * in bytes.
 */
export const sending = (of: Entry, fileName?: string) => {
  const { audience, call, client, declared, isRead, name } = of
  const invalidates = isRead ? [] : shownBy(of)
  const upload = client.upload(call, { invalidates })
  if (!("bytes" in declared.success)) return { upload, mutation: client.mutation(call, { invalidates }) }
  const bind = downloader<never>()(tags[audience] as typeof Admin.Client)
  // As in `entry`: a declaration of bytes is a download.
  const download = bind(call.operation as never) as unknown as Download<Values, never, Admin.Client>
  const type = declared.success.bytes
  const file = fileName ?? `${name}${type === "text/csv" ? ".csv" : ""}`
  const saving = source(`${name}.save`, (input: Values) =>
    Effect.map(collect(download(input)), (bytes) => {
      saveFile(new Uint8Array(bytes), file, type)
      return bytes.byteLength
    })
  )
  return { upload, mutation: client.mutation(saving, { invalidates }) }
}

/** What questions name of a call's body. */
interface Payload {
  readonly title?: string
  readonly toAll?: boolean
  readonly userIds?: ReadonlyArray<string>
  readonly amount?: number
  readonly currency?: string
}

/** What is asked before something reaches many people. */
const broadcasting = ({ title, toAll, userIds = [] }: Payload): Question => {
  const isToAll = toAll === true
  const many = isToAll ? "everybody" : `${userIds.length} people`
  return {
    title: `Send ${title ? `“${title}”` : "this"} to ${many}?`,
    description: isToAll
      ? "Every end user of the project gets it at once. This cannot be undone."
      : "They get it at once. This cannot be undone.",
    action: `Send to ${many}`
  }
}

/** What is asked before money moves. */
const moving = ({ name }: Entry, { amount, currency }: Payload, payer: string): Question => {
  const verb = words(callOf(name))
  const where = callOf(name) === "refund" ? `The money goes back to ${payer}. ` : ""
  return {
    title: amount === undefined ? `${verb}?` : `${verb} ${money(amount, currency)}?`,
    description: `${where}This involves money and cannot be undone.`,
    action: verb,
    danger: true
  }
}

/** Whom and what a question names. */
interface Subjects {
  /** The row; this one of the call's slice by default. */
  readonly row?: string | undefined
  /** Whether it is the account that is signed in. */
  readonly isOneself: boolean
  /** The one who paid. */
  readonly payer?: string | undefined
}

/** What is asked before a call is sent that reaches many people, moves money or deletes; undefined for any other. */
export const questionOf = (of: Entry, input: Values, subjects: Subjects): Question | undefined => {
  const { isOneself, payer = "whoever paid", row } = subjects
  const payload: Payload = Object(input.payload)
  const risk = riskOf(of, input)
  if (risk === undefined) return undefined
  if (risk === "broadcast") return broadcasting(payload)
  if (risk === "money") return moving(of, payload, payer)
  const verb = words(callOf(of.name))
  const slice = groupOf(of)
  const what = row ?? `this ${words(slice.replace(/s$/, "")).toLowerCase()}`
  const question = deletion(`${verb} ${what}`, verb, isOneself)
  if (slice !== "content") return question
  const { description } = question
  return { ...question, description: `It will disappear from your site and apps at once. ${description}` }
}

/** By what name to call the one who paid; undefined where that cannot be read. */
export const payerOf = async (id: string): Promise<string | undefined> => {
  const payer = Effect.flatMap(Admin.payments.get({ id }), ({ userId }) =>
    Admin.users.get({ id: String(userId) })
  )
  const outcome = await once(admin, "payments.payer", payer)
  return outcome.status === "success" ? (outcome.data.fullName ?? undefined) : undefined
}

/** What is asked before something is deleted. */
export const deletion = (what: string, action: string, isOneself: boolean): Question => ({
  title: `${what}?`,
  description: isOneself
    ? "This deletes your own account: you will no longer be able to sign in with it. This cannot be undone."
    : "This cannot be undone.",
  action,
  danger: true
})

/** Whether a call of administrators' accounts is about the one that is signed in. */
export const isOwnAccount = (of: Entry, session: SessionState<unknown>, account: Account): boolean =>
  groupOf(of) === "admins" && isOneself(session, account)

/** Slices whose calls are about one thing. */
const merged: Readonly<Record<string, string>> = { ordersV2: "orders", profile: "profiles", cms: "content" }

/** What a call is about: the resource that it belongs to. */
export const groupOf = ({ name }: Pick<Entry, "name">): string => merged[sliceOf(name)] ?? sliceOf(name)

/**
 * What the body of a call is known to take beside what its path has, which is what the models assume; undefined where that
 * says nothing. What they take for required, a platform may not need.
 */
export const payloadOf = ({ declared }: Pick<Entry, "declared">): AST.TypeLiteral | undefined => {
  const known = bodyOf(declared)
  if (known.length === 0) return undefined
  const fields = isAsAssumed
    ? known
    : known.map((field) => new AST.PropertySignature(field.name, field.type, true, true))
  return new AST.TypeLiteral(fields, [new AST.IndexSignature(AST.stringKeyword, AST.unknownKeyword, true)])
}

/** What is known to be missing or wrong in the body of a call: of what another platform takes, nothing. */
export const refusalOf = (
  of: Pick<Entry, "declared" | "name">,
  { payload }: Values
): InputError | undefined => {
  const state = makeState()
  const { name } = of
  const body = payloadOf(of)
  return body === undefined ||
    !isAsAssumed ||
    compile(AST.typeAST(body), "input")(payload ?? {}, state) !== wrong
    ? undefined
    : new InputError({ operation: name, field: `payload.${state.path}`, rule: state.rule })
}

const isPage = ({ declared }: Entry): boolean => "page" in declared.success

/** Whether a call reads what there is once, such as the account of who is signed in. */
const isOnly = (of: Entry): boolean => of.isRead && of.fields.length === 0 && !isPage(of) && !of.isDownload

/** The fields that a call cannot do without, but its body. */
const needed = (of: Entry | undefined): ReadonlyArray<string> =>
  (of?.fields ?? [])
    .filter(({ isRequired, place }) => isRequired && place !== "payload")
    .map(({ name }) => name)

/** The calls about one thing, by what they do for a page about it. */
const resource = (calls: Arr.NonEmptyReadonlyArray<Entry>) => {
  const [{ audience, client, name }] = calls
  const called = (...names: ReadonlyArray<string>): Entry | undefined =>
    names.flatMap((action) => calls.find((call) => callOf(call.name) === action) ?? [])[0]
  const lists = calls.filter((call) => isPage(call) && !needed(call).includes("id"))
  const list = lists.find((call) => callOf(call.name) === "list") ?? lists[0]
  const onlyCall = calls.find(isOnly)
  const reading = called("get")
  const update = called("update", "set")
  const parts = {
    list,
    /** What reads the only one, where there is no list, such as the account of who is signed in. */
    single: list === undefined ? onlyCall : undefined,
    get: reading !== undefined && needed(reading).length > 0 && !isPage(reading) ? reading : undefined,
    create: called("create"),
    // One's own, beside a list of all, is none of its rows.
    update: list === undefined || onlyCall === undefined ? update : undefined,
    remove: called("delete")
  }
  /** A field that the list cannot do without, such as the kind of entities. */
  const [scope] = needed(list)
  const naming = needed(parts.get ?? parts.update ?? parts.remove).filter((field) => field !== scope)
  return {
    name: groupOf({ name }),
    audience,
    client,
    ...parts,
    /** All others. */
    others: calls.filter((call) => !Object.values<unknown>(parts).includes(call)),
    /** The field by which its calls name one row. */
    id: naming.at(-1) ?? "id",
    scope
  }
}

export interface Resource extends Readonly<ReturnType<typeof resource>> {}

/** What the calls of each client are about, in their order. */
export const resources: ReadonlyArray<Resource> = Object.values(
  Arr.groupBy(entries, (of) => `${of.audience}.${groupOf(of)}`)
).map(resource)

export const resourceOf = (audience: Audience, name: string | undefined): Resource | undefined =>
  resources.find((candidate) => candidate.audience === audience && candidate.name === name)

/** A row of any list. */
export type AnyRow = Values & { readonly _id: string }

/** A row with an id, which a platform may give by another name or not at all. */
export const rowOf = ({ id }: Pick<Resource, "id">, row: Values, index: number): AnyRow => ({
  ...row,
  _id: String(row._id ?? row[id] ?? index)
})

/** Whether a list can be searched: it takes further fields. */
export const isSearched = ({ list }: Resource): boolean =>
  list !== undefined && (list.further !== undefined || list.fields.some(({ place }) => place === "payload"))

/**
 * A slice's list, and what it is asked for as far as it takes that. Undefined where there is none, or where it is one of a
 * kind (`scoped`) that is not said.
 */
export const asking = ({ list, scope }: Resource, query: Values, scoped = "") => {
  if (list === undefined || (scope !== undefined && scoped === "")) return undefined
  const { client, fields, further } = list
  const isField = ([name]: readonly [string, unknown]): boolean => fields.some((field) => field.name === name)
  const [own, others] = Arr.partition(Object.entries(query), (entry) => !isField(entry))
  const more =
    further === undefined || others.length === 0 ? {} : { [further.name]: Object.fromEntries(others) }
  const input = fields.some(({ place }) => place === "payload")
    ? { payload: query }
    : { ...Object.fromEntries(own), ...more }
  // A list answers a page of rows.
  const call = list.call as Call<Values, Page<Values>, never, Admin.Client>
  const isWhole = !isPaged(call.operation)
  return { call, client, isWhole, input: scope === undefined ? input : { ...input, [scope]: scoped } }
}

/** As many rows as tell by what name to call those of a slice; undefined where nothing lists them all. */
export const someOf = (of: Resource | undefined) => {
  const list = of && asking(of, { limit: 500 })
  return list?.client.query(list.call, list.input)
}

/** What reads a row once more, now: by its own call, else in its list, where a row that is gone has no fields. */
export const rereading = (of: Resource, naming: Values, id: string) => () => {
  const find = (page: number): Effect.Effect<Values, CallError, Admin.Client> => {
    const list = asking(of, { page, limit: 500 }, String(naming[of.scope ?? ""] ?? ""))
    if (list === undefined) return Effect.succeed({})
    return Effect.flatMap(list.call(list.input), ({ items }) => {
      const match = items.find((row) => String(row._id ?? row[of.id]) === id)
      const isEnd = items.length === 0 || page === 20 || list.isWhole
      return match !== undefined || isEnd ? Effect.succeed(match ?? {}) : find(page + 1)
    })
  }
  const { client, get, name, single } = of
  const reader = get ?? single
  const read = reader === undefined ? find(1) : reader.call(reader === get ? naming : {})
  return once(client, `${name}.present`, Effect.map(read, Object))
}

/** Runs an effect of a client once, now, outside of what a component shows. */
export const once = <A>(client: AnyClient, name: string, effect: Effect.Effect<A, CallError, Admin.Client>) =>
  client
    .mutation(
      source(name, () => effect),
      { invalidates: [] }
    )
    .instance()
    .actions(registry)
    .mutate()

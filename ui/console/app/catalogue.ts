/**
 * Every call of every client, and what the calls of a slice make of it: a list, details and forms. It is derived from the
 * operations' own declarations. Views load it on demand: it holds the whole platform.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { type Field, fieldsOf, isOpen } from "../../../adapters/openapi/fields.js"
import { summaries } from "../../../adapters/openapi/summaries.js"
import * as Cms from "../../../adapters/sandbox/state/cms.js"
import * as Desk from "../../../adapters/sandbox/state/desk.js"
import { stamps } from "../../../adapters/sandbox/state/fields.js"
import * as Office from "../../../adapters/sandbox/state/office.js"
import * as People from "../../../adapters/sandbox/state/people.js"
import * as Shop from "../../../adapters/sandbox/state/shop.js"
import * as Admin from "../../../clients/admin/client.js"
import * as EndUser from "../../../clients/end-user/client.js"
import * as Private from "../../../clients/private/client.js"
import * as Public from "../../../clients/public/client.js"
import { operations } from "../../../core/catalogue.js"
import { compile } from "../../../core/kernel/codec/compiler.js"
import { makeState, wrong } from "../../../core/kernel/codec/state.js"
import { binder, type Call } from "../../../core/kernel/dispatch/dispatcher.js"
import { isPaged } from "../../../core/kernel/dispatch/pagination.js"
import { type Download, downloader } from "../../../core/kernel/dispatch/streaming.js"
import { type CallError, InputError } from "../../../core/kernel/errors/errors.js"
import type { Page, Typed } from "../../../core/kernel/operation/answer.js"
import {
  type Audience,
  callOf,
  type Declared,
  type Operation,
  sliceOf
} from "../../../core/kernel/operation/operation.js"
import { type QueryClient, type SessionState, source } from "../../rx/index.js"
import { pageSize } from "../data/list-state.js"
import type { Known } from "../data/schema-form.js"
import type { Question } from "../design/dialog.js"
import { money, words } from "../design/show.js"
import { isSandbox } from "./config.js"
import { admin, endUser, server, visitor } from "./query-clients.js"
import { save } from "./save.js"

export type Values = Readonly<Record<string, unknown>>

type AnyClient = QueryClient<unknown, unknown, never>

// Each is given its own audience's calls alone; which services these need, their tags say at run time.
const clients = { admin, public: visitor, endUser, private: server } as unknown as Readonly<
  Record<Audience, AnyClient>
>
const tags = { admin: Admin.Client, public: Public.Client, endUser: EndUser.Client, private: Private.Client }

/** One call of one client. */
export interface Entry {
  /** `admin.users.list` */
  readonly key: string
  readonly audience: Audience
  /** `users.list` */
  readonly name: string
  readonly declared: Declared
  readonly fields: ReadonlyArray<Field>
  readonly isOpen: boolean
  /** What it does, in one sentence. */
  readonly summary: string
  /** Whether it changes nothing. */
  readonly isRead: boolean
  readonly isDownload: boolean
  readonly isUpload: boolean
  readonly client: AnyClient
  readonly call: Call<Values, unknown, never, unknown>
}

const keyOf = (audience: Audience, { name }: Pick<Operation<never, unknown, never>, "name">): string =>
  `${audience}.${name}`

/** A call of a client. */
export const entry = (operation: Operation<never, unknown, never>, audience: Audience): Entry => {
  const declared = operation.declaration()
  const key = keyOf(audience, operation)
  return {
    key,
    audience,
    name: operation.name,
    declared,
    fields: fieldsOf(declared),
    isOpen: isOpen(declared),
    summary: declared.audiences.map((one) => summaries[keyOf(one, operation)]).find(Boolean) ?? "",
    isRead: declared.method === "GET" || declared.isReadOnly === true,
    isDownload: "bytes" in declared.success,
    isUpload: declared.body !== undefined,
    client: clients[audience],
    // The declaration lists the audience, and the client checks the input, so that any fields may be given.
    call: binder<never>()(tags[audience] as typeof Admin.Client)(operation) as unknown as Entry["call"]
  }
}

/** All calls, client by client. */
export const entries: ReadonlyArray<Entry> = (["admin", "endUser", "public", "private"] as const).flatMap(
  (audience) =>
    operations
      .filter((operation) => operation.declaration().audiences.includes(audience))
      .map((operation) => entry(operation, audience))
)

const byKey: ReadonlyMap<string, Entry> = new Map(entries.map((one) => [one.key, one]))

export const entryOf = (key: string | undefined): Entry | undefined => byKey.get(key ?? "")

/** What shows something of the slice of a call. A row that is deleted is not read again. */
export const shownBy = (of: Entry): ReadonlyArray<string> =>
  entries
    .filter((one) => one.isRead && groupOf(one) === groupOf(of))
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
  const download = bind(call.operation as never) as unknown as Download<Values, never, unknown>
  const type = declared.success.bytes
  const file = fileName ?? `${name}${type === "text/csv" ? ".csv" : ""}`
  const saving = source(`${name}.save`, (input: Values) => save(download(input), file, type))
  return { upload, mutation: client.mutation(saving, { invalidates }) }
}

/** What is asked before a call is sent that reaches many people, moves money or deletes; undefined for any other. */
export const questionOf = (
  { declared, isRead, name }: Entry,
  { payload }: Values,
  row = `this ${words(groupOf({ name }).replace(/s$/, "")).toLowerCase()}`,
  isOneself = false
): Question | undefined => {
  if (isRead) return undefined
  const { amount, currency, title, toAll, userIds } = Object(payload)
  const many = toAll === true ? "everybody" : Array.isArray(userIds) && `${userIds.length} people`
  if (sliceOf(name) === "notifications" && many !== false)
    return {
      title: `Send ${title ? `“${title}”` : "this"} to ${many}?`,
      description: `${toAll === true ? "Every end user of the project gets" : "They get"} it at once. It cannot be taken back.`,
      action: `Send it to ${many}`
    }
  const verb = words(callOf(name))
  if (sliceOf(name) === "payments")
    return {
      title: amount === undefined ? `${verb}?` : `${verb} ${money(amount, currency)}?`,
      description: "It is about money, and cannot be undone.",
      action: verb,
      danger: true
    }
  if (declared.method !== "DELETE") return undefined
  const question = deletion(`${verb} ${row}`, verb, isOneself)
  return groupOf({ name }) === "content"
    ? { ...question, description: `It disappears from your site and apps at once. ${question.description}` }
    : question
}

/** What is asked before something is deleted. */
export const deletion = (what: string, action: string, isOneself: boolean): Question => ({
  title: `${what}?`,
  description: `${isOneself ? "Your own account is among what is deleted: you cannot sign in with it any more. " : ""}This cannot be undone.`,
  action,
  danger: true
})

/** Whether a call of administrators' accounts names the one that is signed in. */
export const isOwnAccount = (of: Entry, session: SessionState<unknown>, id: unknown): boolean =>
  session.status === "signed-in" &&
  session.identity.audience === "admin" &&
  groupOf(of) === "admins" &&
  session.identity.admin._id === id

/** Slices whose calls are about one thing. */
const merged: Readonly<Record<string, string>> = { ordersV2: "orders", profile: "profiles", cms: "content" }

/** What a call is about: the resource that it belongs to. */
export const groupOf = ({ name }: Pick<Entry, "name">): string => merged[sliceOf(name)] ?? sliceOf(name)

/** What the sandbox takes as the body of a call that the platform does not specify; a real one may take other fields too. */
const bodies: Readonly<Record<string, Typed<unknown>>> = {
  "admins.create": People.NewAdmin,
  "auth.signup": People.SignUp,
  "contentModels.create": Cms.NewModel,
  "models.create": Cms.NewModel,
  "notifications.pushToUsers": Desk.Sending,
  "notifications.send": Desk.Sending,
  "notifications.sendInApp": Desk.Sending,
  "payments.payWithLink": Shop.NewLink,
  "payments.refund": Shop.Refund,
  "requests.create": Desk.NewRequest,
  "roles.create": People.NewRole,
  "users.create": People.NewUser
}

/** What the sandbox has of those whose bodies are changes of a row. */
const rows: Readonly<Record<string, Typed<unknown>>> = {
  admins: People.Admin,
  auth: People.User,
  boxes: Desk.Box,
  contentModels: Cms.Model,
  conversations: Desk.Conversation,
  entities: Office.ProjectEntity,
  events: Desk.Event,
  items: Shop.Item,
  models: Cms.Model,
  orders: Shop.Order,
  profiles: People.User,
  providers: Office.Provider,
  requests: Desk.Request,
  roles: People.Role,
  users: People.User
}

/**
 * The fields that the body of a call is known to have; those that the platform sets or the path has are left out. What the
 * sandbox cannot do without, another platform may not need.
 */
export const knownOf = ({ fields, name }: Entry): ReadonlyArray<Known> => {
  const body = bodies[name]
  return AST.getPropertySignatures(AST.typeAST((body ?? rows[groupOf({ name })] ?? Schema.Unknown).ast))
    .filter(({ name }) => !(String(name) in stamps) && !fields.some((field) => field.name === name))
    .map(({ isOptional, name, type }) => ({
      name,
      type,
      isOptional: isOptional || body === undefined || !isSandbox
    }))
}

/** What is known to be missing or wrong in the body of a call: of what another platform takes, nothing. */
export const refusalOf = (name: string, { payload }: Values): InputError | undefined => {
  const state = makeState()
  const body = bodies[name]
  return body === undefined ||
    !isSandbox ||
    compile(AST.typeAST(body.ast), "input")(payload ?? {}, state) !== wrong
    ? undefined
    : new InputError({ operation: name, field: `payload.${state.path}`, rule: state.rule })
}

/** The calls about one thing, by what they do for a page about it. */
export interface Resource {
  readonly name: string
  readonly audience: Audience
  readonly client: AnyClient
  readonly list: Entry | undefined
  readonly get: Entry | undefined
  /** What reads the only one, where there is no list, such as the account of who is signed in. */
  readonly single: Entry | undefined
  readonly create: Entry | undefined
  readonly update: Entry | undefined
  readonly remove: Entry | undefined
  /** All others. */
  readonly others: ReadonlyArray<Entry>
  /** The field by which its calls name one row. */
  readonly id: string
  /** A field that the list cannot do without, such as the kind of entities. */
  readonly scope: string | undefined
}

const isPage = ({ declared }: Entry): boolean => "page" in declared.success

/** The fields that a call cannot do without, but its body. */
const needed = (of: Entry | undefined): ReadonlyArray<string> =>
  (of?.fields ?? [])
    .filter(({ isRequired, place }) => isRequired && place !== "payload")
    .map(({ name }) => name)

const resource = (name: string, audience: Audience, calls: ReadonlyArray<Entry>): Resource => {
  const called = (...names: ReadonlyArray<string>): Entry | undefined =>
    names.flatMap((one) => calls.find((other) => callOf(other.name) === one) ?? [])[0]
  const lists = calls.filter((one) => isPage(one) && !needed(one).includes("id"))
  const list = lists.find((one) => callOf(one.name) === "list") ?? lists[0]
  const single = calls.find((one) => one.isRead && one.fields.length === 0)
  const reading = called("get")
  const parts = {
    list,
    single: list === undefined ? single : undefined,
    get: reading !== undefined && needed(reading).length > 0 && !isPage(reading) ? reading : undefined,
    create: called("create"),
    update: called("update", "set"),
    remove: called("delete")
  }
  const [scope] = needed(list)
  const naming = needed(parts.get ?? parts.update ?? parts.remove).filter((field) => field !== scope)
  const others = calls.filter((one) => !Object.values<unknown>(parts).includes(one))
  return { name, audience, client: clients[audience], ...parts, others, id: naming.at(-1) ?? "id", scope }
}

/** What the calls of each client are about, in their order. */
export const resources: ReadonlyArray<Resource> = (
  ["admin", "endUser", "public", "private"] as const
).flatMap((audience) => {
  const own = entries.filter((one) => one.audience === audience)
  const calls = (group: string) => own.filter((one) => groupOf(one) === group)
  return [...new Set(own.map(groupOf))].map((group) => resource(group, audience, calls(group)))
})

export const resourceOf = (audience: Audience, name: string | undefined): Resource | undefined =>
  resources.find((one) => one.audience === audience && one.name === name)

/** A row of any list. */
export type AnyRow = Values & { readonly _id: string }

/** A row with an id, which a platform may give by another name or not at all. */
export const rowOf = ({ id }: Pick<Resource, "id">, row: Values, index: number): AnyRow => ({
  ...row,
  _id: String(row._id ?? row[id] ?? index)
})

/** Whether a list can be searched: it takes further fields. */
export const isSearched = ({ list }: Resource): boolean =>
  list !== undefined && (list.isOpen || list.fields.some(({ place }) => place === "payload"))

/** A list answers a page of rows. */
const callOfList = (list: Entry) => list.call as Call<Values, Page<Values>, never, unknown>

/** What a list is asked for, where its input takes that. */
const inBody = (list: Entry, found: Values): Values =>
  list.fields.some(({ place }) => place === "payload") ? { payload: found } : found

/** The rows of a list that a text is in, page by page, or at once where it has no pages. */
export const listing = ({ list, scope }: Resource, found: Values, scoped: string) => {
  if (list === undefined || (scope !== undefined && scoped === "")) return {}
  const input = { ...(scope === undefined ? {} : { [scope]: scoped }), ...inBody(list, found) }
  return isPaged(list.call.operation)
    ? { pages: list.client.infiniteQuery(callOfList(list), input, { limit: pageSize }) }
    : { whole: list.client.query(callOfList(list), input) }
}

/** Reads a row once more, now: by its own call, else in its list, where a row that is gone has no fields. */
export const rereading = (of: Resource, naming: Values, id: string) => {
  const { client, get, id: field, list, name, scope, single } = of
  const scoped = scope === undefined ? {} : { [scope]: naming[scope] }
  const find = (of: Entry, page: number): Effect.Effect<Values, CallError, unknown> =>
    Effect.flatMap(
      callOfList(of)({ ...scoped, ...(isPaged(of.call.operation) ? inBody(of, { page, limit: 500 }) : {}) }),
      ({ items }) => {
        const found = items.find((row) => String(row._id ?? row[field]) === id)
        const isEnd = items.length === 0 || page === 20 || !isPaged(of.call.operation)
        return found !== undefined || isEnd ? Effect.succeed(found ?? {}) : find(of, page + 1)
      }
    )
  const own = get ?? single
  const read = () =>
    own === undefined
      ? list === undefined
        ? Effect.succeed({})
        : find(list, 1)
      : Effect.map(own.call(own === get ? naming : {}), (row): Values => Object(row))
  return client.mutation(source(`${name}.present`, read), { invalidates: [] })
}

/** As many rows as tell by what name to call those of a slice; undefined where nothing lists them all. */
export const someOf = (of: Resource | undefined) =>
  of?.list === undefined || of.scope !== undefined
    ? undefined
    : of.list.client.query(callOfList(of.list), isSearched(of) ? inBody(of.list, { limit: 500 }) : {})

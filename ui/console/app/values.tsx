/** What a slice and its rows are called, which of their fields a list shows, and how a value looks. */

import { useQuery } from "@quartet/react"
import type { Schemas } from "@quartet/sdk"
import { type Audience, concealed } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import { type ReactNode, useState } from "react"
import { Button } from "../design/button.js"
import { day, inline, number, size } from "../design/format.js"
import { Badge, When, words } from "../design/show.js"
import { type AnyRow, type Resource, resourceOf, someOf, type Values } from "./catalogue.js"
import { asText, money } from "./settled.js"
import { Status } from "./status.js"
import { dataOf } from "./viewer.js"

/** The models whose lists have columns that are chosen here: a field that a model does not have does not compile. */
interface Models {
  readonly admins: typeof Schemas.Users.Admin
  readonly conversations: typeof Schemas.Conversations.Conversation
  readonly events: typeof Schemas.Events.Event
  readonly files: typeof Schemas.Files.StoredFile
  readonly items: typeof Schemas.Items.Item
  readonly orderGroups: typeof Schemas.Orders.OrderGroup
  readonly orders: typeof Schemas.Orders.Order
  readonly payments: typeof Schemas.Payments.Transaction
  readonly permissions: typeof Schemas.Roles.Permission
  readonly profiles: typeof Schemas.Profiles.Profile
  readonly requests: typeof Schemas.Requests.RequestAction
  readonly users: typeof Schemas.Auth.User
}

interface Slice<Field = string> {
  readonly label?: string
  /** What a new one is called for. */
  readonly create?: string
  /** The columns of its list, where the fields that its rows have first would not do; the first one names the row. */
  readonly columns?: ReadonlyArray<Field>
}

const chosen: { readonly [Name in keyof Models]: Slice<keyof Models[Name]["fields"]> } = {
  admins: {
    label: "Administrators",
    create: "Add an administrator",
    columns: ["fullName", "roles", "createdAt"]
  },
  conversations: { columns: ["userName", "lastMessage", "status", "updatedAt"] },
  events: { columns: ["title", "startsAt", "endsAt"] },
  files: { columns: ["name", "size", "type", "isPrivate", "createdAt"] },
  items: { columns: ["name", "price", "type", "status", "createdAt"] },
  orderGroups: { columns: ["_id", "userId", "total", "status", "createdAt"] },
  orders: { columns: ["number", "userId", "total", "status", "createdAt"] },
  payments: { columns: ["amount", "userId", "status", "provider", "createdAt"] },
  permissions: { columns: ["resource", "action", "level"] },
  profiles: { columns: ["fullName", "status", "type", "city"] },
  requests: { columns: ["title", "type", "status", "userId", "createdAt"] },
  users: { columns: ["fullName", "status", "type", "city", "createdAt"] }
}
const slices: Readonly<Record<string, Slice>> = { ...chosen, auth: { label: "Account" } }

export const labelOf = (slice: string): string => slices[slice]?.label ?? words(slice)

export const singular = (slice: string): string =>
  labelOf(slice)
    .replace(/(x|s)es$/, "$1")
    .replace(/ies$/, "y")
    .replace(/s$/, "")

export const createOf = (slice: string): string =>
  slices[slice]?.create ?? `New ${singular(slice).toLowerCase()}`

const naming = ["name", "title", "fullName", "number", "apiId", "key", "email", "resource", "type"]

const isPlain = (value: unknown): boolean =>
  typeof value !== "object" || value === null || value instanceof Date

/** The fields that a list shows: those of its slice, else what names a row and what is said in a word. */
export const columnsOf = (slice: string, rows: ReadonlyArray<Values>): ReadonlyArray<string> => {
  const columns = slices[slice]?.columns
  if (columns !== undefined) return columns
  const [row = {}] = rows
  const named = naming.filter((name) => name in row).slice(0, 1)
  const others = Object.keys(row).filter((name) => isPlain(row[name]) && !/^_id$|^updatedAt$/.test(name))
  return [...new Set([...named, ...others])].slice(0, 5)
}

/** A value as people read it: an amount in the currency of its row, a size in bytes, one of an enumeration in words. */
export const textOf = (name: string, { [name]: value, currency }: Values): string => {
  if (value instanceof Date) return day(value)
  if (typeof value === "number" && name === "size") return size(value)
  if (typeof value === "number")
    return typeof currency === "string" && /price|total|amount/i.test(name)
      ? money(value, currency)
      : number(value, /year$/i.test(name))
  const text = asText(value)
  const isChoice = /^(type|category|channel|status)$/.test(name) && /^\w+$/.test(text)
  return isChoice || /^[A-Z]+_[A-Z_]+$/.test(text) ? words(text) : text
}

/** What a row is called. */
export const nameOf = (slice: string, row: AnyRow): string => {
  const [name = "_id"] = columnsOf(slice, [row])
  if (name === "_id" && row._id.length > 12) return `#${row._id.slice(-6)}`
  const text = textOf(name, row)
  if (text.trim() !== "") return inline(text)
  return row.createdAt instanceof Date ? `${singular(slice)} of ${day(row.createdAt)}` : row._id
}

export const titleOf = (slice: string, row: AnyRow): string => {
  const name = nameOf(slice, row)
  return name.startsWith(singular(slice)) ? name : `${singular(slice)} ${name}`
}

/** A row of which one field is shown: a secret in it is masked. */
export const shownOf = (row: AnyRow, name: string): AnyRow => ({
  ...row,
  ...Object(concealed({ [name]: row[name] }))
})

/** A value with the secrets in it masked, and a button that shows them, where it holds any. */
export const useConcealed = (value: unknown): readonly [shown: unknown, reveal: ReactNode] => {
  const [isRevealed, reveal] = useState(false)
  const masked = concealed(value)
  const button = JSON.stringify(masked) !== JSON.stringify(value) && (
    <Button onClick={() => reveal(!isRevealed)}>{isRevealed ? "Hide secrets" : "Show secrets"}</Button>
  )
  return [isRevealed ? value : masked, button || undefined]
}

/** The slice whose rows the ids in a field are of, by its name: `userId` and `userIds` are of users. */
const sliceIn = (field: string): string | undefined => {
  if (field === "groupId") return "orderGroups"
  if (/^(orders|roles|permissions)$/.test(field)) return field
  return /.Ids?$/.test(field) ? field.replace(/Ids?$/, "s") : undefined
}

/** The slice whose rows a field names, where an audience has it. */
export const linkedOf = (audience: Audience, field: string): Resource | undefined =>
  resourceOf(audience, sliceIn(field))

/** What a row is called among others: a permission by all that it says. */
export const choiceOf = (slice: string, row: AnyRow): string =>
  slice === "permissions"
    ? [row.resource, row.action, row.level].map((part) => words(asText(part))).join(" · ")
    : nameOf(slice, row)

/** The name of a field, for people: `createdAt` is when a row was created, and `userId` names a user. */
export const fieldOf = (name: string, others: ReadonlyArray<string> = []): string => {
  const short = name.replace(/(?<=.)(At|Id)$/, "")
  return words(name === "_id" ? "id" : others.includes(short) ? name : short)
}

/** A link to a row, by its name where a list tells it. */
const Id = ({ id, of }: { readonly of: Resource; readonly id: string }) => {
  const { data } = useQuery(someOf(of))
  const row = data?.items.find(({ _id }) => _id === id)
  const to = dataOf(of.audience, { slice: of.name, id })
  return <Link to={to}>{row === undefined ? <code>{id}</code> : nameOf(of.name, { ...row, _id: id })}</Link>
}

/** One value of a row; `long` shows lists and objects whole. */
export const Value = (props: {
  readonly audience: Audience
  readonly name: string
  readonly row: AnyRow
  readonly long?: boolean
}): ReactNode => {
  const { audience, long = false, name, row } = props
  const value = row[name]
  const slice = linkedOf(audience, name)
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return <span className="faint">—</span>
  if (value instanceof Date) return <When date={value} long={long} />
  if (typeof value === "boolean")
    return value ? <Badge>{words(name.replace(/^is(?=[A-Z])/, ""))}</Badge> : long ? "No" : null
  if (typeof value === "number") return <span className="tabular-nums">{textOf(name, row)}</span>
  if (name === "status") return <Status of={asText(value)} />
  const all: ReadonlyArray<unknown> = [value].flat()
  if (all.every((item) => typeof item === "string")) {
    if (slice !== undefined)
      return all.slice(0, long ? all.length : 3).map((id, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <Id of={slice} id={id} />
        </span>
      ))
    return name === "_id" ? <code>{all}</code> : all.map((item) => textOf(name, { [name]: item })).join(", ")
  }
  if (!long && Array.isArray(value)) return all.length
  // Of an object in a row, such as a line of an order, what is said in a word.
  return all.map((item, at) => {
    const inner = { _id: "", currency: row.currency, ...Object(item) }
    const names = Object.keys(Object(item)).filter((field) => isPlain(inner[field]) && !/id$/i.test(field))
    return (
      <div key={at}>
        {names.map((field, at) => (
          <span key={field}>
            {at > 0 && " · "}
            {words(field)}: <Value audience={audience} name={field} row={inner} />
          </span>
        ))}
      </div>
    )
  })
}

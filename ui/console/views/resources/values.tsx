/** The fields of any row: which are shown in a list, under which title, and how a value looks. */
import { Link } from "@swan-io/chicane"
import type { ReactNode } from "react"
import type { Audience } from "../../../../core/kernel/operation/operation.js"
import type { AnyRow, Values } from "../../app/catalogue.js"
import { useNames } from "../../app/names.js"
import { dataOf } from "../../app/viewer.js"
import { Badge, money, Source, Status, size, type Tone, When } from "../../design/show.js"
import typography from "../../design/typography.module.css"

/** The columns of a slice's list, where those that its rows have first would not do; the first one names the row. */
const columns: Readonly<Record<string, ReadonlyArray<string>>> = {
  users: ["fullName", "email", "status", "city", "createdAt"],
  admins: ["fullName", "email", "roles", "createdAt"],
  items: ["name", "price", "type", "status", "createdAt"],
  orders: ["number", "total", "userId", "status", "createdAt"],
  orderGroups: ["_id", "userId", "total", "status", "createdAt"],
  payments: ["_id", "amount", "userId", "status", "createdAt"],
  requests: ["title", "type", "status", "userId", "createdAt"],
  conversations: ["userName", "lastMessage", "status", "updatedAt"],
  files: ["name", "size", "type", "isPrivate", "createdAt"],
  events: ["title", "startsAt", "endsAt"]
}

const naming = ["name", "title", "fullName", "number", "apiId", "key", "email", "resource", "type"]

/** The fields that a list shows: those of its slice, else what names a row and what is said in a word. */
export const columnsOf = (slice: string, rows: ReadonlyArray<Values>): ReadonlyArray<string> => {
  const own = columns[slice]
  if (own !== undefined) return own
  const [row = {}] = rows
  const isShort = (value: unknown): boolean =>
    typeof value !== "object" || value === null || value instanceof Date
  const named = naming.filter((name) => name in row).slice(0, 1)
  const others = Object.keys(row).filter((name) => isShort(row[name]) && !/^_id$|^updatedAt$/.test(name))
  return [...new Set([...named, ...others])].slice(0, 5)
}

/** Whether a field holds numbers. */
export const isNumeric = (name: string, rows: ReadonlyArray<Values>): boolean =>
  rows.some((row) => typeof row[name] === "number")

/** The slices whose rows the ids in a field are of. */
const linked: Readonly<Record<string, string>> = {
  userId: "users",
  orderId: "orders",
  groupId: "orderGroups",
  orders: "orders",
  itemId: "items",
  modelId: "models",
  roles: "roles",
  permissions: "permissions",
  conversationId: "conversations"
}

const tones: Readonly<Record<string, Tone>> = {
  available: "good",
  active: "good",
  open: "info",
  new: "info",
  confirmed: "info",
  paid: "good",
  delivered: "good",
  succeeded: "good",
  pending: "warn",
  reserved: "warn",
  cancelled: "bad",
  rejected: "bad",
  failed: "bad"
}

const Id = ({
  audience,
  id,
  slice
}: {
  readonly audience: Audience
  readonly slice: string
  readonly id: string
}) => {
  const nameOf = useNames()
  const name = audience === "admin" && slice === "users" ? nameOf(id) : ""
  return <Link to={dataOf(audience, { slice, id })}>{name || <code>{id}</code>}</Link>
}

interface ValueProps {
  readonly audience: Audience
  readonly name: string
  readonly row: AnyRow
  /** Whether lists and objects are shown whole. */
  readonly long?: boolean
}

/** One value of a row. */
export const Value = ({ audience, long = false, name, row }: ValueProps): ReactNode => {
  const value = row[name]
  const slice = linked[name]
  if (value === undefined || value === null || value === "")
    return <span className={typography.faint}>—</span>
  if (value instanceof Date) return <When date={value} long={long} />
  if (typeof value === "boolean") return <Badge>{value ? "Yes" : "No"}</Badge>
  if (typeof value === "number") {
    const isMoney = typeof row.currency === "string" && /price|total|amount/i.test(name)
    const text = isMoney ? money(value, String(row.currency)) : value.toLocaleString("en-US")
    return <span className={typography.number}>{name === "size" ? size(value) : text}</span>
  }
  if (typeof value === "string") {
    if (name === "status") return <Status of={value} tones={tones} />
    if (slice !== undefined) return <Id audience={audience} slice={slice} id={value} />
    return name === "_id" ? <code>{value}</code> : value
  }
  if (Array.isArray(value) && !long) return <>{value.length}</>
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return slice === undefined
      ? value.join(", ")
      : value.map((id) => (
          <span key={id}>
            <Id audience={audience} slice={slice} id={id} />{" "}
          </span>
        ))
  return <Source label={name} text={JSON.stringify(value, null, 2)} />
}

/** The items of the shop: their lists, and what is said of them beyond the model. */
import { readNumber } from "@quartet/sdk/extend"
import { itemStatuses } from "@quartet/sdk/extend/models/items"
import { admin } from "../../app/query-clients.js"
import { type ItemRow, items, orders, requests } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { type Asked, pageSize, wordOf } from "../../data/list-state.js"
import { mostLookedThrough } from "../../data/mentions.js"
import { inline, number } from "../../design/format.js"
import { words } from "../../design/show.js"
import { fileIdsOf } from "../../frame/pictures.js"

const wordsOf = (text: string | undefined): ReadonlyArray<string> => text?.split(",").filter(Boolean) ?? []

/** The items of some types, statuses and interests, the newest first. */
export const list = ({ query, read }: Asked) =>
  admin.infiniteQuery(
    items.search,
    {
      query: { sort: "-createdAt", ...query },
      typeIn: wordsOf(read("type")),
      statusIn: wordsOf(read("status")).map((word) => wordOf(itemStatuses, word)),
      interestsIn: wordsOf(read("tab"))
    },
    { limit: pageSize }
  )

/** The newest items: the types and interests that the project has are read off them. */
export const newest = admin.query(items.search, {
  limit: mostLookedThrough,
  query: { sort: "-createdAt" }
})

export const byId = (id: string) => admin.query(items.get, { id })

export const ofType = (type: string) =>
  admin.query(items.search, { limit: 6, query: { sort: "-createdAt" }, typeIn: [type] })

const last = { limit: mostLookedThrough, query: { sort: "-createdAt" } }
export const lastOrders = admin.query(orders.list, last)
export const lastRequests = admin.query(requests.list, last)

/** The first field of some names that says anything; its name, too. */
const fieldOf = (item: ItemRow, names: ReadonlyArray<string>): readonly [name: string, value: unknown] =>
  names
    .map((name) => [name, item[name]] as const)
    .find(([, value]) => value !== undefined && value !== null && value !== "") ?? ["", undefined]

const pictureFields = /^(main|cover)?(pictures?|images?|photos?|gallery|thumbnail|cover)(Ids?|Urls?)?$/i

/** The fields that hold pictures, by their names. */
const picturesIn = (item: ItemRow): ReadonlyArray<string> =>
  Object.keys(item).filter((name) => pictureFields.test(name))

/** The files of its pictures. */
export const picturesOf = (item: ItemRow): ReadonlyArray<string> =>
  fileIdsOf(picturesIn(item).flatMap((name) => [item[name]].flat()))

const addressOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? (Reflect.get(value, "url") ?? Reflect.get(value, "src"))
    : value

/** The addresses of pictures that are no files of the project: the page may not show them. */
export const picturesElsewhere = (item: ItemRow): ReadonlyArray<string> =>
  picturesIn(item)
    .flatMap((name) => [item[name]].flat())
    .map(addressOf)
    .filter((value): value is string => typeof value === "string" && /^https?:\/\//i.test(value))
    .filter((value) => fileIdsOf(value).length === 0)

const descriptionFields = ["description", "text", "about", "summary"]

export const descriptionOf = (item: ItemRow): string => {
  const [, value] = fieldOf(item, descriptionFields)
  return typeof value === "string" ? value : ""
}

const stockFields = ["stock", "quantity", "inStock", "available", "stockCount"]

/** How many there are: a number, or whether there are any; nothing where the platform does not say. */
const stockIn = (item: ItemRow): number | boolean | undefined => {
  const [, value] = fieldOf(item, stockFields)
  return typeof value === "boolean" ? value : readNumber(value)
}

export const stockText = (item: ItemRow): string => {
  const stock = stockIn(item)
  if (stock === undefined) return ""
  if (typeof stock === "boolean") return stock ? "In stock" : "Out of stock"
  return stock <= 0 ? "None left" : `${number(stock)} in stock`
}

export const stockOf = (item: ItemRow): number | undefined => {
  const stock = stockIn(item)
  return typeof stock === "number" ? stock : undefined
}

export const priceText = ({ currency, price }: ItemRow): string =>
  price === undefined || price === null ? "" : money(price, currency)

export const nameOf = (item: ItemRow): string => {
  const [, title] = fieldOf(item, ["name", "title"])
  return typeof title === "string"
    ? inline(title)
    : item.type
      ? `${words(item.type)} without a name`
      : "Item without a name"
}

export const floorText = ({ floor }: ItemRow): string =>
  floor === undefined || floor === null ? "" : floor === 0 ? "ground floor" : `floor ${number(floor)}`

const counted = (count: number | null | undefined, one: string, many: string): string =>
  count === undefined || count === null ? "" : `${number(count)} ${count === 1 ? one : many}`

export const areaText = ({ area }: ItemRow): string =>
  area === undefined || area === null ? "" : `${number(area)} m²`

/** The facts of a place in one line: "3 rooms · 78 m² · floor 5 · Vake"; its type where it is none. */
export const factsLine = (item: ItemRow, isWhole = false): string => {
  const { city, district, rooms, type } = item
  const facts = [
    counted(rooms, "room", "rooms"),
    areaText(item),
    floorText(item),
    isWhole ? [district, city].filter(Boolean).join(", ") : (district ?? city)
  ].filter(Boolean)
  return facts.length > 1 || !type ? facts.join(" · ") : [words(type), ...facts].join(" · ")
}

/** The fields that the view shows; all others stand under "More". */
export const shownFields = (item: ItemRow): ReadonlyArray<string> => [
  "name",
  "title",
  "type",
  "status",
  "price",
  "currency",
  "userId",
  "interests",
  "featured",
  "city",
  "district",
  "area",
  "floor",
  "rooms",
  "createdAt",
  "updatedAt",
  ...(picturesOf(item).length + picturesElsewhere(item).length > 0 ? picturesIn(item) : []),
  ...(descriptionOf(item) === "" ? [] : [fieldOf(item, descriptionFields)[0]]),
  ...(stockText(item) === "" ? [] : [fieldOf(item, stockFields)[0]])
]

/** The calls on items. Visitors search and read them at other addresses (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Item, ItemSearch, SearchItems } from "./model.js"

/** Searches items by their users, types, statuses and interests. */
export const search: Operation<
  SearchItems,
  Page<Item>,
  "admin" | "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("items.search", () => ({
  method: "GET",
  path: "item/search",
  audiences: ["admin", "endUser"],
  input: SearchItems,
  success: page(Item),
  requires: Level.Read
}))

/** Searches items for a visitor; the body is not specified. */
export const publicSearch: Operation<
  Entity.WithBody<ItemSearch>,
  Page<Item>,
  "public",
  "read"
> = /*#__PURE__*/ Operation.make("items.search", () => ({
  method: "POST",
  path: "ecommerce/item/search",
  audiences: ["public"],
  input: Entity.withBody(ItemSearch),
  success: page(Item),
  isReadOnly: true
}))

/** Reads one item. */
export const get: Operation<Entity.ById, Item, "admin" | "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "items.get",
  () => ({
    method: "GET",
    path: "item/{id}",
    audiences: ["admin", "endUser"],
    input: Entity.ById,
    success: Item,
    requires: Level.Read
  })
)

/** Reads one item for a visitor. */
export const publicGet: Operation<Entity.ById, Item, "public", "read"> = /*#__PURE__*/ Operation.make(
  "items.get",
  () => ({
    method: "GET",
    path: "ecommerce/item/{id}",
    audiences: ["public"],
    input: Entity.ById,
    success: Item
  })
)

/** Lists the project's items; filters go into `query`. */
export const list: Operation<
  Entity.List,
  Page<Item>,
  "admin" | "private",
  "read"
> = /*#__PURE__*/ Operation.make("items.list", () => ({
  method: "GET",
  path: "ecommerce/item",
  audiences: ["admin", "private"],
  input: Entity.List,
  success: page(Item),
  requires: Level.Read
}))

/** Searches the items that are featured. */
export const searchFeatured: Operation<
  Entity.List,
  Page<Item>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("items.searchFeatured", () => ({
  method: "GET",
  path: "item/search/feature",
  audiences: ["endUser"],
  input: Entity.List,
  success: page(Item)
}))

/** Lists the items that are featured. */
export const featured: Operation<Entity.List, Page<Item>, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "items.featured",
  () => ({
    method: "GET",
    path: "item/feature",
    audiences: ["endUser"],
    input: Entity.List,
    success: page(Item)
  })
)

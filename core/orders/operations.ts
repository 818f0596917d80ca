/** The calls on orders and order groups (specification, point 7). Admins search by query, end users by body. */
import { type Bytes, csv, type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Order, OrderChange, OrderGroup, OrderGroupSearch, OrderSearch, SearchOrders } from "./model.js"

/** Searches the project's orders by their users, types and statuses. */
export const adminSearch: Operation<
  SearchOrders,
  Page<Order>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("orders.search", () => ({
  method: "GET",
  path: "order/search",
  audiences: ["admin"],
  input: SearchOrders,
  success: page(Order),
  requires: Level.Read
}))

/** Searches the end user's orders by the fields of the body. */
export const search: Operation<
  Entity.WithBody<OrderSearch>,
  Page<Order>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("orders.search", () => ({
  method: "POST",
  path: "order/search",
  audiences: ["endUser"],
  input: Entity.withBody(OrderSearch),
  success: page(Order),
  isReadOnly: true
}))

/** Reads an order. */
export const get: Operation<Entity.ById, Order, "admin" | "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "orders.get",
  () => ({
    method: "GET",
    path: "order/{id}",
    audiences: ["admin", "endUser"],
    input: Entity.ById,
    success: Order,
    requires: Level.Read
  })
)

/** Changes an order on the legacy service. The body holds its id. */
export const adminUpdate: Operation<
  Entity.WithBody<OrderChange>,
  Order,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("orders.update", () => ({
  method: "PUT",
  path: "order",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.withBody(OrderChange),
  success: Order,
  requires: Level.Write
}))

/** Changes an order of the end user. The body holds its id. */
export const update: Operation<
  Entity.WithBody<OrderChange>,
  Order,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("orders.update", () => ({
  method: "PUT",
  path: "order",
  audiences: ["endUser"],
  input: Entity.withBody(OrderChange),
  success: Order
}))

/** Lists orders by the second version of the API, filtered by users, types and statuses. */
export const listV2: Operation<SearchOrders, Page<Order>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "ordersV2.list",
  () => ({
    method: "GET",
    path: "ecommerce/order",
    audiences: ["admin"],
    input: SearchOrders,
    success: page(Order),
    requires: Level.Read
  })
)

/** Downloads orders as CSV, filtered as their list is. */
export const exportCsvV2: Operation<SearchOrders, Bytes, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "ordersV2.csv",
  () => ({
    method: "GET",
    path: "ecommerce/order/csv",
    audiences: ["admin"],
    input: SearchOrders,
    success: csv,
    requires: Level.Read
  })
)

/** Reads an order by the second version of the API. */
export const getV2: Operation<Entity.ById, Order, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "ordersV2.get",
  () => ({
    method: "GET",
    path: "ecommerce/order/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Order,
    requires: Level.Read
  })
)

/** Reads an order group. */
export const getGroup: Operation<Entity.ById, OrderGroup, "admin" | "endUser", "read"> =
  /*#__PURE__*/ Operation.make("orderGroups.get", () => ({
    method: "GET",
    path: "order-group/{id}",
    audiences: ["admin", "endUser"],
    input: Entity.ById,
    success: OrderGroup,
    requires: Level.Read
  }))

/** Searches order groups by the fields of the body. */
export const searchGroups: Operation<
  Entity.WithBody<OrderGroupSearch>,
  Page<OrderGroup>,
  "admin" | "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("orderGroups.search", () => ({
  method: "POST",
  path: "order-group/search",
  audiences: ["admin", "endUser"],
  input: Entity.withBody(OrderGroupSearch),
  success: page(OrderGroup),
  requires: Level.Read,
  isReadOnly: true
}))

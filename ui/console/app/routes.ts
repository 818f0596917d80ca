/** Every address of the console, typed. None of them is a path of the platform, because one port may serve both. */
import { createRouter } from "@swan-io/chicane"

/** What a list of a place is narrowed to and ordered by: it stays in the address while things of it are opened. */
const list = "?:tab&:search&:sort&:type[]&:status[]&:from&:to"

/** What a page of rows shows: the open row, the text that is looked for, and the kind where rows have one. */
const rows = "?:id&:search&:scope"

/** As whom one looks, where it is not as an administrator. */
const viewer = "{visitor|resident|server}"

const routes = {
  Home: "/",
  Requests: `/requests${list}`,
  Request: `/requests/:id${list}`,
  Chat: `/chat${list}&:topic`,
  Conversation: `/chat/:id${list}&:topic`,
  Customers: `/customers${list}`,
  Customer: `/customers/:id${list}`,
  Orders: `/orders${list}`,
  Order: `/orders/:id${list}`,
  Payments: `/payments${list}`,
  Payment: `/payments/:id${list}`,
  Catalogue: `/catalogue${list}`,
  Item: `/catalogue/:id${list}`,
  Content: `/library${list}&:model&:rule[]&:lang{en|ka}&:entry`,
  Entry: `/library/:id${list}&:model&:rule[]`,
  Files: `/files${list}`,
  File: `/files/:id${list}`,
  Team: `/team${list}`,
  Roles: "/team/roles?:role",
  Holidays: "/team/holidays?:month&:type",
  Administrator: `/team/people/:id${list}`,
  Data: `/data/:slice${rows}`,
  Developers: "/developers",
  NotifyEverybody: "/developers/notify",
  Notices: "/developers/notices",
  Explorer: "/explorer?:call&:id",
  Jobs: "/jobs",
  Job: "/jobs/:id",
  Settings: "/settings",
  As: `/as/:viewer${viewer}${rows}`,
  AsData: `/as/:viewer${viewer}/:slice${rows}`
} as const

export const Router = createRouter(routes)

export type RouteName = keyof typeof routes

/** All names of addresses, in the order of lookup: exactly the keys of `routes`. */
export const routeNames = Object.keys(routes) as ReadonlyArray<RouteName>

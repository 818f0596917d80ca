/** Every address of the console, typed. None of them is a path of the platform, because one port may serve both. */
import { createRouter } from "@swan-io/chicane"

/** What the list of requests is narrowed to: kept in the address of the sheet that opens over it. */
const requests = "?:status[]&:type"

/** What a page of rows shows: the open row, the text that is looked for, and the kind where rows have one. */
const rows = "?:id&:search&:scope"

/** As whom one looks, where it is not as an administrator. */
const viewer = "{visitor|resident|server}"

const routes = {
  Overview: "/",
  Requests: `/requests${requests}`,
  Request: `/requests/:id${requests}`,
  Chat: "/chat?:topic",
  Conversation: "/chat/:id",
  Content: "/library?:model&:lang{en|ka}&:entry&:rule[]",
  Holidays: "/holidays?:month&:type",
  Commerce: `/commerce${rows}`,
  People: "/people",
  Explorer: "/explorer?:call&:id",
  Data: `/data/:slice${rows}`,
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

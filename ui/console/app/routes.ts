/** Every address of the console, typed. None of them is a call of the platform: both may stand on one port. */
import { createRouter } from "@swan-io/chicane"

export const Router = createRouter({
  Overview: "/",
  Requests: "/requests?:status[]&:type",
  Request: "/requests/:id",
  Chat: "/chat?:topic",
  Conversation: "/chat/:id",
  Content: "/library?:model",
  Commerce: "/commerce?:tab{items|orders|payments}",
  Payment: "/commerce/payments/:id",
  People: "/people?:tab{users|roles|admins}",
  Files: "/uploads",
  Visitor: "/as/visitor",
  EndUser: "/as/resident",
  Server: "/as/server"
})

/** All names of addresses, in the order in which they are looked up. */
export const routeNames = [
  "Overview",
  "Requests",
  "Request",
  "Chat",
  "Conversation",
  "Content",
  "Commerce",
  "Payment",
  "People",
  "Files",
  "Visitor",
  "EndUser",
  "Server"
] as const

export type RouteName = (typeof routeNames)[number]

/** The four audiences that the console can show: the start page and the places of each. */

import type { Audience } from "@quartet/sdk/extend"
import * as Record from "effect/Record"
import type { IconName } from "../design/icon.js"
import { type RouteName, Router, routeNames } from "./routes.js"

export interface Place {
  readonly name: RouteName
  readonly label: string
  readonly icon: IconName
  /** The key to press after `g`. */
  readonly key: string
  readonly to: string
}

/** The administrator's places, in the order of the menu. */
export const places: ReadonlyArray<Place> = [
  { name: "Requests", label: "Requests", icon: "requests", key: "r", to: Router.Requests() },
  { name: "Chat", label: "Chat", icon: "chat", key: "h", to: Router.Chat() },
  { name: "Customers", label: "Customers", icon: "user", key: "u", to: Router.Customers() },
  { name: "Orders", label: "Orders", icon: "commerce", key: "o", to: Router.Orders() },
  { name: "Payments", label: "Payments", icon: "payments", key: "p", to: Router.Payments() },
  { name: "Catalogue", label: "Catalogue", icon: "catalogue", key: "a", to: Router.Catalogue() },
  { name: "Content", label: "Content", icon: "content", key: "c", to: Router.Content() },
  { name: "Files", label: "Files", icon: "files", key: "f", to: Router.Files() },
  { name: "Team", label: "Team", icon: "people", key: "t", to: Router.Team() }
]

/** What only those need who build on the platform, in one place. */
export const developers: Place = {
  name: "Developers",
  label: "Developers",
  icon: "code",
  key: "d",
  to: Router.Developers()
}

interface Tool extends Pick<Place, "name" | "label" | "icon" | "to"> {
  /** What it is for, in one line. */
  readonly about: string
}

/** The pages that stand in it. */
export const developerPages: ReadonlyArray<Tool> = [
  {
    name: "Data",
    label: "Data",
    icon: "server",
    to: Router.Data({ slice: "profiles" }),
    about: "Rows of every kind as the platform stores them, and forms for their calls"
  },
  {
    name: "Explorer",
    label: "Explorer",
    icon: "code",
    to: Router.Explorer(),
    about: "Every call of every client: send it, or copy it as code"
  },
  {
    name: "Jobs",
    label: "Jobs",
    icon: "jobs",
    to: Router.Jobs(),
    about: "Runs on this machine: progress and failures; pause, resume, retry"
  },
  {
    name: "NotifyEverybody",
    label: "Notify everybody",
    icon: "send",
    to: Router.NotifyEverybody(),
    about: "Send one notification to all customers"
  },
  {
    name: "Settings",
    label: "Settings",
    icon: "settings",
    to: Router.Settings(),
    about: "Which platform and project this tab calls, and with which keys"
  },
  {
    name: "Notices",
    label: "Platform notices",
    icon: "alert",
    to: Router.Notices(),
    about: "Answers that differ from what operations declare, and the project’s own record"
  }
]

interface Viewer extends Pick<Place, "label" | "icon"> {
  /** Its name in addresses; the administrator has none. */
  readonly path?: "visitor" | "resident" | "server"
  /** What is looked at most as this audience, the first one from the start; pages lead to all else. */
  readonly looks: ReadonlyArray<Pick<Place, "label" | "icon"> & { readonly slice: string }>
}

export const viewers: Readonly<Record<Audience, Viewer>> = {
  admin: { label: "Administrator", icon: "overview", looks: [] },
  public: {
    label: "Visitor",
    icon: "visitor",
    path: "visitor",
    looks: [
      { slice: "items", label: "Items", icon: "commerce" },
      { slice: "content", label: "Content", icon: "content" }
    ]
  },
  endUser: {
    label: "End user",
    icon: "user",
    path: "resident",
    looks: [
      { slice: "requests", label: "Requests", icon: "requests" },
      { slice: "orders", label: "Orders", icon: "commerce" },
      { slice: "notifications", label: "Notifications", icon: "bell" },
      { slice: "auth", label: "Profile", icon: "user" }
    ]
  },
  private: {
    label: "Server",
    icon: "server",
    path: "server",
    looks: [
      { slice: "items", label: "Items", icon: "commerce" },
      { slice: "users", label: "Users", icon: "people" },
      { slice: "notifications", label: "Notifications", icon: "bell" }
    ]
  }
}

/** The audiences, to choose one of. */
export const audiences = Record.keys(viewers).map((value) => ({ value, label: viewers[value].label }))

/** The audiences, to choose one of or all. */
export const audiencesOr = (all: string) => [{ value: "all" as const, label: all }, ...audiences]

/** What an audience is called. */
export const labelOf = (audience: Audience): string => viewers[audience].label

/** Where one starts as an audience. */
export const startOf = (audience: Audience): string => {
  const { path } = viewers[audience]
  return path === undefined ? Router.Requests() : Router.As({ viewer: path })
}

/** The places that addresses belong to which are no place themselves. */
const within: Partial<Record<RouteName, RouteName>> = {
  Home: "Requests",
  Request: "Requests",
  Conversation: "Chat",
  Customer: "Customers",
  Order: "Orders",
  Payment: "Payments",
  Item: "Catalogue",
  Entry: "Content",
  File: "Files",
  Administrator: "Team",
  Roles: "Team",
  Holidays: "Team",
  Job: "Jobs",
  As: "Data",
  AsData: "Data"
}

/** The present address: its place, which is undefined for an unknown one, its audience, and the slice that it shows. */
export const useWhere = () => {
  const route = Router.useRoute(routeNames)
  const viewer = route && "viewer" in route.params ? route.params.viewer : undefined
  const audience = Record.keys(viewers).find((candidate) => viewers[candidate].path === viewer) ?? "admin"
  const place = route && (within[route.name] ?? route.name)
  const slice = route && "slice" in route.params ? route.params.slice : viewers[audience].looks[0]?.slice
  const isDevelopers =
    place === "Developers" || audience !== "admin" || developerPages.some(({ name }) => name === place)
  return { route, place, audience, slice, isDevelopers }
}

/** The address of a list, of one of its rows, or of its form for a new one (`new`), as an audience sees it. */
export const dataOf = (audience: Audience, params: Parameters<typeof Router.Data>[0]): string => {
  const { path } = viewers[audience]
  return path === undefined ? Router.Data(params) : Router.AsData({ viewer: path, ...params })
}

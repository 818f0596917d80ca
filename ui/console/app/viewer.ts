/** The four audiences that the console can show: the start page and the places of each. */
import type { Audience } from "../../../core/kernel/operation/operation.js"
import type { IconName } from "../design/icon.js"
import { type RouteName, Router } from "./routes.js"

export interface Place {
  readonly name: RouteName
  readonly label: string
  readonly icon: IconName
  /** The key to press after `g`. */
  readonly key: string
  readonly to: string
}

/** The administrator's places, in the order of the navigation. */
export const places: ReadonlyArray<Place> = [
  { name: "Overview", label: "Overview", icon: "overview", key: "o", to: Router.Overview() },
  { name: "Requests", label: "Requests", icon: "requests", key: "r", to: Router.Requests() },
  { name: "Chat", label: "Chat", icon: "chat", key: "h", to: Router.Chat() },
  { name: "Content", label: "Content", icon: "content", key: "c", to: Router.Content() },
  { name: "Holidays", label: "Holidays", icon: "calendar", key: "y", to: Router.Holidays() },
  { name: "Commerce", label: "Payments", icon: "commerce", key: "p", to: Router.Commerce() },
  { name: "People", label: "Roles", icon: "people", key: "a", to: Router.People() },
  { name: "Data", label: "Data", icon: "server", key: "d", to: Router.Data({ slice: "users" }) },
  { name: "Explorer", label: "Explorer", icon: "wire", key: "e", to: Router.Explorer() },
  { name: "Settings", label: "Settings", icon: "settings", key: "s", to: Router.Settings() }
]

export interface Viewer extends Pick<Place, "label" | "icon" | "to"> {
  readonly audience: Audience
}

export const viewers: ReadonlyArray<Viewer> = [
  { audience: "admin", label: "Administrator", icon: "overview", to: Router.Overview() },
  { audience: "public", label: "Visitor", icon: "visitor", to: Router.VisitorData({ slice: "items" }) },
  { audience: "endUser", label: "End user", icon: "user", to: Router.EndUser() },
  { audience: "private", label: "Server", icon: "server", to: Router.Server() }
]

/** What an audience is called. */
export const labelOf = (audience: Audience): string =>
  viewers.find((viewer) => viewer.audience === audience)?.label ?? audience

/** The addresses that belong to another place, or to another audience than the administrator. */
const elsewhere: Partial<Record<RouteName, { readonly place?: RouteName; readonly audience?: Audience }>> = {
  Request: { place: "Requests" },
  Conversation: { place: "Chat" },
  VisitorData: { place: "Data", audience: "public" },
  EndUser: { place: "Data", audience: "endUser" },
  EndUserData: { place: "Data", audience: "endUser" },
  Server: { place: "Data", audience: "private" },
  ServerData: { place: "Data", audience: "private" }
}

/** The place that an address belongs to; undefined for an unknown address. */
export const placeOf = (name: RouteName | undefined): RouteName | undefined =>
  (name && elsewhere[name]?.place) ?? name

/** The audience of an address. */
export const audienceOf = (name: RouteName | undefined): Audience =>
  (name && elsewhere[name]?.audience) ?? "admin"

const lists = {
  // Payments have a place of their own.
  admin: ({ slice, ...rest }: Parameters<typeof Router.Data>[0]) =>
    slice === "payments" ? Router.Commerce(rest) : Router.Data({ slice, ...rest }),
  public: Router.VisitorData,
  endUser: Router.EndUserData,
  private: Router.ServerData
} as const

type Look = Pick<Place, "label" | "icon"> & { readonly slice: string }

/** What is looked at most as another audience, the first one from the start; pages lead to all else. */
export const looks: Readonly<Record<Exclude<Audience, "admin">, ReadonlyArray<Look>>> = {
  public: [
    { slice: "items", label: "Items", icon: "commerce" },
    { slice: "content", label: "Content", icon: "content" }
  ],
  endUser: [
    { slice: "requests", label: "Requests", icon: "requests" },
    { slice: "orders", label: "Orders", icon: "commerce" },
    { slice: "notifications", label: "Notifications", icon: "bell" },
    { slice: "auth", label: "Profile", icon: "user" }
  ],
  private: [
    { slice: "items", label: "Items", icon: "commerce" },
    { slice: "users", label: "Users", icon: "people" },
    { slice: "notifications", label: "Notifications", icon: "bell" }
  ]
}

/** The address of a list, of one of its rows, or of its form for a new one (`new`), as an audience sees it. */
export const dataOf = (audience: Audience, params: Parameters<typeof Router.Data>[0]): string =>
  lists[audience](params)

/** Which slices have a place of their own in the console, and where it shows their rows. */
import { Router } from "./routes.js"

export interface SlicePlace {
  /** What the place is called in the menu. */
  readonly label: string
  readonly to: (id?: string) => string
}

const place = (label: string, list: () => string, row?: (params: { readonly id: string }) => string) => ({
  label,
  to: (id?: string) => (id === undefined || row === undefined ? list() : row({ id }))
})

const customers = place("Customers", () => Router.Customers(), Router.Customer)
const roles = place("Team", () => Router.Roles())

const places: Readonly<Record<string, SlicePlace>> = {
  requests: place("Requests", () => Router.Requests(), Router.Request),
  conversations: place("Chat", () => Router.Chat(), Router.Conversation),
  users: customers,
  orders: place("Orders", () => Router.Orders(), Router.Order),
  payments: place("Payments", () => Router.Payments(), Router.Payment),
  items: place("Catalogue", () => Router.Catalogue(), Router.Item),
  content: place("Content", () => Router.Content(), Router.Entry),
  files: place("Files", () => Router.Files(), Router.File),
  admins: place("Team", () => Router.Team(), Router.Administrator),
  roles,
  permissions: roles,
  intranet: place("Team", () => Router.Holidays())
}

/** The place of a slice; undefined where it is seen among the data alone. */
export const placeOf = (slice: string): SlicePlace | undefined => places[slice]

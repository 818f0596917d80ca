/** Every view of the console, by its route, with all that opens over it, and what must be there before it counts as shown. */
import type { RouteName } from "@quartet/console/routes"
import type { Page } from "playwright-core"
import { type Guest, settle } from "./stage.js"

export interface View {
  readonly name: string
  readonly path: string
  /** What the view is about, in its own words. */
  readonly shows: string | RegExp
  /** Steps that open what is not there by its address. */
  readonly open?: (guest: Guest) => Promise<void>
  /** Whether the list alone is meant: beside it, a wide page shows its first row. */
  readonly isList?: boolean
}

type Step = Required<View>["open"]

const row = (page: Page) => page.locator("[data-row]").first()

/** Opens the first row of the list. */
const first: Step = async ({ page }) => {
  await row(page).click()
  await page.getByRole("heading", { level: 2 }).first().waitFor()
  await settle(page)
}

/** Opens the first row, then presses keys one after the other. */
const byKeys =
  (...keys: ReadonlyArray<string>): Step =>
  async (guest) => {
    await first(guest)
    for (const key of keys) await guest.page.keyboard.press(key)
  }

/** Presses a button of the page. */
const button =
  (name: string): Step =>
  async ({ page }) => {
    await page.getByRole("button", { name, exact: true }).first().click()
    await settle(page)
  }

/** Presses a button beside what is open. */
const inFirst =
  (name: string): Step =>
  async (guest) => {
    await first(guest)
    await button(name)(guest)
  }

/** A route that is missing here does not compile. */
const ofRoutes: Readonly<Record<RouteName, ReadonlyArray<View>>> = {
  Home: [{ name: "home", path: "/", shows: "Closed", isList: true }],
  Requests: [
    { name: "requests", path: "/requests", shows: "Closed", isList: true },
    { name: "ticked", path: "/requests", shows: "2 ticked", open: byKeys("x", "j", "x") },
    {
      name: "rows-menu",
      path: "/requests",
      shows: "Save all rows as CSV",
      open: button("List options")
    },
    {
      name: "wire",
      path: "/requests",
      shows: "Secrets are masked",
      open: async (guest) => {
        await byKeys("w")(guest)
        await guest.page.getByRole("complementary", { name: "Wire" }).locator("summary").first().click()
      }
    },
    {
      name: "palette",
      path: "/requests",
      shows: /\d results/,
      open: async ({ page }) => {
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Search or run a command" }).fill("ana")
      }
    },
    {
      name: "help",
      path: "/requests",
      shows: "Use letter shortcuts",
      open: ({ page }) => page.keyboard.press("?")
    },
    {
      name: "you",
      path: "/requests",
      shows: "Sign out",
      open: ({ page }) => page.getByRole("button", { name: "Tamar Chikovani" }).click()
    }
  ],
  Request: [
    { name: "request", path: "/requests", shows: /sent this/, open: first },
    { name: "status", path: "/requests", shows: "Set status", open: byKeys("s") },
    {
      name: "undo",
      path: "/requests",
      shows: "Undo",
      open: async (guest) => {
        await byKeys("c")(guest)
        // It stays as long as it has the focus.
        await guest.page.getByRole("button", { name: "Undo" }).focus()
      }
    }
  ],
  Chat: [{ name: "conversations", path: "/chat", shows: "Unread", isList: true }],
  Conversation: [{ name: "chat", path: "/chat", shows: /Enter to send/, open: first }],
  Customers: [
    { name: "customers", path: "/customers", shows: "New customer", isList: true },
    { name: "new-customer", path: "/customers", shows: "Interests", open: button("New customer") }
  ],
  Customer: [
    { name: "customer", path: "/customers", shows: "Conversations", open: first },
    { name: "notify", path: "/customers", shows: "Preview", open: byKeys("m") },
    { name: "customer-edit", path: "/customers", shows: "Cancel", open: byKeys("e") },
    { name: "customer-delete", path: "/customers", shows: /cannot be undone/, open: byKeys("Delete") }
  ],
  Orders: [
    { name: "orders", path: "/orders?tab=all", shows: "Delivered", isList: true },
    { name: "orders-filters", path: "/orders?tab=all", shows: "Any date", open: button("Filters") }
  ],
  Order: [{ name: "order", path: "/orders?tab=all", shows: "Total", open: first }],
  Payments: [{ name: "payments", path: "/payments", shows: "Succeeded", isList: true }],
  Payment: [
    { name: "payment", path: "/payments", shows: "Timeline", open: first },
    { name: "refund", path: "/payments?tab=succeeded", shows: "All that is left.", open: byKeys("r") },
    {
      name: "refund-question",
      path: "/payments?tab=succeeded",
      shows: "This cannot be undone",
      open: byKeys("r", "Control+Enter")
    }
  ],
  Catalogue: [
    { name: "catalogue", path: "/catalogue", shows: "Catalogue", isList: true },
    {
      name: "comparison",
      path: "/catalogue",
      shows: "2 items compared",
      open: async (guest) => {
        await byKeys("x", "j", "x")(guest)
        await button("Compare")(guest)
      }
    }
  ],
  Item: [{ name: "item", path: "/catalogue", shows: "Similar items", open: first }],
  Content: [
    { name: "content", path: "/library?model=news", shows: "New entry", isList: true },
    {
      name: "rules",
      path: "/library?model=news",
      shows: "Entries that match all of these",
      open: async (guest) => {
        await button("Sort and filter")(guest)
        await button("Add a filter")(guest)
        await guest.page.getByLabel("Value").fill("Vake")
        await settle(guest.page)
      }
    }
  ],
  Entry: [
    { name: "entry", path: "/library?model=news", shows: "Georgian", open: first },
    { name: "new-entry", path: "/library/new?model=news", shows: "New entry" }
  ],
  Files: [{ name: "files", path: "/files", shows: "Upload", isList: true }],
  File: [{ name: "file", path: "/files", shows: "Download", open: first }],
  Team: [{ name: "administrators", path: "/team", shows: "Add administrator", isList: true }],
  Roles: [
    { name: "roles", path: "/team/roles", shows: "Roles" },
    {
      name: "level",
      path: "/team/roles",
      shows: "Edit",
      open: ({ page }) => page.getByRole("cell").getByRole("button").first().click()
    }
  ],
  Holidays: [{ name: "holidays", path: "/team/holidays?month=2025-03", shows: "March 2025" }],
  Administrator: [
    { name: "administrator", path: "/team", shows: "What they can do", open: first },
    { name: "new-administrator", path: "/team", shows: "First password", open: button("Add administrator") }
  ],
  Data: [
    { name: "data", path: "/data/profiles", shows: /^Profiles$/, isList: true },
    { name: "row", path: "/data/users", shows: "Open in Customers", open: first },
    { name: "new", path: "/data/users", shows: "New user", open: button("New") },
    { name: "calls", path: "/data/payments", shows: "Calls for payments", open: button("Calls") }
  ],
  Developers: [{ name: "developers", path: "/developers", shows: "Notify everybody" }],
  NotifyEverybody: [
    { name: "notify-everybody", path: "/developers/notify", shows: "Your message appears here." }
  ],
  Notices: [{ name: "notices", path: "/developers/notices", shows: "Console configuration" }],
  Explorer: [
    { name: "explorer", path: "/explorer", shows: "All clients", isList: true },
    { name: "call", path: "/explorer?call=admin.payments.refund", shows: "As code" },
    { name: "call-with-choices", path: "/explorer?call=admin.notifications.send", shows: "As code" }
  ],
  Jobs: [{ name: "jobs", path: "/jobs", shows: /items\.csv/, isList: true }],
  Job: [
    { name: "run", path: "/jobs", shows: "At work", open: first },
    { name: "run-cancel", path: "/jobs", shows: "Keep running", open: inFirst("Cancel…") }
  ],
  Settings: [{ name: "settings", path: "/settings", shows: "Permission checks" }],
  As: [
    {
      name: "end-user",
      path: "/as/resident",
      shows: "You are viewing as an end user",
      open: async ({ page }) => {
        await page.getByRole("button", { name: /Ana Beridze/ }).click()
        await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor()
        await settle(page)
      }
    },
    { name: "server-items", path: "/as/server", shows: "You are viewing as a server", isList: true }
  ],
  AsData: [
    { name: "visitor", path: "/as/visitor/items", shows: "You are viewing as a visitor", open: first },
    {
      name: "end-user-data",
      path: "/as/resident/items",
      shows: "You are viewing as an end user",
      isList: true
    },
    { name: "server", path: "/as/server/notifications", shows: "You are viewing as a server" }
  ]
}

export const views: ReadonlyArray<View> = [
  ...Object.values(ofRoutes).flat(),
  { name: "not-found", path: "/nowhere", shows: "There is no page at this address" }
]

/** The view that is there once what it shows is there. */
export const shown = ({ page }: Guest, { shows }: View): Promise<void> =>
  page.getByText(shows).filter({ visible: true }).first().waitFor()

/** Brings a guest who is signed in to a view, in a page that knows nothing of the one before. */
export const visit = async (guest: Guest, view: View): Promise<void> => {
  const { page } = guest
  // On a narrow page, nobody but a person opens a row.
  await page.setViewportSize({ width: view.isList ? 390 : 1280, height: 800 })
  await page.goto(new URL(view.path, page.url()).href)
  await settle(page)
  await view.open?.(guest)
  await shown(guest, view)
}

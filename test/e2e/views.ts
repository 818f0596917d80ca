/** Every view of the console, by its route, and what must be there before it counts as shown. */
import type { RouteName } from "@quartet/console/routes"
import { type Guest, settle } from "./stage.js"

export interface View {
  readonly name: string
  readonly path: string
  /** What the view is about, in its own words. */
  readonly shows: string | RegExp
  /** Steps that open what lies above the page. */
  readonly open?: (guest: Guest) => Promise<void>
}

const first =
  (region: string) =>
  async ({ page }: Guest): Promise<void> => {
    await page.getByRole("region", { name: region }).getByRole("link").first().click()
    await settle(page)
  }

/** A route that is missing here does not compile. */
const ofRoutes: Readonly<Record<RouteName, ReadonlyArray<View>>> = {
  Overview: [{ name: "overview", path: "/", shows: "Latest payments" }],
  Requests: [
    { name: "requests", path: "/requests", shows: "Filed" },
    {
      name: "wire",
      path: "/requests",
      shows: "Secrets are masked",
      open: async ({ page }) => {
        await page.getByRole("button", { name: "Wire", exact: true }).click()
        await page.getByRole("complementary", { name: "Wire" }).locator("summary").first().click()
      }
    },
    {
      name: "palette",
      path: "/requests",
      shows: "User, ",
      open: async ({ page }) => {
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Go, find or do" }).fill("ana")
      }
    },
    {
      name: "notices",
      path: "/requests",
      shows: "Answer",
      open: ({ page }) => page.getByRole("button", { name: /^Notifications, / }).click()
    },
    {
      name: "help",
      path: "/requests",
      shows: "Find on this page",
      open: ({ page }) => page.keyboard.press("?")
    }
  ],
  Request: [{ name: "request", path: "/requests", shows: "Change the status", open: first("Requests") }],
  Chat: [{ name: "conversations", path: "/chat", shows: "Choose a conversation" }],
  Conversation: [{ name: "chat", path: "/chat", shows: "Connected", open: first("Conversations") }],
  Content: [
    {
      name: "content",
      path: "/library?model=news",
      shows: /Vake/,
      open: async ({ page }) => {
        await page.getByRole("button", { name: "Add a filter" }).click()
        await page.getByLabel("Value").fill("Vake")
        await page.getByRole("button", { name: "Views" }).click()
        await settle(page)
      }
    },
    { name: "entry", path: "/library?model=news", shows: "Georgian", open: first("Entries of News") }
  ],
  Holidays: [{ name: "holidays", path: "/holidays?month=2025-03", shows: "March 2025" }],
  Commerce: [
    { name: "payments", path: "/commerce", shows: "Provider" },
    {
      name: "refund",
      path: "/commerce",
      shows: "This cannot be undone",
      open: async ({ page }) => {
        await page.getByRole("row").filter({ hasText: "Succeeded" }).first().getByRole("link").first().click()
        await page.getByRole("button", { name: "Refund…" }).click()
      }
    }
  ],
  People: [{ name: "roles", path: "/people", shows: "What each role may do" }],
  Explorer: [
    { name: "explorer", path: "/explorer?call=admin.payments.refund", shows: "Send, and change data" }
  ],
  Data: [
    { name: "users", path: "/data/users", shows: "City" },
    { name: "items", path: "/data/items", shows: "Price" },
    { name: "order", path: "/data/orders", shows: "Total", open: first("Orders") },
    { name: "files", path: "/data/files", shows: "Upload a file" },
    { name: "administrators", path: "/data/admins", shows: "Roles" },
    {
      name: "new",
      path: "/data/users",
      shows: "Further fields",
      open: ({ page }) => page.getByRole("button", { name: "New user" }).click()
    }
  ],
  Jobs: [{ name: "jobs", path: "/jobs", shows: "items.csv" }],
  Job: [{ name: "run", path: "/jobs", shows: "Note item 41 as done", open: first("Runs") }],
  Settings: [{ name: "settings", path: "/settings", shows: "Reading of permissions" }],
  As: [
    {
      name: "end-user",
      path: "/as/resident",
      shows: "Profile",
      open: async ({ page }) => {
        await page.getByRole("button", { name: /Ana Beridze/ }).click()
        await page.getByRole("heading", { name: "Requests" }).waitFor()
        await settle(page)
      }
    },
    { name: "server-items", path: "/as/server", shows: "Price" }
  ],
  AsData: [
    { name: "visitor", path: "/as/visitor/items", shows: "Price" },
    { name: "end-user-data", path: "/as/resident/items", shows: "Price" },
    { name: "server", path: "/as/server/notifications", shows: "Send in app" }
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
  await guest.page.setViewportSize({ width: 1280, height: 800 })
  await guest.page.goto(new URL(view.path, guest.page.url()).href)
  await settle(guest.page)
  await view.open?.(guest)
  await shown(guest, view)
}

/** Every view of the console, and what must be there before it counts as shown. */
import { type Guest, go, settle, signIn } from "./stage.js"

export interface View {
  readonly name: string
  readonly path: string
  /** What the view is about, in its own words. */
  readonly shows: string | RegExp
  /** Steps that open what lies above the page. */
  readonly open?: (guest: Guest) => Promise<void>
  /** Whether nobody has to be signed in. */
  readonly isPublic?: true
}

const first =
  (region: string) =>
  async ({ page }: Guest): Promise<void> => {
    await page.getByRole("region", { name: region }).getByRole("link").first().click()
    await settle(page)
  }

export const views: ReadonlyArray<View> = [
  { name: "sign-in", path: "/", shows: "Sign in to the console", isPublic: true },
  { name: "overview", path: "/", shows: "Set up billing" },
  { name: "requests", path: "/requests", shows: "Filed" },
  { name: "request", path: "/requests", shows: "Change the status", open: first("Requests") },
  { name: "chat", path: "/chat", shows: "Connected", open: first("Conversations") },
  {
    name: "content",
    path: "/library?model=news",
    shows: /p\.title=like\|Vake\|TEXT&o\.views=asc/,
    open: async ({ page }) => {
      await page.getByRole("button", { name: "Add a filter" }).click()
      await page.getByLabel("Value").fill("Vake")
      await page.getByRole("button", { name: "Views" }).click()
      await settle(page)
    }
  },
  { name: "holidays", path: "/holidays?month=2025-03", shows: "March 2025" },
  { name: "payments", path: "/commerce", shows: "Provider" },
  {
    name: "refund",
    path: "/commerce",
    shows: "This cannot be undone",
    open: async ({ page }) => {
      await page.getByRole("row").filter({ hasText: "Succeeded" }).first().getByRole("link").click()
      await page.getByRole("button", { name: "Refund…" }).click()
    }
  },
  { name: "roles", path: "/people", shows: "What each role may do" },
  { name: "files", path: "/data/files", shows: "Upload a file" },
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
    shows: "Users, ",
    open: async ({ page }) => {
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox", { name: "Go, find or do" }).fill("ana")
    }
  },
  { name: "users", path: "/data/users", shows: "City" },
  { name: "items", path: "/data/items", shows: "Price" },
  { name: "order", path: "/data/orders", shows: "Total", open: first("Orders") },
  { name: "administrators", path: "/data/admins", shows: "Roles" },
  {
    name: "explorer",
    path: "/explorer?call=admin.payments.refund",
    shows: "Send, and change data"
  },
  {
    name: "notices",
    path: "/requests",
    shows: "Answer",
    open: async ({ page }) => {
      await page.getByRole("button", { name: /^Notifications, / }).click()
    }
  },
  { name: "settings", path: "/settings", shows: "Reading of permissions" },
  { name: "visitor", path: "/as/visitor/items", shows: "Price" },
  {
    name: "end-user",
    path: "/as/resident",
    shows: "File a request",
    open: async ({ page }) => {
      await page.getByRole("button", { name: /Ana Beridze/ }).click()
      await page.getByRole("heading", { name: "As Ana Beridze" }).waitFor()
      await settle(page)
    }
  },
  { name: "server", path: "/as/server/notifications", shows: "Send in app" },
  { name: "not-found", path: "/nowhere", shows: "There is no page at this address" }
]

/** Brings a guest, who has just arrived, to a view. */
export const visit = async (guest: Guest, view: View): Promise<void> => {
  if (view.isPublic !== true) {
    await signIn(guest)
    await go(guest, view.path)
    await view.open?.(guest)
  }
  await guest.page.getByText(view.shows).filter({ visible: true }).first().waitFor()
}

/** The console: the sign-in, the shell, and the view of the present address, loaded on demand. */

import { useSession } from "@quartet/react"
import type { ReactElement } from "react"
import { Card, PageHead } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { SignedIn, SignIn, useSettled } from "../views/sign-in/view.js"
import { Later, type Load } from "./later.js"
import { admin } from "./query-clients.js"
import type { RouteName } from "./routes.js"
import { Shell } from "./shell.js"
import { useWhere } from "./viewer.js"

/** The views, loaded on demand. */
const views: Partial<Record<RouteName, Load>> = {
  Requests: () => import("../views/requests/view.js"),
  Chat: () => import("../views/chat/view.js"),
  Customers: () => import("../views/customers/view.js"),
  Orders: () => import("../views/orders/view.js"),
  Payments: () => import("../views/payments/view.js"),
  Catalogue: () => import("../views/catalogue/view.js"),
  Content: () => import("../views/content/view.js"),
  Files: () => import("../views/files/view.js"),
  Team: () => import("../views/team/view.js"),
  Developers: () => import("../views/developers/view.js"),
  Data: () => import("../views/resources/view.js"),
  Explorer: () => import("../views/explorer/view.js"),
  Jobs: () => import("../views/jobs/view.js"),
  Settings: () => import("../views/settings/view.js")
}

export const App = (): ReactElement => {
  const { audience, place } = useWhere()
  const session = useSession(admin.session)
  // Whoever cannot sign in may have to change the settings. Jobs are those of this machine, and no part of the platform.
  const isAdmins = audience === "admin" && place !== "Settings" && place !== "Jobs"
  const settled = useSettled(session.status, session.status === "signing-in")
  if (isAdmins && settled !== "signed-in") return <SignIn isOpening={settled !== "signed-out"} />
  const part = place === undefined ? undefined : views[place]
  const page =
    part === undefined ? (
      <>
        <PageHead title="Not found" />
        <Card flush>
          <Empty icon="search" title="There is no page at this address">
            It may have moved. Choose a place in the menu.
          </Empty>
        </Card>
      </>
    ) : (
      <Later key={place} part={part}>
        <SkeletonRows rows={12} />
      </Later>
    )
  return <Shell>{audience === "endUser" ? <SignedIn>{page}</SignedIn> : page}</Shell>
}

/** The console once somebody is in: the shell, and the view of the present address, loaded on demand. */

import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { Button } from "../design/button.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { SignedIn } from "../views/sign-in/view.js"
import { registry } from "./cells.js"
import { Later, type Load } from "./later.js"
import { type RouteName, Router } from "./routes.js"
import { Shell } from "./shell.js"
import { opened } from "./shortcuts.js"
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
  Data: () => import("../views/data/view.js"),
  Explorer: () => import("../views/explorer/view.js"),
  Jobs: () => import("../views/jobs/view.js"),
  NotifyEverybody: () => import("../views/notify-everybody/view.js"),
  Settings: () => import("../views/settings/view.js"),
  Notices: () => import("../views/notices/view.js")
}

const NotFound = (): ReactElement => (
  <>
    <h1 className="sr-only">Not found</h1>
    <Empty icon="search" title="There is no page at this address">
      <p>It may have moved, or the address was cut off.</p>
      <div className="row mt-3 justify-center">
        <Link to={Router.Requests()}>Go to Requests</Link>
        <Button onClick={() => history.back()}>Back</Button>
        <Button icon="search" onClick={() => registry.set(opened, "palette")}>
          Search
        </Button>
      </div>
    </Empty>
  </>
)

const Inside = (): ReactElement => {
  const { audience, place } = useWhere()
  const part = place === undefined ? undefined : views[place]
  const page =
    part === undefined ? (
      <NotFound />
    ) : (
      <Later key={place} part={part}>
        <SkeletonRows rows={12} of="inbox" />
      </Later>
    )
  return <Shell>{audience === "endUser" ? <SignedIn>{page}</SignedIn> : page}</Shell>
}

export default Inside

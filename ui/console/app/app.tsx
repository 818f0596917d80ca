/** The console: the sign-in, the shell, and the view of the present address, loaded on demand. */
import type { ComponentType, ReactElement } from "react"
import { useSession } from "../../rx/index.js"
import { Card, PageHead } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { SignIn, useSettled } from "../views/sign-in/view.js"
import { Later, type Load } from "./later.js"
import { admin } from "./query-clients.js"
import { type RouteName, Router, routeNames } from "./routes.js"
import { Shell } from "./shell.js"
import { audienceOf, placeOf } from "./viewer.js"

const view =
  (load: () => Promise<{ readonly default: ComponentType }>): Load =>
  async () =>
    (await load()).default

/** The views, loaded on demand. */
const views: Partial<Record<RouteName, Load>> = {
  Overview: view(() => import("../views/overview/view.js")),
  Requests: view(() => import("../views/requests/view.js")),
  Chat: view(() => import("../views/chat/view.js")),
  Content: view(() => import("../views/content/view.js")),
  Holidays: view(() => import("../views/holidays/view.js")),
  People: view(() => import("../views/people/view.js")),
  Commerce: view(() => import("../views/resources/view.js")),
  Data: view(() => import("../views/resources/view.js")),
  Explorer: view(() => import("../views/explorer/view.js")),
  Settings: view(() => import("../views/settings/view.js")),
  EndUser: view(() => import("../views/end-user/view.js"))
}

const Missing = (): ReactElement => (
  <>
    <PageHead title="Not found" />
    <Card flush>
      <Empty icon="search" title="There is no page at this address">
        It may have moved. Choose a place in the menu.
      </Empty>
    </Card>
  </>
)

export const App = (): ReactElement => {
  const route = Router.useRoute(routeNames)
  const session = useSession(admin.session)
  const place = placeOf(route?.name)
  // Whoever cannot sign in may have to change the settings.
  const isAdmins = audienceOf(route?.name) === "admin" && route?.name !== "Settings"
  const settled = useSettled(session.status)
  if (isAdmins && settled !== "signed-in") return <SignIn isOpening={settled !== "signed-out"} />
  const part = place === undefined ? undefined : views[place]
  return (
    <Shell>
      {part === undefined ? (
        <Missing />
      ) : (
        <Later key={place} part={part}>
          <SkeletonRows rows={12} />
        </Later>
      )}
    </Shell>
  )
}

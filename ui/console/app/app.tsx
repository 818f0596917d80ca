/** The console: the sign-in, the shell, and the view of the present address, loaded on demand. */
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react"
import { useSession } from "../../rx/index.js"
import { Card, PageHead } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { SignIn, useSettled } from "../views/sign-in/view.js"
import { Boundary } from "./boundary.js"
import { registry } from "./cells.js"
import { lostSince } from "./network.js"
import { admin } from "./query-clients.js"
import { type RouteName, Router, routeNames } from "./routes.js"
import { Shell } from "./shell.js"
import { audienceOf, placeOf } from "./viewer.js"

/** The views, loaded on demand. React remembers for good that one could not be loaded: each attempt makes them anew. */
const makeViews = (): Partial<Record<RouteName, ComponentType>> => ({
  Overview: lazy(() => import("../views/overview/view.js")),
  Requests: lazy(() => import("../views/requests/view.js")),
  Chat: lazy(() => import("../views/chat/view.js")),
  Content: lazy(() => import("../views/content/view.js")),
  Holidays: lazy(() => import("../views/holidays/view.js")),
  People: lazy(() => import("../views/people/view.js")),
  Commerce: lazy(() => import("../views/resources/view.js")),
  Data: lazy(() => import("../views/resources/view.js")),
  Explorer: lazy(() => import("../views/explorer/view.js")),
  Settings: lazy(() => import("../views/settings/view.js")),
  EndUser: lazy(() => import("../views/end-user/view.js"))
})

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
  const [{ attempt, views }, setViews] = useState(() => ({ attempt: 0, views: makeViews() }))
  const retry = (isPressed: boolean): void => {
    // What a server that answers still does not have is code of an older console.
    if (isPressed && attempt > 0 && registry.get(lostSince) === undefined) window.location.reload()
    else setViews({ attempt: attempt + 1, views: makeViews() })
  }
  if (isAdmins && settled !== "signed-in") return <SignIn isOpening={settled !== "signed-out"} />
  const View = place === undefined ? undefined : views[place]
  return (
    <Shell>
      <Boundary key={`${place} ${attempt}`} onRetry={retry}>
        <Suspense fallback={<SkeletonRows rows={12} />}>
          {View === undefined ? <Missing /> : <View />}
        </Suspense>
      </Boundary>
    </Shell>
  )
}

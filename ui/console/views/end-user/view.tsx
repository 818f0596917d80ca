/** As an end user: what they are told, and the way to their own requests, orders and profile. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useQuery, useSession } from "../../../rx/index.js"
import { resourceOf, rowOf, someOf } from "../../app/catalogue.js"
import { Notifications } from "../../app/notices.js"
import { endUser, signOut } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { nameOf } from "../../app/values.js"
import { Button } from "../../design/button.js"
import { Card, PageHead } from "../../design/show.js"
import { SkeletonRows } from "../../design/state.js"
import { SignInForm, useSettled } from "../sign-in/view.js"

const pages = [
  { slice: "requests", label: "Requests" },
  { slice: "orders", label: "Orders" },
  { slice: "auth", label: "Profile" }
] as const

/** How many rows a list of theirs has, and what the first ones are called. */
const Held = ({ slice }: { readonly slice: string }): ReactElement => {
  const resource = resourceOf("endUser", slice)
  const { data } = useQuery(someOf(resource))
  const names = data?.items.slice(0, 3).map((row) => nameOf(slice, rowOf({ id: "id" }, row, 0))) ?? []
  return (
    <p className="quiet">{data === undefined ? "" : [`${data.items.length} in all`, ...names].join(" · ")}</p>
  )
}

const EndUserView = (): ReactElement => {
  const session = useSession(endUser.session)
  const settled = useSettled(session.status, session.status === "signing-in")
  if (settled === "signing-in") return <SkeletonRows rows={8} />
  if (settled === "signed-out") {
    return (
      <div className="grid items-start gap-4 md:grid-cols-2">
        <SignInForm title="View as an end user" lead="Choose somebody who uses your product." as="endUser" />
      </div>
    )
  }
  const identity = session.status === "signed-in" ? session.identity : undefined
  const name = identity?.audience === "endUser" ? identity.user.fullName : undefined
  return (
    <>
      <PageHead
        title={`As ${name ?? "an end user"}`}
        about="What this person sees, and nobody else: their requests, orders, notifications and profile."
      >
        <Button icon="signOut" onClick={() => void signOut("endUser")}>
          Be somebody else
        </Button>
      </PageHead>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Card title="Notifications" flush>
          <Notifications />
        </Card>
        <Card title="Theirs" flush>
          <ul>
            {pages.map(({ label, slice }) => (
              <li key={slice} className="row border-t border-line px-4 py-3">
                <Link to={Router.EndUserData({ slice })}>{label}</Link>
                {slice === "auth" ? <p className="quiet">{name}</p> : <Held slice={slice} />}
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

export default EndUserView

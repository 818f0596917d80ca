/** The sidebar: the present client, the navigation, and who is signed in. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useSession } from "../../rx/index.js"
import { IconButton } from "../design/button.js"
import { Segmented, Select } from "../design/field.js"
import { Brand, Icon } from "../design/icon.js"
import { Avatar, words } from "../design/show.js"
import { useCellValue } from "./cells.js"
import { admin, signOut } from "./query-clients.js"
import type { RouteName } from "./routes.js"
import * as Theme from "./theme.js"
import { audienceOf, dataOf, placeOf, places, viewers } from "./viewer.js"

/** Who is signed in, and how to sign out. */
const Who = (): ReactElement | null => {
  const session = useSession(admin.session)
  if (session.status !== "signed-in" || session.identity.audience !== "admin") return null
  const { email = "", fullName = email } = session.identity.admin
  return (
    <div className="row">
      <Avatar name={fullName} />
      <div className="grid min-w-0 flex-1 text-sm">
        <strong className="truncate">{fullName}</strong>
        <span className="truncate faint">{email}</span>
      </div>
      <IconButton icon="signOut" label="Sign out" size="s" onClick={() => void signOut("admin")} />
    </div>
  )
}

/** The content of the sidebar, and of the drawer on narrow screens. */
export const Sidebar = (props: {
  readonly route: RouteName | undefined
  /** Called on navigation. */
  readonly onGo?: () => void
}): ReactElement => {
  const { onGo, route } = props
  const audience = audienceOf(route)
  const here = placeOf(route)
  const shown =
    audience === "admin"
      ? places
      : [
          ...viewers.flatMap((one) =>
            one.audience === audience && one.home !== undefined ? { ...one, name: one.home } : []
          ),
          { name: "Data", label: "Data", icon: "server" as const, to: dataOf(audience, { slice: "items" }) }
        ]
  return (
    <aside className="flex flex-1 flex-col gap-4 overflow-y-auto bg-bg px-3 py-3.5" aria-label="Console">
      <Brand />
      <Select
        label="View as"
        value={audience}
        choices={viewers.map((viewer) => ({ value: viewer.audience, label: viewer.label }))}
        onChange={(chosen) => pushUnsafe(viewers.find((viewer) => viewer.audience === chosen)?.to ?? "/")}
      />
      <nav className="mb-auto" aria-label="Main">
        {shown.map(({ icon, label, name, to }) => (
          <Link
            key={to}
            to={to}
            className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm font-medium text-muted no-underline hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-accent-text"
            aria-current={name === here ? "page" : undefined}
            onClick={onGo}
          >
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <Segmented
        label="Theme"
        value={useCellValue(Theme.theme)}
        choices={Theme.themes.map((value) => ({ value, label: words(value) }))}
        onChange={Theme.choose}
      />
      {audience === "admin" && <Who />}
    </aside>
  )
}

/** The sidebar: the present client, the navigation, and who is signed in. */

import { useSession } from "@quartet/react"
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { IconButton } from "../design/button.js"
import { Segmented, Select } from "../design/field.js"
import { Brand, Icon } from "../design/icon.js"
import { Avatar, words } from "../design/show.js"
import { useCellValue } from "./cells.js"
import type { Person } from "./config.js"
import { sessions, signOut } from "./query-clients.js"
import * as Theme from "./theme.js"
import { audiences, dataOf, places, startOf, useWhere, viewers } from "./viewer.js"

/** Who is signed in, and how to sign out. */
const Who = ({ as }: { readonly as: Person }): ReactElement | null => {
  const session = useSession(sessions[as])
  if (session.status !== "signed-in") return null
  const { identity } = session
  const person = "admin" in identity ? identity.admin : "user" in identity ? identity.user : undefined
  const email = person?.email ?? ""
  const fullName = person?.fullName ?? email
  return (
    <div className="row">
      <Avatar name={fullName} />
      <div className="grid min-w-0 flex-1 text-sm">
        <strong className="truncate">{fullName}</strong>
        <span className="truncate faint">{email}</span>
      </div>
      <IconButton icon="signOut" label="Sign out" size="s" onClick={() => void signOut(as)} />
    </div>
  )
}

/** The content of the sidebar, and of the drawer on narrow screens. */
export const Sidebar = (props: {
  /** Called on navigation. */
  readonly onGo?: () => void
}): ReactElement => {
  const { audience, place, slice } = useWhere()
  const shown =
    audience === "admin"
      ? places.map((destination) => ({ ...destination, isHere: destination.name === place }))
      : viewers[audience].looks.map((look) => ({
          ...look,
          to: dataOf(audience, look),
          isHere: look.slice === slice
        }))
  return (
    <aside className="flex flex-1 flex-col gap-4 overflow-y-auto bg-bg px-3 py-3.5" aria-label="Console">
      <Brand />
      <Select
        label="View as"
        value={audience}
        choices={audiences}
        onChange={(chosen) => pushUnsafe(startOf(chosen))}
      />
      <nav className="mb-auto" aria-label="Main">
        {shown.map(({ icon, isHere, label, to }) => (
          <Link
            key={to}
            to={to}
            className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm font-medium text-muted no-underline hover:bg-hover hover:text-ink aria-[current]:bg-selected aria-[current]:font-semibold aria-[current]:text-accent-text"
            aria-current={isHere ? "page" : undefined}
            onClick={props.onGo}
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
      {(audience === "admin" || audience === "endUser") && <Who key={audience} as={audience} />}
    </aside>
  )
}

/** The menu: the nine places, what is for developers, and who is signed in. */

import { useSession } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { Brand, Icon } from "../design/icon.js"
import { MenuButton } from "../design/menu.js"
import { Avatar, words } from "../design/show.js"
import { registry, useCellValue } from "./cells.js"
import { type Person, projectId } from "./config.js"
import { sessions, signOut } from "./query-clients.js"
import { opened } from "./shortcuts.js"
import { projectName, waiting } from "./summary.js"
import * as Theme from "./theme.js"
import { developers, type Place, places, useWhere } from "./viewer.js"

/** Who is signed in, and what is set for oneself. */
const Who = ({ as }: { readonly as: Person }): ReactElement | null => {
  const session = useSession(sessions[as])
  const theme = useCellValue(Theme.theme)
  if (session.status !== "signed-in") return null
  const { identity } = session
  const person = "admin" in identity ? identity.admin : "user" in identity ? identity.user : undefined
  const name = person?.fullName ?? person?.email ?? "You"
  return (
    <MenuButton
      label={`You: ${name}`}
      kind="ghost"
      className="menu-who"
      placement="top start"
      shown={
        <>
          <Avatar name={name} />
          <span className="menu-text truncate">{name}</span>
        </>
      }
      items={[
        {
          label: "Theme",
          items: Theme.themes.map((value) => ({
            label: words(value),
            isCurrent: value === theme,
            onAction: () => Theme.choose(value)
          }))
        },
        {
          label: "You",
          items: [
            { label: "Keyboard shortcuts", keys: "?", onAction: () => registry.set(opened, "help") },
            { label: "Sign out", icon: "signOut", onAction: () => void signOut(as) }
          ]
        }
      ]}
    />
  )
}

/** The content of the menu, and of the drawer on narrow screens, where it always has its words. */
export const Sidebar = (props: {
  readonly isWhole?: boolean
  /** Called on navigation. */
  readonly onGo?: () => void
}): ReactElement => {
  const { audience, isDevelopers, place } = useWhere()
  const counts = useCellValue(waiting)
  const link = ({ icon, label, name, to }: Place, isHere: boolean): ReactElement => {
    const count = counts[name] ?? 0
    return (
      <Link
        key={name}
        to={to}
        className="menu-link"
        title={props.isWhole ? undefined : label}
        aria-current={isHere ? "page" : undefined}
        onClick={props.onGo}
      >
        <Icon name={icon} />
        <span className="menu-text">{label}</span>
        {count > 0 && (
          <span className="menu-count">
            {count}
            <span className="sr-only"> waiting</span>
          </span>
        )}
      </Link>
    )
  }
  return (
    <div className="menu" data-whole={props.isWhole || undefined}>
      <div className="menu-head">
        <Brand name={useCellValue(projectName) ?? projectId} />
      </div>
      <button type="button" className="menu-link" onClick={() => registry.set(opened, "palette")}>
        <Icon name="search" />
        <span className="menu-text">Find, go or do</span>
      </button>
      <nav className="grid gap-px" aria-label="Places">
        {places.map((place_) => link(place_, !isDevelopers && place_.name === place))}
      </nav>
      <span className="flex-1" />
      {link(developers, isDevelopers)}
      <Who as={audience === "endUser" ? "endUser" : "admin"} />
    </div>
  )
}

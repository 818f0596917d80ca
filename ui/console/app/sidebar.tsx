/** The menu: the nine places, what is for developers, and who is signed in. */

import { useSession } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { Brand, Icon } from "../design/icon.js"
import { MenuButton } from "../design/menu.js"
import { Avatar, Kbd, words } from "../design/show.js"
import { Tooltip } from "../design/tooltip.js"
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
  const link = ({ icon, key, label, name, to }: Place, isHere: boolean): ReactElement => {
    const count = counts[name] ?? 0
    const face = (
      <Link
        key={name}
        to={to}
        className="menu-link"
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
    return props.isWhole ? (
      face
    ) : (
      <Tooltip key={name} text={label} keys={`g ${key}`} placement="right" isForIcons>
        {face}
      </Tooltip>
    )
  }
  return (
    <div className="menu" data-whole={props.isWhole || undefined}>
      <div className="menu-head">
        <Brand name={useCellValue(projectName) ?? projectId} />
      </div>
      <button
        type="button"
        className="menu-link"
        onClick={() => {
          props.onGo?.()
          registry.set(opened, "palette")
        }}
      >
        <Icon name="search" />
        <span className="menu-text flex flex-1 items-center">
          <span className="flex-1">
            Search<span className="sr-only"> or run a command</span>
          </span>{" "}
          {!props.isWhole && <Kbd keys="mod k" />}
        </span>
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
